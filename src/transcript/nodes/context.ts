/** Helpers and types that all node makers share. */

import type { PictureFact } from '../../rollout/parse/facts.ts'
import { isJson } from '../../util/json.ts'
import { defined, withDefined } from '../../util/own.ts'
import type { Fragment } from '../fragment.ts'
import type { SliceData } from '../slice.ts'
import type { Command, Data, FlowContent, Image, Markdown, Node, Output, Status, Text } from '../trast.ts'

/** What the maker of a node may read and change. */
export interface NodeContext {
  slice: SliceData
  /** State of the turn that is being classified; absent in a preamble. */
  turn: { status: Status; cwd?: string } | undefined
  /** Processes that were still running, by session number. */
  processes: Map<string, Process>
  /** Classifies nested fragments. */
  nodes: (fragment: Fragment, context: NodeContext) => FlowContent[]
}

/** A process that a command left running. */
export interface Process {
  command: Command
  /** Latest possible start in milliseconds since the epoch; `undefined` if no record shows it. */
  startedAt: number | undefined
}

/** Longest body that is parsed as Markdown, in UTF-16 units. */
const proseLimit = 64 * 1024

/** Common fields of the node that is made from a fragment. */
export function base(fragment: Fragment): Node & { data: Data } {
  const { id, at, position, data } = fragment
  return withDefined({ type: '', id }, { at, position, data })
}

/** Makes ids for further nodes of a fragment: `l12.1`, `l12.2` … */
export function idMaker(fragment: { id: string }): () => string {
  let count = 0
  return () => {
    count++
    return `${fragment.id}.${count}`
  }
}

/** Prose as Markdown source, or as plain text if it is too long for that. */
export function prose(value: string, id: string): Markdown | Text {
  return value.length > proseLimit ? { type: 'text', id, value } : { type: 'markdown', id, value }
}

/** What the model said: prose, or the JSON of a structured answer. */
export function answerText(value: string, id: string): Markdown | Text {
  return isJson(value) ? { type: 'text', id, value, lang: 'json' } : prose(value, id)
}

/** Replaces text of which the file contains only ciphertext. */
export const encryptedNote = '[Encrypted message]'

/** Whether a text is ciphertext, which is never printed (rollout-format 9, hazard 6). */
export function isCiphertext(words: string): boolean {
  return /^gAAAA[\w-]{40,}/.test(words)
}

/** An output node; `truncated` says that Codex cut it. */
export function output(value: string, id: string, truncated: boolean): Output {
  const node: Output = { type: 'output', id, stream: 'both', ansi: value.includes('\u001B'), value }
  if (truncated) node.omitted = { bytes: 0, by: 'codex' }
  return node
}

/** A picture node, whose bytes go to the asset sink. */
export function image(picture: PictureFact, id: string, context: NodeContext, origin: Image['origin']): Image {
  const stored = context.slice.assets(picture)
  return {
    type: 'image',
    id,
    origin,
    ...defined({ url: picture.url }),
    ...stored,
  }
}

/** The status of a call without an output (rollout-format 4.3, rule 2). */
export function missingStatus(turn: NodeContext['turn']): Status {
  const { status } = turn ?? {}
  return status === 'interrupted' || status === 'running' || status === 'unfinished' ? status : 'unknown'
}
