/** Loads the reader of TeX with the first formula: most sessions have none. */

import { createRequire } from 'node:module'
import type { DrawTex } from './hast/mathematics.ts'

let temml: typeof import('temml').default | undefined

/**
 * MathML of a formula, as temml's tree: the part of it that is pinned, because its name says that it may change. Throws
 * for what TeX does not know.
 */
export const drawTex: DrawTex = (tex, display) => {
  temml ??= createRequire(import.meta.url)('temml') as typeof import('temml').default // the module is the default export
  return temml.__renderToMathMLTree(tex, { displayMode: display, throwOnError: true, trust: false, maxExpand: 300 })
}
