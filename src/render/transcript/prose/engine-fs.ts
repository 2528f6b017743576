/** Loads the native Markdown engine on first use. */

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
