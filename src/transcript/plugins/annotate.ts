/** Groups runs of commands that only read, list or search, as Codex shows them (rollout-format 3.7). */

import type { Plugin } from 'unified'
import type { VFile } from 'vfile'
import { append } from '../../util/groups.ts'
import { defined } from '../../util/own.ts'
import { stripAnsi } from '../../util/printable.ts'
import { drafts, type Fragment, holds, isFragment, setDrafts } from '../fragment.ts'
import { encryptedNote } from '../node-context.ts'
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
 * Folds runs of two or more exploring commands, those of scripts too, with the thoughts between them; a message or an error
 * ends a run.
 */
export const foldExploration: Plugin<[], Session> = () => (tree: Session) => {
  walk(tree, (item) => {
    if (item.type === 'turn' || item.type === 'preamble') item.children = fold(item.children)
  })
}

function fold(children: FlowContent[]): FlowContent[] {
  const folded: FlowContent[] = []
  let run: (Command | ToolCall | Reasoning)[] = []
  /** Thoughts behind the last command of the run: they belong to it only if another one follows. */
  let thoughts: Reasoning[] = []
  const close = (): void => {
    // A script holds several.
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

/** A script of code mode that does nothing else, and says nothing of its own. */
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

// Adds what commands made, commits and pull requests, as references to them.

/** Gives each successful command references to the commits and pull requests that it printed. */
export const references: Plugin<[], Session> = () => (tree: Session) => {
  walk(tree, (item) => {
    if (item.type === 'command' && item.status === 'completed') addReferences(item)
  })
}

function addReferences(node: Command): void {
  if (node.children.some(({ type }) => type === 'reference')) return
  const { script } = node
  // Anything else would be read from a text that only looks like it: a log, a note, a transcript.
  if (!/\b(?:git|gh|glab)\b/.test(script)) return
  const text = node.children
    .flatMap((child) => (child.type === 'output' ? [child.ansi ? stripAnsi(child.value) : child.value] : []))
    .join('\n')
  for (const printed of printedReferences(script, text))
    node.children.push({ type: 'reference', id: `${node.id}.${node.children.length + 1}`, ...printed })
}

// Commits and pull requests that a command made, by what it ran and printed.

/** A reference before it has an id. */
export type Printed = Pick<Reference, 'kind' | 'target'> & { label: string }

/** Words behind `git` that make a commit and print it. */
const commits = /\bgit\b[^\n;&|]{0,300}?\s(?:commit|cherry-pick|revert)(?![\w-])/
/** Words that open a pull request or merge request and print its address. */
const requests = /\b(?:gh\b[^\n;&|]{0,300}?\spr|glab\b[^\n;&|]{0,300}?\smr)\s+(?:create|new)(?![\w-])/

/** `[main abc1234] Subject`, also with `(root-commit)`, as git prints a new commit. */
const commitLine = /^\[[^\n\][]{1,250} ([0-9a-f]{7,64})\] (.*)$/gm
/**
 * The address alone on its line, as `gh` and `glab` print what they made. The hints of a push stand behind `remote:`,
 * and end in `/pull/new/branch`.
 */
const requestLine =
  /^[ \t]*(https?:\/\/[\w.-]{1,250}(?::\d{1,5})?((?:\/[\w.~+-]{1,250}){2,20}?)\/(pull|merge_requests)\/(\d{1,12}))[ \t]*\r?$/gm

/** More are not listed: the output still tells them. */
const maxReferences = 100

/** What a command that succeeded printed of commits and pull requests that it made, each once. */
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

// Marks the copied history at the head of a fork, and tells of history by reference (rollout-format 1.4).

const noticeId = 'inherited'

/** Sets `data.inherited` on every node whose first record is a copy. The scan found its borders. */
export const lineage: Plugin<[], Session> = () => (tree: Session, file: VFile) => {
  const { inherited, base, threadId } = sliceOf(file)
  const nodes = drafts(tree)
  if (base !== undefined && nodes[0]?.id !== noticeId)
    setDrafts(tree, [baseNotice(base, base.threadId === threadId), ...nodes])
  for (const node of nodes) {
    if (!isFragment(node)) continue
    // A message may tell by itself that it is a copy (1.4, test 3).
    const isRecorded = holds(node, 'message') && node.fact.inherited === true
    if (isRecorded || (inherited !== undefined && isCopied(node, inherited)))
      node.data = { ...node.data, inherited: true }
  }
}

function isCopied({ segment, position }: Fragment, { from, to }: InheritedRange): boolean {
  const line = position?.start.line
  return line !== undefined && segment === 0 && line >= from && line < to
}

/** Stands where the inherited history would: the tree repeats nothing of it. */
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

// Marks where a thread was taken up again after a pause: nothing in a rollout says so (rollout-format 6.2).

/** A pause between two turns that is worth a marker, in milliseconds. */
const longPause = 30 * 60 * 1000

/** Puts a `gap` notice between own turns that lie more than half an hour apart. */
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

/** The turns that a child of the session is or holds; copied ones keep the time of the copy, not their own. */
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

// The task of an agent, whose own record of it may be encrypted (rollout-format 3.2).

/**
 * Gives an encrypted task the words of the call that handed it over, where the thread inherited that call: the history
 * before it can fill pages. It comes after all that leaves out or redacts, and adds no words that those took away.
 */
export const handedTasks: Plugin<[], Session> = () => (tree: Session, file: VFile) => {
  const { tasks } = sliceOf(file).carry
  for (const child of tree.children) {
    const isHistory = child.type === 'group' && child.kind === 'inherited'
    // Most threads inherit no task: nothing in them is to be filled.
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

/** `read_one` of `/root/read_one`. */
function ownName(path: string): string {
  return path.split('/').at(-1) ?? path
}
