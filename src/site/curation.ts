/** Which sessions are curated how: decisions by the beginning of an id, and what a session inherits of others. */

import { type Publication, publishAll, type SessionCuration } from '../config/publication.ts'
import { type Diagnostic, diagnostic } from '../diagnostics/codes.ts'
import { ConfigError } from '../diagnostics/errors.ts'
import { type CurationPlan, curateFacts, isPlain, planOf } from '../redact/curate/plan.ts'
import type { KnownValues } from '../redact/known.ts'
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
  /** Nobody wants the session published. */
  isHidden: (threadId: string) => boolean
  /** What was decided for a session, without what it inherits of others. */
  decision: (threadId: string) => CurationPlan
  /** What is left out of a session; `undefined` where nothing is. */
  plan: (thread: Thread, facts: ScanFacts) => CurationPlan | undefined
  diagnostics: Diagnostic[]
}

/**
 * Reads decisions for some threads; one for a thread that is not there gives a diagnostic. Throws `ConfigError` where the
 * beginning of an id fits several threads: what is left out of the wrong one would be published of the other. `excluded`
 * are beginnings of ids that are not published at all, `orphaned` ids of threads without a rollout.
 */
export function curator(
  publication: Publication = publishAll,
  { byId }: ThreadIndex,
  { excluded = [], orphaned = [] }: { excluded?: readonly string[] | undefined; orphaned?: readonly string[] } = {},
): Curator {
  const { found, diagnostics } = findThreads(publication.curation, [...byId.keys(), ...orphaned])
  const isHidden = (id: string): boolean => found.get(id)?.hidden === true || beginsWith(id, excluded)
  /** Whether parts of a thread, or all of it, are left out: then copies of it elsewhere are too. */
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

/** A thread of which is decided what is published. */
export interface PlannedThread {
  plan?: CurationPlan
  /** Without what is left out, but with all its secrets: to be redacted again when more of them are known. */
  raw: ScannedThread
}

/** A thread that is published. */
export interface CuratedThread extends PrivateThread, PlannedThread {
  /** Its file grew just now. */
  live?: true
  /** A fork that opens where its own words begin. */
  folded?: true
  /** Values of its family that were known when it was redacted; absent the first time. */
  family?: KnownValues
}

/** Decides what of a thread is published. */
export function plannedThread(thread: Thread, facts: ScanFacts, curation: Curator): PlannedThread {
  const plan = curation.plan(thread, facts)
  return { raw: { thread, facts: plan === undefined ? facts : curateFacts(facts, plan) }, ...defined({ plan }) }
}

/** The thread as it may be published. */
export function curatedThread(planned: PlannedThread, privacy: Privacy | undefined): CuratedThread {
  const { thread, facts } = planned.raw
  return { ...privateThread(thread, facts, privacy), ...planned }
}

/** The same thread as it may be published where values of its family are known. */
export function redactedAgain(item: CuratedThread, privacy: Privacy, family: KnownValues): CuratedThread {
  const { raw } = item
  const again = privateThread(raw.thread, raw.facts, privacy, family)
  const thread = { ...item, raw, ...again, family }
  return item.folded ? foldedThread(thread) : thread
}

/** A fork that opens where its own words begin: its copied history stands in another session of the site. */
export function foldedThread(item: CuratedThread): CuratedThread {
  const { raw, facts } = item
  return { ...item, raw, facts: withFoldedCopies(facts), folded: true }
}

/**
 * Threads that wait to be rendered. Of thousands, their facts would weigh more than all else: they are read from the cache when
 * they are asked for, or wait packed where the cache may not have them.
 */
export class WaitingThreads {
  readonly #packed = new PackedTexts()
  readonly #cache: Pick<BuildCache, 'lastScan'>
  #last: { thread: Thread; facts: WaitingFacts } | undefined

  constructor(cache: Pick<BuildCache, 'lastScan'>) {
    this.#cache = cache
  }

  /** The same thread, whose facts are unpacked when they are asked for. */
  add(item: CuratedThread): CuratedThread {
    return new WaitingThread(item, this.#packed.add(JSON.stringify([item.raw.facts, item.facts])), this)
  }

  /**
   * The same thread, whose facts are read when they are asked for: the cache has them, with what is shown of them, and nothing is
   * left out.
   */
  addKept(item: CuratedThread): CuratedThread {
    return new WaitingThread(item, undefined, this)
  }

  /** Whether a thread is one that waits. */
  holds(item: CuratedThread): boolean {
    return item instanceof WaitingThread
  }

  /** Lets the facts of a thread go that were packed under a number. */
  letGo(place: number): void {
    this.#packed.letGo(place)
  }

  /** The facts of a thread, by the number under which they were packed if they were. */
  read(thread: Thread, place: number | undefined): WaitingFacts {
    // What stands there is what `add` took.
    if (place !== undefined) return this.#packed.value(place) as WaitingFacts
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
 * Lets the facts of a thread go that waited packed: its session is rendered for good. `withFiles`: and what is known of its files,
 * in whichever list the thread stands, for no other session is made of them either.
 */
export function letGo(item: CuratedThread, { withFiles = false }: { withFiles?: boolean } = {}): void {
  if (item instanceof WaitingThread) item.letGo(withFiles)
}

class WaitingThread implements CuratedThread {
  readonly thread: Thread
  declare plan?: CurationPlan
  declare redactor?: Redactor
  declare live?: true
  declare folded?: true
  declare family?: KnownValues
  readonly #rawThread: Thread
  readonly #place: number | undefined
  readonly #from: WaitingThreads

  constructor(
    { thread, raw, plan, redactor, live, folded, family }: CuratedThread,
    place: number | undefined,
    from: WaitingThreads,
  ) {
    this.thread = thread
    this.#rawThread = raw.thread
    this.#place = place
    this.#from = from
    Object.assign(this, defined({ plan, redactor, live, folded, family }))
  }

  letGo(withFiles: boolean): void {
    if (this.#place !== undefined) this.#from.letGo(this.#place)
    if (!withFiles) return
    // Of thousands of sessions they are half of what the catalog weighs.
    this.thread.segments.length = 0
    this.#rawThread.segments.length = 0
  }

  get raw(): ScannedThread {
    return { thread: this.#rawThread, facts: this.#from.read(this.#rawThread, this.#place)[0] }
  }

  get facts(): ScanFacts {
    return this.#from.read(this.#rawThread, this.#place)[1]
  }
}

/** Whether pages hold nothing that only the machine of the sessions can use. */
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

/** Whether what a thread copied, or took over by reference, may be of a thread of which parts are left out. */
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
