/** The first step over a text: where may a secret begin? It reads every character once and must be cheap. */
import type { Rule } from './rule.ts'

/** Gives each place of a text where an anchor stands, in order, with the positions of the rules to apply there. */
export type AnchorSearch = (text: string, onHit: (place: number, ranks: readonly number[]) => void) => void

interface Group {
  pattern: RegExp
  ranks: ReadonlyMap<string, readonly number[]>
}

/** Three characters of seven bits each. */
const size = 1 << 21

/**
 * Compiles the anchors of rules into a table of three-character beginnings, each with a pattern for the few anchors that
 * begin so. One pattern for all anchors takes six times as long.
 */
export function anchorSearch(rules: readonly Rule[]): AnchorSearch {
  const { table, groups } = compile(rules)
  return (text, onHit) => {
    let key = ((text.charCodeAt(0) & 127) << 7) | (text.charCodeAt(1) & 127)
    for (let index = 2; index < text.length; index++) {
      key = ((key << 7) & (size - 1)) | (text.charCodeAt(index) & 127)
      const number = table[key]
      if (number === 0 || number === undefined) continue
      const group = groups[number]
      const ranks = group === undefined ? undefined : ranksAt(text, index - 2, group)
      if (ranks !== undefined) onHit(index - 2, ranks)
    }
  }
}

function ranksAt(text: string, place: number, { pattern, ranks }: Group): readonly number[] | undefined {
  pattern.lastIndex = place
  const match = pattern.exec(text)
  return match === null ? undefined : ranks.get(match[0])
}

function compile(rules: readonly Rule[]): { table: Uint16Array; groups: (Group | undefined)[] } {
  const anchors = rules.flatMap(({ anchors: own, follows }) => own.map((anchor) => ({ anchor, follows })))
  const table = new Uint16Array(size)
  const groups: (Group | undefined)[] = [undefined]
  for (const beginning of new Set(anchors.map(({ anchor }) => anchor.slice(0, 3)))) {
    const own = anchors.filter(({ anchor }) => anchor.startsWith(beginning))
    // Longest first: the hit then tells of all anchors that stand at its place.
    const sources = own.toSorted((a, b) => b.anchor.length - a.anchor.length).map(sourceOf)
    const ranks = new Map(own.map(({ anchor }) => [anchor, ranksOf(rules, anchor)]))
    table[keyOf(beginning)] = groups.length
    groups.push({ pattern: new RegExp([...new Set(sources)].join('|'), 'y'), ranks })
  }
  return { table, groups }
}

function sourceOf({ anchor, follows }: { anchor: string; follows: string | undefined }): string {
  const source = anchor.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
  return follows === undefined ? source : `${source}(?=${follows})`
}

/** Rules that apply where an anchor stands: its own, and those of every anchor that it begins with. */
function ranksOf(rules: readonly Rule[], hit: string): number[] {
  return rules.flatMap(({ anchors }, rank) => (anchors.some((anchor) => hit.startsWith(anchor)) ? [rank] : []))
}

function keyOf(beginning: string): number {
  return [...beginning].reduce((key, character) => (key << 7) | (character.charCodeAt(0) & 127), 0)
}
