/** What the renderer knows about the site around a page. */

import type { PluginLink, SiteField } from '../config/plugins.ts'
import type { PageSettings } from '../config/schema.ts'
import type { Message, ToolCall, TrastNode } from './trast.ts'

/** A thread that other pages may link to. */
export interface ThreadLink {
  title: string
  /** The thread has a page in this site. */
  built: boolean
}

/** What pages link, by file names below `assets/` with content hash, and what a page holds that can link nothing. */
export interface PageAssets {
  css: string
  js: string
  /** Controls and answers of the search, loaded on first use. */
  searchJs: string
  /** The find of a session, loaded on first use. */
  findJs: string
  /** The reader's own stars, tags and notes, loaded where there are some. */
  curationJs: string
  /** The filters of the start page, loaded on first use. */
  filterJs: string
  /** The few rules of a page that hosts serve at any depth, and that therefore can link no style sheet. */
  plainStyle: string
  /** The script of that page, which finds the start page. */
  plainScript: string
}

/** What every page knows of its site: the settings that pages depend on, its assets, and what the build adds. */
export interface SiteInfo extends PageSettings, PageAssets {
  /** `codex-export x.y.z` */
  generator: string
  /** The site has a search index. */
  search: boolean
  /** Nothing that only the machine of the sessions can use, such as the command that resumes one. */
  withoutInternals?: boolean
  /** Pages have a Markdown twin, a JSON tree. */
  markdown: boolean
  json: boolean
  /** What plugins add to every page; absent without plugins of the site. */
  pluginParts?: { nav: readonly PluginLink[]; fields: readonly SiteField[] }
}

/** Links around one thread. */
export interface Neighbours {
  /** Who started this thread; its place is the call that did. */
  parent?: NamedThread
  /** Who started the parent, and so on upwards, nearest first; at most three. */
  above?: NamedThread[]
  /** Whose history this thread goes on from; its place is the last inherited turn. */
  forkedFrom?: NamedThread
  forks: { threadId: string; title: string }[]
  /** Threads that this one started; `callId` is that of the call where one names it. */
  agents: { threadId: string; title: string; role?: string; callId?: string }[]
}

/** A thread that another one names. */
export interface NamedThread {
  threadId: string
  title?: string
  built: boolean
  /** Its files are at hand, but it is not in the output. */
  unselected?: true
  place?: PageAnchor
}

/** An anchor of a thread and the page that holds it, 1-based. */
export interface PageAnchor {
  page: number
  anchor: string
  /** Pages that the thread has, where another thread names the place (default: 1). */
  pages?: number
}

// The way through a tree.

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
