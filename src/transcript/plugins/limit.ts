/** Cuts long literals; `omitted` records what is left out. */

import type { Plugin } from 'unified'
import type { Literal, Omission, Session } from '../trast.ts'
import { walk } from '../view.ts'

/** Limits in UTF-16 units. */
export interface LimitOptions {
  /** Longer outputs keep only head and tail. */
  output?: { maxLength: number; head: number; tail: number }
  /** Longest other literal. */
  literal: number
  /** Who set the limits; absent: we. */
  by?: Omission['by']
}

/** On a page, outputs of up to 16,384 UTF-16 units are whole; of longer ones, 4,096 units of head and of tail are shown. */
export const pageLimits: LimitOptions = { output: { maxLength: 16_384, head: 4096, tail: 4096 }, literal: 1_048_576 }

/** No literal of a tree is longer than 1,048,576 UTF-16 units. */
export const treeLimits: LimitOptions = { literal: 1_048_576 }

/** Cuts the literals of a tree. */
export const limit: Plugin<[LimitOptions], Session> = (options: LimitOptions) => (tree: Session) =>
  cutLiterals(tree, options)

/** Cuts literals in place, with any limits. */
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

/** Keeps head and tail of a literal; our note of the cut replaces that of whoever wrote the text. */
function cut(node: Literal, { head, tail, by }: Cut): void {
  const { value } = node
  const at = headEnd(value, head)
  const from = tailStart(value, value.length - tail)
  const bytes = Buffer.byteLength(value.slice(at, from))
  node.value = value.slice(0, at) + value.slice(from)
  node.omitted = { bytes: bytes + (node.omitted?.by === by ? node.omitted.bytes : 0), by, at }
}

const escapeByte = '\u001B'
/** Anything longer than this only looks like an escape sequence. */
const maxEscapeLength = 256

/** The end of the head: at a line end if one is near, never inside a code point or an escape sequence. */
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

// Cuts outputs to the part that is published. Unlike the limits of pages, what is cut is in no file.

/** Keeps at most `maxLength` UTF-16 units of each output, three quarters of them from its beginning. */
export const cap: Plugin<[number], Session> = (maxLength: number) => {
  const head = Math.ceil(maxLength * 0.75)
  const output = { maxLength, head, tail: maxLength - head }
  return (tree: Session) => cutLiterals(tree, { output, literal: Number.POSITIVE_INFINITY, by: 'policy' })
}
