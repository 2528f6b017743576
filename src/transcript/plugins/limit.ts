/** Cuts long literals; what is left out is told in `omitted`. */

import type { Plugin } from 'unified'
import type { Literal, Omission, Session } from '../trast.ts'
import { walk } from '../view.ts'

/** Limits in UTF-16 units. */
export interface LimitOptions {
  /** Outputs that are longer show head and tail. */
  output?: { maxLength: number; head: number; tail: number }
  /** Every other literal ends here. */
  literal: number
  /** Whose limits they are, where they are not ours. */
  by?: Omission['by']
}

/** Outputs up to 16 KiB stand whole in a page; longer ones show 4 KiB of head and tail. */
export const pageLimits: LimitOptions = { output: { maxLength: 16_384, head: 4096, tail: 4096 }, literal: 1_048_576 }

/** No node of a tree holds more than 1 MiB of text. */
export const treeLimits: LimitOptions = { literal: 1_048_576 }

/** Cuts the literals of a tree. */
export const limit: Plugin<[LimitOptions], Session> = (options: LimitOptions) => (tree: Session) =>
  cutLiterals(tree, options)

/** The same in place, for plugins with limits of another origin. */
function cutLiterals(tree: Session, { output, literal, by = 'limit' }: LimitOptions): void {
  walk(tree, (item) => {
    if (!('value' in item) || typeof item.value !== 'string') return
    if (item.type === 'output' && output !== undefined) {
      if (item.value.length > output.maxLength) cut(item, { ...output, by })
    } else if (item.value.length > literal) cut(item, { head: literal, tail: 0, by })
  })
}

interface Cut {
  head: number
  tail: number
  by: Omission['by']
}

/** Keeps head and tail of a literal; the writer's own note of a cut gives way to ours. */
function cut(node: Literal, { head, tail, by }: Cut): void {
  const { value } = node
  const at = headEnd(value, head)
  const from = tailStart(value, value.length - tail)
  const bytes = Buffer.byteLength(value.slice(at, from))
  node.value = value.slice(0, at) + value.slice(from)
  node.omitted = { bytes: bytes + (node.omitted?.by === by ? node.omitted.bytes : 0), by, at }
}

const escapeByte = '\u001B'
/** Longer escape sequences than this are text that only looks like one. */
const maxEscapeLength = 256

/** The end of a head: at a line end where one is near, never inside a code point or an escape sequence. */
function headEnd(value: string, limit: number): number {
  const line = value.lastIndexOf('\n', limit - 1) + 1
  const end = line > limit * 0.75 ? line : limit
  return beforeEscape(value, isLowSurrogate(value, end) ? end - 1 : end)
}

function tailStart(value: string, limit: number): number {
  const line = value.indexOf('\n', limit)
  const start = line >= 0 && line - limit < (value.length - limit) / 4 ? line + 1 : limit
  const whole = isLowSurrogate(value, start) ? start + 1 : start
  return beforeEscape(value, whole) === whole ? whole : afterEscape(value, whole)
}

function isLowSurrogate(value: string, index: number): boolean {
  const code = value.charCodeAt(index)
  return code >= 0xdc00 && code <= 0xdfff
}

const sequence = /^\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)|[@-Z\\-_])/

function beforeEscape(value: string, index: number): number {
  const start = value.lastIndexOf(escapeByte, index - 1)
  if (start < 0 || index - start > maxEscapeLength) return index
  const length = sequence.exec(value.slice(start, start + 2 * maxEscapeLength))?.[0].length ?? 1
  return start + length > index ? start : index
}

function afterEscape(value: string, index: number): number {
  const start = value.lastIndexOf(escapeByte, index - 1)
  return start + (sequence.exec(value.slice(start, start + 2 * maxEscapeLength))?.[0].length ?? 1)
}

// Cuts outputs to what is published of them; unlike the limits of pages, the rest is in no file.

/** Keeps at most so many UTF-16 units of each output, three quarters of them from its beginning. */
export const cap: Plugin<[number], Session> = (maxLength: number) => {
  const head = Math.ceil(maxLength * 0.75)
  const output = { maxLength, head, tail: maxLength - head }
  return (tree: Session) => cutLiterals(tree, { output, literal: Number.POSITIVE_INFINITY, by: 'policy' })
}
