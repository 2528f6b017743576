/** Prepares texts of messages for comparison and display (rollout-format 5.2, 5.4). */

import { splitCitations } from '../rollout/parse/content.ts'
import type { MessageFact } from '../rollout/parse/facts.ts'
import { pastedPrompt } from './pasted.ts'
import type { OutlineEntry, ScanFacts } from './summary.ts'

const planTag = /^<(\/?)proposed_plan>[ \t]*\n?/gm

/** The visible text of an assistant message: without memory citations and plan blocks, trimmed. */
export function visibleText(text: string): string {
  if (!text.includes('<')) return text.trim()
  return withoutPlans(splitCitations(text).said).trim()
}

/** Removes plan blocks, which are between tags on lines of their own. */
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

/** A text without whitespace: a key for twins that join their parts with different whitespace. */
export function withoutBlanks(text: string): string {
  return text.replace(/\s+/g, '')
}

/** The content of a text that is a plan block: the lines between the tags, trimmed. */
export function planText(text: string): string {
  return text.replace(/^<\/?proposed_plan>[ \t]*$/gm, '').trim()
}

/** What a person typed or an assistant said in a message, with its parts joined by line ends. */
export function typedText({ parts }: MessageFact): string {
  const [only] = parts
  // Nearly all messages have one part.
  if (parts.length === 1 && only?.kind === 'text') return only.class === 'typed' ? only.text : ''
  return parts.flatMap((part) => (part.kind === 'text' && part.class === 'typed' ? [part.text] : [])).join('\n')
}

/** The texts of all parts of a message, whoever wrote them, joined by line ends. */
export function wholeText({ parts }: MessageFact): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('\n')
}

/** Whether everything in a user message was added by Codex or a client. */
export function isInjected(fact: MessageFact): boolean {
  if (fact.added) return true
  return (
    fact.role === 'user' &&
    fact.parts.length > 0 &&
    fact.parts.every((part) => part.kind === 'text' && part.class !== 'typed') &&
    fact.parts.some((part) => part.kind === 'text' && part.class === 'injected')
  )
}

/** Whether a user message contains pictures but no typed word: a tool's picture, or a bare attachment. */
export function isPictureOnly(fact: MessageFact): boolean {
  return fact.role === 'user' && fact.parts.some((part) => part.kind === 'image') && typedText(fact).trim() === ''
}

/** The label of an injected message: that of its first injected part. */
export function injectedLabel(fact: MessageFact): string | undefined {
  if (fact.added) return 'Context from a client'
  for (const part of fact.parts) if (part.kind === 'text' && part.label !== undefined) return part.label
  return undefined
}

/** The labels of all parts of an injected message: `Instructions, Environment`. Codex sends several as one message. */
export function contextLabel(fact: MessageFact): string | undefined {
  const first = injectedLabel(fact)
  if (first === undefined || fact.added || fact.parts.length < 2) return first
  const labels = fact.parts.flatMap((part) => (part.kind === 'text' && part.label !== undefined ? [part.label] : []))
  return [...new Set(labels)].join(', ')
}

// The outline of a thread: short forms of its prompts.

const image = 'Image'
const empty = 'Empty prompt'

/** The outline entry of a prompt. A prompt with only pictures, or without words, gets a name. */
export function outlineEntry(
  request: string,
  pictureOnly: boolean,
  location: Omit<OutlineEntry, 'text'>,
): OutlineEntry {
  return { ...location, text: firstWords(request) || (pictureOnly ? image : empty) }
}

/**
 * The prompts that were not rolled back; if every turn was rolled back, all of them, because they say most about the
 * thread.
 */
export function keptPrompts(outline: readonly OutlineEntry[], rolledBack: readonly number[]): readonly OutlineEntry[] {
  const undone = new Set(rolledBack)
  const kept = undone.size === 0 ? outline : outline.filter(({ turn }) => !undone.has(turn))
  return kept.length === 0 ? outline : kept
}

/** The text of the first prompt with words, else the name of the first prompt. */
export function firstRequest(outline: readonly OutlineEntry[]): string | undefined {
  const named = outline.filter(({ text }) => text !== image && text !== empty)
  return (named.find(({ text }) => hasWord(text)) ?? outline[0])?.text
}

/** A key block, up to its end line or the end of the text. */
const keyBlock = /-{4,5} ?BEGIN ([A-Z][A-Z0-9 ]{0,60}?) ?-{4,5}[\s\S]*?(?:-{4,5} ?END [A-Z0-9 ]{1,60}-{4,5}|$)/g

/**
 * A text in which key blocks are replaced by their kind, such as `RSA PRIVATE KEY`. Nobody reads a key as words; and in a
 * title, which loses its rules of dashes, redaction could no longer recognise it.
 */
export function withoutKeys(text: string): string {
  return text.includes('BEGIN ') ? text.replace(keyBlock, '$1') : text
}

// The title of a thread (rollout-format 1.5).

/** Width of a title in columns; Chinese, Japanese and Korean characters take two. */
const maxWidth = 80
/** The same for a name that a person or Codex gave. */
const maxNameWidth = 118
/** A line that is narrower, or ends with a colon, only introduces the next one: `User input`, `Goal:`. */
const leadWidth = 24
/**
 * A heading at the start of a prompt that only says that the user's words follow, with the fence of plain text in which they
 * stand. Of any other heading the words below may need it: `Password`.
 */
const typedBlock =
  /(?<![\s\S])\s*#{1,6} +(?:user(?:['’]s)? +)?(?:input|arguments?|request|prompt|query|question|task|message)[ \t]*:?\r?\n\s*(`{3,}|~{3,})(?:te?xt|plaintext|md|markdown)?[ \t]*\r?\n([\s\S]*?)(?:^[ \t]*\1[ \t]*\r?$|(?![\s\S]))/im
/** What stands for the words in a template where none were typed. */
const noWords = /^\s*(?:\$ARGUMENTS\s*)?$/
/** Head of a prompt in keys and values, as files of commands and skills have it; `description` says what it is for. */
const keyed =
  /(?<![\s\S])\s*(?:---|<meta>)[ \t]*\r?\n(?:[\w-]+:.*\r?\n|[ \t]+\S.*\r?\n){1,40}?(?:---|<\/meta>)[ \t]*\r?$/im
const description = /^(?:description|title):[ \t]*(?=[^\s|>])(.*)/im
/** UTF-16 units of a prompt that are read for its title, and of its end, where people ask what a long paste is for. */
const maxPromptLength = 4000
const maxEndLength = 1000

/** Whether a text contains a letter or a digit. */
export const hasWord = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)
const wide = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\uFF01-\uFF60]/u

/** The rest of a URL that was cut inside `user:password@host`: without the `@`, a password could no longer be recognised. */
const cutAuthority = /(?<=:\/\/)[^\s/@]*$/

/**
 * The first words of a text that say something, at most 80 columns, cut at a word. Fences, braces, rules and tags that
 * fill a line are passed over; a short line or one that ends with a colon is followed by the next. Line ends stay until
 * the words are redacted, because what is private in a line may show by the line above it; `onOneLine` joins them.
 * What a program wrote around the words is passed over (`requestedLines`); of pasted code, what is said of it comes first.
 * Where no line has a letter or digit: the first line that is not blank, or nothing.
 */
export function firstWords(text: string): string {
  const lines = requestedLines(text)
  const pasted = pastedPrompt(lines, hasWord)
  const words = pasted === undefined ? wordsOf(lines) : wordsOf([...pasted.said, ...pasted.code])
  return cutWords(words || (lines.find((line) => line.trim() !== '') ?? '').trim())
}

/** The first line with words, and further ones as long as they are short. */
function wordsOf(lines: readonly string[]): string {
  let words = ''
  for (const line of lines) {
    const plain = plainLine(line.slice(0, 600))
    if (!hasWord(plain)) continue
    words = words === '' ? plain : `${words}\n${plain}`
    if (widthOf(words) >= leadWidth && !/[:：]$/.test(words)) break
  }
  return words
}

/**
 * The lines of a prompt that may make its title. Of the template of a slash command: what was typed, in its fence below `User
 * Input`; else, where nothing was, what the template says below its next heading. Of a head of keys, its description.
 */
function requestedLines(text: string): string[] {
  const head = withoutKeys(text.slice(0, maxPromptLength))
  const typed = typedBlock.exec(head)
  if (typed !== null) {
    const [block, , words = ''] = typed
    if (!noWords.test(words)) return words.split('\n')
    const [, below = ''] = /^#{1,6} .*\r?\n([\s\S]*)/m.exec(head.slice(block.length)) ?? []
    return (hasWord(below) ? below : head.slice(block.length)).split('\n').map((line) => line.replace(listNumber, ''))
  }
  const [keys = ''] = keyed.exec(head) ?? []
  const [, said = ''] = description.exec(keys) ?? []
  if (hasWord(said)) return [said.replace(/^(["'])(.*)\1\s*$/, '$2')]
  const end =
    text.length > maxPromptLength ? withoutKeys(text.slice(Math.max(maxPromptLength, text.length - maxEndLength))) : ''
  // The first line of the end is cut.
  return [...head.split('\n'), ...end.split('\n').slice(1)]
}

/** The number of an item of a list. */
export const listNumber: RegExp = /^\s*\d{1,3}[.)]\s+/

/** A line without the marks, tags and rules around its words; empty if the line is only a frame for what follows. */
export function plainLine(line: string): string {
  return isFrame(line) ? '' : withoutFrame(withoutMarks(line))
}

/** The words of several lines on one line, for lists and titles. */
export function onOneLine(words: string): string {
  return words.replaceAll('\n', ' ')
}

/** Whether a line only frames what follows: a fence, or tags without a word between them. */
function isFrame(line: string): boolean {
  return /^\s*(?:`{3,}|~{3,})/.test(line) || /^\s*(?:<[/!?]?[a-z][^<>]{0,200}>\s*)+$/i.test(line)
}

/** A line without the tags around it, and without the rules and delimiters of a comment: `/** … *\/`, `--[[---- … ----]]`. */
function withoutFrame(line: string): string {
  const text = withoutTags(line).replace(/^(?:[-=*_/#;:|+~<>{}[\]()]{3,}\s*)+/, '')
  return text
    .slice(0, endBeforeRules(text))
    .replace(/\s{0,80}[-=*_#~]{5,}[\])]*\s*/g, ' ')
    .trim()
}

/** A line without the tags around it, but unchanged if an opening one is closed inside the line: `<b>Fix</b> this`. */
function withoutTags(line: string): string {
  const [opening = ''] = /^(?:<[/!?]?[a-z][^<>]{0,200}>\s*)+/i.exec(line) ?? []
  const text = line.slice(opening.length).replace(/(?:\s{0,80}<\/[a-z][^<>]{0,200}>)+$/i, '')
  const names = opening.matchAll(/<([a-z][\w:.-]*)/gi)
  return [...names].some(([, name]) => text.includes(`</${name}`)) ? line : text
}

const ruleCharacters: ReadonlySet<string> = new Set('-=*_/#;|+~<>{}[]()')
const minRule = 3

/**
 * The end of a line before its trailing rules. One pass from the end, because a regular expression would try every way to
 * split a rule.
 */
function endBeforeRules(line: string): number {
  for (let end = line.length; ; ) {
    let start = end
    while (start > 0 && ruleCharacters.has(line.charAt(start - 1))) start--
    if (end - start < minRule) return end
    end = line.slice(0, start).trimEnd().length
  }
}

/** Width of a text in columns; Chinese, Japanese and Korean characters take two. */
export function widthOf(text: string): number {
  let width = 0
  for (const char of text) width += wide.test(char) ? 2 : 1
  return width
}

/** A text of at most `columns` columns: if it is wider, it is cut at a word and ends with `…`. */
export function cutWords(text: string, columns: number = maxWidth): string {
  let [width, units, border, isAfterWide] = [0, 0, 0, false]
  for (const char of text) {
    const isWide = wide.test(char)
    width += isWide ? 2 : 1
    if (width > columns) return cutText(text, units, border)
    // The last column would be that of the `…`.
    if (width === columns) continue
    // There need not be a space between Chinese characters and a word of another script.
    if (/\s/.test(char) || (isAfterWide && !isWide)) border = units
    isAfterWide = isWide
    units += char.length
  }
  return text
}

/** The first `units` UTF-16 units of a text, or those up to the last border of a word, and `…`. */
function cutText(text: string, units: number, border: number): string {
  // A word that would be cut is omitted, unless little precedes it: half a word says little, and may be half of a secret.
  const end = border > units / 3 && !/\s/.test(text.charAt(units)) && !wide.test(text.charAt(units)) ? border : units
  return `${text
    .slice(0, end)
    .replace(cutAuthority, '')
    .replace(/[\s,;:(–—-]+$/, '')}…`
}

/** Requests that Codex gives to reviewers as if a user wrote them, and the titles of such threads. */
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

/** The best title for a thread: its name in the index, its name from an event, its prompt, else facts about its file. */
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

/** Whether a name says something, and is not just the name of a file. */
function isName(name: string): boolean {
  return hasWord(name) && !/^rollout-\d{4}-/.test(name)
}

/** A readable name for a reviewer's request in Codex's words; a request in other words is returned as it is. */
export function reviewName(prompt: string): string {
  for (const [words, name] of reviews) {
    const match = words.exec(prompt)
    if (match !== null) return name(match)
  }
  return prompt
}

// Short texts without Markdown: titles, outlines, rows of lists.

/** Removes Markdown marks around words and at the start of a line; what only looks like a mark stays. */
export function withoutMarks(line: string): string {
  return (
    line
      .replace(/^\s*(?:#{1,6}|>|[-*+])\s+/, '')
      .replace(/!?\[([^\]]+)\]\((?:[^()\\\n]|\\.|\([^()\n]*\)){1,400}\)/g, '$1')
      .replace(/(?<!`)(`{1,16})(?!`)(.+?)(?<!`)\1(?!`)/g, '$2')
      // The first mark must precede a name, so that globs stay: `*.ts,*.js`.
      .replace(/(?<![\w*/])(\*{1,2})(?=[\p{L}\p{N}\p{Ps}\p{Pi}"'`])(.+?)(?<=\S)\1(?![\w*])/gu, '$2')
      .trim()
  )
}
