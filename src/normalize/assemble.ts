/** Entries of one slice to its raw tree: a session root with fragments in file order. */
import type { VFile } from 'vfile'
import type { Entry } from '../model/facts.ts'
import type { Session } from '../model/trast.ts'
import { itemAnchor } from '../model/urls.ts'
import { countOwn } from '../util/own.ts'
import { type Fragment, setDrafts } from './fragment.ts'
import { diagnosticMessage } from './message.ts'
import { type SliceData, sliceOf } from './slice.ts'

/** Adds the entries as fragments to `session`, counts their lines and reports their faults on `file`. */
export function assemble(entries: Iterable<Entry>, session: Session, file: VFile): Session {
  const slice = sliceOf(file)
  const fragments: Fragment[] = []
  for (const entry of entries) {
    countLine(entry, slice)
    for (const fault of entry.faults)
      diagnosticMessage(file, fault, entry.source, fault === 'unknown-record' ? entry.kind : undefined)
    for (const [index, fact] of entry.facts.entries()) {
      fragments.push(fragment(entry, fact, index, { slice, order: fragments.length }))
    }
  }
  setDrafts(session, fragments)
  return session
}

function countLine(entry: Entry, { lines, carried }: SliceData): void {
  // Records that ran together stand on one physical line, which counts once.
  if (entry.source.part !== undefined && entry.source.part > 0) return
  lines.total++
  if (entry.count === 'damaged') lines.damaged++
  else if (entry.faults.includes('unknown-record')) countOwn(lines.unknown, entry.kind)
  else if (entry.count === 'skipped') countOwn(lines.skipped, entry.kind)
  else carried.set(`${entry.source.file ?? 0}:${entry.source.line}`, entry.kind)
}

function fragment(
  entry: Entry,
  fact: Fragment['fact'],
  index: number,
  { slice, order }: { slice: SliceData; order: number },
): Fragment {
  const { source } = entry
  const anchor = itemAnchor(source.line, source.file === undefined ? undefined : slice.rollouts[source.file])
  // `l5.1` is a further node of line 5's record; a further record on the line is `l5-2`.
  const record = source.part === undefined || source.part === 0 ? anchor : `${anchor}-${source.part + 1}`
  return {
    type: 'fragment',
    id: index === 0 ? record : `${record}.${index}`,
    ...(entry.at === undefined ? {} : { at: entry.at }),
    position: { start: { line: source.line, column: 1 }, end: { line: source.line + 1, column: 1 } },
    data: { sources: entry.count === 'carried' ? [source] : [] },
    fact,
    order,
    segment: source.file ?? 0,
  }
}
