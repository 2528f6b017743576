/** Collects what a session's first page shows about the whole thread, from its slices before they are dropped; its summary. */

import type { PriceTable } from '../../config/prices.ts'
import { noticeWords, settingsIn } from '../../render/labels.ts'
import { firstLine } from '../../render/phrases.ts'
import { answerOf } from '../../render/transcript/story.ts'
import { homeLabel, type Thread } from '../../rollout/discover/rollout.ts'
import { agentWord } from '../../survey/agents.ts'
import type { Neighbours } from '../../survey/neighbours.ts'
import { costOf } from '../../transcript/cost.ts'
import { type UnfixedCounter, unfixedCounter } from '../../transcript/fixes.ts'
import {
  addEffort,
  type ModelEfforts,
  type Permissions,
  type SessionOverview,
  type TurnOverview,
} from '../../transcript/overview.ts'
import { allTurns } from '../../transcript/stats.ts'
import { firstSentence } from '../../transcript/subtitle.ts'
import type { ProjectRef, ScanFacts, SessionSummary } from '../../transcript/summary.ts'
import type { Patch, Preamble, Session, TopContent, TrastNode, Turn, Usage } from '../../transcript/trast.ts'
import type { PageAnchor } from '../../transcript/urls.ts'
import { sumUsage } from '../../transcript/usage.ts'
import {
  changesOf,
  effectsOfCommand,
  isAbsent,
  isApplied,
  isRequest,
  permissionWord,
  walk,
} from '../../transcript/view.ts'
import { defined } from '../../util/own.ts'
import { pathKey, resolvePath } from '../../util/paths.ts'
import { isTimedItem, type TimelineCollector, timelineCollector } from './timeline.ts'

/** Most turns that are listed individually, and most of the turns after these that are listed because no prompt names them. */
const maxTurns = 500
const maxUnnamed = 500

/** Collects page by page. */
export interface OverviewCollector {
  /** Takes the finished trees of pages in order. */
  take: (slice: Session, page: number) => void
  overview: () => SessionOverview
}

interface State {
  timeline: TimelineCollector
  turns: TurnOverview[]
  /** Turns without a prompt after the first `maxTurns`. */
  unnamed: TurnOverview[]
  efforts: ModelEfforts[]
  permissions: PermissionCollector
  failures: UnfixedCounter
  files: WrittenFiles
  errors: number
  firstError: PageAnchor | undefined
  running: SessionOverview['running']
  /** The turn that is being filled, even if it is beyond those that are listed. */
  turn: TurnOverview | undefined
}

/** A collector that has seen no pages. */
export function overviewCollector(): OverviewCollector {
  const state: State = {
    timeline: timelineCollector(),
    turns: [],
    unnamed: [],
    efforts: [],
    permissions: permissionCollector(),
    failures: unfixedCounter(),
    files: new WrittenFiles(),
    errors: 0,
    firstError: undefined,
    running: undefined,
    turn: undefined,
  }
  return {
    take(slice, page) {
      for (const child of slice.children) takeTop(child, page, state)
    },
    overview() {
      const { commands, edits, fixedEdits } = state.failures.unfixed()
      return {
        efforts: state.efforts,
        permissions: state.permissions.permissions(),
        turns: [...state.turns, ...state.unnamed],
        failuresLeft: commands.count,
        editsLeft: edits.count,
        fixedEdits,
        written: state.files.count(),
        errors: state.errors,
        ...defined({
          firstLeft: commands.first,
          firstEditLeft: edits.first,
          firstError: state.firstError,
          running: state.running,
          timeline: state.timeline.timeline(),
        }),
      }
    },
  }
}

function takeTop(child: TopContent, page: number, state: State): void {
  if (isAbsent(child)) return
  if (child.type === 'turn') takeTurn(child, page, { state, undone: false })
  else if (child.type === 'group' && child.kind === 'rolledBack') {
    for (const inner of child.children) if (inner.type === 'turn') takeTurn(inner, page, { state, undone: true })
  } else if (child.type === 'notice') state.timeline.item(child, { page, anchor: child.id })
  else if (child.type === 'preamble') walkItems(child, page, state)
}

function takeTurn(turn: Turn, page: number, { state, undone }: { state: State; undone: boolean }): void {
  if (isAbsent(turn)) return
  const anchor = { page, anchor: turn.id }
  if (!turn.data?.continued || state.turn?.number !== turn.number) openTurn(turn, anchor, { state, undone })
  addEffort(turn, state.efforts)
  state.permissions.add(turn)
  state.timeline.turn(turn, anchor, undone)
  walkItems(turn, page, state)
}

function walkItems(container: Turn | Preamble, page: number, state: State): void {
  const unfixed = state.failures.take(container, page)
  if (container.type === 'turn' && state.turn !== undefined) takeOutcome(container, unfixed, state.turn)
  walk(container, enterItem, { container, page, state })
}

/** Files that commands wrote, without those that edits changed, which a session counts with its edits. */
class WrittenFiles {
  readonly #written = new Set<string>()
  readonly #edited = new Set<string>()

  /** Takes an item of a turn in the folder `cwd`; a file that was moved counts once. */
  take(node: TrastNode, cwd: string | undefined): void {
    const key = (path: string): string => pathKey(resolvePath(cwd, path))
    if (node.type === 'patch' && isApplied(node)) {
      for (const { path, movedTo = path } of changesOf(node)) this.#edited.add(key(movedTo))
    } else if (node.type === 'command' && node.status === 'completed') {
      for (const { path, movedTo, isDeleted } of effectsOfCommand(node)) {
        if (isDeleted || (movedTo !== undefined && !this.#written.delete(key(path)))) continue
        this.#written.add(key(movedTo ?? path))
      }
    }
  }

  count(): number {
    return [...this.#written].filter((path) => !this.#edited.has(path)).length
  }
}

function enterItem(
  node: TrastNode,
  { container, page, state }: { container: Turn | Preamble; page: number; state: State },
): boolean {
  if (isAbsent(node)) return false
  if (node !== container) takeItem(node, page, state)
  state.files.take(node, container.type === 'turn' ? container.cwd : undefined)
  return true
}

function openTurn(turn: Turn, anchor: PageAnchor, { state, undone }: { state: State; undone: boolean }): void {
  const { number, kind, status, at, durationMs } = turn
  const empty = { left: 0, added: 0, removed: 0 }
  state.turn = {
    number,
    kind,
    ...anchor,
    status,
    ...empty,
    ...defined({ at, durationMs, undone: undone || undefined }),
  }
  if (state.turns.length < maxTurns) state.turns.push(state.turn)
  else if (state.unnamed.length < maxUnnamed && !turn.children.some(isRequest)) state.unnamed.push(state.turn)
}

function takeItem(node: TrastNode, page: number, state: State): void {
  state.timeline.item(node, { page, anchor: node.id })
  if (isTimedItem(node) && node.status === 'running') state.running = node.type === 'command' ? 'command' : 'tool'
  if (state.turn !== undefined && node.type === 'patch') addChanges(state.turn, node)
  if (node.type !== 'error') return
  state.errors += 1
  state.firstError ??= { page, anchor: node.id }
}

function addChanges(turn: TurnOverview, node: Patch): void {
  if (!isApplied(node)) return
  for (const change of changesOf(node)) {
    turn.added += change.added
    turn.removed += change.removed
  }
}

// What the sandbox of a session allowed and when it asked, turn by turn.

/** Permissions that are listed; only a made-up file has more. */
const maxPermissions = 8

/** Collects the permissions of turns in their order. */
interface PermissionCollector {
  add: (turn: Turn) => void
  permissions: () => Permissions
}

/** An empty collector. */
function permissionCollector(): PermissionCollector {
  const all = new Set<string>()
  let changes = 0
  let last: string | undefined
  let next: string | undefined
  const addPermission = (permission: string): void => {
    if (last !== undefined && permission !== last) changes += 1
    if (all.size < maxPermissions) all.add(permission)
    last = permission
  }
  return {
    add(turn) {
      const permission = permissionOf(turn)
      if (permission !== undefined) addPermission(permission)
      const chosen = chosenIn(turn)
      if (!turn.data?.continued) next = undefined
      if (chosen !== undefined) next = chosen === last ? undefined : chosen
    },
    permissions: () => ({ all: [...all], changes, ...(next === undefined ? {} : { next }) }),
  }
}

/** What a turn's sandbox allowed and when it asked: `workspace writes, asks when needed`; `undefined` if both are unknown. */
function permissionOf({ approval, sandbox }: Pick<Turn, 'approval' | 'sandbox'>): string | undefined {
  const words = [sandbox ?? '', approval ?? ''].filter((word) => word !== '')
  return words.length === 0 ? undefined : words.map(permissionWord).join(', ')
}

/** The permissions chosen last while a turn ran, which apply from the next turn on. */
function chosenIn(turn: Turn): string | undefined {
  let { approval, sandbox } = turn
  let isChosen = false
  for (const child of turn.children) {
    if (child.type !== 'notice' || isAbsent(child)) continue
    const { Approval, Sandbox } = settingsIn(child.facts?.after)
    isChosen ||= (Approval ?? Sandbox) !== undefined
    approval = Approval ?? approval
    sandbox = Sandbox ?? sandbox
  }
  return isChosen ? permissionOf(defined({ approval, sandbox })) : undefined
}

// The outcome of a turn, for the list of prompts.

/** Longest name of a review, as of the prompts next to it. */
const maxTitle = 80

/** Adds the outcome of a turn, or of the part of one that a page border cut. */
function takeOutcome(node: Turn, unfixed: number, turn: TurnOverview): void {
  turn.left += unfixed
  const result = resultOf(node)
  if (result !== undefined) turn.result = result
  takeReview(node, turn)
  if (node.children.some((child) => child.type === 'notice' && child.kind === 'unanswered')) turn.unanswered = true
}

/** Names a turn after its review, if that has a name: nobody wrote a prompt that could say what was asked for. */
function takeReview({ children }: Turn, turn: TurnOverview): void {
  const notice = children.findLast((child) => child.type === 'notice' && child.kind === 'review' && !isAbsent(child))
  if (notice?.type !== 'notice') return
  const { title, detail } = noticeWords(notice)
  turn.review = firstLine(title, maxTitle)
  if (detail !== '') turn.result ??= detail
}

/** First sentence of the last answer. The last words of an interrupted turn are not an answer, unless the record says so. */
function resultOf(turn: Turn): string | undefined {
  const inferred = answerOf(turn)
  const answer = turn.children.findLast(
    (child) => child.type === 'message' && (child.id === inferred || child.phase === 'final_answer'),
  )
  if (answer?.type !== 'message' || isAbsent(answer)) return undefined
  const text = answer.children.map((child) => ('value' in child ? child.value : '')).join('\n')
  return firstSentence(text)?.replace(/\s+/g, ' ')
}

// The small record of a built thread that lists and the cache keep.

/** What a summary is made from, besides the finished session. */
interface SummaryInput {
  thread: Thread
  facts: ScanFacts
  project: ProjectRef
  neighbours: Neighbours
  errors: number
  failuresLeft: number
  activeMs: number | undefined
  prices: PriceTable | undefined
}

/** Makes the summary of a rendered thread. */
export function summarize(
  session: Session,
  { thread, facts, project, neighbours, errors, failuresLeft, activeMs, prices }: SummaryInput,
): SessionSummary {
  const { lines, messages, commands, edits, usage, commits, pullRequests } = session.stats
  return {
    threadId: session.threadId,
    title: session.title,
    archived: session.archived,
    status: session.status,
    project,
    models: session.models,
    turns: allTurns(session.stats),
    messages,
    commands,
    failuresLeft,
    edits,
    errors,
    pages: Math.max(1, facts.pages.length),
    lines,
    ...defined({
      startedAt: session.startedAt,
      endedAt: session.endedAt,
      activeMs,
      label: homeLabel(thread),
      star: facts.star,
      tags: facts.tags,
      branch: session.git?.branch,
      cwd: session.cwd,
      version: session.client.version,
      originator: session.client.originator,
      firstPrompt: facts.firstPrompt ?? (facts.requests === undefined ? undefined : facts.outline[0]?.text),
      subtitle: facts.subtitle,
      usage: total(usage),
      cost: prices === undefined ? undefined : costOf(usage, prices),
      commits: commits?.length,
      pullRequests: pullRequests?.length,
      parentId: neighbours.parent?.threadId,
      forkedFromId: neighbours.forkedFrom?.threadId,
      agent: agentWord(thread.segments[0]?.head.agent),
      parentMissing: neighbours.parent?.built === false ? true : undefined,
    }),
  }
}

function total(usage: Record<string, Usage>): Usage | undefined {
  return Object.values(usage).reduce<Usage | undefined>((sum, item) => sumUsage(sum, item), undefined)
}
