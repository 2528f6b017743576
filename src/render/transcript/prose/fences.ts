/** Fences that every renderer ends at the same line: one that is read differently turns everything after it inside out. */

import type { Code } from 'mdast'
import { linePrefix, rangeOf, type Splice } from './marks.ts'

/** Lines of a text, numbered from 0, from the opening to the closing line of a fence. */
interface FenceLines {
  from: number
  to: number
}

/** An opening line: what precedes it (quotes, list markers, spaces), the fence, and words that cannot be a table cell. */
const opening = /^((?: |>|(?:[-*+]|\d{1,9}[.)])(?= ))*)(`{3,}(?=[^`]*$)|~{3,})([^<|[\]]*)$/
/** What some renderer may read as an opening line. */
const looksOpening = /^[\s>*+\-\d.)]*(?:`{3,}(?=[^`]*$)|~{3,})/
/** What indented code must not contain: a renderer that reads it as prose would make it active, or open a fence. */
const risky = /<[a-z/!?]|`{3}|~{3}|!\[|(?:script|data|file|blob)\s*[:&\\%]/i

/** Languages that hosts draw instead of show, and what such a drawing must not contain: tags, links, settings, commands. */
const drawn = /^\s*(?:mermaid|math|geojson|topojson|stl)\b/i
const active =
  /<[a-z/!?]|\b(?:click|callback|href|init)\b|(?:script|data)\s*:|%%\{|https?:|\\(?:href|url|html|class|style|cssId|require|unicode)/i

/**
 * Rewrites a block of code that is left open or that renderers may end at different lines: with a fence longer than any in
 * it, and each line after the marks of its container. Indented code becomes a fence if it contains something risky.
 */
export function fenceSplices(node: Code, value: string): Splice[] {
  const range = rangeOf(node)
  if (range === undefined) return []
  const { start, end } = range
  const source = value.slice(start, end)
  const prefix = linePrefix(value, start)
  const open = /^(`{3,}|~{3,})(.*)/.exec(source)
  const isDrawn = drawn.test(open?.[2] ?? '') && active.test(node.value)
  if (open === null ? !risky.test(source) : !isDrawn && isUndisputed(source, prefix)) return []
  const fence = fenceFor(node.value, open?.[1])
  const body = node.value === '' ? [] : node.value.split('\n')
  const quoted = prefix.includes('>')
  const lines = body.map((line) => (line === '' && !quoted ? '' : prefix + line))
  const info = `${isDrawn ? 'text ' : ''}${open?.[2] ?? ''}`.replace(/[<|[\]]/g, ' ').trimEnd()
  const text = [`${fence}${info}`, ...lines, `${prefix}${fence}${source.endsWith('\n') ? '\n' : ''}`]
  return [{ start, end, text: text.join('\n') }]
}

/** A fence like `mark`, longer than any run of its character in a text. */
export function fenceFor(value: string, mark = '```'): string {
  const character = mark.charAt(0)
  let { length } = mark
  if (value.includes(character))
    for (const [run] of value.matchAll(character === '`' ? /`+/g : /~+/g)) length = Math.max(length, run.length + 1)
  return character.repeat(length)
}

function isUndisputed(source: string, prefix: string): boolean {
  const lines = `${prefix}${source.trimEnd()}`.split('\n')
  return fenceAt(lines, 0)?.to === lines.length - 1
}

/**
 * The fences of a text in order, or `undefined` if a line may open one for some renderers only, or if they may disagree on
 * its end.
 */
export function fencesOf(lines: readonly string[]): FenceLines[] | undefined {
  const fences: FenceLines[] = []
  for (let at = 0; at < lines.length; at++) {
    if (!looksOpening.test(lines[at] ?? '')) continue
    const fence = fenceAt(lines, at)
    if (fence === undefined) return undefined
    fences.push(fence)
    at = fence.to
  }
  return fences
}

/** The fence that a line opens; `undefined` unless all lines are in one container and only the last looks like its end. */
function fenceAt(lines: readonly string[], from: number): FenceLines | undefined {
  const [, before = '', fence = ''] = opening.exec(lines[from] ?? '') ?? []
  if (fence === '') return undefined
  const prefix = before.replace(/[^> ]/g, ' ')
  const blank = prefix.trimEnd()
  for (let at = from + 1; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (!line.startsWith(prefix) && line !== blank) return undefined
    const content = line.slice(prefix.length)
    const run = closingRun(content)
    if (run.length < fence.length || run.charAt(0) !== fence.charAt(0)) continue
    return isEnd(content, run) ? { from, to: at } : undefined
  }
  return undefined
}

/** The marks of a line that some renderer could read as the end of a fence. */
function closingRun(content: string): string {
  return /^[\s>]*(`+|~+)/.exec(content)?.[1] ?? ''
}

function isEnd(content: string, run: string): boolean {
  return content.trim() === run && /^ {0,3}[`~]+ *$/.test(content)
}
