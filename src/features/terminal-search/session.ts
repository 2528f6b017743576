/** Reads sessions one by one, in this thread or another, and matches what may be shown of them. */

import type { Plugin } from 'unified'
import type { PersonalPolicy } from '../../config/personal.ts'
import type { PluginList } from '../../config/plugins.ts'
import { type Curation, publishAll } from '../../config/publication.ts'
import type { Diagnostic } from '../../diagnostics/codes.ts'
import { suspectsIn } from '../../redact/session-values.ts'
import type { Thread } from '../../rollout/discover/rollout.ts'
import type { Reading } from '../../rollout/read/open-fs.ts'
import { type Curator, curator } from '../../site/curation.ts'
import { type FamilyLookup, familyLookup } from '../../site/known/families.ts'
import { slicesOf } from '../../site/slices.ts'
import { scanWithLineage, type ThreadIndex, threadIndex } from '../../survey/lineage.ts'
import { loneNeighbours } from '../../survey/neighbours.ts'
import {
  type Privacy,
  type PrivateThread,
  privacyOf,
  privateThread,
  type SecretFreeFilter,
  secretFreeFilter,
} from '../../survey/privacy.ts'
import { type ProjectNames, projectNames, projectOf } from '../../survey/project.ts'
import { type Scan, sessionFault } from '../../survey/scan.ts'
import { isOfProject, type ThreadFilter } from '../../survey/select.ts'
import { headFacts } from '../../survey/survey.ts'
import type { ScannedThread } from '../../transcript/summary.ts'
import type { Session } from '../../transcript/trast.ts'
import { defined } from '../../util/own.ts'
import { runWithin } from './bounded-fs.ts'
import { plainParts } from './byte-patterns.ts'
import { type FoundSession, turnMatcher } from './match.ts'
import { type AskedQuery, anyOf, parseQuery, type Query } from './query.ts'
import { removeOthers } from './texts.ts'

/** What a searcher of sessions needs, as plain data. */
export interface SearchSetup {
  asked: AskedQuery
  redact: boolean
  personal: PersonalPolicy
  /** Decisions about single sessions; only their stars and tags are used. */
  curation: Curation
  /** Lines to return before and after a line with a hit. */
  around: number
  selection: ThreadFilter
  /** All threads that were found: a secret that one of them reveals is a secret in its whole family. */
  threads: readonly Thread[]
  homeDir: string
}

/** A session to search, with its scan if it is known. */
export interface SearchTask {
  id: string
  scan?: Scan
}

/** The hits in a session, and the diagnostics about it. */
export interface SearchAnswer {
  found?: FoundSession
  /** The session could not be read. */
  hasFailed: boolean
  /** The expression takes too long. */
  isEndless?: boolean
  diagnostics: readonly Diagnostic[]
}

/** Searches one session. */
export type SessionSearcher = (task: SearchTask) => Promise<SearchAnswer>

/** Returns a function that searches one session. */
export function sessionSearcher(setup: SearchSetup, reading: Reading): SessionSearcher {
  const query = parseQuery(setup.asked.args, setup.asked)
  const privacy = privacyOf(setup, setup)
  const index = threadIndex(setup.threads)
  const { decision } = curator({ ...publishAll, curation: setup.curation }, index)
  const filter = secretFreeFilter(setup, setup)
  const surroundings = { privacy, lookUp: familyLookup(setup.threads, reading) }
  let names: ProjectNames | undefined
  const projects = (): ProjectNames => {
    names ??= projectNames(headFacts(setup.threads, setup.selection, privacy).values())
    return names
  }
  const wanted = wantedTexts(query, setup.personal)
  const matching = { query, around: setup.around, index, wanted, projects, ...reading }
  let isEndless = false
  return async ({ id, scan }) => {
    // This session was started before the caller saw the answer of the last one.
    if (isEndless) return { hasFailed: false, diagnostics: [], isEndless }
    const thread = index.byId.get(id)
    if (thread === undefined) return { hasFailed: true, diagnostics: [] }
    const { facts, diagnostics } = scan ?? (await scanWithLineage(thread, index, reading))
    if (facts === undefined) return { hasFailed: true, diagnostics }
    const answer = { hasFailed: false, diagnostics }
    if (!isWanted({ thread, facts }, { selection: setup.selection, query, decision, filter })) return answer
    try {
      const found = await readShown({ thread, facts }, surroundings, (shown) => matchTurns(shown, matching))
      return found.turns.length === 0 ? answer : { ...answer, found }
    } catch (error) {
      reading.signal.throwIfAborted()
      isEndless = error instanceof EndlessExpression
      return faultAnswer(error, thread, diagnostics)
    }
  }
}

function faultAnswer(error: unknown, thread: Thread, diagnostics: readonly Diagnostic[]): SearchAnswer {
  if (error instanceof EndlessExpression) return { hasFailed: false, diagnostics, isEndless: true }
  return { hasFailed: true, diagnostics: [...diagnostics, sessionFault(thread, error)] }
}

// Whether a session is wanted.

interface Asked extends Pick<SearchSetup, 'selection'>, Pick<Curator, 'decision'> {
  query: Query
  filter: SecretFreeFilter
}

/** Whether a session passes the filters of the call and those of the question. */
function isWanted({ thread, facts }: ScannedThread, { selection, query, decision, filter }: Asked): boolean {
  const state = { id: thread.id, archived: thread.archived, ...facts }
  const person = thread.segments[0]?.file.home ?? ''
  const { star, tags = [] } = decision(thread.id)
  const isOf = (project: string): boolean => isOfProject(filter.shown(state), project.toLowerCase())
  return (
    filter.isSelected(state, selection) &&
    query.session.every((test) => test({ person, tags: star ? ['★', ...tags] : tags, isOf }))
  )
}

interface Surroundings {
  privacy: Privacy | undefined
  lookUp: FamilyLookup
}

/**
 * Reads a redacted thread. If the texts to be shown contain words that could be secrets, these are looked up in the
 * thread's family. If the family reveals any, the thread is read again with them redacted, so that nobody can confirm a
 * secret by searching for it.
 */
export async function readShown<T>(
  scanned: ScannedThread,
  { privacy, lookUp }: Surroundings,
  read: (thread: PrivateThread) => Promise<{ result: T; texts: readonly string[] }>,
): Promise<T> {
  const { thread, facts } = scanned
  const { result, texts } = await read(privateThread(thread, facts, privacy))
  const suspects = new Set(privacy === undefined ? [] : suspectsIn(texts.join('\n')))
  const values = await lookUp(suspects, scanned)
  if (values === undefined || values.size === 0) return result
  return (await read(privateThread(thread, facts, privacy, values))).result
}

/** How sessions are read and matched. */
interface Matching extends Pick<SearchSetup, 'around'>, Reading {
  query: Query
  index: ThreadIndex
  /** Matches every text, before redaction, that may hold a term; absent if no text can be skipped. */
  wanted: RegExp | undefined
  /** The names of all projects. */
  projects: () => ProjectNames
}

/** An expression for the texts that may hold a term. Others are skipped and not redacted; redaction takes most of the time. */
function wantedTexts(query: Query, personal: PersonalPolicy): RegExp | undefined {
  // Filters of turns depend on all items of a turn.
  const parts =
    query.turn.length > 0 || query.all.length === 0 ? undefined : plainParts(query, Object.values(personal.roots))
  return parts === undefined ? undefined : anyOf(parts)
}

const leaveOut: Plugin<[RegExp], Session> = (wanted: RegExp) => (tree: Session) => {
  removeOthers(tree, (value) => wanted.test(value.normalize()))
}

/** The expression of the user takes too long with some text, as `(a+)+$` does. */
class EndlessExpression extends Error {}

/** Milliseconds that an expression may take with one page; most take a few. */
const maxMatching = 5000

async function matchTurns(
  { thread, facts, redactor }: PrivateThread,
  { query, around, index, wanted, projects, ...reading }: Matching,
): Promise<{ result: FoundSession; texts: readonly string[] }> {
  const plugins: PluginList = wanted === undefined ? [] : [[leaveOut, wanted]]
  const neighbours = loneNeighbours(thread, facts, index)
  const options = { ...reading, neighbours, plugins, assets: () => undefined, ...defined({ redactor }) }
  const { session, slices } = slicesOf(thread, facts, options)
  const matcher = turnMatcher(query, around)
  const isExpression = query.all.flat().some(({ isLiteral }) => !isLiteral)
  for await (const { tree, page } of slices) {
    const take = (): void => matcher.take(tree, page.number)
    if (!isExpression) take()
    else if (!runWithin(maxMatching, take)) throw new EndlessExpression()
  }
  const turns = matcher.finish()
  const names = turns.length === 0 ? undefined : projects()
  const result = {
    ...{ id: thread.id, title: facts.title, project: projectOf(facts, names).name, pages: facts.pages.length },
    ...defined({ startedAt: session.startedAt }),
    turns,
  }
  const shown = turns.flatMap(({ texts }) => texts.flatMap(({ lines }) => lines.map(({ text }) => text)))
  return { result, texts: turns.length === 0 ? [] : [facts.title, result.project, ...shown] }
}
