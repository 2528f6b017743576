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

/** What makes a line more than plain text. */
const special = /[\x07\x1b\x9b\r\b]/

/** Runs of an output, neighbours of one style joined. Carriage returns and backspaces act within their line. */
export function parseAnsi(value: string): AnsiRun[] {
  if (!special.test(value)) return value === '' ? [] : [{ text: value, style: {} }]
  const runs: AnsiRun[] = []
  let style: AnsiStyle = {}
  for (const [index, raw] of value.split('\n').entries()) {
    if (index > 0) append(runs, '\n', runs.at(-1)?.style ?? {})
    const line = raw.replace(/\r+$/, '')
    if (!special.test(line)) {
      append(runs, line, style)
      continue
    }
    const steps = readLine(line, style)
    style = steps.style
    const shown = steps.list.every((step) => 'text' in step) ? steps.list : writeCells(steps.list)
    for (const run of shown) append(runs, run.text, run.style)
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

function append(runs: AnsiRun[], text: string, style: AnsiStyle): void {
  if (text === '') return
  const last = runs.at(-1)
  if (last !== undefined && sameStyle(last.style, style)) last.text += text
  else runs.push({ text, style })
}

/** Field by field: this is asked for every run of every output. */
function sameStyle(a: AnsiStyle, b: AnsiStyle): boolean {
  if (a === b) return true
  const flags = a.bold === b.bold && a.dim === b.dim && a.italic === b.italic && a.underline === b.underline
  return flags && a.fg === b.fg && a.bg === b.bg && a.strike === b.strike && a.inverse === b.inverse
}
