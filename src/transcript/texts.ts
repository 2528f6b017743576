/** Texts of message facts as they are compared and shown (rollout-format 5.2, 5.4). */

import { splitCitations } from '../rollout/parse/content.ts'
import type { MessageFact, Part } from '../rollout/parse/facts.ts'
import type { OutlineEntry, ScanFacts } from './summary.ts'

const planTag = /^<(\/?)proposed_plan>[ \t]*\n?/gm

/** The visible text of an assistant message: memory citations and plan blocks taken out, trimmed. */
export function visibleText(text: string): string {
  if (!text.includes('<')) return text.trim()
  return withoutPlans(splitCitations(text).said).trim()
}

/** Plan blocks stand between tags on lines of their own. */
function withoutPlans(text: string): string {
  let rest = ''
  let from = 0
  let start: number | undefined
  for (const { 0: tag, 1: slash, index } of text.matchAll(planTag)) {
    if (slash === '') start ??= tag.endsWith('\n') ? index : undefined
    else if (start !== undefined) {
      rest += text.slice(from, start)
      from = index + tag.length
      start = undefined
    }
  }
  return rest + text.slice(from)
}

/** A text by which twins are known that join their parts by different blanks. */
export function withoutBlanks(text: string): string {
  return text.replace(/\s+/g, '')
}

/** The inside of a text that is a plan block: the lines between the tags, trimmed. */
export function planText(text: string): string {
  return text.replace(/^<\/?proposed_plan>[ \t]*$/gm, '').trim()
}

/** The parts that a person typed or an assistant said. */
function typedTexts(parts: readonly Part[]): string[] {
  return parts
    .filter((part) => part.kind === 'text')
    .filter((part) => part.class === 'typed')
    .map((part) => part.text)
}

/** The typed text of a message, parts joined by a line end. */
export function typedText({ parts }: MessageFact): string {
  const [only] = parts
  // Nearly all messages have one part.
  if (parts.length === 1 && only?.kind === 'text') return only.class === 'typed' ? only.text : ''
  return typedTexts(parts).join('\n')
}

/** Whether all that a user message holds was put there by Codex. */
export function isInjected(fact: MessageFact): boolean {
  if (fact.added) return true
  return (
    fact.role === 'user' &&
    fact.parts.length > 0 &&
    fact.parts.every((part) => part.kind === 'text' && part.class !== 'typed') &&
    fact.parts.some((part) => part.kind === 'text' && part.class === 'injected')
  )
}

/** Whether a user message holds pictures and no typed word: a picture that a tool brought, or a bare attachment. */
export function isPictureOnly(fact: MessageFact): boolean {
  return fact.role === 'user' && fact.parts.some((part) => part.kind === 'image') && typedText(fact).trim() === ''
}

/** Label of an injected message: that of its first injected part. */
export function injectedLabel(fact: MessageFact): string | undefined {
  if (fact.added) return 'Context from a client'
  for (const part of fact.parts) if (part.kind === 'text' && part.label !== undefined) return part.label
  return undefined
}

/** What an injected message holds: `Instructions, Environment`. Codex sends several of them as one. */
export function contextLabel(fact: MessageFact): string | undefined {
  const first = injectedLabel(fact)
  if (first === undefined || fact.added || fact.parts.length < 2) return first
  const labels = fact.parts.flatMap((part) => (part.kind === 'text' && part.label !== undefined ? [part.label] : []))
  return [...new Set(labels)].join(', ')
}

// The outline of a thread: its prompts in short.

const image = 'Image'
const empty = 'Empty prompt'

/** The entry of a prompt; one of pictures only, or without words, has a name instead. */
export function outlineEntry(request: string, pictureOnly: boolean, place: Omit<OutlineEntry, 'text'>): OutlineEntry {
  return { ...place, text: firstWords(request) || (pictureOnly ? image : empty) }
}

/** The prompts that count; of a thread in which every turn was taken back all of them: they tell most of it. */
export function keptPrompts(outline: readonly OutlineEntry[], rolledBack: readonly number[]): readonly OutlineEntry[] {
  const undone = new Set(rolledBack)
  const kept = undone.size === 0 ? outline : outline.filter(({ turn }) => !undone.has(turn))
  return kept.length === 0 ? outline : kept
}

/** The first prompt with words, else the name of the first one. */
export function firstRequest(outline: readonly OutlineEntry[]): string | undefined {
  const named = outline.filter(({ text }) => text !== image && text !== empty)
  return (named.find(({ text }) => hasWord(text)) ?? outline[0])?.text
}

/** A key block, to its end or that of the text. */
const keyBlock = /-{4,5} ?BEGIN ([A-Z][A-Z0-9 ]{0,60}?) ?-{4,5}[\s\S]*?(?:-{4,5} ?END [A-Z0-9 ]{1,60}-{4,5}|$)/g

/**
 * A text that says `RSA PRIVATE KEY` where such a block stands. Nobody reads a key as words; and a title, from which
 * rules of dashes are taken, would hide from the redaction what it is.
 */
export function withoutKeys(text: string): string {
  return text.includes('BEGIN ') ? text.replace(keyBlock, '$1') : text
}

// The title of a thread (rollout-format 1.5).

/** Width of a title in columns; letters of Chinese, Japanese and Korean take two. */
const maxWidth = 80
/** The same of a name that a person or Codex gave. */
const maxNameWidth = 118
/** A line that is narrower, or that ends with a colon, only leads to the next one: `User input`, `Goal:`. */
const leadWidth = 24
/**
 * A heading at the start of a prompt that only says that the user's words follow, in a fence of plain text. Of any other
 * heading the words below may need it: `Password`.
 */
const typedHeading =
  /^\s*#{1,6} +(?:user(?:['’]s)? +)?(?:input|arguments?|request|prompt|query|question|task|message)[ \t]*:?\r?\n\s*(?=(?:`{3,}|~{3,})(?:te?xt|plaintext|md|markdown)?[ \t]*\r?\n)/i
/** UTF-16 units of a prompt that are read for its title. */
const maxPromptLength = 4000

/** Whether a text has a letter or a digit. */
export const hasWord = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)
const wide = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\uFF01-\uFF60]/u

/** What was cut within `user:password@host`: without the sign behind it nobody could tell a password there. */
const cutAuthority = /(?<=:\/\/)[^\s/@]*$/

/**
 * The first words of a text that say something, at most 80 columns, cut at a word. Fences, braces, rules and tags that
 * fill a line are passed over; a short line or one that ends with a colon is followed by the next. Line ends stay until
 * the words are redacted, because what is private in a line may show by the line above it; `onOneLine` joins them.
 * `## User Input` above a fence of what was typed, as templates of slash commands have it, is passed over, too.
 * Where no line has a letter or digit: the first line that is not blank, or nothing.
 */
export function firstWords(text: string): string {
  const lines = withoutKeys(text.slice(0, maxPromptLength)).replace(typedHeading, '').split('\n')
  let words = ''
  for (const line of lines) {
    const plain = plainLine(line.slice(0, 600))
    if (!hasWord(plain)) continue
    words = words === '' ? plain : `${words}\n${plain}`
    if (widthOf(words) >= leadWidth && !/[:：]$/.test(words)) break
  }
  return cutWords(words || (lines.find((line) => line.trim() !== '') ?? '').trim())
}

/** A line without marks, tags and rules around its words; empty for one that only holds what stands behind it. */
export function plainLine(line: string): string {
  return isFrame(line) ? '' : withoutFrame(withoutMarks(line))
}

/** Words of several lines as lists and titles show them. */
export function onOneLine(words: string): string {
  return words.replaceAll('\n', ' ')
}

/** Whether a line only holds what stands behind it: a fence, or tags without a word between them. */
function isFrame(line: string): boolean {
  return /^\s*(?:`{3,}|~{3,})/.test(line) || /^\s*(?:<[/!?]?[a-z][^<>]{0,200}>\s*)+$/i.test(line)
}

/** A line without the tags around it, and the rules and signs of a comment: `/** … *\/`, `--[[---- … ----]]`. */
function withoutFrame(line: string): string {
  const text = withoutTags(line).replace(/^(?:[-=*_/#;:|+~<>{}[\]()]{3,}\s*)+/, '')
  return text
    .slice(0, endBeforeRules(text))
    .replace(/\s{0,80}[-=*_#~]{5,}[\])]*\s*/g, ' ')
    .trim()
}

/** A line without the tags around it; whole where one that opens it ends within: `<b>Fix</b> this`. */
function withoutTags(line: string): string {
  const [opening = ''] = /^(?:<[/!?]?[a-z][^<>]{0,200}>\s*)+/i.exec(line) ?? []
  const text = line.slice(opening.length).replace(/(?:\s{0,80}<\/[a-z][^<>]{0,200}>)+$/i, '')
  const names = opening.matchAll(/<([a-z][\w:.-]*)/gi)
  return [...names].some(([, name]) => text.includes(`</${name}`)) ? line : text
}

const ruleSigns: ReadonlySet<string> = new Set('-=*_/#;|+~<>{}[]()')
const minRule = 3

/** Where a line ends without the rules at its end. One pass from there on: a pattern would try every way to part a rule. */
function endBeforeRules(line: string): number {
  for (let end = line.length; ; ) {
    let start = end
    while (start > 0 && ruleSigns.has(line.charAt(start - 1))) start--
    if (end - start < minRule) return end
    end = line.slice(0, start).trimEnd().length
  }
}

/** Columns of a text; letters of Chinese, Japanese and Korean take two. */
export function widthOf(text: string): number {
  let width = 0
  for (const char of text) width += wide.test(char) ? 2 : 1
  return width
}

/** A text of at most so many columns, cut at a word. */
export function cutWords(text: string, columns: number = maxWidth): string {
  let [width, units, border, isAfterWide] = [0, 0, 0, false]
  for (const char of text) {
    const isWide = wide.test(char)
    width += isWide ? 2 : 1
    if (width > columns) break
    // Between Chinese letters and a word of others no blank needs to stand.
    if (/\s/.test(char) || (isAfterWide && !isWide)) border = units
    isAfterWide = isWide
    units += char.length
  }
  if (units >= text.length) return text
  // A word that is cut is left out whole, unless little stands before it: half of it says little, and may be half of a secret.
  const end = border > units / 3 && !/\s/.test(text.charAt(units)) && !wide.test(text.charAt(units)) ? border : units
  return `${text
    .slice(0, end)
    .replace(cutAuthority, '')
    .replace(/[\s,;:(–—-]+$/, '')}…`
}

/** What Codex tells a reviewer in the words of a user, and how such a thread is called. */
const reviews: readonly [RegExp, (match: RegExpExecArray) => string][] = [
  [/^Review the current code changes\b/, () => 'Review of uncommitted changes'],
  [
    /^Review the code changes against the base branch '([^'\n]{1,80})'/,
    ([, branch]) => `Review of changes against ${branch}`,
  ],
  [
    /^Review the code changes introduced by commit (\w{7,40})(?: \("([^\n]{1,80})"\))?/,
    ([, commit = '', title]) => `Review of ${commit.slice(0, 10)}${title === undefined ? '' : `: ${title}`}`,
  ],
]

/** The best of what a thread may be called by: name of the index, name of an event, prompt, facts of its file. */
export function titleOf(names: {
  index?: string
  event?: string
  prompt?: string
  fallback: string
}): Pick<ScanFacts, 'title' | 'titleFrom'> {
  const { index = '', event = '', prompt, fallback } = names
  if (isName(index)) return { title: cutWords(index, maxNameWidth), titleFrom: 'index' }
  if (isName(event)) return { title: cutWords(event, maxNameWidth), titleFrom: 'event' }
  const words = prompt === undefined ? '' : firstWords(prompt)
  return hasWord(words) ? { title: words, titleFrom: 'prompt' } : { title: fallback, titleFrom: 'file' }
}

/** Whether a name says something, and not only which file it is of. */
function isName(name: string): boolean {
  return hasWord(name) && !/^rollout-\d{4}-/.test(name)
}

/** What a reviewer was asked, by the words that Codex gave it; other words are as a person wrote them. */
export function reviewName(prompt: string): string {
  for (const [words, name] of reviews) {
    const match = words.exec(prompt)
    if (match !== null) return name(match)
  }
  return prompt
}

// Short texts without the marks of Markdown: titles, outlines, rows of lists.

/** Drops marks around words and at the start of a line; what only looks like a mark stays. */
export function withoutMarks(line: string): string {
  return (
    line
      .replace(/^\s*(?:#{1,6}|>|[-*+])\s+/, '')
      .replace(/!?\[([^\]]+)\]\((?:[^()\\\n]|\\.|\([^()\n]*\)){1,400}\)/g, '$1')
      .replace(/(?<!`)(`{1,16})(?!`)(.+?)(?<!`)\1(?!`)/g, '$2')
      // A name behind the first mark, so that globs stay: `*.ts,*.js`.
      .replace(/(?<![\w*/])(\*{1,2})(?=[\p{L}\p{N}\p{Ps}\p{Pi}"'`])(.+?)(?<=\S)\1(?![\w*])/gu, '$2')
      .trim()
  )
}
