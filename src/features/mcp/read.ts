/** Reads turns of one session for an agent: the texts that the search matches, redacted, in answers of bounded length. */

import { openListCache } from '../../cli/list-rows.ts'
import type { PersonalPolicy } from '../../config/personal.ts'
import type { Curation } from '../../config/publication.ts'
import { UsageError } from '../../diagnostics/errors.ts'
import { findRoots } from '../../rollout/discover/homes-fs.ts'
import type { Thread } from '../../rollout/discover/rollout.ts'
import type { Reading } from '../../rollout/read/open-fs.ts'
import { knownScan, surveyOnce } from '../../site/cache/known-scans.ts'
import { familyLookup } from '../../site/known/families.ts'
import { slicesOf } from '../../site/slices.ts'
import { withSpool } from '../../site/spool-fs.ts'
import type { Host, Sources } from '../../site/types.ts'
import { scanWithLineage, type ThreadIndex, threadIndex } from '../../survey/lineage.ts'
import { loneNeighbours } from '../../survey/neighbours.ts'
import { type PrivateThread, privacyOf, privateHost } from '../../survey/privacy.ts'
import { type ProjectNames, projectNames, projectOf } from '../../survey/project.ts'
import { beginsWith, isSelected, mayBeSelected, readFilters, type ThreadFilter } from '../../survey/select.ts'
import { headFacts } from '../../survey/survey.ts'
import type { ScanFacts, ScannedThread } from '../../transcript/summary.ts'
import type { TrastNode } from '../../transcript/trast.ts'
import { defined } from '../../util/own.ts'
import { beginningOf, codePointOffset } from '../../util/text.ts'
import { numberOf, turnsIn } from '../terminal-search/match.ts'
import { readShown } from '../terminal-search/session.ts'
import { type TurnText, textsOf } from '../terminal-search/texts.ts'

/** The sessions that an agent may ask about. Secrets are redacted in everything that it gets; nothing here turns that off. */
export interface ServedSources extends Sources {
  personal: PersonalPolicy
  /** Decisions about single sessions: their stars and tags. */
  curation: Curation
}

/** Longest answer, and longest single text when turns are read, in characters. */
const maxAnswer = 20_000
const maxText = 4000
/** Longest text that nobody typed and no model wrote, such as instructions, in characters. */
const maxContext = 300

/** The part of a session that is asked for. */
interface ReadTarget {
  /** The beginning of a thread id. */
  thread: string
  /** First turn and number of turns. */
  turn: number
  turns: number
  /** Read only this item. */
  anchor?: string
  /** Characters to skip, counted over all these texts. */
  offset: number
}

/** The answer to the agent. */
interface ReadAnswer {
  thread: string
  title: string
  project: string
  startedAt?: string
  /** Number of turns of the session. */
  turns: number
  texts: ReadText[]
  /** Arguments with which to read on; absent if everything was given. */
  next?: ReadTarget
}

/** A text, or its beginning. */
interface ReadText {
  turn: number
  kind: TurnText['kind']
  anchor: string
  text: string
  /** Number of characters missing at its end. */
  left?: number
}

/** Reads turns. Throws a `UsageError` if there is no such session, or nothing in the turns or item asked for. */
export function readThread(target: ReadTarget, sources: ServedSources, outer: Host): Promise<ReadAnswer> {
  return withSpool(async (spoolDir) => {
    const options = { ...sources, redact: true }
    const privacy = privacyOf(options, outer)
    const host = privateHost(outer, privacy)
    const { signal, report } = host
    const selection = readFilters(sources, host.now())
    const roots = findRoots(sources.homes, host)
    const known = { cache: openListCache(roots, privacy, outer), privacy }
    const reading = { spoolDir, signal }
    const { catalog, diagnostics } = await surveyOnce(roots, known, reading)
    for (const item of diagnostics) report(item)
    const index = threadIndex(catalog.threads)
    const { thread, facts } = await servedThread(target.thread, catalog.threads, {
      selection,
      scan: async (one) => (knownScan(one, index, known) ?? (await scanWithLineage(one, index, reading))).facts,
    })
    const surroundings = { privacy, lookUp: familyLookup(catalog.threads, reading) }
    return await readShown({ thread, facts }, surroundings, async (shown) => {
      const names = projectNames(headFacts(catalog.threads, selection, privacy).values())
      const answer = await readTarget(target, shown, { ...reading, index, names })
      return { result: answer, texts: [answer.title, ...answer.texts.map(({ text }) => text)] }
    })
  })
}

/**
 * The thread that is meant, among those that may be read: others count for nothing, or an answer would show that there are
 * such. Throws a `UsageError` if there is none, or several.
 */
async function servedThread(
  start: string,
  threads: readonly Thread[],
  { selection, scan }: { selection: ThreadFilter; scan: (thread: Thread) => Promise<ScanFacts | undefined> },
): Promise<ScannedThread> {
  const served: ScannedThread[] = []
  const isExactId = ({ id }: Thread): boolean => id.toLowerCase() === start.toLowerCase()
  const fitting = threads.filter((thread) => beginsWith(thread.id, [start]) && mayBeSelected(thread, selection))
  // An id that is the text as a whole comes first, as for every command.
  for (const thread of fitting.toSorted((a, b) => Number(isExactId(b)) - Number(isExactId(a)))) {
    const facts = await scan(thread)
    if (facts === undefined || !isSelected({ id: thread.id, archived: thread.archived, ...facts }, selection)) continue
    served.push({ thread, facts })
    if (isExactId(thread) || served.length > 1) break
  }
  const [found, other] = served
  if (found === undefined)
    throw new UsageError(
      `No session that may be read has an id that starts with \`${start}\`: \`sessions\` lists them.`,
    )
  if (other !== undefined) throw new UsageError(`Several thread ids start with \`${start}\`: name one of them.`)
  return found
}

async function readTarget(
  target: ReadTarget,
  { thread, facts, redactor }: PrivateThread,
  { index, names, ...reading }: Reading & { index: ThreadIndex; names: ProjectNames },
): Promise<ReadAnswer> {
  const { session, slices } = slicesOf(thread, facts, {
    ...reading,
    neighbours: loneNeighbours(thread, facts, index),
    assets: () => undefined,
    ...defined({ redactor }),
  })
  const answer: ReadAnswer = {
    ...{ thread: thread.id, title: facts.title, project: projectOf(facts, names).name },
    ...defined({ startedAt: session.startedAt }),
    turns: facts.turns,
    texts: [],
  }
  const taker = textTaker(target, answer)
  for await (const { tree } of slices) {
    const isDone = tree.children.flatMap(turnsIn).some((node) => !takeTurn(node, target, taker))
    if (isDone) break
  }
  if (taker.passed() === 0) throw new UsageError(nothingIn(target, facts.turns))
  const next = taker.next()
  return next === undefined ? answer : { ...answer, next }
}

function nothingIn({ anchor, turn }: ReadTarget, turns: number): string {
  return anchor === undefined
    ? `Nothing was recorded in turn ${turn}: the session has ${turns} turns.`
    : `The session has no item \`${anchor}\`.`
}

/** Passes on the texts of a turn if it is asked for; returns `false` after the last one. */
function takeTurn(node: TrastNode, { anchor, turn, turns }: ReadTarget, { take }: TextTaker): boolean {
  const number = numberOf(node) ?? 0
  if (anchor === undefined && number >= turn + turns) return false
  if (anchor !== undefined || (number >= turn && number < turn + turns))
    textsOf(node, (text) => {
      if (anchor === undefined || text.id === anchor) take(number, text)
    })
  return true
}

interface TextTaker {
  take: (turn: number, text: TurnText) => void
  /** Characters seen so far, given or not. */
  passed: () => number
  next: () => ReadTarget | undefined
}

/** Adds texts to an answer up to its limits. `offset` counts characters of texts after each was cut to its own limit. */
function textTaker(target: ReadTarget, { texts }: ReadAnswer): TextTaker {
  let passed = 0
  let capacity = maxAnswer
  let end: number | undefined
  return {
    take(turn, { kind, id, value }) {
      const maxLength = kind === 'context' ? maxContext : maxText
      const whole = target.anchor === undefined ? beginningOf(value, maxLength) : value
      const start = codePointOffset(whole, Math.max(0, target.offset - passed))
      passed += whole.length
      if (start >= whole.length) return
      const given = whole.slice(start, codePointOffset(whole, start + capacity))
      capacity -= given.length
      if (given.length < whole.length - start) end ??= passed - (whole.length - start - given.length)
      if (given === '') return
      const left = value.length - start - given.length
      texts.push({ ...{ turn, kind, anchor: id, text: given }, ...(left > 0 && { left }) })
    },
    passed: () => passed,
    next: () => (end === undefined ? undefined : { ...target, offset: end }),
  }
}
