/** Finds which failed commands and edits of a turn were fixed later in the turn, and which were not. */

import { exploredPaths } from '../rollout/parse/shell.ts'
import { hidesFailure, taskOf } from '../rollout/shell/task.ts'
import type { CommandAction } from '../rollout/terms.ts'
import { addTo } from '../util/groups.ts'
import { oncePer } from '../util/own.ts'
import { baseName, isWindowsPath } from '../util/paths.ts'
import type { Command, Patch, Preamble, Source, TrastNode, Turn } from './trast.ts'
import type { PageAnchor } from './urls.ts'
import { changesOf, effectsOfCommand, isAbsent, walk } from './view.ts'

/** What fixed a failed command or patch. */
export type Repair = Command | Patch

/** The failed commands and patches among some items, and what fixed them. */
export interface Failures {
  /** For the id of each failed command that was fixed: the first later command that did the same task and succeeded. */
  fixes: ReadonlyMap<string, Command>
  /** The same, and for each failed patch the later one, or the command, by which all its files were changed after all. */
  repairs: ReadonlyMap<string, Repair>
  /** Failed commands that nothing fixed, in order. */
  unfixed: readonly Command[]
  /** Failed patches that nothing fixed, in order. */
  unfixedEdits: readonly Patch[]
  /** Such commands by task, if they have one: what follows a page border may still fix them. */
  open: ReadonlyMap<string, readonly OpenFailure[]>
}

/** A failed command that nothing has fixed yet. */
interface OpenFailure {
  id: string
  /** The record that says how it ended, if it is known. */
  end: Source | undefined
}

/**
 * The failures among the finished items of a turn or preamble. Cached, because several views of a turn need them and
 * reading a script costs more than rendering it.
 */
export const failuresAmong: (items: readonly TrastNode[]) => Failures = oncePer((items) =>
  findFailures(items, new Map()),
)

/** `open`: failed tasks left open by the part before a page border. */
function findFailures(items: readonly TrastNode[], open: Map<string, OpenFailure[]>): Failures {
  const failed: Command[] = []
  const fixes = new Map<string, Command>()
  const see = (node: Command): void => {
    if (node.status === 'failed') failed.push(node)
    // Most turns have no failure, so no script must be read.
    else if (open.size === 0) return
    if (node.status === 'failed')
      for (const task of tasksOf(node)) addTo(open, task, { id: node.id, end: node.data?.sources?.at(-1) })
    else if (node.status === 'completed' && node.outcome === undefined && !hidesFailure(node, printed(node))) fix(node)
  }
  const fix = (node: Command): void => {
    for (const task of tasksOf(node)) {
      const failures = open.get(task) ?? []
      for (const failure of failures)
        if (!fixes.has(failure.id) && isKnownTo(node, failure)) fixes.set(failure.id, node)
      const unfixed = failures.filter(({ id }) => !fixes.has(id))
      if (unfixed.length === 0) open.delete(task)
      else open.set(task, unfixed)
    }
  }
  const edits = editFollower()
  const enter = (node: TrastNode): boolean => {
    if (isAbsent(node)) return false
    if (node.type === 'patch') edits.seePatch(node)
    else if (node.type === 'command') {
      see(node)
      edits.seeCommand(node)
    } else return true
    return false
  }
  for (const item of items) walk(item, enter)
  if (fixes.size > 0) dropFixed(open, fixes)
  const repairs = edits.fixes.size === 0 ? fixes : new Map<string, Repair>([...fixes, ...edits.fixes])
  const unfixedEdits = edits.failed.filter(({ id }) => !edits.fixes.has(id))
  return { fixes, repairs, unfixed: failed.filter(({ id }) => !fixes.has(id)), unfixedEdits, open }
}

/** Whether a command was called after a failure was recorded. One that ran at the same time is no second try. */
function isKnownTo({ data }: Command, { end }: OpenFailure): boolean {
  const call = data?.sources?.[0]
  return call === undefined || end === undefined || call.file !== end.file || call.line > end.line
}

function printed({ children }: Command): string {
  return children.flatMap((child) => (child.type === 'output' ? [child.value] : [])).join('\n')
}

/** A file that a failed patch should have changed, and how many such files of the patch are still unchanged. */
interface OpenFile {
  path: string
  patch: { id: string; unchanged: number }
}

/** Most failed files of one name that are kept; a real turn has fewer. */
const maxOpenFiles = 100

interface EditFollower {
  seePatch: (node: Patch) => void
  seeCommand: (node: Command) => void
  failed: readonly Patch[]
  fixes: ReadonlyMap<string, Repair>
}

/** Follows failed patches until other patches, or commands that write files, have changed all of their files. */
function editFollower(): EditFollower {
  const fixes = new Map<string, Repair>()
  const failed: Patch[] = []
  const byName = new Map<string, OpenFile[]>()
  const fail = (node: Patch): void => {
    failed.push(node)
    const paths = pathsOf(node)
    const patch = { id: node.id, unchanged: paths.length }
    for (const path of paths) {
      const name = nameOf(path)
      const open = byName.get(name)
      if (open === undefined) byName.set(name, [{ path, patch }])
      else if (open.length < maxOpenFiles) open.push({ path, patch })
    }
  }
  const change = (path: string, node: Repair): void => {
    const name = nameOf(path)
    const open = byName.get(name)?.filter((file) => {
      if (!isSameFile(file.path, path)) return true
      file.patch.unchanged -= 1
      if (file.patch.unchanged === 0) fixes.set(file.patch.id, node)
      return false
    })
    if (open === undefined) return
    if (open.length === 0) byName.delete(name)
    else byName.set(name, open)
  }
  const see = (node: Patch): void => {
    if (node.status === 'failed') fail(node)
    else if (node.status === 'completed' && byName.size > 0) for (const path of pathsOf(node)) change(path, node)
  }
  const seeCommand = (node: Command): void => {
    // Most turns have no failed edit, and need read no script.
    if (byName.size === 0 || node.status !== 'completed') return
    for (const { path, movedTo, isDeleted } of effectsOfCommand(node))
      if (movedTo === undefined && !isDeleted) change(path, node)
  }
  return { seePatch: see, seeCommand, failed, fixes }
}

function pathsOf(edit: Patch): string[] {
  return changesOf(edit).map(({ path }) => path)
}

/** The same for all paths of a file, even on systems that ignore case. */
function nameOf(path: string): string {
  return baseName(path).toLowerCase()
}

/** Whether two paths may name the same file: Codex writes a path in full, or relative to a folder that is not known here. */
function isSameFile(one: string, other: string): boolean {
  const slashed = [one, other].map((path) => path.replaceAll('\\', '/'))
  const keys = isWindowsPath(one) || isWindowsPath(other) ? slashed.map((path) => path.toLowerCase()) : slashed
  const [short = '', long = ''] = keys.sort((a, b) => a.length - b.length)
  return short === long || long.endsWith(`/${short}`)
}

/** Removes commands that were fixed through another of their tasks. */
function dropFixed(open: Map<string, OpenFailure[]>, fixes: ReadonlyMap<string, Command>): void {
  for (const [task, failures] of open) {
    const unfixed = failures.filter(({ id }) => !fixes.has(id))
    if (unfixed.length === 0) open.delete(task)
    else if (unfixed.length < failures.length) open.set(task, unfixed)
  }
}

/**
 * The tasks of a command. Another command that succeeds at one of them fixes it. A command that only looks is fixed by a
 * look for the same words, in the same place, or at something of the same name elsewhere; it is not fixed because its
 * program read something else.
 */
function tasksOf(node: Command): string[] {
  const { actions } = node
  const [action, ...others] = actions
  if (action === undefined || actions.some(({ kind }) => kind === 'other')) {
    const task = taskOf(node)
    return task === undefined ? [] : [task]
  }
  const { kind, query } = action
  if (others.length > 0 || kind !== 'search') return [actions.map(describeAction).join('\n')]
  // The action names only one of several places, and any of them may be the missing one.
  const anchors = exploredPaths(node.script, 'search') ?? []
  return [
    ...(query === undefined ? [] : [`search ${query}`]),
    ...(anchors.length === 0 ? [] : [`search in ${[...anchors].sort().join('\n')}`]),
  ]
}

function describeAction({ kind, path = '', query = '' }: CommandAction): string {
  return `${kind} ${kind === 'search' ? query : baseName(path.replace(/[/\\]+$/, ''))}`
}

/** Follows failures through the parts of a turn that page borders cut, as the pages of a thread pass in order. */
interface FailureFollower {
  /** The failures of a part, together with those left by earlier parts of the same turn. */
  take: (part: Turn | Preamble) => Failures
}

/** Most open failures of a turn that are carried over a page border; a real file has fewer. */
const maxCarried = 1000

/** A follower before the first page. */
export function failureFollower(): FailureFollower {
  let before: Failures | undefined
  return {
    take({ children, data }) {
      const carried = data?.continued === true && before !== undefined ? carriedOf(before.open) : undefined
      before = carried === undefined ? failuresAmong(children) : findFailures(children, carried)
      return before
    },
  }
}

function carriedOf(open: Failures['open']): Map<string, OpenFailure[]> | undefined {
  const carried = new Map<string, OpenFailure[]>()
  let capacity = maxCarried
  for (const [task, failures] of open) {
    if (capacity <= 0) break
    carried.set(task, failures.slice(0, capacity))
    capacity -= failures.length
  }
  return carried.size === 0 ? undefined : carried
}

/** Failures that nothing fixed. */
interface FailuresLeft {
  count: number
  /** The first of them. */
  first: PageAnchor | undefined
}

/** Counts failed commands and edits that nothing fixed, as the pages of a thread pass in order. */
export interface UnfixedCounter {
  /** Takes a part of a turn. Returns by how much it changes the number of unfixed commands in that turn. */
  take: (part: Turn | Preamble, page: number) => number
  unfixed: () => { commands: FailuresLeft; edits: FailuresLeft; fixedEdits: number }
}

/** A counter before the first page. */
export function unfixedCounter(): UnfixedCounter {
  const follower = failureFollower()
  const edits: FailuresLeft = { count: 0, first: undefined }
  let count = 0
  let fixedEdits = 0
  /** `first`: the first failure in finished turns. `anchors`: failures in the turn to which the last part belongs, by id. */
  let first: PageAnchor | undefined
  let anchors = new Map<string, PageAnchor>()
  const firstUnfixed = (): PageAnchor | undefined => first ?? anchors.values().next().value
  return {
    take(part, page) {
      const { fixes, repairs, unfixed, unfixedEdits } = follower.take(part)
      fixedEdits += repairs.size - fixes.size
      edits.count += unfixedEdits.length
      const [edit] = unfixedEdits
      if (edit !== undefined) edits.first ??= { page, anchor: edit.id }
      if (!part.data?.continued) {
        first = firstUnfixed()
        anchors = new Map()
      }
      let change = unfixed.length
      for (const id of fixes.keys()) if (anchors.delete(id)) change -= 1
      for (const { id } of unfixed) if (anchors.size < maxCarried) anchors.set(id, { page, anchor: id })
      count += change
      return change
    },
    unfixed: () => ({ commands: { count, first: firstUnfixed() }, edits: { ...edits }, fixedEdits }),
  }
}
