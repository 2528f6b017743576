/** Replaces findings until nothing is left to find: what is replaced may change how the text around it reads. */
import type { Finder } from './find.ts'
import type { Finding } from './hunt.ts'
import type { People } from './personal/people.ts'

/** A part of a text, `end` exclusive. */
interface Range {
  start: number
  end: number
}

/** How findings become text. */
export interface Replacing {
  find: Finder
  people?: People | undefined
  /** What stands in place of a finding of a text. */
  write: (text: string, finding: Finding) => string
}

/**
 * Glued tokens stand free one by one, each when the one before it is gone. So many passes are enough for all but texts
 * made to need more; the last one takes glued text as a whole, so that the time stays linear in the text.
 */
const maxPasses = 16

/**
 * The text with `first` replaced, and whatever is found because of that: a token that was glued to another, a value that
 * was a path, a user in a path that begins with `~` by now.
 */
export function replaceAll(given: string, first: readonly Finding[], { find, people, write }: Replacing): string {
  let [text, found] = [given, first]
  for (let pass = 1; found.length > 0; pass++) {
    const isLast = pass === maxPasses
    const next = replaceOnce(text, isLast ? found.map((finding) => wholeRun(text, finding)) : found, write)
    if (isLast) return next.text
    text = next.text
    found = findAround(text, next.replaced, find, people)
  }
  return text
}

/** What was written in place of the findings; one that overlaps the finding before it is gone with it. */
function replaceOnce(
  given: string,
  found: readonly Finding[],
  write: Replacing['write'],
): { text: string; replaced: Range[] } {
  const replaced: Range[] = []
  let text = ''
  let last = 0
  for (const finding of found) {
    if (finding.start < last) continue
    text += given.slice(last, finding.start)
    const start = text.length
    text += write(given, finding)
    replaced.push({ start, end: text.length })
    last = finding.end
  }
  return { text: text + given.slice(last), replaced }
}

const blank = /\s|$/g

/** A finding with all that is glued to its end. */
function wholeRun(text: string, finding: Finding): Finding {
  blank.lastIndex = finding.end
  return { ...finding, end: blank.exec(text)?.index ?? text.length }
}

/** So far from what was replaced a text may read otherwise: most of what rules look at stands nearer. */
const reach = 512
/** What is found so near to the end of a part may not be there in the whole text, or go on in it. */
const margin = 128
/** Stands for the text around a part, which then neither begins nor ends a line or a word there. */
const guard = 'x'

/** What is found around replaced parts: in parts of the text where that is less, else in the whole text. */
function findAround(text: string, replaced: readonly Range[], find: Finder, people: People | undefined): Finding[] {
  const parts = partsAround(text, replaced)
  if (parts.reduce((sum, { start, end }) => sum + end - start, 0) * 2 > text.length) return find(text, people)
  const found: Finding[] = []
  for (const { start, end } of parts) {
    const [before, behind] = [start > 0 ? guard : '', end < text.length ? guard : '']
    const shift = start - before.length
    for (const finding of find(before + text.slice(start, end) + behind, people)) {
      const own = { ...finding, start: finding.start + shift, end: finding.end + shift }
      const isNearCut = (start > 0 && own.start < start + margin) || (end < text.length && own.end > end - margin)
      if (isNearCut) return find(text, people)
      found.push(own)
    }
  }
  return found
}

/** The surroundings of replaced parts, those that overlap as one. */
function partsAround(text: string, replaced: readonly Range[]): Range[] {
  const parts: Range[] = []
  for (const range of replaced) {
    const [start, end] = [Math.max(0, range.start - reach), Math.min(text.length, range.end + reach)]
    const last = parts.at(-1)
    if (last === undefined || start > last.end) parts.push({ start, end })
    else last.end = end
  }
  return parts
}
