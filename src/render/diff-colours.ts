/** Colours of the lines of a diff: each side of a hunk is read as the code that it is. */
import type { DiffLine } from './diff.ts'
import { type Highlight, type Token, tokenLines } from './highlight/token.ts'

/** What a string or comment over several lines begins or ends with. */
const overLines = /\/\*|\*\/|`|"""|'''|<!--|-->|<<|\{-|--\[\[/

/**
 * Tokens by index of their line, for the lines that have any. What stayed and what was added is one text; so is what
 * stayed and what was removed, but where no string or comment can go over several lines, removed lines beside added ones
 * are read alone, which costs about a third less.
 */
export function colouredLines(
  lines: readonly DiffLine[],
  colour: (code: string) => ReturnType<Highlight>,
): Map<number, Token[]> {
  const result = new Map<number, Token[]>()
  const isSimple = lines.some(({ kind }) => kind === 'add') && !lines.some(({ text }) => overLines.test(text))
  for (const kind of ['del', 'add'] as const) {
    if (!lines.some((line) => line.kind === kind)) continue
    const alone = kind === 'del' && isSimple
    const side = [...lines.entries()].filter(([, line]) => line.kind === kind || (line.kind === 'same' && !alone))
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
