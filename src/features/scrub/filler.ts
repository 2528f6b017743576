/** Filler for words: of the same length, in the same script and case, and made of only a few syllables. */

import { sha256 } from '../../util/hash.ts'

/** No common word of five letters or more consists of these alone, so that leftover words can be told from filler. */
const two = ['lo', 'ru', 'mi', 'zu', 've', 'xo', 'ki', 'qa', 'zi', 'vu', 'wo', 'ju', 'ky', 'xe', 'zo', 'ji']
const three = [
  'lor',
  'ips',
  'dul',
  'zet',
  'vex',
  'qua',
  'num',
  'xil',
  'kuv',
  'wux',
  'zam',
  'yub',
  'gex',
  'vok',
  'puz',
  'fij',
]

const letter = /\p{L}/u
const upper = /\p{Lu}/u
const asciiRun = /[A-Za-z]+|[^A-Za-z]/gu

/** Letters of other scripts, each in lowercase and uppercase if both exist; every letter of a list has the same size. */
const alphabets: readonly (readonly [script: RegExp, lower: string, upper: string])[] = [
  [/[\u0080-\u024f]/, 'éàöüñç', 'ÉÀÖÜÑÇ'],
  [/[\u1e00-\u1eff]/, 'ạẹịọụ', 'ẠẸỊỌỤ'],
  [/\p{Script=Greek}/u, 'αβγδεζ', 'ΑΒΓΔΕΖ'],
  [/\p{Script=Cyrillic}/u, 'абвгде', 'АБВГДЕ'],
  [/\p{Script=Hebrew}/u, 'אבגדהו', 'אבגדהו'],
  [/\p{Script=Arabic}/u, 'ابتدرس', 'ابتدرس'],
  [/\p{Script=Devanagari}/u, 'कखगघचछ', 'कखगघचछ'],
  [/\p{Script=Thai}/u, 'กขคงจฉ', 'กขคงจฉ'],
  [/\p{Script=Hiragana}/u, 'あいうえおか', 'あいうえおか'],
  [/\p{Script=Katakana}/u, 'アイウエオカ', 'アイウエオカ'],
  [/\p{Script=Hangul}/u, '가나다라마바', '가나다라마바'],
  [/[\u0080-\u07ff]/, 'øåæđħŧ', 'ØÅÆĐĦŦ'],
  [/[\u0800-\uffff]/, '文字中山水木', '文字中山水木'],
]
/** Letters that take four bytes: Linear B. */
const far = '𐀀𐀁𐀂𐀃𐀄'

/** Pictograms by size. Even what a pictogram shows may reveal something. */
const pictograms = ['☀☂☎♠♣♥', '🍎🍋🌵🌙🚲🎈'] as const

/**
 * Filler for a word, which is a run of letters and their marks. Keeps length in UTF-16 units and bytes, script and case; a single
 * ASCII letter stays.
 */
export function fillWord(word: string, random: Random): string {
  if (word.length === 1 && word <= 'z') return word
  let filled = word
  for (let tries = 0; tries < 8 && filled === word; tries++) {
    filled = word.replace(asciiRun, (part) =>
      /[A-Za-z]/.test(part) ? syllables(part, random) : fillLetter(part, random),
    )
  }
  return filled
}

/** Filler for the letters of a name of fewer than five letters, where syllables would give too little choice. */
export function fillShort(letters: string, random: Random): string {
  return letters.replace(/[A-Za-z]/g, (character) => withCase(String.fromCharCode(97 + random(26)), character))
}

/** Another pictogram of the same size. */
export function fillPictogram(character: string, random: Random): string {
  if (character < '\u2190') return character
  return pick([...pictograms[character.length === 1 ? 0 : 1]], random)
}

/** Whether a run of ASCII letters consists of syllables of filler. */
export function isFiller(word: string): boolean {
  return fillerWord.test(word.toLowerCase())
}

const fillerWord = new RegExp(`^(?:${[...two, ...three].join('|')})+$`)

function syllables(letters: string, random: Random): string {
  let filled = ''
  while (filled.length < letters.length) {
    const missing = letters.length - filled.length
    if (missing === 1) filled += pick([...'aeio'], random)
    else if (missing === 3) filled += pick(three, random)
    else if (missing === 2 || missing === 4) filled += pick(two, random)
    else filled += pick(random(2) === 0 ? two : three, random)
  }
  return [...filled].map((character, at) => withCase(character, letters[at] ?? '')).join('')
}

function fillLetter(character: string, random: Random): string {
  if (!letter.test(character)) return character
  if (character.length > 1) return pick([...far], random)
  const [, small = '', capital = ''] = alphabets.find(([script]) => script.test(character)) ?? []
  const list = upper.test(character) ? capital : small
  return list === '' ? character : pick([...list], random)
}

function withCase(character: string, model: string): string {
  return model >= 'A' && model <= 'Z' ? character.toUpperCase() : character
}

function pick(list: readonly string[], random: Random): string {
  return list[random(list.length)] ?? ''
}

// Pseudo-random numbers derived from a secret and a text: the same text gives the same numbers.

/** Returns an integer from 0 to `below` - 1. */
export type Random = (below: number) => number

/** Numbers for a text. Without the secret nobody can tell which text they came from. */
export function randomOf(secret: string, text: string): Random {
  let state = Number.parseInt(sha256(`${secret}\0${text}`).slice(0, 8), 16)
  return (below) => {
    // mulberry32: small, fast and uniform enough for filler; the hash above protects the secret.
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
