/**
 * A running build as readers see it: its sessions, each rendered when it is asked for, and a list of them made from their heads.
 */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Diagnostic, diagnostic } from '../diagnostics/codes.ts'
import { dayAnchor, dayOf, dayPieces, timeView } from '../render/dates.ts'
import { iconFile } from '../render/pages/feed.ts'
import { pageView } from '../render/pages/page-view.ts'
import type { DayView, ListView, RowView } from '../render/views.ts'
import { firstFile, type Thread } from '../rollout/discover/rollout.ts'
import { privateDiagnostic } from '../survey/privacy.ts'
import { projectNames, projectOf } from '../survey/project.ts'
import { relativeLink, sessionPage, threadFolder } from '../transcript/urls.ts'
import { defined } from '../util/own.ts'
import { reasonOf } from '../util/reason.ts'
import { joinTexts } from '../util/text.ts'
import { formatAmount, formatCount } from '../util/time.ts'
import { scanOnce } from './cache/known-scans.ts'
import type { BuildContext } from './context.ts'
import { type Discovery, discoverThreads, type Surveyed } from './discover.ts'
import { readFamily } from './known/session-values.ts'
import { newFolder } from './output/plan.ts'
import type { Requested, SessionSource } from './requests.ts'
import { transcribeSessions } from './transcribe.ts'
import { silent } from './types.ts'

/**
 * What can be asked of a build that knows its threads; `discovered` returns what it has learned of them since. A session is made
 * with the build's own staging area and cache, so the build finds it there when its turn comes.
 */
export function sessionSource(
  context: BuildContext,
  surveyed: Surveyed,
  discovered: () => Discovery | undefined,
): SessionSource {
  const { assets, host, outcomes, staging } = context
  const { state, name = '' } = staging.shared?.input ?? { state: { root: '' } }
  const icon = { path: 'favicon.svg', content: iconFile }
  const threads = new Map(surveyed.catalog.threads.map((thread) => [threadFolder(thread.id), thread]))
  const hashes = new Map([...assets.files, icon].map((file) => [file.path, staging.put(file).hash]))
  /** Answers by folder. */
  const answers = new Map<string, Requested>()
  const quiet = quietContext(context)
  const make = async (thread: Thread, free: Free): Promise<Requested> => {
    const found = await foundWith(thread, quiet, { surveyed, discovered, free })
    await transcribeSessions(quiet, found)
    const files = found.wanted.flatMap((item) => outcomes.get(item.thread.id)?.session?.files ?? [])
    for (const { path, hash } of files) hashes.set(path, hash)
    return answerFor(thread, found, quiet)
  }
  return {
    async render(folder, free) {
      const thread = threads.get(folder)
      const previous = thread === undefined ? 'unknown' : answers.get(folder)
      if (thread === undefined || previous !== undefined) return previous ?? 'unknown'
      quiet.diagnostics.length = 0
      const answer = await make(thread, free).catch((error: unknown) => faultOf(thread, error, quiet))
      if (host.signal.aborted) return 'later'
      answers.set(folder, answer)
      return answer
    },
    staged: join(state.root, name, newFolder),
    hashOf: (path) => hashes.get(path),
    listPage: (path) => context.templates.render('html/list', listView(path, context, surveyed)),
    noticePage: (path, { heading, text }) =>
      context.templates.render('html/list', { ...plainView(path, heading, context), summary: text }),
  }
}

/** Waits until the build is not working on any of some threads. */
type Free = Parameters<SessionSource['render']>[1]

/** The build's context for making a session for a reader: nothing is reported, and everything is done in this thread. */
function quietContext(context: BuildContext): BuildContext {
  const { host, options, reading, staging } = context
  const { requests: _, ...rest } = context
  return {
    ...rest,
    host: { ...host, progress: silent, report: () => {} },
    options: { ...options, jobs: 1 },
    passed: () => {},
    diagnostics: [],
    ahead: { add() {}, ready: async () => new Map(), close: async () => {} },
    reading: {
      ...reading,
      spoolDir() {
        // Spools of two sessions rendered at once would have the same names.
        const folder = join(staging.tempDir(), 'asked')
        mkdirSync(folder, { recursive: true })
        return folder
      },
    },
  }
}

/** What is known of a thread and its family, once the build is not working on any of them. */
async function foundWith(
  thread: Thread,
  quiet: BuildContext,
  { surveyed, discovered, free }: { surveyed: Surveyed; discovered: () => Discovery | undefined; free: Free },
): Promise<Discovery> {
  const { catalog, index } = surveyed
  const family = await readFamily(thread, {
    threads: catalog.threads,
    scan: (one) => scanOnce(one, index, quiet, quiet.reading),
    signal: quiet.host.signal,
  })
  const ids = new Set([thread.id, ...family.map((member) => member.thread.id)])
  await free([...ids])
  const found = discovered()
  const isOf = (item: { thread: Thread }): boolean => ids.has(item.thread.id)
  if (found === undefined || !found.wanted.some((item) => item.thread.id === thread.id))
    return discoverThreads(
      quiet,
      surveyed,
      catalog.threads.filter(({ id }) => ids.has(id)),
    )
  // The redactor of a session counts what it replaces, and the build may have started using it.
  const wanted = found.wanted.filter(isOf).map((item) => {
    const { redactor: _, ...own } = item
    // Packed facts are not own properties, so the spread does not copy them.
    return { ...own, raw: item.raw, facts: item.facts }
  })
  return { ...found, wanted, unwanted: found.unwanted.filter(isOf) }
}

function answerFor(thread: Thread, { wanted, read }: Discovery, quiet: BuildContext): Requested {
  if (wanted.every((item) => item.thread.id !== thread.id))
    return read.has(thread.id) || quiet.diagnostics.length === 0 ? 'unknown' : failure(quiet.diagnostics, quiet)
  const outcome = quiet.outcomes.get(thread.id)
  return outcome?.session === undefined ? failure(outcome?.diagnostics ?? [], quiet) : 'made'
}

/** Whatever the fault is, the build will meet it too and report it. */
function faultOf(thread: Thread, error: unknown, quiet: BuildContext): Requested {
  return failure([diagnostic('page-failed', firstFile(thread), `Reason: ${reasonOf(error)}.`)], quiet)
}

function failure(diagnostics: readonly Diagnostic[], { privacy }: BuildContext): Requested {
  const texts = diagnostics.map((item) => privateDiagnostic(item, privacy))
  return { failure: texts.map(({ file, message }) => joinTexts([file, message], ': ')).join(' ') }
}

// Pages that are shown until the build has made its own.

/** Most sessions that are listed. */
const maxListed = 500

/**
 * The newest sessions as described by their heads, with titles if they have been read by now. Agents are not listed, because
 * their parents link to them.
 */
function listView(path: string, context: BuildContext, { catalog, heads }: Surveyed): ListView {
  const { privacy, requests, site } = context
  const facts = heads()
  const names = projectNames(facts.values())
  const own = catalog.threads.filter(({ id, segments }) => facts.has(id) && segments[0]?.head.agent === undefined)
  const days = new Map<string, DayView>()
  for (const { id, name } of own.toReversed().slice(0, maxListed)) {
    const { startedAt, ...place } = facts.get(id) ?? { cwds: [] }
    const day = dayOf(startedAt, site.timeZone)
    const view = days.get(day) ?? { id: dayAnchor(day), heading: dayPieces(day), href: `#${dayAnchor(day)}`, rows: [] }
    const row: RowView = {
      href: relativeLink(path, sessionPage(id)),
      title: requests?.titles.get(id) ?? (name && (privacy?.redactor().text(name) ?? name)) ?? id,
      project: projectOf(place, names).name,
    }
    view.rows.push({ ...row, ...defined({ time: timeView(startedAt, site.timeZone, 'time') }) })
    days.set(day, view)
  }
  const summary = `The site is being built. ${formatAmount(own.length, 'session')} can be read already: each is made when you open it.`
  const remark = `The newest ${formatCount(maxListed)} of ${formatCount(own.length)} sessions are listed.`
  return {
    ...plainView(path, 'All sessions', context),
    ...{ summary, days: [...days.values()], remark: own.length > maxListed ? remark : '' },
    steps: { label: 'Pages', links: [] },
  }
}

/** A page without the parts that only a finished site has. */
function plainView(path: string, heading: string, { site }: BuildContext): ListView {
  const view = pageView(path, heading, { ...site, search: false, offline: false })
  const all = { text: 'All sessions', href: relativeLink(path, 'index.html') }
  return {
    ...view,
    nav: [],
    heading,
    summary: '',
    steps: { label: 'Pages', links: [all] },
    days: [],
    moreDays: [],
    remark: '',
  }
}
