/**
 * Text that no renderer can take for HTML or for a link that runs something. Parsers differ on where code ends and on
 * what a tag is; so this reads lines and characters only, and leaves `<` as it is nowhere but in code on which all of
 * them agree.
 */
import { type CodeSpan, settledSpans, unwrapCode } from './code-spans.ts'
import { isQuietDefinition, isQuietTarget, openLabel, plainTarget, targetAt } from './destinations.ts'
import { fencesOf } from './fences.ts'

/** Commands of formulas that are more than a formula: hosts that draw formulas follow some of them. */
const tex = /\\(?:href|url|html\w*|class|style|cssId|data|require|unicode|includegraphics)\b/i
/** One of these stands in everything that could be alive. */
const signs =
  /<[a-z/!?]|\[|\{:|\b(?:on\w+|href|src|style)\s*=|\\(?:href|url|html\w*|class|style|cssId|data|require|unicode|includegraphics)\b/i

/** Whether a body holds anything that `disarm` may change beside tags, links and code. */
export function hasActiveMarks(body: string): boolean {
  return signs.test(body)
}

/**
 * A body in which, outside code, no `<` begins a tag, no `![` a picture, no `](` and no `]:` a destination that runs
 * something. It reads as it did. `undefined` where renderers may not agree on which lines are code.
 */
export function disarm(body: string): string | undefined {
  const lines = body.split('\n')
  const fences = fencesOf(lines)
  if (fences === undefined) return undefined
  if (!signs.test(body)) return body
  const result: string[] = []
  let from = 0
  for (const fence of [...fences, { from: lines.length, to: lines.length }]) {
    disarmLines(lines, from, fence.from, result)
    for (let at = fence.from; at <= fence.to && at < lines.length; at++) result.push(lines[at] ?? '')
    from = fence.to + 1
  }
  return result.join('\n')
}

/** Lines outside fences: blank ones part them into paragraphs, whose code ends with them. */
function disarmLines(lines: readonly string[], from: number, to: number, result: string[]): void {
  let paragraph: string[] = []
  for (let at = from; at <= to; at++) {
    const line = at === to ? '' : (lines[at] ?? '')
    if (!/^[ \t>]*$/.test(line)) {
      paragraph.push(openLabel.test(line) && isLabelOpen(lines, at + 1) ? line.replace('[', '\\[') : line)
      continue
    }
    if (paragraph.length > 0) result.push(disarmParagraph(paragraph.join('\n')))
    paragraph = []
    if (at < to) result.push(line)
  }
}

/** Whether the label of a definition that a line leaves open could go on: some renderers look for its end everywhere. */
function isLabelOpen(lines: readonly string[], from: number): boolean {
  for (let at = from; at < lines.length; at++) {
    const bracket = /[[\]]:?/.exec(lines[at] ?? '')?.[0]
    if (bracket !== undefined) return bracket === ']:'
  }
  return true
}

function disarmParagraph(text: string): string {
  if (!signs.test(text)) return text
  const spans = settledSpans(text)
  return spans === undefined ? disarmText(unwrapCode(text), []) : disarmText(text, spans)
}

/** Where something could begin to live. */
const beginning = /<(?=[a-z/!?])|!\[|\](?=[(:])|\{(?=:|[^}\n]{0,200}\b(?:on\w+|href|src|style)\s*=)|\$/gi

function disarmText(text: string, spans: readonly CodeSpan[]): string {
  const parts: string[] = []
  let [from, next] = [0, 0]
  const hasTex = tex.test(text)
  beginning.lastIndex = 0
  for (let match = beginning.exec(text); match !== null; match = beginning.exec(text)) {
    const at = match.index
    while (next < spans.length && (spans[next]?.end ?? 0) <= at) next++
    if ((spans[next]?.start ?? text.length) <= at) continue
    if (match[0] === '$' && !hasTex) continue
    const before = text.slice(from, at)
    const change = changeAt(text, at, match[0], before)
    parts.push(change.before ?? before, change.text)
    from = change.end
    beginning.lastIndex = Math.max(from, beginning.lastIndex)
  }
  return parts.length === 0 ? text : `${parts.join('')}${text.slice(from)}`
}

interface Change {
  /** What stands in place of the text up to `end`. */
  text: string
  end: number
  /** What stands before it, since the change before, where that changes too. */
  before?: string
}

function changeAt(text: string, at: number, sign: string, before: string): Change {
  if (sign === '<') return disarmTag(text, at, before)
  if (sign.startsWith(']')) return disarmTarget(text, at)
  return { text: escapesNext(before) ? sign : `\\${sign}`, end: at + sign.length }
}

/** An address between angle brackets that is one for every renderer. */
const autolink =
  /<((?:https?:\/\/|mailto:)(?:[^\s<>\\"`|[\]&]|&(?!#|\w*;)){1,2000}|[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+)>/iy
/** A bare address at the end of a text: what follows would be taken in, escapes and entities as they stand. */
const bareAddress = /((?:https?|ftp)(?=:\/\/)|www(?=\.)|[\w.+-](?=@))([^\s<]*)$/i

/** Whether an odd number of backslashes ends a text. */
function escapesNext(before: string): boolean {
  let start = before.length
  while (start > 0 && before.charAt(start - 1) === '\\') start--
  return (before.length - start) % 2 === 1
}

function disarmTag(text: string, at: number, before: string): Change {
  const isEscaped = escapesNext(before)
  autolink.lastIndex = at
  const address = isEscaped || before.endsWith('!') ? undefined : autolink.exec(text)?.[1]
  if (address !== undefined) {
    const target = /^(?:https?|mailto):/i.test(address) ? address : `mailto:${address}`
    const words = address.replace(/[*_~!$(){}#]/g, '\\$&')
    return { text: `[${words}](${plainTarget(target)})`, end: autolink.lastIndex }
  }
  return { before: withoutAddress(isEscaped ? before.slice(0, -1) : before), text: '&lt;', end: at + 1 }
}

/** A text whose last word is no bare address. */
function withoutAddress(before: string): string {
  let start = before.length
  while (start > 0 && before.length - start < 2000 && !/\s/.test(before.charAt(start - 1))) start--
  return before.slice(0, start) + before.slice(start).replace(bareAddress, '$1\\$2')
}

function disarmTarget(text: string, at: number): Change {
  const isLink = text.charAt(at + 1) === '('
  const target = targetAt(text, at + 2)
  const isQuiet = isLink ? isQuietTarget(target.value) : isQuietDefinition(text, at, target)
  if (!isQuiet) return { text: `]\\${text.charAt(at + 1)}`, end: at + 2 }
  if (!target.isAngled) return { text: text.slice(at, at + 2), end: at + 2 }
  return { text: `${text.slice(at, target.start)}${plainTarget(target.value)}`, end: target.end }
}
