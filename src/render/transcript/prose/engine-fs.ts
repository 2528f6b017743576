/** Loads the native Markdown engine and the reader of TeX on first use. */

import { createRequire } from 'node:module'
import type { DrawTex } from '../hast/mathematics.ts'
import { type Engine, referenceEngine } from './engine.ts'

/**
 * Returns the fastest engine of this machine: satteri's native parser, or the reference engine if there is no binary for the
 * platform. The package is loaded by the first call.
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

// The reader of TeX is loaded with the first formula, because most sessions have none.

let temml: typeof import('temml').default | undefined

/**
 * MathML of a formula, as temml's tree. The version of temml is pinned, because the name of the function says that it may
 * change. Throws for invalid TeX.
 */
export const drawTex: DrawTex = (tex, display) => {
  temml ??= createRequire(import.meta.url)('temml') as typeof import('temml').default // the module is the default export
  return temml.__renderToMathMLTree(tex, { displayMode: display, throwOnError: true, trust: false, maxExpand: 300 })
}
