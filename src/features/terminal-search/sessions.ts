/** Searches the sessions whose files may hold what is asked for. */

import { openListCache } from '../../cli/list-rows.ts'
import { UsageError } from '../../diagnostics/errors.ts'
import type { FoundRoots } from '../../rollout/discover/homes-fs.ts'
import { threadBytes } from '../../rollout/discover/rollout.ts'
import type { FoundFiles } from '../../rollout/discover/thread-names-fs.ts'
import type { Reading } from '../../rollout/read/open-fs.ts'
import { knownScan, surveyOnce } from '../../site/cache/known-scans.ts'
import { countLevel } from '../../site/report.ts'
import type { Host, Sources } from '../../site/types.ts'
import { threadIndex } from '../../survey/lineage.ts'
import { privacyOf, privateHost } from '../../survey/privacy.ts'
import { mayBeSelected, type ThreadFilter } from '../../survey/select.ts'
import { inOrder, yieldToEventLoop } from '../../util/event-loop.ts'
import { sumBy } from '../../util/groups.ts'
import { defined } from '../../util/own.ts'
import { containAll, type MissingIn } from './bytes.ts'
import type { FoundSession, FoundTurn } from './match.ts'
import type { Query } from './query.ts'
import {
  type SearchAnswer,
  type SearchSetup,
  type SearchTask,
  type SessionSearcher,
  sessionSearcher,
} from './session.ts'
import { type SearchThread, searchThreads } from './threads-fs.ts'

/** What to search, and where results go. */
export interface SearchOptions extends Sources, Pick<SearchSetup, 'redact' | 'personal' | 'curation' | 'around'> {
  query: Query
  /** Takes each session with hits, newest first. */
  take: (found: FoundSession) => Promise<void>
}

/** The counts of a search. */
export interface SearchSum {
  sessions: number
  turns: number
  /** Turns with hits only in context, that is, in what Codex itself told the model. */
  contextTurns: number
  /** Sessions and folders that could not be read. */
  failed: number
  /** Folders and files in which sessions were looked for. */
  places: string[]
  /** Words after `-` excluded nothing, because these turns hold the question exactly as typed. */
  isPasted?: boolean
}

/** A search of the files that were found in the given roots. */
interface SessionSearch {
  options: SearchOptions
  selection: ThreadFilter
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
  const { signal, progress, report, homeDir } = privateHost(outer, privacy)
  // Scans that `list` kept are used; this command keeps none itself.
  const known = { cache: openListCache(roots, privacy, outer), privacy }
  const { catalog, diagnostics, places } = await surveyOnce(roots, known, { spoolDir, signal, found })
  for (const item of diagnostics) report(item)
  const { query, around, redact, personal, curation } = options
  const setup = { around, redact, personal, curation, asked: query.asked, selection, threads: catalog.threads, homeDir }
  const searchers = searchersOf(setup, { spoolDir, signal })
  const threads = catalog.threads.filter((thread) => mayBeSelected(thread, selection)).reverse()
  const index = threadIndex(catalog.threads)
  progress.stage('Searching sessions', threads.length)
  let remainingBytes = sumBy(threads, threadBytes)
  let searched = 0
  async function* tasks(): AsyncGenerator<SearchTask> {
    for (const thread of threads) {
      await yieldToEventLoop()
      signal.throwIfAborted()
      progress.tick()
      remainingBytes -= threadBytes(thread)
      const files = thread.segments.map(({ file }) => file)
      if (!(await containAll(files, missingIn))) continue
      searched += threadBytes(thread)
      if (searched > minBytes && remainingBytes > 3 * minBytes) searchers.addThreads()
      yield { id: thread.id, ...defined({ scan: knownScan(thread, index, known) }) }
    }
  }
  const failed = countLevel(diagnostics, 'fatal')
  const sum: SearchSum = { sessions: 0, turns: 0, contextTurns: 0, failed, places }
  try {
    await inOrder(tasks(), searchers.all, async (answer) => {
      signal.throwIfAborted()
      for (const item of answer.diagnostics) report(item)
      if (answer.isEndless) throw endlessError(query)
      addAnswer(answer, sum)
      if (answer.found !== undefined) await options.take(answer.found)
    })
  } finally {
    await searchers.close()
  }
  return sum
}

/** The searchers of sessions: this thread, and more threads once `addThreads` is called. */
interface Searchers {
  all: readonly SessionSearcher[]
  addThreads: () => void
  close: () => Promise<void>
}

function searchersOf(setup: SearchSetup, reading: Reading): Searchers {
  const own = sessionSearcher(setup, reading)
  const all = [own]
  let threads: SearchThread[] | undefined
  return {
    all,
    addThreads() {
      if (threads !== undefined) return
      threads = searchThreads(setup, reading, own)
      all.push(...threads.map(({ search }) => search))
    },
    async close() {
      await Promise.all(threads?.map(({ close }) => close()) ?? [])
    },
  }
}

function endlessError({ asked }: Query): UsageError {
  return new UsageError(
    `\`${asked.args.join(' ')}\` takes more than five seconds with one page. An expression is slow where a repetition stands in a repetition, as in \`(a+)+\`.`,
  )
}

function addAnswer({ hasFailed, found }: SearchAnswer, sum: SearchSum): void {
  if (hasFailed) sum.failed++
  if (found === undefined) return
  sum.sessions++
  sum.turns += found.turns.length
  sum.contextTurns += found.turns.filter(isOfContext).length
}

const isOfContext = ({ texts }: FoundTurn): boolean => texts.every(({ kind }) => kind === 'context')

/**
 * More threads start once this many bytes were searched and three times as many are left. Each thread first loads and
 * compiles the code again that this one has.
 */
const minBytes = 8 << 20
