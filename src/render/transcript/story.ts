/**
 * A turn as a story: what was said and decided is shown by itself, and the work in between becomes one line that opens.
 * Every format that folds work uses this module, so that all of them agree.
 */

import type { FileEffect } from '../../rollout/shell/writes.ts'
import type { Failures } from '../../transcript/fixes.ts'
import { failureOf } from '../../transcript/stats.ts'
import type {
  Command,
  FileChange,
  FlowContent,
  Message,
  Node,
  Notice,
  Patch,
  TrastNode,
  Turn,
} from '../../transcript/trast.ts'
import { changesOf, effectsOfCommand, isRequest, isTask, walk } from '../../transcript/view.ts'
import { oncePer } from '../../util/own.ts'
import { formatAmount, timeOf } from '../../util/time.ts'
import { isTrouble } from '../phrases.ts'

/** A piece of a turn: an item of its story, or a run of work between two such items. */
type StoryPart = { kind: 'item'; item: FlowContent } | { kind: 'work'; items: FlowContent[] }

/**
 * The pieces, in order, of a finished turn or of what comes before the first turn; hidden items are left out. Cached,
 * because a session of several pages is rendered as its story and as its work.
 */
export const storyParts: (items: readonly FlowContent[]) => readonly StoryPart[] = oncePer(cutParts)

function cutParts(items: readonly FlowContent[]): StoryPart[] {
  const answer = lastSaid(items)
  const parts: StoryPart[] = []
  for (const item of items) {
    if (item.data?.visibility === 'hidden') continue
    const last = parts.at(-1)
    if (isStory(item, answer)) parts.push({ kind: 'item', item })
    else if (last?.kind === 'work') last.items.push(item)
    else parts.push({ kind: 'work', items: [item] })
  }
  return parts
}

/** The id of the assistant's last message if none is a final answer: it ends a turn that was broken off. */
function lastSaid(items: readonly FlowContent[]): string | undefined {
  let last: string | undefined
  for (const item of items) {
    if (item.type !== 'message' || item.role !== 'assistant' || item.origin !== 'generated') continue
    if (item.phase === 'final_answer') return undefined
    last = item.id
  }
  return last
}

/** The id of the message that answers a turn, if no record names one: the last message of the assistant. */
export function answerOf(node: Turn): string | undefined {
  const said = node.children.filter((child) => child.type === 'message' && child.role === 'assistant')
  if (said.some((child) => child.type === 'message' && child.phase !== undefined)) return undefined
  return node.status === 'completed' || node.status === 'unknown' ? said.at(-1)?.id : undefined
}

/** Calls that begin something that has a page of its own. */
const beginnings = new Set(['spawn', 'resume'])
/** Notices that only make sense among the work. */
const quietNotices = new Set(['settings', 'model', 'corrupt'])

function isStory(item: FlowContent, answer: string | undefined): boolean {
  switch (item.type) {
    case 'message':
      return isSaid(item, answer)
    case 'command':
      return item.actor === 'user'
    case 'plan':
      // A checklist is work, but a plan in prose is an answer.
      return item.children.some((child) => child.type === 'markdown') && item.children.every(isNotStep)
    case 'agent':
      return beginnings.has(item.action)
    case 'group':
      return item.kind !== 'exploration'
    case 'notice':
      return !quietNotices.has(item.kind)
    case 'image':
      return item.origin === 'generated'
    case 'approval':
    case 'error':
      return true
    default:
      return false
  }
}

function isNotStep({ type }: Node): boolean {
  return type !== 'planStep'
}

function isSaid(node: Message, answer: string | undefined): boolean {
  const { id, role, origin, phase, data } = node
  if (data?.visibility === 'collapsed') return false
  if (isTask(node)) return true
  if (role === 'user') return isRequest(node)
  return role === 'assistant' && origin === 'generated' && (phase === 'final_answer' || id === answer)
}

/**
 * Milliseconds that a run of a turn took: from the end of what comes before it to the start of what comes after it, so that
 * all runs add up to the time of the turn. The items alone would omit how long the model thought before the first one.
 */
export function runTime(sum: WorkSum, { parts, index }: RunPosition, { at, endedAt, data }: Turn): number {
  const [before, after] = [parts[index - 1], parts[index + 1]]
  const from = before?.kind === 'item' ? endOf(before.item) : timeOf(at)
  // If the turn continues on the next page, `endedAt` is the end of the whole turn, not of this part.
  const end = data?.continues ? undefined : timeOf(endedAt)
  const to = after?.kind === 'item' ? timeOf(after.item.at) : end
  return spanOf({ from: from ?? sum.from, to: to ?? sum.to })
}

/** Milliseconds of a span; its ends are 0 if they are not known. */
export function spanOf({ from, to }: Pick<WorkSum, 'from' | 'to'>): number {
  return from === 0 ? 0 : Math.max(0, to - from)
}

/** The position of a run among the pieces of its turn. */
interface RunPosition {
  parts: readonly StoryPart[]
  index: number
}

function endOf(item: FlowContent): number | undefined {
  const at = timeOf(item.at)
  return at !== undefined && 'durationMs' in item ? at + (item.durationMs ?? 0) : at
}

/** Kinds of calls whose failures are counted, in words for the reader. */
type FailedKind = 'command' | 'edit' | 'tool call'

/** The summary of a run of work. */
export interface WorkSum {
  /** The run is only context that machines provided: instructions, the environment. */
  isContext: boolean
  /** Notices about the session itself, such as changed settings. */
  notices: Notice[]
  /** `77 commands (14 files read)`, `2 web searches`, …; empty, like `changes`, for a run without calls. */
  counts: string[]
  /** `3 files changed`, `1 file written`. */
  changes: string[]
  /** What the assistant did besides calls: the first of these that applies. */
  otherWork: 'Thought' | 'Planned' | 'Commented' | undefined
  /** How many calls of each kind failed, and how many of those were fixed later. */
  failed: Record<FailedKind, { count: number; fixed: number }>
  /** Failed calls that nothing fixed later, in order. */
  unfixed: WorkItem[]
  /** Calls that were declined, in order. */
  declined: WorkItem[]
  /** When its first item began and its last one ended, in milliseconds since the epoch; 0 if not known. */
  from: number
  to: number
}

/** Whether the line of a run says how long it took: only if something was done or thought in it. */
export function isTimed({ isContext, counts, changes, otherWork }: WorkSum): boolean {
  return !isContext && (counts.length > 0 || changes.length > 0 || otherWork !== undefined)
}

/** Sums up a run of work. `fixes` are the repairs of the whole turn, from `failuresAmong`. */
export function sumWork(items: readonly FlowContent[], fixes: Failures['repairs']): WorkSum {
  return sums(fixes)(items)
}

const sums = oncePer((fixes: Failures['repairs']) => oncePer((items: readonly FlowContent[]) => addUp(items, fixes)))

function addUp(items: readonly FlowContent[], fixes: Failures['repairs']): WorkSum {
  const sum = new Counter(fixes)
  for (const item of items) walk(item, count, sum)
  return {
    isContext: items.every((item) => item.type === 'message' && item.role !== 'assistant'),
    notices: sum.notices,
    counts: sum.texts(),
    changes: sum.changeTexts(),
    otherWork: sum.otherWork,
    failed: sum.failed,
    unfixed: sum.unfixed,
    declined: sum.declined,
    from: sum.from,
    to: sum.to,
  }
}

function count(node: TrastNode, sum: Counter): boolean | undefined {
  return sum.visit(node)
}

class Counter {
  otherWork: WorkSum['otherWork']
  readonly failed: WorkSum['failed'] = {
    command: { count: 0, fixed: 0 },
    edit: { count: 0, fixed: 0 },
    'tool call': { count: 0, fixed: 0 },
  }
  readonly unfixed: WorkItem[] = []
  readonly declined: WorkItem[] = []
  readonly notices: Notice[] = []
  from = 0
  to = 0
  private commands = 0
  private calls = 0
  /** Searches of files by commands (`searches`), and of the web (`webSearches`). */
  private searches = 0
  private webSearches = 0
  private opened = 0
  private waits = 0
  private finished = 0
  private readonly read = new Set<string>()
  private readonly changed = new Set<string>()
  private readonly written = new Set<string>()

  private readonly fixes: Failures['repairs']

  constructor(fixes: Failures['repairs']) {
    this.fixes = fixes
  }

  visit(node: TrastNode): boolean | undefined {
    if (node.data?.visibility === 'hidden') return false
    this.time(node)
    if (isWork(node)) this.end(node)
    switch (node.type) {
      case 'command':
        this.command(node)
        return false
      case 'patch':
        this.patch(node)
        return false
      case 'search':
        if (node.action === 'open') this.opened += 1
        else this.webSearches += 1
        return false
      case 'agent':
        if (node.action === 'finish') this.finished += 1
        else this.waits += 1
        return false
      case 'notice':
        this.notices.push(node)
        return false
      case 'reasoning':
        this.otherWork = 'Thought'
        return false
      case 'plan':
        if (this.otherWork !== 'Thought') this.otherWork = 'Planned'
        return false
      case 'message':
        if (node.role === 'assistant') this.otherWork ??= 'Commented'
        return false
      case 'toolCall':
        // A script that made calls is counted by those, unless it failed itself.
        if (node.children.every(isCallResult) || failureOf(node) !== undefined) this.calls += 1
        return undefined
      default:
        return undefined
    }
  }

  private time(node: TrastNode): void {
    const at = node.at === undefined ? Number.NaN : Date.parse(node.at)
    if (Number.isNaN(at)) return
    const { durationMs = 0 } = node as { durationMs?: number }
    if (this.from === 0 || at < this.from) this.from = at
    this.to = Math.max(this.to, at + durationMs)
  }

  private command(node: Command): void {
    if (!node.data?.continued) this.commands += 1
    for (const { kind, path } of node.actions) {
      if (kind === 'read' && path !== undefined) this.read.add(path)
      else if (kind === 'search') this.searches += 1
    }
    if (node.status === 'completed') for (const effect of effectsOfCommand(node)) this.write(effect)
  }

  /** Counts written files; a file that was moved counts once. */
  private write({ path, movedTo, isDeleted }: FileEffect): void {
    if (isDeleted || (movedTo !== undefined && !this.written.delete(path))) return
    this.written.add(movedTo ?? path)
  }

  private end(node: WorkItem): void {
    if (node.status === 'declined') this.declined.push(node)
    const failure = failureOf(node)
    if (failure === undefined) return
    const failed = this.failed[failedKinds[failure]]
    failed.count += 1
    if (this.fixes.has(node.id)) failed.fixed += 1
    else this.unfixed.push(node)
  }

  private patch(node: Patch): void {
    if (isTrouble(node.status)) return
    for (const change of changesOf(node)) this.changed.add(nameOf(change))
  }

  texts(): string[] {
    // What commands read and searched is in parentheses, because it is part of them.
    const inspected = amountsOf([
      [this.read.size, 'file read', 'files read'],
      [this.searches, 'search', 'searches'],
    ])
    const commands = amountsOf([[this.commands, 'command']]).map((text) =>
      inspected.length === 0 ? text : `${text} (${inspected.join(', ')})`,
    )
    const others = amountsOf([
      [this.calls, 'tool call'],
      [this.webSearches, 'web search', 'web searches'],
      [this.opened, 'web page opened', 'web pages opened'],
      [this.waits, 'sub-agent call'],
      [this.finished, 'sub-agent finished', 'sub-agents finished'],
    ])
    return [...(commands.length === 0 ? inspected : commands), ...others]
  }

  changeTexts(): string[] {
    return amountsOf([
      [this.changed.size, 'file changed', 'files changed'],
      [this.written.size, 'file written', 'files written'],
    ])
  }
}

function amountsOf(amounts: [count: number, one: string, many?: string][]): string[] {
  return amounts.flatMap(([count, one, many]) => (count === 0 ? [] : [formatAmount(count, one, many)]))
}

const results = new Set<TrastNode['type']>(['output', 'text', 'markdown', 'image', 'reference'])

/** Whether a child of a tool call is a result of the call itself; anything else is work done by a script. */
export function isCallResult({ type }: TrastNode): boolean {
  return results.has(type)
}

/** A call of any kind. */
export type WorkItem = Extract<FlowContent, { type: 'command' | 'toolCall' | 'patch' | 'search' | 'agent' }>

const failedKinds = { command: 'command', edit: 'edit', tool: 'tool call' } as const

function isWork(node: TrastNode): node is WorkItem {
  return /^(?:command|toolCall|patch|search|agent)$/.test(node.type)
}

function nameOf({ path, movedTo }: FileChange): string {
  return movedTo ?? path
}
