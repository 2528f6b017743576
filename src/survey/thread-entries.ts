/** Lines to entries: parsed where possible, told as damaged or blank where not. */

import { parseEntry } from '../rollout/parse/entry.ts'
import type { Entry } from '../rollout/parse/facts.ts'
import type { ThreadLine } from './thread-lines.ts'

/** The entries of a line: usually one, several where records ran together. */
export function entriesOf(line: ThreadLine): Entry[] {
  const place = {
    ...(line.segment === 0 ? {} : { file: line.segment }),
    line: line.line,
    ...(line.bytes === undefined ? {} : { byteOffset: line.start }),
  }
  const { values, faults } = line.values()
  if (values.length === 0) {
    if (faults.length === 0) return [counted(place, 'blank')]
    return [{ source: { ...place, kind: 'damaged' }, facts: [], count: 'damaged', kind: 'damaged', faults }]
  }
  return values.map((value, part) => {
    const entry = parseEntry(value, part === 0 ? place : { ...place, part })
    if (part === 0) entry.faults.unshift(...faults)
    return entry
  })
}

function counted(place: Entry['source'] | Omit<Entry['source'], 'kind'>, kind: string): Entry {
  return { source: { ...place, kind }, facts: [], count: 'skipped', kind, faults: [] }
}
