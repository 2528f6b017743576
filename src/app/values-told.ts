/** The values that threads tell as secrets, and whether a thread was redacted before they were known. */
import type { Segment, Thread } from '../model/rollout.ts'
import type { PagePlan, ScannedThread } from '../model/summary.ts'
import { type KnownValues, searchOf } from '../redact/known.ts'
import type { Redactor } from '../redact/redactor.ts'
import { mayHold, mayHoldEarlier } from './missed-values.ts'
import { type Privacy, privateThread } from './privacy.ts'
import { renderThread } from './render-thread.ts'

/** How to read. */
export interface TellingOptions {
  privacy: Privacy
  spoolDir: () => string
  signal?: AbortSignal
}

/** Reads a thread for the values that it tells, but for those that are only its own. Throws what reading throws. */
export async function valuesTold({ thread, facts }: ScannedThread, options: TellingOptions): Promise<KnownValues> {
  const { privacy, ...reading } = options
  const { redactor, ...shown } = privateThread(thread, facts, privacy)
  if (redactor === undefined) return new Map()
  await renderThread(shown.thread, shown.facts, { ...reading, redactor, assets: () => undefined, onSlice: () => {} })
  return redactor.values().told
}

/** Whether any of some texts holds one of the values. */
export function holdsAny(texts: readonly string[], values: KnownValues): boolean {
  if (values.size === 0) return false
  const search = searchOf(values)
  return texts.some((text) => search.find(text).length > 0)
}

/** A thread that was redacted, or is as it was redacted once. */
export interface RedactedThread {
  thread: Thread
  pages: readonly PagePlan[]
  /** Files of other threads that it begins in. */
  history: readonly Segment[]
  /** Has seen its facts, and all of it where `isRead`. */
  redactor: Redactor
  isRead: boolean
}

/**
 * Whether a thread may hold one of the values known to it by now, and was redacted without. It errs only towards yes; a
 * thread whose files cannot be read any more may.
 */
export async function mayMiss(
  { thread, pages, history, redactor, isRead }: RedactedThread,
  known: KnownValues,
  spoolDir: () => string,
): Promise<boolean> {
  const { told, isStale, late, heads } = redactor.values()
  if (isRead && isStale) return true
  const unknown = isRead ? missing(known, told) : known
  if (unknown.size > 0) {
    if (holdsAny(heads, unknown)) return true
    // Pages tell what was pruned from a rollout too, by the backups beside it.
    if (thread.segments.at(-1)?.file.backups !== undefined) return true
  }
  try {
    if (isRead && (await mayHoldEarlier(thread, pages, { values: told, late, spoolDir }))) return true
    return await mayHold(thread, unknown, { history, spoolDir })
  } catch {
    return true
  }
}

/** Values that were not told by the session itself, or under another name. */
function missing(known: KnownValues, told: KnownValues): KnownValues {
  return new Map([...known].filter(([value, { rank }]) => (told.get(value)?.rank ?? Number.POSITIVE_INFINITY) > rank))
}
