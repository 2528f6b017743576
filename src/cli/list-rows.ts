/** The session index: one row per thread, made from its scan. */

import { codeName } from '../config/package-fs.ts'
import type { FoundRoots } from '../rollout/discover/homes-fs.ts'
import { type Segment, type Thread, threadBytes } from '../rollout/discover/rollout.ts'
import { throwOwnFault } from '../rollout/read/source.ts'
import { type BuildCache, buildCache } from '../site/cache/build-cache.ts'
import { listCacheDir } from '../site/cache/cache-folder-fs.ts'
import { openCache } from '../site/cache/cache-fs.ts'
import { type CachedReading, knownScan, scanOnce, surveyOnce } from '../site/cache/known-scans.ts'
import { familyLookup, suspectsOf } from '../site/known/families.ts'
import { countLevel } from '../site/report.ts'
import { withSpool } from '../site/spool-fs.ts'
import type { Host, Sources } from '../site/types.ts'
import { type ThreadIndex, threadIndex } from '../survey/lineage.ts'
import {
  type Privacy,
  type PrivacyOptions,
  privacyOf,
  privateHost,
  privateThread,
  type SecretFreeFilter,
  secretFreeFilter,
} from '../survey/privacy.ts'
import { projectNames, projectOf } from '../survey/project.ts'
import { sessionFault } from '../survey/scan.ts'
import { mayBeSelected, type ThreadFilter } from '../survey/select.ts'
import type { ScanFacts, ScannedThread } from '../transcript/summary.ts'
import type { Status } from '../transcript/trast.ts'
import { type Column, layOut, type Table } from '../util/columns.ts'
import { yieldToEventLoop } from '../util/event-loop.ts'
import { sha256 } from '../util/hash.ts'
import { defined } from '../util/own.ts'
import { jsonDocument, printable } from '../util/printable.ts'
import { beginningOf } from '../util/text.ts'
import { formatAmount, formatBytes, formatCount, formatInstant } from '../util/time.ts'

/** Options of `list`. */
export interface ListOptions extends Sources, PrivacyOptions {}

/** One thread of the session index. Texts are complete; a table shortens them. */
export interface ListRow {
  id: string
  startedAt?: string
  /** Instant of the last record. */
  lastAt?: string
  archived: boolean
  /** Name of the repository or else the folder, with more of its path if other sessions in the list have the same name. */
  project: string
  cwds: string[]
  remote?: string
  branch?: string
  title: string
  /** First sentence of the last answer, if it adds something to the title. */
  subtitle?: string
  /** First and last typed prompt. */
  firstPrompt?: string
  lastPrompt?: string
  turns: number
  lines: number
  /** Size of the source files on disk. */
  bytes: number
  /** Source files, oldest first, as reports name them. */
  files: string[]
  /** Thread id of the session that this one is a fork of. */
  forkOf?: string
  /** What started it: `cli`, `vscode`, `exec` …; for an agent's session, `spawn`, `review`, `compact` or `other`. */
  source?: string
  /** Thread id of the session that started this agent's session. */
  parent?: string
  /** Version of the Codex that wrote it. */
  version?: string
  /** The model that was set last. */
  model?: string
  /** Input and output tokens, without copied history. */
  tokens?: number
  /** How its last turn ended. */
  state?: Status
}

/** The session index. */
export interface ListResult {
  /** Oldest first. */
  rows: ListRow[]
  /** Length of the shortest id prefixes that distinguish all threads, at least 8. */
  idLength: number
  /** Sessions and folders that could not be read. */
  failed: number
  /** Folders and files in which sessions were looked for. */
  places: string[]
  /** Number of sessions that exist, whether or not they pass the filters. */
  found: number
}

/** The cache of earlier lists; `undefined` if the user has no cache folder, or if secrets would be stored in it. */
export function openListCache(
  { roots }: FoundRoots,
  privacy: Privacy | undefined,
  host: Pick<Host, 'env' | 'homeDir'>,
): BuildCache | undefined {
  if (privacy === undefined) return undefined
  const folder = listCacheDir(roots, host)
  const stamp = sha256(JSON.stringify([codeName(), privacy.key]))
  return folder === undefined ? undefined : buildCache(openCache(folder, stamp))
}

/** Sessions to list. */
export interface ListInput {
  options: ListOptions
  selection: ThreadFilter
  roots: FoundRoots
}

/** Reads all threads that may pass the filters, and returns whether all went well. */
export async function readList(
  { options, selection, roots }: ListInput,
  outer: Host,
): Promise<{ result: ListResult; isClean: boolean }> {
  const privacy = privacyOf(options, outer)
  let reported = 0
  const { report, ...host } = privateHost(outer, privacy)
  const count: Host['report'] = (item) => {
    reported++
    report(item)
  }
  const result = await withSpool((spoolDir) =>
    readRows(
      { selection, roots, privacy, filter: secretFreeFilter(options, outer), spoolDir },
      { ...host, report: count },
    ),
  )
  return { result, isClean: reported === 0 && result.failed === 0 }
}

interface RowsInput extends Pick<ListInput, 'selection' | 'roots'> {
  privacy: Privacy | undefined
  filter: SecretFreeFilter
  spoolDir: () => string
}

async function readRows({ selection, roots, privacy, filter, spoolDir }: RowsInput, host: Host): Promise<ListResult> {
  const { signal, progress, report } = host
  const cache = openListCache(roots, privacy, host)
  const cached = { cache, privacy }
  const reading = { spoolDir, signal }
  const { catalog, diagnostics, places } = await surveyOnce(roots, cached, reading)
  for (const item of diagnostics) report(item)
  let failed = countLevel(diagnostics, 'fatal')
  const index = threadIndex(catalog.threads)
  const threads = catalog.threads.filter((thread) => mayBeSelected(thread, selection))
  progress.stage('Reading sessions', threads.length)
  const lookUp = familyLookup(catalog.threads, reading)
  const rows: ListRow[] = []
  const addRow = async ({ thread, facts }: ScannedThread): Promise<void> => {
    // Most rows contain no word that could be a secret.
    const family = privacy && (await lookUp(suspectsOf(thread, facts), { thread, facts }))
    // The cached scan may contain something that only the family shows to be a secret.
    if (family?.size) cache?.forget(thread)
    rows.push(rowOf(privateThread(thread, facts, privacy, family)))
  }
  for (const thread of threads) {
    await yieldToEventLoop()
    signal.throwIfAborted()
    const { facts, diagnostics: faults } = await scanOnce(thread, index, cached, reading)
    for (const item of faults) report(item)
    if (facts === undefined) failed++
    else if (filter.isSelected({ id: thread.id, archived: thread.archived, ...facts }, selection))
      await addRow({ thread, facts }).catch((error: unknown) => {
        signal.throwIfAborted()
        failed++
        report(sessionFault(thread, error))
      })
    progress.tick()
  }
  const excluded = catalog.threads.filter((thread) => !mayBeSelected(thread, selection))
  saveCache(cached, excluded, index)
  const names = projectNames(rows)
  for (const row of rows) row.project = projectOf(row, names).name
  const idLength = distinctLength(catalog.threads.map(({ id }) => id))
  return { rows, idLength, failed, places, found: catalog.threads.length }
}

/** Saves what was read, and the earlier scans of threads that a filter excluded. */
function saveCache(cached: CachedReading, excluded: readonly Thread[], index: ThreadIndex): void {
  for (const thread of excluded) knownScan(thread, index, cached)
  try {
    cached.cache?.save()
  } catch (error) {
    throwOwnFault(error)
    // If the disk is full or the folder is read-only, the next list is slower, but this one is complete.
  }
}

function rowOf({ thread, facts }: ScannedThread): ListRow {
  const { id, archived, segments } = thread
  const head = segments[0]?.head
  return defined({
    id,
    startedAt: facts.startedAt,
    lastAt: facts.endedAt,
    archived,
    project: projectOf(facts).name,
    cwds: facts.cwds,
    remote: facts.remote,
    branch: facts.branch,
    title: facts.title,
    subtitle: facts.subtitle,
    firstPrompt: facts.firstPrompt,
    lastPrompt: facts.lastPrompt,
    turns: facts.turns,
    lines: facts.lines,
    bytes: threadBytes(thread),
    files: segments.map(({ file }) => file.name),
    forkOf: forkOf(segments[0], facts),
    source: head?.agent?.kind ?? head?.source,
    parent: head?.parentId,
    version: facts.version,
    model: facts.model,
    tokens: facts.usage?.total,
    state: facts.state,
  })
}

/**
 * Thread id of the origin of a fork. An agent's session has its parent in another field; forks of 2025 have only the copied head
 * of their origin.
 */
function forkOf(first: Segment | undefined, { inherited }: ScanFacts): string | undefined {
  return first?.head.agent === undefined ? (first?.head.forkedFromId ?? inherited?.threadId) : undefined
}

/** Length of the shortest prefixes that distinguish all ids, at least 8 characters. */
export function distinctLength(ids: readonly string[]): number {
  const sorted = ids.toSorted()
  let length = 8
  for (let index = 1; index < sorted.length; index++) {
    length = Math.max(length, commonLength(sorted[index - 1] ?? '', sorted[index] ?? '') + 1)
  }
  return length
}

function commonLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return length
}

// The session index as text.

/** How a list is printed. */
export interface ListForm {
  json: boolean
  /** Time zone of the times in a table. */
  timeZone: string
  /** Width of the terminal that shows the table; absent for a file or pipe. */
  width?: number
}

/** A list as it is printed. */
export interface PrintedList {
  /** Empty for a table without rows. */
  text: string | Uint8Array
  /** A line for people: the number of sessions, and which columns of the table did not fit. */
  sum: string
  /** How many threads could not be read. */
  failed: number
  /** Where sessions were looked for. */
  places: readonly string[]
  /** Number of sessions that exist, whether or not they pass the filters; 0 if they were not counted. */
  found: number
}

/** Prints a list: as JSON with everything that is known of each thread, or as a table for people. */
export function printList(result: ListResult, { json, timeZone, width }: ListForm): PrintedList {
  const { rows, failed, places, found } = result
  const sums = { failed, places, found }
  if (json) return { text: jsonDocument(rows), sum: '', ...sums }
  if (rows.length === 0) return { text: '', sum: '', ...sums }
  // On a terminal, people look for recent work; files and pipes get the oldest first.
  const shown = width === undefined ? rows : rows.toReversed()
  const { lines, leftOut } = listTable({ ...result, rows: shown }, timeZone, width)
  const hint = leftOut.length === 0 ? '' : `; no room for ${leftOut.join(', ')}: \`--json\` has everything`
  return { text: `${lines.join('\n')}\n`, sum: `${formatAmount(rows.length, 'session')}${hint}`, ...sums }
}

/** A prompt can be a megabyte long, and no cell of a table is wider than this. */
const maxLength = 400

/** A column that is not filled yet. */
type ColumnPlan = Omit<Column, 'cells'> & { text: (row: ListRow) => string }

/**
 * A line of titles and one line per thread. With a `width`, the lines fit it: columns are left out and texts shortened. Times are
 * shown in `timeZone`.
 */
export function listTable(result: ListResult, timeZone: string, width?: number): Table {
  const columns = plans(result, timeZone).map(({ text, ...plan }) => ({
    ...plan,
    cells: result.rows.map((row) => printable(beginningOf(text(row), maxLength))),
  }))
  const table = layOut(columns, width)
  if (!table.leftOut.includes('Title')) return table
  // If little fits, a list of titles is more useful than one of times.
  const narrow = layOut(
    columns.map((column) => (column.title === 'Title' ? { ...column, rank: 0.5 } : column)),
    width,
  )
  return narrow.leftOut.includes('Title') ? table : narrow
}

function plans({ idLength, rows }: ListResult, timeZone: string): ColumnPlan[] {
  const instant = (at: string | undefined): string => (at === undefined ? '' : formatInstant(at, timeZone))
  return [
    { title: 'ID', text: (row) => row.id.slice(0, idLength), rank: 0 },
    { title: 'Start', text: (row) => instant(row.startedAt), rank: 1 },
    { title: 'Last activity', text: (row) => instant(row.lastAt), rank: 6 },
    { title: 'Project', text: (row) => row.project, minWidth: 8, maxWidth: 24, rank: 3 },
    { title: 'Branch', text: (row) => row.branch ?? '', minWidth: 8, maxWidth: 24, rank: 5 },
    { title: 'Title', text: (row) => row.title, minWidth: 20, wantedWidth: 60, maxWidth: 60, rank: 2 },
    { title: 'First prompt', text: (row) => firstLine(row.firstPrompt), minWidth: 20, maxWidth: 60, rank: 8 },
    { title: 'Last prompt', text: (row) => firstLine(row.lastPrompt), minWidth: 20, maxWidth: 60, rank: 9 },
    { title: 'Turns', text: (row) => formatCount(row.turns), align: 'right', rank: 4 },
    { title: 'Lines', text: (row) => formatCount(row.lines), align: 'right', rank: 10 },
    { title: 'Size', text: (row) => formatBytes(row.bytes), align: 'right', rank: 7 },
    ...(rows.some(({ forkOf }) => forkOf !== undefined)
      ? [{ title: 'Fork of', text: ({ forkOf = '' }: ListRow) => forkOf.slice(0, idLength), rank: 6.5 }]
      : []),
    { title: 'File', text: (row) => row.files.join(', '), minWidth: 20, rank: 11 },
  ]
}

function firstLine(text: string | undefined): string {
  return text?.trimStart().split('\n', 1)[0] ?? ''
}
