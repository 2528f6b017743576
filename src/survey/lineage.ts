/** What a thread inherits from others, found with the help of their files (rollout-format 1.4). */

import type { KnownCopy, Segment, Thread } from '../rollout/discover/rollout.ts'
import { asObject, asText, type JsonObject } from '../rollout/parse/decode.ts'
import { sniff } from '../rollout/parse/entry.ts'
import { type Line, lineStepper } from '../rollout/read/lines.ts'
import { openRollout } from '../rollout/read/open-fs.ts'
import type { ByteSource } from '../rollout/read/source.ts'
import { parseLine } from '../rollout/read/value.ts'
import type { InheritedBase, OutlineEntry, ScanFacts } from '../transcript/summary.ts'
import { itemAnchor } from '../transcript/urls.ts'
import { compareText } from '../util/compare.ts'
import { type Pacer, pacer } from '../util/event-loop.ts'
import { defined } from '../util/own.ts'
import { uuidTime } from '../util/time.ts'
import { endOf, rootSegment } from './catalog.ts'
import { type Scan, type ScanOptions, scanThread } from './scan.ts'

/** Threads by id, and their segments by rollout id. */
export interface ThreadIndex {
  byId: ReadonlyMap<string, Thread>
  byRollout: ReadonlyMap<string, { thread: Thread; index: number }>
}

/** Makes the index of a catalog's threads. */
export function threadIndex(threads: readonly Thread[]): ThreadIndex {
  const byRollout = threads.flatMap((thread) =>
    thread.segments.map(({ rolloutId }, index) => [rolloutId, { thread, index }] as const),
  )
  return { byId: new Map(threads.map((thread) => [thread.id, thread])), byRollout: new Map(byRollout) }
}

/** Scans a thread with what its ancestors' files tell: the end of a copy, the turns of a history by reference. */
export async function scanWithLineage(thread: Thread, index: ThreadIndex, options: ScanOptions): Promise<Scan> {
  const copied = thread.segments[0]?.head.forkedFromId === undefined ? undefined : await copyOf(thread, index, options)
  const scan = await scanThread(copied === undefined ? thread : { ...thread, copied }, options)
  if (scan.facts === undefined) return scan
  // Forks of 2025 tell only in mid-file that they are one.
  const late =
    copied === undefined && scan.facts.inherited !== undefined ? await copyOf(thread, index, options) : undefined
  const final = late === undefined ? scan : await scanThread({ ...thread, copied: late }, options)
  const base = await inheritedBase(thread, index, { ...options, rolledBack: final.facts?.baseRolledBack })
  return final.facts === undefined || base === undefined ? final : { ...final, facts: { ...final.facts, base } }
}

/** The threads on which a scan depends beside the thread itself. */
export function ancestors(thread: Thread, facts: ScanFacts, index: ThreadIndex): Thread[] {
  const ids = [thread.segments[0]?.head.forkedFromId, facts.inherited?.threadId]
  const named = ids.map((id) => (id === undefined ? undefined : index.byId.get(id)))
  const chain = baseChain(thread, index)?.links.map((link) => link.thread) ?? []
  return [...new Set([...named.filter((item) => item !== undefined), ...chain])]
}

async function copyOf(
  thread: Thread,
  { byId }: ThreadIndex,
  { spoolDir, signal }: ScanOptions,
): Promise<KnownCopy | undefined> {
  if (!isUserFork(thread)) return undefined
  try {
    return await findCopy(thread, (id) => byId.get(id)?.segments[0], { spoolDir, signal })
  } catch {
    // The scans of the two threads open the files again and tell what is wrong.
    return undefined
  }
}

/** The history before a thread's first record, where its head names one, without the turns that it took back. */
async function inheritedBase(
  thread: Thread,
  index: ThreadIndex,
  { rolledBack = 0, ...options }: ScanOptions & { rolledBack?: number | undefined },
): Promise<InheritedBase | undefined> {
  const chain = baseChain(thread, index)
  if (chain === undefined) return undefined
  const last = chain.links.at(-1)
  const named = last?.thread.id ?? thread.segments[0]?.head.forkedFromId ?? chain.rolloutId
  if (last === undefined || !chain.complete) return { threadId: named }
  const whole: Thread = { ...last.thread, segments: chain.links.map(({ segment }) => segment) }
  const { facts } = await scanThread(whole, { ...options, kept: true })
  if (facts === undefined) return { threadId: last.thread.id }
  const undone = new Set(facts.rolledBack)
  const kept = Array.from({ length: facts.turns }, (_, index) => index + 1).filter((turn) => !undone.has(turn))
  kept.length = Math.max(0, kept.length - rolledBack)
  const prompt = facts.outline.findLast(({ turn }) => turn <= (kept.at(-1) ?? 0) && !undone.has(turn))
  const anchor = prompt && lastAnchor(prompt, last, chain.links.length - 1)
  return { threadId: last.thread.id, turns: kept.length, ...defined({ anchor }) }
}

/** A segment of the history with the thread that holds it. */
export interface Link {
  thread: Thread
  index: number
  segment: Segment
}

/** The segments before what counts of a thread, oldest first, each up to where the next one begins. */
export function baseChain(
  thread: Thread,
  { byRollout }: ThreadIndex,
): { links: Link[]; complete: boolean; rolloutId: string } | undefined {
  let base = rootSegment(thread)?.head.historyBase
  if (base === undefined) return undefined
  const { rolloutId } = base
  const links: Link[] = []
  const seen = new Set(thread.segments.map((segment) => segment.rolloutId))
  while (base !== undefined) {
    const found = byRollout.get(base.rolloutId)
    const segment = found?.thread.segments[found.index]
    if (found === undefined || segment === undefined || seen.has(base.rolloutId)) break
    seen.add(base.rolloutId)
    const { file, head } = segment
    links.unshift({ ...found, segment: { file, head, rolloutId: base.rolloutId, ...endOf(base) } })
    base = head.historyBase
  }
  return { links, complete: base === undefined, rolloutId }
}

/** Files of other threads that a thread begins in, oldest first. */
export function historyOf(thread: Thread, index: ThreadIndex): Segment[] {
  return baseChain(thread, index)?.links.map(({ segment }) => segment) ?? []
}

/** The anchor of the last inherited prompt on the page of the thread that holds it. */
function lastAnchor({ anchor }: OutlineEntry, { index, segment }: Link, position: number): string | undefined {
  const prefix = position === 0 ? 'l' : itemAnchor(0, segment.rolloutId).slice(0, -1)
  const line = anchor.replace(prefix, '')
  if (!/^\d+$/.test(line)) return undefined
  return itemAnchor(Number(line), index === 0 ? undefined : segment.rolloutId)
}

// Finds the end of a fork's copied history by walking the fork and its parent side by side (rollout-format 1.4, test
// 5).

/** Lines between two turns of the event loop. */
const maxStep = 1000

/** Whether a thread's copied history is that of a user's fork: an agent's is filtered, one by reference holds none. */
export function isUserFork({ copied, segments }: Thread): boolean {
  const [own] = segments
  if (own === undefined || copied !== undefined || own.file.format !== 'lines') return false
  return own.head.agent === undefined && own.head.historyBase === undefined
}

/**
 * The lines of a user's fork that are copies of its parent's; `undefined` where nothing was copied or the files do not
 * tell. `parent` finds the parent's first segment. Throws what reading throws.
 */
export async function findCopy(
  thread: Thread,
  parent: (threadId: string) => Segment | undefined,
  { spoolDir, signal }: { spoolDir: () => string; signal?: AbortSignal | undefined },
): Promise<KnownCopy | undefined> {
  const [own] = thread.segments
  if (own === undefined) return undefined
  const fork = await openRollout(own.file, { spoolDir })
  try {
    const next = lineStepper(fork)
    const start = foreignHead(next, thread.id)
    const threadId = start?.threadId ?? own.head.forkedFromId
    const known = threadId === undefined ? undefined : parent(threadId)
    if (threadId === undefined || known === undefined || known.file.format !== 'lines') return undefined
    const older = await openRollout(known.file, { spoolDir })
    try {
      // A backup beside either tells that items may have been pruned from it.
      const skips = [own.file, known.file].some(({ backups }) => backups !== undefined)
      const pace = pacer(maxStep, signal)
      const from = start === undefined ? undefined : { line: start.line, ownId: thread.id }
      const to = await (from === undefined
        ? migratedEnd(fork, older, pace)
        : copyEnd({ next, skips }, older, from, pace))
      return to === undefined ? undefined : { from: start?.line ?? 2, to, threadId }
    } finally {
      older.close()
    }
  } finally {
    fork.close()
  }
}

/** The line of the first head of another thread. It stands near the top: a file without one is not read to its end. */
function foreignHead(next: () => Line | undefined, ownId: string): { line: number; threadId: string } | undefined {
  for (let line = next(), count = 0; line !== undefined && count < 8; line = next(), count++) {
    const threadId = line.number === 1 ? undefined : headId(line)
    if (threadId !== undefined && threadId !== ownId) return { line: line.number, threadId }
  }
  return undefined
}

function headId(line: Line): string | undefined {
  return kindOf(line) === 'session_meta' ? asText(payloadOf(line)?.['id']) : undefined
}

/** The first line behind the copied ones: both files are read from their top, the parent's head stands for its copy. */
async function copyEnd(
  { next, skips }: Fork,
  older: ByteSource,
  { line: from, ownId }: { line: number; ownId: string },
  pace: Pacer,
): Promise<number | undefined> {
  const theirs = lineStepper(older)
  theirs()
  let last = from
  for (let line = next(); line !== undefined; line = next()) {
    const { number } = line
    let other = theirs()
    if (skips && (other === undefined || !samePayload(line, other))) {
      line = behindItems(line, next)
      other = behindItems(other, theirs)
    }
    if (line === undefined) return number
    if (other === undefined || !samePayload(line, other)) return isChanged(line, next, ownId) ? undefined : number
    last = line.number
    if (pace.isDue()) await pace.pause()
  }
  return last + 1
}

interface Fork {
  /** Its lines behind the parent's head. */
  next: () => Line | undefined
  /** Items may be missing on either side; everything else never is. */
  skips: boolean
}

/** A line, or the first one behind it that is no item of the model. */
function behindItems(line: Line | undefined, next: () => Line | undefined): Line | undefined {
  let current = line
  while (current !== undefined && kindOf(current).startsWith('response_item')) current = next()
  return current
}

/**
 * Whether the copy goes on behind the first difference, as where the parent was rewritten since: the next turn is then
 * older than the fork itself, and only the turn ids tell (test 6).
 */
function isChanged(first: Line, next: () => Line | undefined, ownId: string): boolean {
  for (let line: Line | undefined = first; line !== undefined; line = next()) {
    if (!/task_started|turn_started/.test(kindOf(line))) continue
    return isOlderTurn(asText(payloadOf(line)?.['turn_id']), ownId)
  }
  return false
}

/** Whether a turn was made before a thread; `false` where an id does not tell. */
export function isOlderTurn(turnId: string | undefined, threadId: string): boolean {
  const [made, own] = [uuidTime(turnId), uuidTime(threadId)]
  return made !== undefined && own !== undefined && made < own
}

/** A migration gave events new ids and dropped the parent's head, but left the model's items as they were. */
async function migratedEnd(fork: ByteSource, older: ByteSource, pace: Pacer): Promise<number | undefined> {
  const ours = itemStepper(fork)
  const theirs = itemStepper(older)
  let copied = false
  for (let line = ours(); line !== undefined; line = ours()) {
    const other = theirs()
    if (other === undefined || !samePayload(line, other)) return copied ? line.number : undefined
    copied = true
    if (pace.isDue()) await pace.pause()
  }
  return copied ? Number.MAX_SAFE_INTEGER : undefined
}

function itemStepper(source: ByteSource): () => Line | undefined {
  const next = lineStepper(source)
  return () => {
    let line = next()
    while (line !== undefined && !kindOf(line).startsWith('response_item')) line = next()
    return line
  }
}

/** `type/payload type`, of a head that is written in another order by parsing it. */
function kindOf(line: Line): string {
  const sniffed = sniff(line.bytes)?.kind
  if (sniffed !== undefined) return sniffed
  const type = asText(recordOf(line)?.['type']) ?? ''
  const inner = asText(payloadOf(line)?.['type'])
  return inner === undefined ? type : `${type}/${inner}`
}

function payloadOf(line: Line): JsonObject | undefined {
  return asObject(recordOf(line)?.['payload'])
}

function recordOf(line: Line): JsonObject | undefined {
  return asObject(parseLine(line).values[0])
}

// Compares two records without the fields that a copy has of its own: time and ordinal.

const envelope = /^\{"timestamp":"[^"\\]{10,40}",(?:"ordinal":\d+,)?/

/** Whether two lines hold the same type and payload: by bytes, else by value, where another version wrote the copy. */
function samePayload(left: Line, right: Line): boolean {
  if (body(left).equals(body(right))) return true
  return sameValue(record(left), record(right))
}

/** The bytes behind the fields that differ. */
function body({ bytes }: Line): Buffer {
  const head = envelope.exec(bytes.toString('latin1', 0, Math.min(96, bytes.length)))?.[0] ?? ''
  return bytes.subarray(head.length)
}

function record(line: Line): unknown {
  const { values } = parseLine(line)
  const [value] = values
  if (values.length !== 1 || typeof value !== 'object' || value === null) return undefined
  const { timestamp: _timestamp, ordinal: _ordinal, ...rest } = value as Record<string, unknown>
  return rest
}

/** Deep equality; an absent field equals `null`. Records that do not parse equal nothing. */
function sameValue(left: unknown, right: unknown): boolean {
  if (left === undefined || right === undefined) return false
  return canonical(left) === canonical(right)
}

/** JSON with sorted keys and without empty fields. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item
    const fields = Object.entries(item).filter(([, field]) => field !== null)
    return Object.fromEntries(fields.sort(([a], [b]) => compareText(a, b)))
  })
}

// Scans of single threads, each made once.

/** Gives the scan of a thread; a second call for it costs nothing. */
export type ThreadScan = (thread: Thread) => Promise<Scan>

/** A scan among the threads of an index. */
export function threadScan(index: ThreadIndex, options: ScanOptions): ThreadScan {
  const known = new Map<string, Promise<Scan>>()
  return (thread) => {
    const scan = known.get(thread.id) ?? scanWithLineage(thread, index, options)
    known.set(thread.id, scan)
    return scan
  }
}
