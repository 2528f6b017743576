/** What pages about several sessions show of one session: collected page by page, in lists of bounded length. */

import { isTrouble, scriptLine } from '../../render/phrases.ts'
import { programOf } from '../../rollout/shell/program.ts'
import { failureFollower } from '../../transcript/fixes.ts'
import { lacksCalls, lacksTurns } from '../../transcript/stats.ts'
import type {
  CommandRuns,
  FailedCommand,
  FileTouch,
  MadeReference,
  ScanFacts,
  SessionDetail,
  WorkTimes,
} from '../../transcript/summary.ts'
import type { Command, Patch, Preamble, Session, ToolCall, TrastNode, Turn } from '../../transcript/trast.ts'
import { changesOf, isAbsent, walk } from '../../transcript/view.ts'
import { sumBy } from '../../util/groups.ts'
import { defined, ownValue, setOwn } from '../../util/own.ts'
import { pathBelow } from '../../util/paths.ts'
import { formatInstant, timeOf } from '../../util/time.ts'

/** How much of one session other pages may show. */
const max = { touches: 2000, failures: 200, programs: 200, made: 500 }
/** Longest first line of a failed command, in UTF-16 units. */
const maxScriptLength = 200

/**
 * Takes the slices of a thread in order. Copied and hidden parts do not count. What was rolled back does count, because a
 * rollback removes a turn from the model's memory but leaves its changes to files.
 */
export interface DetailCollector {
  take: (slice: Session, page: number) => void
  /** What was collected, after the last page. `session` has the final facts of the thread. */
  finish: (session: Session, facts: ScanFacts) => SessionDetail
}

interface TurnRef {
  turn: number
  page: number
  /** Folder to which paths are relative. */
  cwd: string | undefined
  /** Commands that later succeeded, by the ids of the turn's failed commands that they put right. */
  fixes: ReadonlyMap<string, Command>
}

/** A collector for one thread that started in the folder `cwd`; hours of the day are counted in the given time zone. */
export function detailCollector(cwd: string | undefined, timeZone: string): DetailCollector {
  const touches = newest<FileTouch>(max.touches)
  const failures = newest<FailedCommand>(max.failures)
  const made = newest<MadeReference>(max.made)
  const targets = new Set<string>()
  let pushedTo: string | undefined
  const programs = programCounter()
  const clock = workClock()
  const hours = new Array<number>(24).fill(0)
  const turnRef: TurnRef = { turn: 0, page: 1, cwd, fixes: new Map() }
  const follower = failureFollower()
  const addCommand = (node: Command): void => {
    const program = programOf(node) ?? programOf(node.argv[0] ?? '') ?? 'unknown'
    programs.add(program, node)
    if (node.status === 'failed') failures.add(failureOf(node, program, turnRef))
    else if (program === 'git') pushedTo = pushedRemote(node) ?? pushedTo
    for (const reference of madeBy(node, turnRef)) {
      if (!targets.has(reference.target)) made.add(reference)
      targets.add(reference.target)
    }
  }
  const enter = (container: Turn | Preamble): void => {
    turnRef.turn = container.type === 'turn' ? container.number : 0
    turnRef.fixes = follower.take(container).fixes
    if (container.data?.continued) for (const failure of failures.items()) addFix(failure, turnRef)
    const begins = container.type === 'turn' && !container.data?.continued
    const hour = begins ? hourOf(container.at, timeZone) : undefined
    if (hour !== undefined) hours[hour] = (hours[hour] ?? 0) + 1
  }
  const add = (node: TrastNode): void => {
    clock.add(node)
    if (node.type === 'turn' || node.type === 'preamble') enter(node)
    else if (node.type === 'command') addCommand(node)
    else if (node.type === 'patch') for (const touch of touchesOf(node, turnRef)) touches.add(touch)
  }
  const addShown = (node: TrastNode): boolean => {
    if (isAbsent(node)) return false
    add(node)
    return true
  }
  return {
    take(slice, page) {
      turnRef.page = page
      for (const child of slice.children) walk(child, addShown)
    },
    finish(session, facts) {
      return {
        threadId: session.threadId,
        touches: touches.items(),
        failures: failures.items(),
        made: made.items(),
        ...defined({ remote: session.git?.remote ?? pushedTo }),
        programs: programs.named,
        prompts: promptsOf(touches.items(), facts),
        times: clock.times(session),
        usage: session.stats.usage,
        hours,
        omitted: { touches: touches.omitted(), failures: failures.omitted(), programs: programs.rest },
      }
    },
  }
}

function touchesOf(node: Patch, { turn, page, cwd }: TurnRef): FileTouch[] {
  const { id, at, status } = node
  return changesOf(node).map(({ path, operation, added, removed, movedTo }) =>
    defined({
      path: pathBelow(path, cwd),
      operation,
      movedTo: movedTo === undefined ? undefined : pathBelow(movedTo, cwd),
      added,
      removed,
      turn,
      page,
      anchor: id,
      at,
      failed: isTrouble(status) ? true : undefined,
    }),
  )
}

function failureOf(node: Command, program: string, turnRef: TurnRef): FailedCommand {
  const { id, at, exitCode, outcome } = node
  const { turn, page } = turnRef
  const script = firstScriptLine(node)
  const failure: FailedCommand = { program, script, turn, page, anchor: id, ...defined({ exitCode, outcome, at }) }
  addFix(failure, turnRef)
  return failure
}

/** Adds what put a failure right, on the same page or on a later page of its turn. */
function addFix(failure: FailedCommand, { page, fixes }: TurnRef): void {
  const fixed = fixes.get(failure.anchor)
  if (fixed !== undefined) failure.fix ??= { script: firstScriptLine(fixed), page, anchor: fixed.id }
}

function madeBy({ id, at, children }: Command, { turn, page }: TurnRef): MadeReference[] {
  return children.flatMap((child) => {
    if (child.type !== 'reference' || (child.kind !== 'commit' && child.kind !== 'pullRequest')) return []
    const { kind, target, label } = child
    return [{ kind, target, turn, page, anchor: id, ...defined({ label, at }) }]
  })
}

/** The remote that `git push` names in its output (`To <remote>`), without user information. */
function pushedRemote({ script, children }: Command): string | undefined {
  if (!/\bpush\b/.test(script)) return undefined
  for (const child of children) {
    const remote = child.type === 'output' ? /^To (\S{1,300})$/m.exec(child.value)?.[1] : undefined
    if (remote !== undefined) return remote.replace(/^(\w+:\/\/)[^/@]*@/, '$1')
  }
  return undefined
}

function firstScriptLine({ script }: Command): string {
  return scriptLine(script, maxScriptLength)
}

/** Prompts of the turns that touched files. A turn without a prompt has no entry. */
function promptsOf(touches: readonly FileTouch[], { outline }: ScanFacts): Record<string, string> {
  const turns = new Set(touches.map(({ turn }) => turn))
  const prompts: Record<string, string> = {}
  for (const { turn, text } of outline) if (turns.has(turn) && text !== '') prompts[turn] ??= text
  return prompts
}

function hourOf(at: string | undefined, timeZone: string): number | undefined {
  return at === undefined ? undefined : Number(formatInstant(at, timeZone, 'time').slice(0, 2))
}

/** Keeps the last items of a long series. */
function newest<T>(limit: number): { add: (item: T) => void; items: () => T[]; omitted: () => number } {
  let kept: T[] = []
  let count = 0
  return {
    add(item) {
      count++
      kept.push(item)
      // Cutting only rarely keeps the total cost linear.
      if (kept.length === 2 * limit) kept = kept.slice(-limit)
    },
    items: () => kept.slice(-limit),
    omitted: () => Math.max(0, count - limit),
  }
}

/** Counts runs by program; beyond a number of programs, the others are counted together. */
function programCounter() {
  const named: Record<string, CommandRuns> = {}
  const rest: CommandRuns = { runs: 0, failed: 0, durationMs: 0 }
  let programCount = 0
  const countOf = (program: string): CommandRuns => {
    const old = ownValue(named, program)
    if (old !== undefined) return old
    if (programCount === max.programs) return rest
    programCount++
    const fresh: CommandRuns = { runs: 0, failed: 0, durationMs: 0 }
    setOwn(named, program, fresh)
    return fresh
  }
  return {
    named,
    rest,
    add(program: string, { status, durationMs = 0, data }: Command) {
      const count = countOf(program)
      // A later look at a running command does not count as a run.
      if (!data?.continued) count.runs++
      if (status === 'failed') count.failed++
      count.durationMs += durationMs
    },
  }
}

// Recorded time of a thread by kind of work.

/**
 * Adds up recorded durations. The model's time is that of each turn without its calls, where calls that ran in parallel kept it
 * waiting only once. In a turn that is a command of the user, no model took part.
 */
interface WorkClock {
  /** Takes nodes in display order, parents first. */
  add: (node: TrastNode) => void
  /** The sums, after all nodes. */
  times: (session: Session) => WorkTimes
}

/** A clock for one thread. */
function workClock(): WorkClock {
  const times: WorkTimes = { model: 0, commands: 0, tools: 0, idle: 0 }
  let turn = clockedTurn('model')
  let turns = 0
  let areTimesRecorded = true
  /** Calls inside a call whose duration includes theirs. */
  const inner = new Set<TrastNode>()
  const endTurn = (next: 'model' | 'commands' = 'model'): void => {
    times[turn.kind] += Math.max(0, turn.recorded - turn.waited)
    turns += turn.recorded
    turn = clockedTurn(next)
  }
  const begin = (node: Turn): void => {
    // The first part of a turn has the duration of the whole turn.
    if (node.data?.continued) return
    endTurn(node.kind === 'shell' ? 'commands' : 'model')
    if (node.data?.inferred?.includes('durationMs')) areTimesRecorded = false
    else if (node.durationMs === undefined) areTimesRecorded = false
    else turn.recorded = node.durationMs
  }
  return {
    add(node) {
      if (node.type === 'turn') begin(node)
      const kind = kinds[node.type]
      if (kind === undefined) return
      times[kind] += ownDuration(node)
      if (inner.delete(node)) return
      wait(turn, node)
      if (node.type === 'toolCall' && durationOf(node) > 0) for (const child of node.children) inner.add(child)
    },
    times({ startedAt, endedAt, stats }) {
      endTurn()
      if (lacksCalls(stats)) Object.assign(times, { model: 0, mixed: times.model })
      const span = startedAt === undefined || endedAt === undefined ? 0 : Date.parse(endedAt) - Date.parse(startedAt)
      if (areTimesRecorded && turns > 0 && span > turns && !lacksTurns(stats)) times.idle = span - turns
      return times
    },
  }
}

/** A turn whose time is being measured. */
interface ClockedTurn {
  /** The kind of its time, apart from that of its calls. */
  kind: 'model' | 'commands'
  recorded: number
  /** How long calls kept the model waiting. */
  waited: number
  /** Until when they have kept it waiting so far. */
  until: number
}

function clockedTurn(kind: ClockedTurn['kind']): ClockedTurn {
  return { kind, recorded: 0, waited: 0, until: Number.NEGATIVE_INFINITY }
}

/**
 * Makes the model wait for a call, as far as it is not waiting already. A call without a known start is counted as if no other
 * ran in parallel.
 */
function wait(turn: ClockedTurn, node: TrastNode): void {
  const [from, duration] = [timeOf(node.at), durationOf(node)]
  if (from === undefined) turn.waited += duration
  else {
    turn.waited += Math.max(0, from + duration - Math.max(from, turn.until))
    turn.until = Math.max(turn.until, from + duration)
  }
}

const kinds: Readonly<Partial<Record<TrastNode['type'], 'commands' | 'tools'>>> = {
  command: 'commands',
  patch: 'tools',
  toolCall: 'tools',
  search: 'tools',
  agent: 'tools',
}

/** Duration of a call without the calls inside it, which are counted separately. */
function ownDuration(node: TrastNode): number {
  const whole = durationOf(node)
  return node.type === 'toolCall' ? Math.max(0, whole - innerDurations(node)) : whole
}

function innerDurations({ children }: ToolCall): number {
  return sumBy(children, (child) => durationOf(child))
}

function durationOf(node: TrastNode): number {
  return 'durationMs' in node && node.durationMs !== undefined ? node.durationMs : 0
}
