/**
 * Text that no renderer can take for HTML or for a link that runs something. Parsers differ on where code ends and on
 * what a tag is; so this reads lines and characters only, and leaves `<` as it is nowhere but in code on which all of
 * them agree.
 */
import { type CodeSpan, settledSpans, unwrapCode } from './code-spans.ts'
import { isQuietDefinition, isQuietTarget, openLabel, plainTarget, targetAt } from './destinations.ts'
import { fencesOf } from './fences.ts'

/** One of these stands in everything that could be alive. */
const signs = /<[a-z/!?]|\[/i

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
const beginning = /<(?=[a-z/!?])|!\[|\](?=[(:])/gi

function disarmText(text: string, spans: readonly CodeSpan[]): string {
  let [result, from, next] = ['', 0, 0]
  beginning.lastIndex = 0
  for (let match = beginning.exec(text); match !== null; match = beginning.exec(text)) {
    const at = match.index
    while (next < spans.length && (spans[next]?.end ?? 0) <= at) next++
    if ((spans[next]?.start ?? text.length) <= at) continue
    result += text.slice(from, at)
    const change = match[0] === '<' ? disarmTag(text, at, result) : disarmBracket(text, at, match[0], result)
    result = change.before ?? result
    result += change.text
    from = change.end
    beginning.lastIndex = Math.max(from, beginning.lastIndex)
  }
  return result + text.slice(from)
}

interface Change {
  /** What stands in place of the text up to `end`. */
  text: string
  end: number
  /** What stands before it, where that changes too. */
  before?: string
}

/** An address between angle brackets that is one for every renderer. */
const autolink = /<((?:https?:\/\/|mailto:)(?:[\w./:@%?=#+,;~-]|&(?!#|\w*;))*[\w/#=]|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)>/y
/** A bare address at the end of a text: what follows would be taken in, escapes and entities as they stand. */
const bareAddress = /((?:https?|ftp)(?=:\/\/)|www(?=\.)|[\w.+-](?=@))([^\s<]*)$/i

/** Whether an odd number of backslashes ends a text. */
function escapesNext(before: string): boolean {
  return (/\\*$/.exec(before)?.[0].length ?? 0) % 2 === 1
}

function disarmTag(text: string, at: number, before: string): Change {
  const isEscaped = escapesNext(before)
  autolink.lastIndex = at
  const address = isEscaped ? undefined : autolink.exec(text)?.[1]
  if (address !== undefined && !/[_~]/.test(address) && !/\w$/.test(before)) {
    const target = /^\w+:/.test(address) ? address : `mailto:${address}`
    return { text: `[${address}](${target})`, end: autolink.lastIndex }
  }
  const head = isEscaped ? before.slice(0, -1) : before
  return { before: head.replace(bareAddress, '$1\\$2'), text: '&lt;', end: at + 1 }
}

function disarmBracket(text: string, at: number, sign: string, before: string): Change {
  if (sign === '![') return { text: escapesNext(before) ? sign : `\\${sign}`, end: at + 2 }
  const isLink = text.charAt(at + 1) === '('
  const target = targetAt(text, at + 2)
  const isQuiet = isLink ? isQuietTarget(target.value) : isQuietDefinition(text, at, target)
  if (!isQuiet) return { text: `]\\${text.charAt(at + 1)}`, end: at + 2 }
  if (!target.isAngled) return { text: text.slice(at, at + 2), end: at + 2 }
  return { text: `${text.slice(at, target.start)}${plainTarget(target.value)}`, end: target.end }
}
