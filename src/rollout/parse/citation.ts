/** Which memories an answer names as its sources (rollout-format 5.1): in fields of the event, as a block in the item's text. */

import { defined } from '../../util/own.ts'
import { asArray, asCount, asObject, asStrings, asText } from './decode.ts'
import type { Part } from './facts.ts'

/** Reads the event's `memory_citation`: lines of memory files with a note, then the threads that they were learned in. */
export function citedMemories(value: unknown): Part[] {
  const citation = asObject(value)
  if (citation === undefined) return []
  return [...asArray(citation['entries']).flatMap(citedLines), ...asStrings(citation['rolloutIds']).map(learnedIn)]
}

function citedLines(value: unknown): Part[] {
  const entry = asObject(value) ?? {}
  const path = asText(entry['path'])
  if (path === undefined) return []
  const [start, end] = [asCount(entry['lineStart']), asCount(entry['lineEnd'])]
  const lines = start === undefined ? '' : `:${start}${end === undefined || end === start ? '' : `-${end}`}`
  return [memory(`${path}${lines}`, asText(entry['note']))]
}

const opening = '<oai-mem-citation>'
const closing = '</oai-mem-citation>'
const entryLine = /^([^|]+:\d+)(?:-(\d+))?(?:\|\w+=\[(.*)\])?$/
const threadLine = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** Reads the same out of an item's text: a line each, `PATH:START-END|note=[NOTE]` or the id of a thread. */
export function citedInText(text: string): Part[] {
  return splitCitations(text).blocks.flatMap((inner) => inner.split('\n').flatMap((line) => citedLine(line.trim())))
}

/** Splits what was said from the insides of the blocks; a pattern for both tags would look on to the end from each opening one. */
export function splitCitations(text: string): { said: string; blocks: string[] } {
  const blocks: string[] = []
  let said = ''
  let from = 0
  for (;;) {
    const start = text.indexOf(opening, from)
    const end = start < 0 ? -1 : text.indexOf(closing, start + opening.length)
    if (end < 0) return { said: said + text.slice(from), blocks }
    said += text.slice(from, start)
    blocks.push(text.slice(start + opening.length, end))
    from = end + closing.length
  }
}

function citedLine(line: string): Part[] {
  if (threadLine.test(line)) return [learnedIn(line)]
  const [, start, end, note] = entryLine.exec(line) ?? []
  if (start === undefined) return []
  const isOneLine = end === undefined || start.endsWith(`:${end}`)
  return [memory(isOneLine ? start : `${start}-${end}`, asText(note))]
}

function memory(target: string, note: string | undefined): Part {
  return { kind: 'reference', what: 'memory', target, ...defined({ label: note }) }
}

function learnedIn(target: string): Part {
  return { kind: 'reference', what: 'session', target }
}
