/** `check --unknown`: names of records, fields and values that this version does not know, as a report to paste. */

import { packageVersion } from '../../config/package-fs.ts'
import type { Thread } from '../../rollout/discover/rollout.ts'
import { asObject, type JsonObject } from '../../rollout/parse/decode.ts'
import { parseEntry } from '../../rollout/parse/entry.ts'
import { compareShape, type Drift, knownShapes, type Shape } from '../../rollout/parse/known-shapes.ts'
import type { Reading } from '../../rollout/read/open-fs.ts'
import { countLevel } from '../../site/report.ts'
import { withSpool } from '../../site/spool-fs.ts'
import type { Host, Sources } from '../../site/types.ts'
import { privacyOf, privateHost, publicIds } from '../../survey/privacy.ts'
import { scanThread, sessionFault } from '../../survey/scan.ts'
import { isSelected, readFilters, type ThreadFilter } from '../../survey/select.ts'
import { surveyHomes } from '../../survey/survey.ts'
import { openThread, readInSteps, type SegmentReader, type ThreadLine } from '../../survey/thread-lines.ts'
import { compareText } from '../../util/compare.ts'
import { yieldToEventLoop } from '../../util/event-loop.ts'
import { jsonDocument } from '../../util/printable.ts'
import { formatAmount, formatCount } from '../../util/time.ts'

/** One thing that this version does not know. All of it may be published, because names are those of the format, or stand-ins. */
export interface UnknownRow {
  what: 'record' | 'field' | 'value' | 'form'
  /** Kind of the record, for example `event_msg/token_count`. */
  record: string
  /** Names that lead to the field, joined by dots; for an unknown record, its first fields. */
  field?: string
  /** The word in the field, if `what` is `value`. */
  value?: string
  /** The form of the field's content: `text`, `number`, `switch`, `list`, `object` or `null`. */
  form?: string
  /** Number of records. */
  count: number
  /** Versions of Codex in the heads of the files, sorted. */
  versions: string[]
}

/** What is unknown in a number of sessions. */
export interface UnknownReport {
  sessions: number
  failed: number
  records: number
  rows: UnknownRow[]
  /** Number of rows that a report has no space for. */
  omitted: number
  places: string[]
  /** Number of all sessions, selected or not. */
  found: number
}

/** Reads the sessions that pass the filters. Throws `UsageError` for an invalid date or home. */
export function findUnknown(options: Sources, host: Host): Promise<UnknownReport> {
  return withSpool(async (spoolDir) => {
    const { signal, progress } = host
    const privacy = privacyOf({}, host)
    const { report } = privateHost(host, privacy)
    const selection = readFilters(options, host.now())
    const found = await surveyHomes(options.homes, host, { spoolDir, publicId: publicIds(privacy) })
    const { catalog, diagnostics: faults, places } = found
    const redactor = privacy?.redactor()
    const collector = driftCollector((name) => redactor?.text(name) === name)
    progress.stage('Reading records', catalog.threads.length)
    // A file without a readable beginning is no session of the catalog, and nothing else says so here.
    for (const item of faults) if (item.level !== 'info') report(item)
    const counts = { read: 0, failed: countLevel(faults, 'fatal'), excluded: 0 }
    for (const thread of catalog.threads) {
      await yieldToEventLoop()
      signal.throwIfAborted()
      counts[await readSession(thread, { collector, selection, report, reading: { spoolDir, signal } })]++
      progress.tick()
    }
    const sums = { sessions: counts.read, failed: counts.failed }
    return { ...sums, ...collector.report(), places, found: catalog.threads.length }
  })
}

interface SessionReading {
  collector: DriftCollector
  selection: ThreadFilter
  report: Host['report']
  reading: Reading
}

/** Passes a thread's records to the collector if it is selected; `failed`, with diagnostics, if its file could not be read. */
async function readSession(thread: Thread, setup: SessionReading): Promise<'read' | 'failed' | 'excluded'> {
  const { collector, selection, report, reading } = setup
  const { facts, diagnostics } = await scanThread(thread, reading)
  if (facts === undefined) {
    for (const item of diagnostics) report(item)
    return 'failed'
  }
  if (!isSelected({ id: thread.id, archived: thread.archived, ...facts }, selection)) return 'excluded'
  try {
    await collectFrom(thread, collector, reading)
    return 'read'
  } catch (error) {
    reading.signal.throwIfAborted()
    report(sessionFault(thread, error))
    return 'failed'
  }
}

async function collectFrom(thread: Thread, collector: DriftCollector, { spoolDir, signal }: Reading): Promise<void> {
  let readers: SegmentReader[] = []
  try {
    readers = await openThread(thread, spoolDir)
    for (const [index, reader] of readers.entries()) {
      const version = thread.segments[index]?.head.version
      const addLine = (line: ThreadLine): void => {
        for (const value of line.values().values) collector.add(value, version)
      }
      await readInSteps(reader, addLine, { signal })
    }
  } finally {
    for (const reader of readers) reader.close()
  }
}

// What is unknown in a single record.

/** Receives records one by one. */
interface DriftCollector {
  add(value: unknown, version: string | undefined): void
  report(): Pick<UnknownReport, 'records' | 'rows' | 'omitted'>
}

interface Seen {
  row: Omit<UnknownRow, 'count' | 'versions'>
  count: number
  versions: Set<string>
}

/** The most rows of a report, and the most versions and names of one row; more would add nothing. */
const maxRows = 200
const maxVersions = 12
const maxNames = 12
/** The most different things that are counted separately; a file made to have more would fill the memory. */
const maxSeen = 5000

/** Collects what is unknown; `isPublic` says whether a name contains nothing private. */
export function driftCollector(isPublic: (name: string) => boolean): DriftCollector {
  const shapes = knownShapes()
  const seen = new Map<string, Seen>()
  const beyond = new Set<string>()
  let records = 0
  const nameOf = (name: string): string => (isName(name) && isPublic(name) ? name : standIn(name))
  return {
    add(value, version) {
      records++
      const rows = new Map(rowsOf(value, shapes, nameOf).map((row) => [JSON.stringify(row), row]))
      for (const [key, row] of rows) {
        const entry = seen.get(key) ?? { row, count: 0, versions: new Set<string>() }
        if (entry.count === 0 && seen.size >= maxSeen) {
          if (beyond.size < maxSeen) beyond.add(key)
          continue
        }
        entry.count++
        if (entry.versions.size < maxVersions) entry.versions.add(versionName(version))
        seen.set(key, entry)
      }
    },
    report() {
      const rows = [...seen.values()]
        .map(({ row, count, versions }): UnknownRow => ({ ...row, count, versions: [...versions].sort() }))
        .sort(
          (a, b) =>
            order.indexOf(a.what) - order.indexOf(b.what) ||
            b.count - a.count ||
            compareText(JSON.stringify(a), JSON.stringify(b)),
        )
      return { records, rows: rows.slice(0, maxRows), omitted: Math.max(0, rows.length - maxRows) + beyond.size }
    },
  }
}

const order: readonly UnknownRow['what'][] = ['record', 'value', 'field', 'form']

type Row = Seen['row']
type Shapes = ReadonlyMap<string, Shape>
type NameOf = (name: string) => string

function rowsOf(value: unknown, shapes: Shapes, nameOf: NameOf): Row[] {
  const { source, faults } = parseEntry(value, { line: 1 })
  const payload = payloadOf(value)
  if (faults.includes('unknown-record')) {
    const record = unknownKind(value, source.kind).map(nameOf).join('/')
    return [{ what: 'record', record, ...fieldNames(payload, nameOf) }]
  }
  const record = kindOf(value, source.kind)
  const rows: Row[] = []
  const compareTo = (part: unknown, shape: Shape | undefined, before: readonly string[]): void => {
    if (shape !== undefined) compareShape(part, shape, (drift) => rows.push(rowOf(drift, { record, before, nameOf })))
  }
  if (isEnveloped(value)) compareTo({ ...value, payload: undefined }, shapes.get('envelope'), ['(line)'])
  const item = /^event_msg\/item_completed\/(.+)$/.exec(record)?.[1]
  if (item === undefined) compareTo(payload, shapes.get(record) ?? shapes.get(record.replace(/\/.*/, '')), [])
  else {
    compareTo(payload, shapes.get('event_msg/item_completed'), [])
    compareTo(objectOf(payload)['item'], shapes.get(`item/${item}`), ['item'])
  }
  return rows
}

/** The names of an unknown kind, each as the record has it. */
function unknownKind(value: unknown, kind: string): string[] {
  if (!isEnveloped(value)) return [kind]
  const { type, payload } = value
  const inner = objectOf(payload)
  const item = inner['type'] === 'item_completed' ? objectOf(inner['item'])['type'] : undefined
  return [type, inner['type'], item].filter((part) => typeof part === 'string')
}

/** The kind of a record in its newest envelope: bare items and tagged lines are the same records. */
function kindOf(value: unknown, kind: string): string {
  if (isEnveloped(value)) return kind
  if (kind.startsWith('response/')) return kind.replace('response', 'response_item')
  if (kind.startsWith('event/')) return kind.replace('event', 'event_msg')
  return typeof objectOf(value)['type'] === 'string' ? `response_item/${kind}` : kind
}

function isEnveloped(value: unknown): value is JsonObject {
  const { type, payload } = objectOf(value)
  return typeof type === 'string' && typeof payload === 'object' && payload !== null
}

function payloadOf(value: unknown): unknown {
  const { payload, msg } = objectOf(value)
  return payload ?? msg ?? value
}

function objectOf(value: unknown): JsonObject {
  return asObject(value) ?? {}
}

function fieldNames(payload: unknown, nameOf: NameOf): { field?: string } {
  const names = Object.keys(objectOf(payload))
  if (names.length === 0) return {}
  return { field: [...new Set(names.slice(0, maxNames).map(nameOf))].join(', ') }
}

function rowOf(
  drift: Drift,
  { record, before, nameOf }: { record: string; before: readonly string[]; nameOf: NameOf },
): Row {
  const path = [...before, ...drift.path]
  if (drift.what === 'value') return { what: 'value', record, field: path.join('.'), value: nameOf(drift.name) }
  if (drift.what === 'form') return { what: 'form', record, field: path.join('.'), form: drift.form }
  return { what: 'field', record, field: [...path, nameOf(drift.name)].join('.'), form: drift.form }
}

// Names from a record can be trusted as little as its texts: a key may be a path, a person or a secret.

/** The length of the longest name of the format so far, and some more. */
const maxName = 64

/** Whether a text looks like a name that a programmer chose: words, without the numbers of ids and dates. */
function isName(text: string): boolean {
  if (text.length > maxName || !/^[A-Za-z_$][\w$.-]*$/.test(text)) return false
  return !/\d{4}|[0-9a-f]{12}|(?:[A-Za-z]\d){3}/i.test(text) && text.split(/[_$.-]+/).every((word) => word.length <= 28)
}

function standIn(text: string): string {
  return `(${formatAmount(text.length, 'character')})`
}

function versionName(version: string | undefined): string {
  return version !== undefined && /^\d{1,4}\.\d{1,10}\.\d{1,4}(?:-[a-z]{1,10}(?:\.\d{1,4}){0,3})?$/.test(version)
    ? version
    : 'unknown'
}

// The report.

/** The report in Markdown, for an issue; ends with a newline. */
export function unknownText({ sessions, failed, records, rows, omitted }: UnknownReport): string {
  const read = `${formatAmount(records, 'record')} in ${formatAmount(sessions, 'session')}`
  const rest = failed === 0 ? '' : ` ${formatAmount(failed, 'session')} could not be read.`
  const name = `codex-export ${packageVersion()}`
  if (rows.length === 0) return `${name} knows every kind, field and value of ${read}.${rest}\n`
  return [
    `### What ${name} does not know`,
    '',
    `Found in ${read}.${rest} The report holds names of the format, and nothing that was said.`,
    '',
    '| what | record | name | records | Codex |',
    '|---|---|---|---|---|',
    ...rows.map(rowText),
    ...(omitted > 0 ? ['', `${formatCount(omitted)} more were left out.`] : []),
    '',
  ].join('\n')
}

function rowText({ what, record, field, value, form, count, versions }: UnknownRow): string {
  const names: Readonly<Record<UnknownRow['what'], string>> = {
    record: field === undefined ? '' : `with \`${field}\``,
    field: `\`${field}\`: ${form}`,
    value: `\`${field}\` = \`${value}\``,
    form: `\`${field}\`: ${form}`,
  }
  return `| ${what} | \`${record}\` | ${names[what]} | ${formatCount(count)} | ${versions.join(', ')} |`
}

/** The report for machines; docs/cli.md describes the keys. */
export function unknownJson({ places, ...report }: UnknownReport): string {
  const document = { schema: 'codex-export/unknown-result', version: 1, generator: packageVersion(), ...report }
  return jsonDocument({ ...document, places })
}
