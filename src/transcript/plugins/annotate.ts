/**
 * Plugins that add to a tree: groups of commands that only read, list or search, as Codex shows them (rollout-format
 * 3.7), references, inherited history, pauses, and tasks of agents.
 */

import type { Plugin } from 'unified'
import type { VFile } from 'vfile'
import { append } from '../../util/groups.ts'
import { defined } from '../../util/own.ts'
import { stripAnsi } from '../../util/printable.ts'
import { drafts, type Fragment, hasFact, isFragment, setDrafts } from '../fragment.ts'
import { encryptedNote } from '../nodes/context.ts'
import { type BaseHistory, sliceOf } from '../slice.ts'
import type { InheritedRange } from '../summary.ts'
import type {
  Agent,
  Command,
  FlowContent,
  Group,
  Markdown,
  Message,
  Notice,
  Reasoning,
  Reference,
  Session,
  ToolCall,
  TopContent,
  Turn,
} from '../trast.ts'
import { isTask, walk } from '../view.ts'

/**
 * Folds runs of two or more exploring commands, including those of scripts, with the thoughts between them. A message or
 * an error ends a run.
 */
export const foldExploration: Plugin<[], Session> = () => (tree: Session) => {
  walk(tree, (item) => {
    if (item.type === 'turn' || item.type === 'preamble') item.children = fold(item.children)
  })
}

function fold(children: FlowContent[]): FlowContent[] {
  const folded: FlowContent[] = []
  let run: (Command | ToolCall | Reasoning)[] = []
  /** Thoughts after the last command of the run: they belong to it only if another command follows. */
  let thoughts: Reasoning[] = []
  const close = (): void => {
    // A script contains several commands.
    if (run.length > 1 || run[0]?.type === 'toolCall') folded.push(group(run))
    else append(folded, run)
    append(folded, thoughts)
    run = []
    thoughts = []
  }
  for (const child of children) {
    if ((child.type === 'command' && explores(child)) || (child.type === 'toolCall' && isExploring(child))) {
      append(run, thoughts)
      run.push(child)
      thoughts = []
    } else if (child.type === 'reasoning' && run.length > 0) thoughts.push(child)
    else {
      close()
      folded.push(child)
    }
  }
  close()
  return folded
}

function explores({ actor, actions, status }: Command): boolean {
  return (
    actor === 'agent' && status === 'completed' && actions.length > 0 && actions.every(({ kind }) => kind !== 'other')
  )
}

/** Whether a code-mode script only explores and says nothing of its own. */
function isExploring({ children, status }: ToolCall): boolean {
  const isCalm = status === 'completed' && children.length > 0
  return isCalm && children.every((child) => child.type === 'command' && explores(child))
}

function group(run: (Command | ToolCall | Reasoning)[]): Group {
  const [first] = run
  const commands = run.flatMap((item) => (item.type === 'toolCall' ? item.children : [item]))
  const actions = commands.flatMap((item) => (item.type === 'command' ? item.actions : []))
  const files = new Set(actions.filter(({ kind }) => kind === 'read').map(({ path }) => path)).size
  const searches = actions.filter(({ kind }) => kind === 'search').length
  const lists = actions.filter(({ kind }) => kind === 'list').length
  const parts = [count(files, 'file'), count(searches, 'search', 'searches'), count(lists, 'listing')].filter(
    (part) => part !== '',
  )
  return {
    type: 'group',
    id: `explored-${first?.id ?? ''}`,
    ...defined({ at: first?.at }),
    kind: 'exploration',
    label: `Explored ${parts.join(', ')}`,
    data: { visibility: 'collapsed', sources: [] },
    children: run,
  }
}

function count(number: number, one: string, many = `${one}s`): string {
  if (number === 0) return ''
  return `${number} ${number === 1 ? one : many}`
}

// References to the commits and pull requests that commands made.

/** Gives each successful command references to the commits and pull requests that it printed. */
export const references: Plugin<[], Session> = () => (tree: Session) => {
  walk(tree, (item) => {
    if (item.type === 'command' && item.status === 'completed') addReferences(item)
  })
}

function addReferences(node: Command): void {
  if (node.children.some(({ type }) => type === 'reference')) return
  const { script } = node
  // Without these programs, a match would come from a text that only looks like their output: a log, a note, a transcript.
  if (!/\b(?:git|gh|glab)\b/.test(script)) return
  const text = node.children
    .flatMap((child) => (child.type === 'output' ? [child.ansi ? stripAnsi(child.value) : child.value] : []))
    .join('\n')
  for (const printed of printedReferences(script, text))
    node.children.push({ type: 'reference', id: `${node.id}.${node.children.length + 1}`, ...printed })
}

// Finds commits and pull requests that a command made from what it ran and printed.

/** A reference before it has an id. */
type Printed = Pick<Reference, 'kind' | 'target'> & { label: string }

/** `git` with a command that makes a commit and prints it. */
const commits = /\bgit\b[^\n;&|]{0,300}?\s(?:commit|cherry-pick|revert)(?![\w-])/
/** A command that opens a pull request or merge request and prints its address. */
const requests = /\b(?:gh\b[^\n;&|]{0,300}?\spr|glab\b[^\n;&|]{0,300}?\smr)\s+(?:create|new)(?![\w-])/

/** `[main abc1234] Subject`, also with `(root-commit)`, as git prints a new commit. */
const commitLine = /^\[[^\n\][]{1,250} ([0-9a-f]{7,64})\] (.*)$/gm
/**
 * An address alone on its line, as `gh` and `glab` print what they created. The hints of a push follow `remote:` and end
 * in `/pull/new/branch`.
 */
const requestLine =
  /^[ \t]*(https?:\/\/[\w.-]{1,250}(?::\d{1,5})?((?:\/[\w.~+-]{1,250}){2,20}?)\/(pull|merge_requests)\/(\d{1,12}))[ \t]*\r?$/gm

/** Most references of a command; the output still shows the others. */
const maxReferences = 100

/** The commits and pull requests that a successful command made and printed, each once. */
function printedReferences(script: string, output: string): Printed[] {
  const found = new Map<string, Printed>()
  const add = (item: Printed): void => {
    if (found.size < maxReferences && !found.has(item.target)) found.set(item.target, item)
  }
  if (commits.test(script)) {
    for (const [, hash = '', subject = ''] of output.matchAll(commitLine))
      add({ kind: 'commit', target: hash, label: subject.trim() })
  }
  if (requests.test(script)) {
    for (const [, url = '', path = '', word, number = ''] of output.matchAll(requestLine)) {
      const repository = path.replace(/\/-$/, '').slice(1)
      add({ kind: 'pullRequest', target: url, label: `${repository}${word === 'pull' ? '#' : '!'}${number}` })
    }
  }
  return [...found.values()]
}

// Marks copied history at the beginning of a fork, and reports history that is inherited by reference (rollout-format 1.4).

const noticeId = 'inherited'

/** Sets `data.inherited` on every node whose first record is a copy. The scan has found the range. */
export const lineage: Plugin<[], Session> = () => (tree: Session, file: VFile) => {
  const { inherited, base, threadId } = sliceOf(file)
  const nodes = drafts(tree)
  if (base !== undefined && nodes[0]?.id !== noticeId)
    setDrafts(tree, [baseNotice(base, base.threadId === threadId), ...nodes])
  for (const node of nodes) {
    if (!isFragment(node)) continue
    // A message may itself say that it is a copy (1.4, test 3).
    const isRecorded = hasFact(node, 'message') && node.fact.inherited === true
    if (isRecorded || (inherited !== undefined && isCopied(node, inherited)))
      node.data = { ...node.data, inherited: true }
  }
}

function isCopied({ segment, position }: Fragment, { from, to }: InheritedRange): boolean {
  const line = position?.start.line
  return line !== undefined && segment === 0 && line >= from && line < to
}

/** A notice in place of inherited history, which the tree does not repeat. */
function baseNotice({ threadId, title, turns, missing }: BaseHistory, own: boolean): Notice {
  const link: Reference = {
    type: 'reference',
    id: `${noticeId}.1`,
    kind: 'session',
    target: threadId,
    ...defined({ label: title }),
  }
  const whole = own ? 'An older file of this session was not found' : 'Not all of it was found'
  const gap: Markdown = { type: 'markdown', id: `${noticeId}.2`, value: `${whole}: what was said there is missing.` }
  return {
    type: 'notice',
    id: noticeId,
    kind: 'inherited',
    ...(turns === undefined ? {} : { facts: { count: turns } }),
    data: { sources: [] },
    children: [...(own ? [] : [link]), ...(missing ? [gap] : [])],
  }
}

// Marks where a thread was resumed after a pause, which no record says (rollout-format 6.2).

/** Shortest pause between two turns that is marked, in milliseconds. */
const longPause = 30 * 60 * 1000

/** Puts a `gap` notice between own turns that are more than half an hour apart. */
export const resumeGaps: Plugin<[], Session> = () => (tree: Session, file: VFile) => {
  const { carry } = sliceOf(file)
  if (tree.children.some(isGap)) return
  const children: TopContent[] = []
  for (const child of tree.children) {
    const turns = ownTurns(child)
    const pause = pauseBefore(turns[0], carry.lastAt)
    if (pause !== undefined && turns[0] !== undefined) children.push(gap(turns[0], pause))
    children.push(child)
    const end = turns.at(-1)?.endedAt
    if (end !== undefined) carry.lastAt = end
  }
  tree.children = children
}

function isGap(node: TopContent): boolean {
  return node.type === 'notice' && node.kind === 'gap'
}

/**
 * The turns that a child of the session is or contains. Copied ones are excluded, because their times are those of the
 * copying.
 */
function ownTurns(node: TopContent): Turn[] {
  if (node.type === 'turn') return node.data?.continued ? [] : [node]
  if (node.type !== 'group' || node.kind === 'inherited') return []
  return node.children.filter((child) => child.type === 'turn')
}

function pauseBefore(turn: Turn | undefined, lastAt: string | undefined): number | undefined {
  if (turn?.at === undefined || lastAt === undefined) return undefined
  const pause = Date.parse(turn.at) - Date.parse(lastAt)
  return pause > longPause ? pause : undefined
}

function gap(turn: Turn, gapMs: number): Notice {
  return {
    type: 'notice',
    id: `gap-${turn.id}`,
    kind: 'gap',
    facts: { gapMs },
    data: { inferred: ['gapMs'] },
    children: [],
  }
}

// Tasks of agents, whose own records of them may be encrypted (rollout-format 3.2).

/**
 * Gives an encrypted task the words of the call that assigned it, if the thread inherited that call; the history before
 * the task can fill pages. Runs after everything that omits or redacts, and adds no words that were removed there.
 */
export const handedTasks: Plugin<[], Session> = () => (tree: Session, file: VFile) => {
  const { tasks } = sliceOf(file).carry
  for (const child of tree.children) {
    const isHistory = child.type === 'group' && child.kind === 'inherited'
    // Most threads inherit no task, so there is nothing to fill in.
    if (!isHistory && tasks.size === 0) continue
    walk(child, (node) => {
      if (node.data?.visibility === 'hidden') return false
      if (isHistory && node.type === 'agent') keepTask(node, tasks)
      else if (!isHistory && node.type === 'message' && isTask(node)) fillTask(node, tasks)
      return undefined
    })
  }
}

function keepTask({ action, name, children }: Agent, tasks: Map<string, string>): void {
  if (action !== 'spawn' || name === undefined) return
  const words = children
    .flatMap((child) => (child.type === 'message' ? child.children : []))
    .map((child) => (child.type === 'markdown' ? child.value : ''))
    .join('\n')
  if (words.trim() !== '') tasks.set(ownName(name), words)
}

function fillTask(node: Message, tasks: ReadonlyMap<string, string>): void {
  const [child] = node.children
  if (child?.type !== 'text' || child.value !== encryptedNote) return
  const words = tasks.get(ownName(node.recipient ?? ''))
  if (words === undefined) return
  node.children = [{ ...child, type: 'markdown', value: words }]
  node.data = { ...node.data, inferred: [...(node.data?.inferred ?? []), 'children'] }
}

/** The last part of an agent's path: `read_one` of `/root/read_one`. */
function ownName(path: string): string {
  return path.split('/').at(-1) ?? path
}
