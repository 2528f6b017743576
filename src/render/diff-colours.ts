/** Colours of the lines of a diff: each side of a hunk is read as the code that it is. */
import type { DiffLine } from './diff.ts'
import { type Highlight, type Token, tokenLines } from './highlight/token.ts'

/**
 * Tokens by index of their line, for the lines that have any. What stayed and what was added is one text, what stayed
 * and what was removed another, so that a string or comment over several lines is known on both sides.
 */
export function colouredLines(
  lines: readonly DiffLine[],
  colour: (code: string) => ReturnType<Highlight>,
): Map<number, Token[]> {
  const result = new Map<number, Token[]>()
  for (const kind of ['del', 'add'] as const) {
    if (!lines.some((line) => line.kind === kind)) continue
    const side = [...lines.entries()].filter(([, line]) => line.kind === kind || line.kind === 'same')
    const tokens = colour(side.map(([, { text }]) => text).join('\n'))
    if (tokens === undefined) continue
    const byLine = tokenLines(tokens)
    for (const [place, [index]] of side.entries()) {
      const own = byLine[place]
      if (own !== undefined) result.set(index, own)
    }
  }
  return result
}
