/** Walks a tree, and answers questions that code which shows or searches it asks about nodes. */

import { effectsOf } from '../rollout/shell/effects.ts'
import type { FileEffect } from '../rollout/shell/writes.ts'
import { stripAnsi } from '../util/printable.ts'
import type { Command, FileChange, Group, Message, Patch, ToolCall, TrastNode } from './trast.ts'

/**
 * Calls `enter` for a node and everything below it, parents first; if it returns `false`, the node's children are
 * skipped. `state` is passed to `enter` so that it need not be a closure: engines drop compiled closures when they
 * collect them, and would compile them again for each page.
 */
export function walk(node: TrastNode, enter: (node: TrastNode) => unknown): void
export function walk<S>(node: TrastNode, enter: (node: TrastNode, state: S) => unknown, state: S): void
export function walk<S>(node: TrastNode, enter: (node: TrastNode, state?: S) => unknown, state?: S): void {
  if (enter(node, state) === false || !('children' in node)) return
  // `enter` may replace the children of the node for which it is called, but not of others.
  for (const child of node.children as readonly TrastNode[]) walk(child, enter, state)
}

/**
 * Whether a node is not shown here: copied nodes are shown in their own thread, and hidden ones have no location to link
 * to.
 */
export function isAbsent({ data }: TrastNode): boolean {
  return data?.inherited === true || data?.visibility === 'hidden'
}

/** Whether a group is history copied from a session that is not being read. Pages then show it. */
export function isOnlyCopy(node: TrastNode): node is Group {
  return node.type === 'group' && node.kind === 'inherited' && node.data?.visibility === 'open'
}

/** The file changes of an edit, without what it printed. */
export function changesOf({ children }: Patch): FileChange[] {
  return children.filter((child) => child.type === 'fileChange')
}

/** What a command that succeeded did to files, as far as its line and what it printed say so. */
export function effectsOfCommand(node: Command): FileEffect[] {
  return effectsOf(node, () =>
    node.children.map((child) => (child.type === 'output' ? stripAnsi(child.value) : '')).join('\n'),
  )
}

/** Whether an edit changed its files; one that failed or was declined changed none (rollout-format 8.3). */
export function isApplied({ status }: Patch): boolean {
  return status === 'completed' || status === 'unknown'
}

/** Whether a call runs a code-mode script: the only custom tool whose free text is a script, in JavaScript. */
export function isScriptCall({ family, tool }: ToolCall): boolean {
  return family === 'custom' && tool === 'exec'
}

/** The arguments of a tool, as recorded; empty for a call without arguments, which is recorded as an empty object. */
export function argumentsOf({ input }: ToolCall): string {
  return /^\s*\{\s*\}\s*$/.test(input) ? '' : input
}

/** Whether a node began or steered a turn: a prompt, or a request of Codex itself. */
export function isRequest(node: TrastNode): boolean {
  return node.type === 'message' && node.role === 'user' && (node.origin === 'typed' || node.origin === 'codex')
}

/** Whether a message is the task that an agent got from the agent that started it, judged by their paths. */
export function isTask({ origin, author, recipient }: Message): boolean {
  return origin === 'agent' && author !== undefined && recipient?.startsWith(`${author}/`) === true
}

/** Readable words for Codex's names of sandboxes and approval policies. */
const permissionWords: ReadonlyMap<string, string> = new Map([
  ['danger-full-access', 'full access'],
  ['workspace-write', 'workspace writes'],
  ['read-only', 'read only'],
  ['never', 'never asks'],
  ['on-request', 'asks when needed'],
  ['on-failure', 'asks after failures'],
  ['untrusted', 'asks before untrusted commands'],
])

/** Readable words for a sandbox or an approval policy; an unknown name stays as it is. */
export function permissionWord(name: string): string {
  return permissionWords.get(name) ?? name
}
