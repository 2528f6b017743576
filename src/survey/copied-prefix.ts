/**
 * Finds the end of a fork's copied history by walking the fork and its parent side by side (rollout-format 1.4, test 5).
 */

import type { KnownCopy, RolloutFile, Segment, Thread } from '../rollout/discover/rollout.ts'
import { asObject, asText, type JsonObject } from '../rollout/parse/decode.ts'
import { sniff } from '../rollout/parse/entry.ts'
import { type Line, walkLines } from '../rollout/read/lines.ts'
import { openRollout } from '../rollout/read/open-fs.ts'
import { parseLine } from '../rollout/read/value.ts'
import { compareText } from '../util/compare.ts'
import { type Pacer, pacer } from '../util/event-loop.ts'
import { uuidTime } from '../util/time.ts'

/** Returns the next line of a file; `undefined` after the last. */
type Stepper = () => Line | undefined

/** Lines to compare between two turns of the event loop. */
const maxStep = 1000

/**
 * Whether a thread may start with a user's copy of its parent. An agent's copy is filtered, and a fork by reference contains no
 * copy.
 */
export function isUserFork({ copied, segments }: Thread): boolean {
  const [own] = segments
  if (own === undefined || copied !== undefined || own.file.format !== 'lines') return false
  return own.head.agent === undefined && own.head.historyBase === undefined
}

/**
 * The lines of a user's fork that are copied from its parent; `undefined` if nothing was copied or the files do not show it.
 * `parent` finds the first segment of the parent. Throws what reading throws.
 */
export async function findCopy(
  thread: Thread,
  parent: (threadId: string) => Segment | undefined,
  { spoolDir, signal }: { spoolDir: () => string; signal?: AbortSignal | undefined },
): Promise<KnownCopy | undefined> {
  const [own] = thread.segments
  if (own === undefined) return undefined
  const open: { close(): void }[] = []
  const openLines = async (file: RolloutFile): Promise<() => Stepper> => {
    const source = await openRollout(file, { spoolDir })
    open.push(source)
    return () => {
      const walk = walkLines(source)
      open.push(walk)
      return () => walk.next()
    }
  }
  try {
    const fork = await openLines(own.file)
    const next = fork()
    const start = foreignHead(next, thread.id)
    const threadId = start?.threadId ?? own.head.forkedFromId
    const parentThread = threadId === undefined ? undefined : parent(threadId)
    if (threadId === undefined || parentThread === undefined || parentThread.file.format !== 'lines') return undefined
    const older = await openLines(parentThread.file)
    // If either file has a backup next to it, items may have been pruned from it.
    const skips = [own.file, parentThread.file].some(({ backups }) => backups !== undefined)
    const pace = pacer(maxStep, signal)
    const from = start === undefined ? undefined : { line: start.line, ownId: thread.id }
    const to = await (from === undefined
      ? migratedEnd(fork(), older(), pace)
      : copyEnd({ next, skips }, older(), from, pace))
    return to === undefined ? undefined : { from: start?.line ?? 2, to, threadId }
  } finally {
    for (const item of open) item.close()
  }
}

/** The line with the first head of another thread. It is near the top, so a file without one is not read to its end. */
function foreignHead(next: Stepper, ownId: string): { line: number; threadId: string } | undefined {
  for (let line = next(), count = 0; line !== undefined && count < 8; line = next(), count++) {
    const threadId = line.number === 1 ? undefined : headId(line)
    if (threadId !== undefined && threadId !== ownId) return { line: line.number, threadId }
  }
  return undefined
}

function headId(line: Line): string | undefined {
  return lineKind(line) === 'session_meta' ? asText(payloadOf(line)?.['id']) : undefined
}

/**
 * The first line after the copied ones. Both files are read from their top; the parent's own head corresponds to its copy in the
 * fork.
 */
async function copyEnd(
  { next, skips }: Fork,
  theirs: Stepper,
  { line: from, ownId }: { line: number; ownId: string },
  pace: Pacer,
): Promise<number | undefined> {
  theirs()
  let last = from
  for (let line = next(); line !== undefined; line = next()) {
    const { number } = line
    let other = theirs()
    if (skips && (other === undefined || !samePayload(line, other))) {
      line = afterItems(line, next)
      other = afterItems(other, theirs)
    }
    if (line === undefined) return number
    if (other === undefined || !samePayload(line, other)) return isChanged(line, next, ownId) ? undefined : number
    last = line.number
    if (pace.isDue()) await pace.pause()
  }
  return last + 1
}

interface Fork {
  /** The fork's lines after the parent's head. */
  next: Stepper
  /** Whether items may be missing on either side; other lines never are. */
  skips: boolean
}

/** A line, or if it is an item of the model, the first line after it that is not. */
function afterItems(line: Line | undefined, next: Stepper): Line | undefined {
  let current = line
  while (current !== undefined && lineKind(current).startsWith('response_item')) current = next()
  return current
}

/**
 * Whether the copy continues after the first difference, which happens if the parent was rewritten since. The next turn is then
 * older than the fork itself, and only turn ids can show where the copy ends (test 6).
 */
function isChanged(first: Line, next: Stepper, ownId: string): boolean {
  for (let line: Line | undefined = first; line !== undefined; line = next()) {
    if (!/task_started|turn_started/.test(lineKind(line))) continue
    return isOlderTurn(asText(payloadOf(line)?.['turn_id']), ownId)
  }
  return false
}

/** Whether a turn was made before a thread; `false` if an id does not show its time. */
export function isOlderTurn(turnId: string | undefined, threadId: string): boolean {
  const [made, own] = [uuidTime(turnId), uuidTime(threadId)]
  return made !== undefined && own !== undefined && made < own
}

/**
 * The end of the copy in a migrated fork: the migration gave events new ids and dropped the parent's head, but left the items of
 * the model as they were.
 */
async function migratedEnd(fork: Stepper, older: Stepper, pace: Pacer): Promise<number | undefined> {
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

function itemStepper(next: Stepper): Stepper {
  return () => {
    let line = next()
    while (line !== undefined && !lineKind(line).startsWith('response_item')) line = next()
    return line
  }
}

/** `type/payload type` of a line; one with an unusual order of fields is parsed for it. */
function lineKind(line: Line): string {
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

// Comparing two records without the fields that differ in a copy: time and ordinal.

const envelope = /^\{"timestamp":"[^"\\]{10,40}",(?:"ordinal":\d+,)?/

/**
 * Whether two lines have the same type and payload: compared by bytes, and then by value, because another version may have
 * written the copy.
 */
function samePayload(left: Line, right: Line): boolean {
  if (body(left).equals(body(right))) return true
  return sameValue(record(left), record(right))
}

/** The bytes after the fields that differ. */
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

/** Deep equality; an absent field equals `null`. A record that does not parse equals nothing. */
function sameValue(left: unknown, right: unknown): boolean {
  if (left === undefined || right === undefined) return false
  return canonical(left) === canonical(right)
}

/** JSON with sorted keys and without fields that are `null`. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item
    const fields = Object.entries(item).filter(([, field]) => field !== null)
    return Object.fromEntries(fields.sort(([a], [b]) => compareText(a, b)))
  })
}
