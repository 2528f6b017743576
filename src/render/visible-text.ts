/** Literal text: characters that hide or reorder the text around them are made visible. */

import type { ElementContent } from 'hast'
import { append } from '../util/groups.ts'
import { formatCount } from '../util/time.ts'
import { h } from './hast.ts'

/**
 * Controls (except tab and newline), bidirectional and invisible formatting characters, letters that draw nothing, and
 * variation selectors that change nothing. Zero-width joiners inside emoji and the first variation selector are not
 * included, because they affect what is drawn.
 */
const odd =
  /([\0-\x08\x0B-\x1F\x7F-\x9F\u00AD\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B\u200C\u200E\u200F\u2028-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB])\1*|\u034F|(?:\uDB40[\uDC00-\uDC7F])+|(?<![\u2E80-\uD7FF\uF900-\uFAFF\uD840-\uD88F][\uDC00-\uDFFF]?)\uDB40[\uDD00-\uDDEF]|(?<=[\uFE00-\uFE0F])[\uFE00-\uFE0F]/g

/** Zero-width joiners that do not join emoji; a separate pattern, because only this one needs the `u` flag. */
const joiner = /((?<!\p{Extended_Pictographic}|\uFE0F|\p{Emoji_Modifier})\u200D|\u200D(?!\p{Extended_Pictographic}))/gu

/**
 * Matches in every text with an odd character, by at most 16 ranges (docs/performance.md): the search for all odd characters
 * takes five times as long, and `plain` already fails for a text with one emoji.
 */
const mayBeOdd =
  /[\u034F\0-\x08\x0B-\x1F\x7F-\x9F\u00AD\u061C\u115F\u1160\u17B4-\u180F\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uDB40\uFEFF\uFFA0-\uFFFB]|[\uFE00-\uFE0F]{2}/

const hidingCharacters = String.raw`\0-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F\u200B\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB`

/**
 * Characters that prose and titles have no honest use for: controls, and characters that reorder what follows or carry a
 * hidden message. Direction marks and joiners are not included, because some scripts need them.
 */
const hiding = new RegExp(String.raw`([${hidingCharacters}])\1*|(?:\uDB40[\uDC00-\uDC7F])+`, 'g')

/** A cheap first test, which nearly every text passes: ASCII, Latin, Greek, Cyrillic, punctuation, box drawing, CJK. */
const plain =
  /^[\t\n\x20-\x7E\xA0-\xAC\xAE-\u02FF\u0370-\u0481\u2010-\u2027\u2030-\u205E\u2100-\u27BF\u3001-\u3029\u3040-\u3096\u30A0-\u3163\u3165-\u9FFF\uAC00-\uD7A3]*$/

/** Whether a text has nothing odd in it. */
function isPlain(text: string): boolean {
  return plain.test(text) || !mayBeOdd.test(text)
}

/** Hast of a literal text: text nodes, and a mark with a name for each character that would be invisible. */
export function literal(text: string): ElementContent[] {
  if (isPlain(text)) return text === '' ? [] : [{ type: 'text', value: text }]
  return marked(text, [...text.matchAll(odd), ...text.matchAll(joiner)])
}

/** Hast of prose: marks with names for characters that reorder or hide text, but not for those that scripts need. */
export function proseText(text: string): ElementContent[] {
  if (text.search(hiding) < 0) return text === '' ? [] : [{ type: 'text', value: text }]
  return marked(text, [...text.matchAll(hiding)])
}

/** UTF-16 units, as part of a character class; any text that hides or reorders something contains at least one of them. */
export const hidingUnits: string = String.raw`${hidingCharacters}\uDB40`
const mayHide = new RegExp(`[${hidingUnits}]`)

/** Replaces runs of the characters above by their names, as `show` puts them into text; the flag of a region stays. */
function replacer(show: (name: string) => string): (run: string, one: string, at: number, whole: string) => string {
  return (run, _one, at, whole) => (isFlag(whole, run, at) ? run : namesOf(run).map(show).join(''))
}

const byName = replacer(named)
const byNameInMarkdown = replacer((name) => (name.length === 1 ? name : `‹${name}›`))

/** A text in which characters that HTML cannot carry, or that reorder or hide text, become names. For titles and attributes. */
export function withoutControls(text: string): string {
  return mayHide.test(text) ? text.replace(hiding, byName) : text
}

/** Like `withoutControls`, for Markdown: names are not in square brackets, which might begin a link. */
export function withoutControlsInMarkdown(text: string): string {
  return mayHide.test(text) ? text.replace(hiding, byNameInMarkdown) : text
}

/** Like `withoutControls`, but names every odd character, for a path or a command where elements cannot be used. */
export function literalText(text: string): string {
  return isPlain(text) ? text : text.replace(joiner, byName).replace(odd, byName)
}

/** A text without the characters that reorder or hide, for the search index: words are found as they look. */
export function withoutHidden(text: string): string {
  return text.replace(hiding, (run, _one, at: number) => (isFlag(text, run, at) ? run : ''))
}

function marked(text: string, matches: RegExpExecArray[]): ElementContent[] {
  const result: ElementContent[] = []
  let from = 0
  for (const { 0: run, index } of matches.sort((a, b) => a.index - b.index)) {
    if (isFlag(text, run, index)) continue
    if (index > from) result.push({ type: 'text', value: text.slice(from, index) })
    append(
      result,
      namesOf(run).map((name) => h('span', { className: ['ctl'] }, name)),
    )
    from = index + run.length
  }
  if (from < text.length) result.push({ type: 'text', value: text.slice(from) })
  return result
}

/** Whether tag characters form the flag of a region: up to six after a black flag, then the tag that ends them. */
function isFlag(text: string, run: string, at: number): boolean {
  return run.length > 2 && run.length <= 14 && run.endsWith('\u{E007F}') && text.slice(at - 2, at) === '\u{1F3F4}'
}

/** How many repetitions of one character are named one by one; longer runs, as in binary files, get one name and a count. */
const maxNamed = 8

function namesOf(run: string): string[] {
  const [first = ''] = run
  const count = run.length / first.length
  if (count <= maxNamed || run !== first.repeat(count)) return Array.from(run, characterName)
  return [`${characterName(first)} × ${formatCount(count)}`]
}

/** A name as it is put into text: in brackets, unless it is the one-character picture of a control. */
function named(name: string): string {
  return name.length === 1 ? name : `[${name}]`
}

/** A picture such as `␛` for C0 controls and DEL, a code point such as `U+202E` for all others. */
function characterName(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  if (code === 0x7f) return '\u2421'
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

/** What was typed into a program; if that was only Enter, one `⏎` for each, because an empty box would say nothing. */
export function enterKeys(value: string): string {
  return /^[\r\n]+$/.test(value) ? value.replace(/\r\n?|\n/g, '\u23CE') : value
}

/** What was typed into a program, with control keys as people write them: `^C`. */
export function visibleKeys(value: string): string {
  return enterKeys(value).replace(
    /[\0-\x08\x0B-\x1F\x7F]/g,
    (key) => `^${String.fromCharCode(key.charCodeAt(0) ^ 0x40)}`,
  )
}

// The language of a text by its script, as far as it matters for fonts, quotation marks and speech.

/** BCP 47 tag of a language that its letters identify. The style sheet sets the last four from right to left. */
type ScriptLanguage = 'ja' | 'ko' | 'zh' | 'ar' | 'fa' | 'he' | 'ur'

/** UTF-16 units in which letters are counted: the beginning of a text is enough. */
const maxLength = 4000
/** Addresses are not counted: they are in no language, and most follow the words of a link. */
const address = /https?:\/\/[\x21-\x7E]+/g
/** A superset of the letters of these languages. */
const letters =
  /[\u0590-\u08FF\u1100-\u11FF\u2E80-\uD7FF\uF900-\uFAFF\uFB1D-\uFDFF\uFE70-\uFEFC\uFF66-\uFFDC\uD840-\uD88F]/

/**
 * The language of a text that is mostly written in Chinese characters, kana, Hangul, Arabic or Hebrew letters; `undefined`
 * for any other. One such letter counts as much as two of another alphabet, because all texts here contain names, paths and
 * code. Kana make a text Japanese if they are at least a tenth of its kana and Chinese characters; otherwise it is Chinese.
 * Arabic letters that only Persian or Urdu uses make it Persian or Urdu.
 */
export function scriptLanguage(text: string): ScriptLanguage | undefined {
  if (!letters.test(text)) return undefined
  const counted = text.slice(0, maxLength).replace(address, '')
  const count = (run: RegExp): number => countLetters(counted, run)
  const han = count(/\p{Script=Han}+/gu)
  const kana = count(/[\p{Script=Hiragana}\p{Script=Katakana}]+/gu)
  const hangul = count(/\p{Script=Hangul}+/gu)
  const arabic = count(/\p{Script=Arabic}+/gu)
  const hebrew = count(/\p{Script=Hebrew}+/gu)
  const letterCount = han + kana + hangul + arabic + hebrew
  // Punctuation alone is in no language.
  if (letterCount === 0 || letterCount * 2 < count(/\p{L}+/gu) - letterCount) return undefined
  if (arabic + hebrew > han + kana + hangul) return arabic > hebrew ? arabicLanguage(counted) : 'he'
  if (hangul > han + kana) return 'ko'
  return kana * 10 >= han + kana ? 'ja' : 'zh'
}

function countLetters(text: string, run: RegExp): number {
  let sum = 0
  for (const found of text.match(run) ?? [])
    sum += /[\uD800-\uDBFF]/.test(found) ? Array.from(found).length : found.length
  return sum
}

function arabicLanguage(text: string): ScriptLanguage {
  if (/[\u0679\u0688\u0691\u06BA\u06D2]/.test(text)) return 'ur'
  return /[\u067E\u0686\u0698\u06A9\u06AF\u06CC]/.test(text) ? 'fa' : 'ar'
}
