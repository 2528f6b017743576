/** Reads the sessions whose files hold what is looked for, and matches what may be shown of them. */

import type { Plugin } from 'unified'
import { openListCache } from '../../cli/list-rows.ts'
import type { PluginList } from '../../config/plugins.ts'
import { publishAll } from '../../config/publication.ts'
import { suspectsIn } from '../../redact/session-values.ts'
import type { FoundRoots } from '../../rollout/discover/homes-fs.ts'
import type { Thread } from '../../rollout/discover/rollout.ts'
import type { FoundFiles } from '../../rollout/discover/thread-names-fs.ts'
import { knownScan, surveyOnce } from '../../site/cache/build-cache.ts'
import { type Curator, curator } from '../../site/curation.ts'
import { type Family, findFamilies, relativesIn, valuesAbout } from '../../site/known/families.ts'
import { slicesOf } from '../../site/slices.ts'
import type { Host } from '../../site/types.ts'
import { scanWithLineage, threadIndex } from '../../survey/lineage.ts'
import { type Privacy, type PrivateThread, privacyOf, privateHost, privateThread } from '../../survey/privacy.ts'
import { projectOf } from '../../survey/project.ts'
import { isOfProject, isSelected, type Selection } from '../../survey/select.ts'
import type { ScannedThread } from '../../transcript/summary.ts'
import type { Session } from '../../transcript/trast.ts'
import { yieldToEventLoop } from '../../util/event-loop.ts'
import { defined } from '../../util/own.ts'
import { holdAll, type MissingIn, plainParts } from './bytes.ts'
import { turnMatcher } from './match.ts'
import { anyOf } from './query.ts'
import type { FoundSession, SearchOptions, SearchSum } from './search.ts'
import { leaveOutOthers } from './texts.ts'

/** What to search: files that may hold something, in places that were looked at. */
export interface SessionSearch {
  options: SearchOptions
  selection: Selection
  roots: FoundRoots
  found: FoundFiles
  missingIn: MissingIn
  spoolDir: () => string
}

/** Searches the sessions of the files that were found. */
export async function searchSessions(
  { options, selection, roots, found, missingIn, spoolDir }: SessionSearch,
  outer: Host,
): Promise<SearchSum> {
  const privacy = privacyOf(options, outer)
  const { signal, progress, report } = privateHost(outer, privacy)
  // What a list kept is read; this command writes nothing.
  const known = { cache: openListCache(roots, privacy, outer), privacy }
  const { catalog, diagnostics, places } = await surveyOnce(roots, known, { spoolDir, signal, found })
  for (const item of diagnostics) report(item)
  const threads = catalog.threads.filter((thread) => mayPass(thread, selection)).reverse()
  const index = threadIndex(catalog.threads)
  const { decision } = curator({ ...publishAll, curation: options.curation }, index)
  let byHead: ReadonlyMap<string, Family> | undefined
  const families = (): ReadonlyMap<string, Family> => {
    byHead ??= findFamilies(catalog.threads, [])
    return byHead
  }
  const matching = { ...options, wanted: wantedTexts(options), spoolDir, signal }
  const sum: SearchSum = { sessions: 0, turns: 0, failed: 0, places }
  progress.stage('Searching sessions', threads.length)
  for (const thread of threads) {
    await yieldToEventLoop()
    signal.throwIfAborted()
    progress.tick()
    const files = thread.segments.map(({ file }) => file)
    if (!(await holdAll(files, missingIn))) continue
    const { facts, diagnostics: faults } =
      knownScan(thread, index, known) ?? (await scanWithLineage(thread, index, { spoolDir, signal }))
    for (const item of faults) report(item)
    if (facts === undefined) sum.failed++
    if (facts === undefined || !isWanted({ thread, facts }, { selection, options, decision })) continue
    const session = await readShown({ thread, facts }, { privacy, families, spoolDir }, (shown) =>
      matchTurns(shown, matching),
    )
    if (session.turns.length === 0) continue
    sum.sessions++
    sum.turns += session.turns.length
    await options.take(session)
  }
  return sum
}

/** What can be told without a scan: it spares reading the others. */
function mayPass({ id, archived }: Thread, { ids, archived: wanted, exclude }: Selection): boolean {
  const known = { projects: [], since: undefined, before: undefined }
  return isSelected({ id, archived, cwds: [] }, { ids, archived: wanted, ...known, ...defined({ exclude }) })
}

/** Whether a session passes the filters and what the question asks of it beside them. */
function isWanted(
  { thread, facts }: ScannedThread,
  { selection, options, decision }: Pick<SessionSearch, 'selection' | 'options'> & Pick<Curator, 'decision'>,
): boolean {
  const state = { id: thread.id, archived: thread.archived, ...facts }
  const person = thread.segments[0]?.file.home ?? ''
  const { star, tags = [] } = decision(thread.id)
  const isOf = (project: string): boolean => isOfProject(state, project.toLowerCase())
  return (
    isSelected(state, selection) &&
    options.query.session.every((test) => test({ person, tags: star ? ['★', ...tags] : tags, isOf }))
  )
}

interface Surroundings {
  privacy: Privacy | undefined
  families: () => ReadonlyMap<string, Family>
  spoolDir: () => string
}

/**
 * Reads a redacted thread. What its family tells as a secret is looked up when the texts that would be shown hold words that
 * could be one; it is then read again without that, so that nobody can confirm a secret by searching for it.
 */
export async function readShown<T>(
  scanned: ScannedThread,
  { privacy, families, spoolDir }: Surroundings,
  read: (thread: PrivateThread) => Promise<{ result: T; texts: readonly string[] }>,
): Promise<T> {
  const { thread, facts } = scanned
  const { result, texts } = await read(privateThread(thread, facts, privacy))
  const suspects = new Set(privacy === undefined ? [] : texts.flatMap(suspectsIn))
  const values =
    suspects.size === 0 ? undefined : await valuesAbout(suspects, relativesIn(scanned, families()), spoolDir)
  if (values === undefined || values.size === 0) return result
  return (await read(privateThread(thread, facts, privacy, values))).result
}

/** How sessions are read and matched. */
interface Matching extends Pick<SearchOptions, 'query' | 'around'> {
  /** Matches every text that may hold a term, before it is redacted; absent where none can be passed over. */
  wanted: RegExp | undefined
  spoolDir: () => string
  signal: AbortSignal
}

/** A text that is passed over is not redacted either, which takes most of the time. */
function wantedTexts({ query, personal }: SearchOptions): RegExp | undefined {
  // What a turn is like is told by all of its items.
  const parts = query.turn.length > 0 ? undefined : plainParts(query, Object.values(personal.roots))
  return parts === undefined ? undefined : anyOf(parts)
}

const leaveOut: Plugin<[RegExp], Session> = (wanted: RegExp) => (tree: Session) => {
  leaveOutOthers(tree, (value) => wanted.test(value.normalize()))
}

async function matchTurns(
  { thread, facts, redactor }: PrivateThread,
  { query, around, wanted, ...reading }: Matching,
): Promise<{ result: FoundSession; texts: readonly string[] }> {
  const plugins: PluginList = wanted === undefined ? [] : [[leaveOut, wanted]]
  const options = { ...reading, plugins, assets: () => undefined, ...defined({ redactor }) }
  const { session, slices } = slicesOf(thread, facts, options)
  const matcher = turnMatcher(query, around)
  for await (const { tree, page } of slices) matcher.take(tree, page.number)
  const turns = matcher.finish()
  const result = {
    ...{ id: thread.id, title: facts.title, project: projectOf(facts).name, pages: facts.pages.length },
    ...defined({ startedAt: session.startedAt }),
    turns,
  }
  const shown = turns.flatMap(({ texts }) => texts.flatMap(({ lines }) => lines.map(({ text }) => text)))
  return { result, texts: turns.length === 0 ? [] : [facts.title, ...shown] }
}
