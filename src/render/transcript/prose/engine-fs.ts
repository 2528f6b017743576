/** Loads the native Markdown engine and the reader of TeX on first use. */

import { createRequire } from 'node:module'
import type { DrawTex } from '../hast/mathematics.ts'
import { type Engine, referenceEngine } from './engine.ts'

/**
 * Gives the fastest engine of this machine: satteri's native parser, else the reference engine
 * (no binary for the platform). The package is not loaded before the first call.
 */
export async function loadEngine(): Promise<Engine> {
  try {
    const { markdownToMdast } = await import('satteri')
    const features = { gfm: true, frontmatter: false }
    const engine: Engine = (value) => {
      const tree = markdownToMdast(value, { features })
      if (tree.type !== 'root') throw new TypeError(`Expected a root, not \`${tree.type}\``)
      return tree
    }
    engine('probe')
    return engine
  } catch {
    return referenceEngine
  }
}

// The reader of TeX is loaded with the first formula: most sessions have none.

let temml: typeof import('temml').default | undefined

/**
 * MathML of a formula, as temml's tree: the part of it that is pinned, because its name says that it may change. Throws
 * for what TeX does not know.
 */
export const drawTex: DrawTex = (tex, display) => {
  temml ??= createRequire(import.meta.url)('temml') as typeof import('temml').default // the module is the default export
  return temml.__renderToMathMLTree(tex, { displayMode: display, throwOnError: true, trust: false, maxExpand: 300 })
}
