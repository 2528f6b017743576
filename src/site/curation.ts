/** How each session is curated: decisions by the beginning of an id, and what a session inherits from others. */

import { type Publication, publishAll, type SessionCuration } from '../config/publication.ts'
import { type Diagnostic, diagnostic } from '../diagnostics/codes.ts'
import { ConfigError } from '../diagnostics/errors.ts'
import { type CurationPlan, curateFacts, isPlain, planOf } from '../redact/curate/plan.ts'
import type { KnownValues } from '../redact/known/values.ts'
import type { Redactor } from '../redact/redactor.ts'
import type { Thread } from '../rollout/discover/rollout.ts'
import { withFoldedCopies } from '../survey/inherited.ts'
import type { ThreadIndex } from '../survey/lineage.ts'
import { edges } from '../survey/neighbours.ts'
import { type Privacy, type PrivateThread, privateThread, shownAs } from '../survey/privacy.ts'
import { beginsWith, isSelected, matchThread, type ThreadFilter } from '../survey/select.ts'
import type { ScanFacts, ScannedThread } from '../transcript/summary.ts'
import { defined } from '../util/own.ts'
import { PackedTexts } from '../util/packed-texts.ts'
import type { BuildCache } from './cache/build-cache.ts'

/** Answers for the threads of one build. */
export interface Curator {
  /** Whether the session is hidden from publication. */
  isHidden: (threadId: string) => boolean
  /** What was decided for a session, regardless of what it inherits from others. */
  decision: (threadId: string) => CurationPlan
  /** What is omitted from a session; `undefined` if nothing is. */
  plan: (thread: Thread, facts: ScanFacts) => CurationPlan | undefined
  diagnostics: Diagnostic[]
}

/**
 * Reads decisions for some threads; one for a thread that does not exist gives a diagnostic. Throws a `ConfigError` if the
 * beginning of an id matches several threads, because what is omitted from the wrong one would be published from the other.
 * `excluded` are beginnings of ids that are not published at all; `orphaned` are ids of threads without a rollout.
 */
export function curator(
  publication: Publication = publishAll,
  { byId }: ThreadIndex,
  { excluded = [], orphaned = [] }: { excluded?: readonly string[] | undefined; orphaned?: readonly string[] } = {},
): Curator {
  const { found, diagnostics } = findThreads(publication.curation, [...byId.keys(), ...orphaned])
  const isHidden = (id: string): boolean => found.get(id)?.hidden === true || beginsWith(id, excluded)
  /** Whether parts of a thread, or all of it, are omitted; copies of it in other threads are then omitted too. */
  const isCut = (id: string): boolean => isHidden(id) || (found.get(id)?.exclude.length ?? 0) > 0
  return {
    isHidden,
    decision: (id) => planOf(publication, found.get(id)),
    plan(thread, facts) {
      const own = planOf(publication, found.get(thread.id))
      const plan = comesFrom(thread, facts, { byId, isCut }) ? { ...own, withoutInherited: true } : own
      return isPlain(plan) ? undefined : plan
    },
    diagnostics,
  }
}

/** A thread for which it is decided what is published. */
interface PlannedThread {
  plan?: CurationPlan
  /** The thread without what is omitted, but with all its secrets: it is redacted again when more of them are known. */
  raw: ScannedThread
}

/** A thread in publishable form. */
export interface CuratedThread extends PrivateThread, PlannedThread {
  /** Its file has just grown. */
  live?: true
  /** A fork that opens where its own part begins. */
  folded?: true
  /** Values of its family that were known when it was redacted; absent the first time. */
  family?: KnownValues
}

/** Decides what is published of a thread. */
export function plannedThread(thread: Thread, facts: ScanFacts, curation: Curator): PlannedThread {
  const plan = curation.plan(thread, facts)
  return { raw: { thread, facts: plan === undefined ? facts : curateFacts(facts, plan) }, ...defined({ plan }) }
}

/** A thread in publishable form. */
export function curatedThread(planned: PlannedThread, privacy: Privacy | undefined): CuratedThread {
  const { thread, facts } = planned.raw
  return { ...privateThread(thread, facts, privacy), ...planned }
}

/** The same thread in publishable form, now that values of its family are known. */
export function redactedAgain(item: CuratedThread, privacy: Privacy, family: KnownValues): CuratedThread {
  const { raw } = item
  const again = privateThread(raw.thread, raw.facts, privacy, family)
  const thread = { ...item, raw, ...again, family }
  return item.folded ? foldedThread(thread) : thread
}

/** A fork that opens where its own part begins, because the site has its copied history in another session. */
export function foldedThread(item: CuratedThread): CuratedThread {
  const { raw, facts } = item
  return { ...item, raw, facts: withFoldedCopies(facts), folded: true }
}

/**
 * Threads that wait to be rendered. For thousands of threads, their facts would weigh more than everything else. So they are read
 * from the cache when needed, or wait in packed form if the cache may not have them.
 */
export class WaitingThreads {
  readonly #packed = new PackedTexts()
  readonly #cache: Pick<BuildCache, 'lastScan'>
  #last: { thread: Thread; facts: WaitingFacts } | undefined

  constructor(cache: Pick<BuildCache, 'lastScan'>) {
    this.#cache = cache
  }

  /** The same thread, with facts that are unpacked when they are needed. */
  add(item: CuratedThread): CuratedThread {
    return new WaitingThread(item, this.#packed.add(JSON.stringify([item.raw.facts, item.facts])), this)
  }

  /**
   * The same thread, with facts that are read when they are needed: the cache has them along with their shown form, and nothing
   * is omitted.
   */
  addKept(item: CuratedThread): CuratedThread {
    return new WaitingThread(item, undefined, this)
  }

  /** Returns `changed`, which waits in place of `item` if that waits: only the facts of one of them are kept. */
  replace(item: CuratedThread, changed: CuratedThread): CuratedThread {
    if (!(item instanceof WaitingThread)) return changed
    item.release(false)
    return this.add(changed)
  }

  /** Releases facts that were packed, by their number. */
  release(number: number): void {
    this.#packed.release(number)
  }

  /** The facts of a thread; `number` is theirs if they were packed. */
  read(thread: Thread, number: number | undefined): WaitingFacts {
    // The text is what `add` packed.
    if (number !== undefined) return this.#packed.value(number) as WaitingFacts
    if (this.#last?.thread !== thread) this.#last = { thread, facts: this.#readKept(thread) }
    return this.#last.facts
  }

  #readKept(thread: Thread): WaitingFacts {
    const { facts, shown } = this.#cache.lastScan(thread.id) ?? {}
    if (facts === undefined || shown === undefined)
      throw new Error(`The cache lost what it had of session ${thread.id}`)
    return [facts, shownAs({ thread, facts }, shown.texts).facts]
  }
}

type WaitingFacts = readonly [raw: ScanFacts, shown: ScanFacts]

/**
 * Releases the packed facts of a thread whose session is rendered for good. With `withFiles`, also releases what is known of its
 * files, in every list that contains the thread, because no other session is made from them.
 */
export function releaseThread(item: CuratedThread, { withFiles = false }: { withFiles?: boolean } = {}): void {
  if (item instanceof WaitingThread) item.release(withFiles)
}

class WaitingThread implements CuratedThread {
  readonly thread: Thread
  declare plan?: CurationPlan
  declare redactor?: Redactor
  declare live?: true
  declare folded?: true
  declare family?: KnownValues
  readonly #rawThread: Thread
  readonly #number: number | undefined
  readonly #from: WaitingThreads

  constructor(
    { thread, raw, plan, redactor, live, folded, family }: CuratedThread,
    number: number | undefined,
    from: WaitingThreads,
  ) {
    this.thread = thread
    this.#rawThread = raw.thread
    this.#number = number
    this.#from = from
    Object.assign(this, defined({ plan, redactor, live, folded, family }))
  }

  release(withFiles: boolean): void {
    if (this.#number !== undefined) this.#from.release(this.#number)
    if (!withFiles) return
    // For thousands of sessions, these are half of the catalog.
    this.thread.segments.length = 0
    this.#rawThread.segments.length = 0
  }

  get raw(): ScannedThread {
    return { thread: this.#rawThread, facts: this.#from.read(this.#rawThread, this.#number)[0] }
  }

  get facts(): ScanFacts {
    return this.#from.read(this.#rawThread, this.#number)[1]
  }
}

/** Whether pages leave out what is of use only on the machine of the sessions. */
export function withoutInternals(publication: Publication | undefined): true | undefined {
  return publication?.visibility.internals === 'omit' ? true : undefined
}

function findThreads(curation: Publication['curation'], ids: readonly string[]) {
  const found = new Map<string, SessionCuration>()
  const diagnostics: Diagnostic[] = []
  for (const [beginning, decision] of Object.entries(curation)) {
    const match = matchThread(ids, beginning)
    if (match.kind === 'ambiguous') {
      const [first = '', second = ''] = match.candidates
      throw new ConfigError(
        `\`${beginning}\` in the curation is the start of several thread ids, such as \`${first}\` and \`${second}\`; give more of the one you mean.`,
      )
    }
    if (match.kind === 'none') diagnostics.push(diagnostic('unknown-curation', {}, `Its id is \`${beginning}\`.`))
    else if (found.has(match.id))
      throw new ConfigError(`The curation names the session \`${match.id}\` twice; merge the two entries.`)
    else found.set(match.id, decision)
  }
  return { found, diagnostics }
}

/** Whether what a thread copied or inherited by reference may come from a thread of which parts are omitted. */
function comesFrom(
  thread: Thread,
  facts: ScanFacts,
  { byId, isCut }: { byId: ThreadIndex['byId']; isCut: (id: string) => boolean },
): boolean {
  const { inherited, base } = facts
  if (inherited === undefined && base === undefined) return false
  const seen = new Set([thread.id])
  const { forkedFromId, parentId } = edges(thread, facts)
  const open = [forkedFromId, parentId, inherited?.threadId, base?.threadId]
  while (open.length > 0) {
    const id = open.pop()
    if (id === undefined || seen.has(id)) continue
    seen.add(id)
    if (isCut(id)) return true
    const head = byId.get(id)?.segments[0]?.head
    open.push(head?.forkedFromId, head?.parentId)
  }
  return false
}

/** Whether a session passes the filters, and no decision hides it. */
export function isPublished({ thread, facts }: ScannedThread, selection: ThreadFilter, { isHidden }: Curator): boolean {
  return !isHidden(thread.id) && isSelected({ id: thread.id, archived: thread.archived, ...facts }, selection)
}
