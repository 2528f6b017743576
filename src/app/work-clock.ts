/** Recorded time of a thread by kind of work. */
import type { WorkTimes } from '../model/summary.ts'
import type { Session, ToolCall, TrastNode, Turn } from '../model/trast.ts'

/** Adds up recorded durations. The model's time is that of turns without the calls in them, turn by turn. */
export interface WorkClock {
  /** Takes nodes in display order, parents first. */
  add: (node: TrastNode) => void
  /** The sums, once all nodes are through. */
  times: (session: Session) => WorkTimes
}

/** A clock for one thread. */
export function workClock(): WorkClock {
  const times: WorkTimes = { model: 0, commands: 0, tools: 0, idle: 0 }
  let turn = { recorded: 0, calls: 0 }
  let turns = 0
  let isWhole = true
  const endTurn = (): void => {
    times.model += Math.max(0, turn.recorded - turn.calls)
    turns += turn.recorded
    turn = { recorded: 0, calls: 0 }
  }
  const begin = (node: Turn): void => {
    // The part that begins a turn tells of the whole.
    if (node.data?.continued) return
    endTurn()
    if (node.data?.inferred?.includes('durationMs')) isWhole = false
    else if (node.durationMs === undefined) isWhole = false
    else turn.recorded = node.durationMs
  }
  return {
    add(node) {
      if (node.type === 'turn') begin(node)
      const kind = kinds[node.type]
      if (kind === undefined) return
      const duration = ownDuration(node)
      times[kind] += duration
      turn.calls += duration
    },
    times({ startedAt, endedAt }) {
      endTurn()
      const span = startedAt === undefined || endedAt === undefined ? 0 : Date.parse(endedAt) - Date.parse(startedAt)
      if (isWhole && turns > 0 && span > turns) times.idle = span - turns
      return times
    },
  }
}

const kinds: Readonly<Partial<Record<TrastNode['type'], 'commands' | 'tools'>>> = {
  command: 'commands',
  patch: 'tools',
  toolCall: 'tools',
  search: 'tools',
  agent: 'tools',
}

/** Duration of a call without that of the calls in it, which come by themselves. */
function ownDuration(node: TrastNode): number {
  const whole = durationOf(node)
  return node.type === 'toolCall' ? Math.max(0, whole - innerDurations(node)) : whole
}

function innerDurations({ children }: ToolCall): number {
  return children.reduce((sum, child) => sum + durationOf(child), 0)
}

function durationOf(node: TrastNode): number {
  return 'durationMs' in node && node.durationMs !== undefined ? node.durationMs : 0
}
