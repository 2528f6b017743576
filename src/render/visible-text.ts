/** Text as it is: characters that hide or reorder what stands beside them are made visible. */

import type { ElementContent } from 'hast'
import { append } from '../util/groups.ts'
import { formatCount } from '../util/time.ts'
import { h } from './hast.ts'

/**
 * Controls (but tab and newline), bidirectional and invisible formatting characters, letters that draw nothing, and
 * selectors of variants that vary nothing. Zero-width joiners inside emoji and the first variation selector stay:
 * they draw something.
 */
const odd =
  /([\0-\x08\x0B-\x1F\x7F-\x9F\u00AD\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B\u200C\u200E\u200F\u2028-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB])\1*|\u034F|(?:\uDB40[\uDC00-\uDC7F])+|(?<![\u2E80-\uD7FF\uF900-\uFAFF\uD840-\uD88F][\uDC00-\uDFFF]?)\uDB40[\uDD00-\uDDEF]|(?<=[\uFE00-\uFE0F])[\uFE00-\uFE0F]/g

/** Joiners that join no pictures; needs another mode of the expression than the rest. */
const joiner = /((?<!\p{Extended_Pictographic}|\uFE0F|\p{Emoji_Modifier})\u200D|\u200D(?!\p{Extended_Pictographic}))/gu

const hidingCharacters = String.raw`\0-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F\u200B\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB`

/**
 * What prose and titles cannot use honestly: controls, and characters that change the order of what follows or that
 * carry a hidden message. Marks of direction and joiners of scripts that need them stay.
 */
const hiding = new RegExp(String.raw`([${hidingCharacters}])\1*|(?:\uDB40[\uDC00-\uDC7F])+`, 'g')

/** What nearly every text is made of: ASCII, Latin, Greek, Cyrillic, punctuation, box drawing, CJK. A cheap first test. */
const plain =
  /^[\t\n\x20-\x7E\xA0-\xAC\xAE-\u02FF\u0370-\u0481\u2010-\u2027\u2030-\u205E\u2100-\u27BF\u3001-\u3029\u3040-\u3096\u30A0-\u3163\u3165-\u9FFF\uAC00-\uD7A3]*$/

/** Hast of a literal text: plain text nodes, and a named mark for each character that would not be seen. */
export function literal(text: string): ElementContent[] {
  if (plain.test(text)) return text === '' ? [] : [{ type: 'text', value: text }]
  return marked(text, [...text.matchAll(odd), ...text.matchAll(joiner)])
}

/** Hast of a text of prose: named marks for what reorders or hides, and for nothing that writing needs. */
export function proseText(text: string): ElementContent[] {
  if (text.search(hiding) < 0) return text === '' ? [] : [{ type: 'text', value: text }]
  return marked(text, [...text.matchAll(hiding)])
}

/** UTF-16 units of which one stands in every text that hides something, for a class of a pattern. */
export const hidingUnits: string = String.raw`${hidingCharacters}\uDB40`
const mayHide = new RegExp(`[${hidingUnits}]`)

/** A text without what HTML cannot carry, reorders or hides: it stands there by its name. For titles and attributes. */
export function withoutControls(text: string): string {
  if (!mayHide.test(text)) return text
  return text.replace(hiding, (run, _one, at: number) =>
    isFlag(text, run, at) ? run : namesOf(run).map(named).join(''),
  )
}

/** The same in Markdown, where a name in square brackets might begin a link. */
export function withoutControlsInMarkdown(text: string): string {
  if (!mayHide.test(text)) return text
  const show = (name: string): string => (name.length === 1 ? name : `‹${name}›`)
  return text.replace(hiding, (run, _one, at: number) =>
    isFlag(text, run, at) ? run : namesOf(run).map(show).join(''),
  )
}

/** The same for a path or a command that stands where there are no elements: every odd character by its name. */
export function literalText(text: string): string {
  if (plain.test(text)) return text
  const show = (run: string, _one: string, at: number, whole: string): string =>
    isFlag(whole, run, at) ? run : namesOf(run).map(named).join('')
  return text.replace(joiner, show).replace(odd, show)
}

/** A text without the characters that reorder or hide, as the search reads it: words are found as they look. */
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

/** Whether tag characters make a flag of a region: up to six behind a black flag, and their end. */
function isFlag(text: string, run: string, at: number): boolean {
  return run.length > 2 && run.length <= 14 && run.endsWith('\u{E007F}') && text.slice(at - 2, at) === '\u{1F3F4}'
}

/** Of one character in a row, as binary files hold them, so many are named one by one. */
const maxNamed = 8

function namesOf(run: string): string[] {
  const [first = ''] = run
  const count = run.length / first.length
  if (count <= maxNamed || run !== first.repeat(count)) return Array.from(run, characterName)
  return [`${characterName(first)} × ${formatCount(count)}`]
}

/** A name between letters needs brackets; the picture of a control does not. */
function named(name: string): string {
  return name.length === 1 ? name : `[${name}]`
}

/** `␛` for the C0 controls, `U+202E` for the others. */
function characterName(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  if (code === 0x7f) return '\u2421'
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

/** What was typed into a program, where it was nothing but Enter: a sign for each, since an empty box says nothing. */
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

// The language of a text by its script, as far as fonts, quotes and voices need to know.

/** A language whose letters are its own, as BCP 47 names it. The style sheet sets the last four from right to left. */
export type ScriptLanguage = 'ja' | 'ko' | 'zh' | 'ar' | 'fa' | 'he' | 'ur'

/** UTF-16 units that are counted: the beginning tells enough. */
const maxLength = 4000
/** Addresses are in no language, and most stand behind the words of a link. */
const address = /https?:\/\/[\x21-\x7E]+/g
/** Letters of the languages, or near them. */
const letters =
  /[\u0590-\u08FF\u1100-\u11FF\u2E80-\uD7FF\uF900-\uFAFF\uFB1D-\uFDFF\uFE70-\uFEFC\uFF66-\uFFDC\uD840-\uD88F]/

/**
 * The language of a text that is mostly written in Chinese characters, kana, Hangul, Arabic or Hebrew letters; `undefined`
 * for any other. One of these letters counts as two of another alphabet, because names, paths and code stand in all texts
 * here. Kana make it Japanese, also where they are few among the characters; a text of Chinese characters alone is Chinese.
 * Arabic letters that only Persian or Urdu has make it one of these.
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
  const own = han + kana + hangul + arabic + hebrew
  if (own * 2 < count(/\p{L}+/gu) - own) return undefined
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
