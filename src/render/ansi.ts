/** What a terminal would show of a command's output: runs of text with class names. */
import type { ElementContent } from 'hast'
import { h } from 'hastscript'
import { writeCells } from './ansi-cells.ts'
import { type AnsiRun, type AnsiStep, type AnsiStyle, applySgr, styleClasses } from './ansi-style.ts'
import { literal } from './literal.ts'

/** CSI, then OSC, then DCS and its kin, then two-character escapes: what has no end loses its first two only. */
const escapes =
  /(?:\x1b\[|\x9b)([0-?]*)[ -/]*([@-~]?)|\x1b\][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)|\x1b[PX^_][^\x1b\x9c]*(?:\x1b\\|\x9c)|\x1b[ -/]*[0-~]?/g

/** Hast of an output: escape sequences become `span`s with classes or are dropped, odd characters are shown. */
export function ansiToHast(value: string): ElementContent[] {
  return parseAnsi(value).flatMap(({ text, style }) => {
    const classes = styleClasses(style)
    return classes.length === 0 ? literal(text) : [h('span', { className: classes }, literal(text))]
  })
}

/** Runs of an output, neighbours of one style joined. Carriage returns and backspaces act within their line. */
export function parseAnsi(value: string): AnsiRun[] {
  if (!/[\x1b\x9b\r\b]/.test(value)) return value === '' ? [] : [{ text: value, style: {} }]
  const runs: AnsiRun[] = []
  let style: AnsiStyle = {}
  for (const [index, line] of value.split('\n').entries()) {
    if (index > 0) append(runs, { text: '\n', style: runs.at(-1)?.style ?? {} })
    const steps = readLine(line.replace(/\r+$/, ''), style)
    style = steps.style
    const shown = steps.list.every((step) => 'text' in step) ? steps.list : writeCells(steps.list)
    for (const run of shown) append(runs, run)
  }
  return runs
}

/** The steps of one line, and the style after it. */
function readLine(line: string, before: AnsiStyle): { list: AnsiStep[]; style: AnsiStyle } {
  const list: AnsiStep[] = []
  let style = before
  let from = 0
  for (const match of line.matchAll(escapes)) {
    pushText(list, line.slice(from, match.index), style)
    const [, params = '', final = ''] = match
    if (final === 'm' && !/[<=>?]/.test(params)) style = applySgr(style, params)
    else if (/^[CDGK]$/.test(final)) list.push({ move: final, params })
    from = match.index + match[0].length
  }
  pushText(list, line.slice(from), style)
  return { list, style }
}

function pushText(list: AnsiStep[], text: string, style: AnsiStyle): void {
  for (const part of text.replaceAll('\x07', '').split(/([\r\b])/)) {
    if (part === '\r' || part === '\b') list.push({ move: part, params: '' })
    else if (part !== '') list.push({ text: part, style })
  }
}

function append(runs: AnsiRun[], run: AnsiRun): void {
  const last = runs.at(-1)
  if (last !== undefined && sameStyle(last.style, run.style)) last.text += run.text
  else runs.push({ ...run })
}

function sameStyle(a: AnsiStyle, b: AnsiStyle): boolean {
  return a === b || styleClasses(a).join(' ') === styleClasses(b).join(' ')
}
