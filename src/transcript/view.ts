/** The way through a tree, and what those who show or search it ask of its nodes. */

import type { FileChange, Group, Message, Patch, ToolCall, TrastNode } from './trast.ts'

/**
 * Calls `enter` for a node and all below it, parents first; `false` from it leaves out what lies below that node. It is given
 * `state` too: engines drop what they compiled of a closure when they collect it, and so do it again for page after page.
 */
export function walk(node: TrastNode, enter: (node: TrastNode) => unknown): void
export function walk<S>(node: TrastNode, enter: (node: TrastNode, state: S) => unknown, state: S): void
export function walk<S>(node: TrastNode, enter: (node: TrastNode, state?: S) => unknown, state?: S): void {
  if (enter(node, state) === false || !('children' in node)) return
  // `enter` may replace the children of the node that it was called for, not of others.
  for (const child of node.children as readonly TrastNode[]) walk(child, enter, state)
}

/** Whether nothing is told of a node here: what was copied is told in its own thread, and what is hidden has no place to lead to. */
export function isAbsent({ data }: TrastNode): boolean {
  return data?.inherited === true || data?.visibility === 'hidden'
}

/** Whether a group is a history that was copied from a session which is not among those that are read: pages show it then. */
export function isOnlyCopy(node: TrastNode): node is Group {
  return node.type === 'group' && node.kind === 'inherited' && node.data?.visibility === 'open'
}

/** The files that an edit changed, beside what it printed. */
export function changesOf({ children }: Patch): FileChange[] {
  return children.filter((child) => child.type === 'fileChange')
}

/** Whether an edit changed its files: one that failed or was declined changed none (rollout-format 8.3). */
export function isApplied({ status }: Patch): boolean {
  return status === 'completed' || status === 'unknown'
}

/** Whether a call runs a script of code mode: of our tools the only one whose free text is a script, in JavaScript. */
export function isScriptCall({ family, tool }: ToolCall): boolean {
  return family === 'custom' && tool === 'exec'
}

/** What a tool was given, as recorded; empty for a call without arguments, which is recorded as an empty object. */
export function argumentsOf({ input }: ToolCall): string {
  return /^\s*\{\s*\}\s*$/.test(input) ? '' : input
}

/** Whether a node is what began a turn or steered one: a prompt, or a request of Codex itself. */
export function isRequest(node: TrastNode): boolean {
  return node.type === 'message' && node.role === 'user' && (node.origin === 'typed' || node.origin === 'codex')
}

/** Whether a message is what an agent was told by the one that started it, by their paths. */
export function isTask({ origin, author, recipient }: Message): boolean {
  return origin === 'agent' && author !== undefined && recipient?.startsWith(`${author}/`) === true
}

/** What Codex's words for sandboxes and approvals mean. */
const permissionWords: ReadonlyMap<string, string> = new Map([
  ['danger-full-access', 'full access'],
  ['workspace-write', 'workspace writes'],
  ['read-only', 'read only'],
  ['never', 'never asks'],
  ['on-request', 'asks when needed'],
  ['on-failure', 'asks after failures'],
  ['untrusted', 'asks before untrusted commands'],
])

/** What a sandbox or an approval policy means; a word that is not known stands for itself. */
export function permissionWord(name: string): string {
  return permissionWords.get(name) ?? name
}
