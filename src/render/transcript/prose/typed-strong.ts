/**
 * What stands out in a typed paragraph: lines that begin as headings of Markdown do, and words between two asterisks each. The
 * marks stay, for they were typed; a page shows such a run in bold.
 */
import type { TypedPart } from './typed.ts'

/** Parts in order that stand out, or do not, together. */
export interface TypedRun {
  strong: boolean
  parts: TypedPart[]
}

/** Stands for each character of a part that is no text: no letter, no space and no mark. */
const other = '\uFFFC'

/**
 * A heading, or words in asterisks: no operator between two numbers or names, no pattern of paths. What is between two
 * asterisks holds none, so that each character is looked at twice at most.
 */
const standsOut = /^ {0,3}#{1,6}[ \t]+\S.*$|(?<![\w*\\/])\*\*(?=[^\s*])[^*\n]*[^\s*]\*\*(?![\w*/])/gm

/** Runs of the parts of a paragraph; a text is cut where one begins or ends, no other part is. */
export function typedRuns(parts: readonly TypedPart[]): TypedRun[] {
  if (!parts.some(({ kind, source }) => kind === 'text' && /#|\*\*/.test(source)))
    return [{ strong: false, parts: [...parts] }]
  const seen = parts.map(({ kind, source }) => (kind === 'text' ? source : other.repeat(source.length))).join('')
  /** Where a run that stands out begins, where it ends, where the next one begins, and so on. */
  const borders = [...seen.matchAll(standsOut)].flatMap(({ 0: { length }, index }) => [index, index + length])
  const runs: TypedRun[] = []
  let [offset, passed] = [0, 0]
  const nextBorder = (): number => {
    while ((borders[passed] ?? Number.POSITIVE_INFINITY) <= offset) passed++
    return borders[passed] ?? Number.POSITIVE_INFINITY
  }
  const add = (part: TypedPart): void => {
    const strong = passed % 2 === 1
    const last = runs.at(-1)
    if (last?.strong === strong) last.parts.push(part)
    else runs.push({ strong, parts: [part] })
    offset += part.source.length
  }
  for (const part of parts) {
    const [start, end] = [offset, offset + part.source.length]
    for (let border = nextBorder(); part.kind === 'text' && border < end; border = nextBorder())
      add(text(seen.slice(offset, border)))
    add(offset === start ? part : text(seen.slice(offset, end)))
  }
  return runs
}

function text(value: string): TypedPart {
  return { kind: 'text', value, source: value }
}
