/** Words that represent the key of a wallet, in any language: in rows, lists, tables and boxes below a label, with or without numbers. */

import { none, type Rule, type Secret } from '../rule.ts'

/** Words that occur in no seed phrase. */
const glue =
  /(?:^|\s)(?:the|and|for|your|are|has|was|from|were|which|but|not|its|into|our|their|should|und|der|die|das|nicht|les|des|est|pour|avec|que|los|las|para|con|una|não|uma|com|het|een|van)(?:\s|$)/i
const counts: ReadonlySet<number> = new Set([12, 15, 18, 21, 24, 25])
const maxWords = Math.max(...counts)

/** Labels that mean nothing else, in several languages; `seed` alone may also be the beginning of random numbers. */
const labels = [
  '[Mm]nemonic|MNEMONIC|[Ss]eed[ _-]?[Pp]hrase|[Ss]eed[ _-]?[Ww]ords|SEED[ _-]?(?:PHRASE|WORDS)',
  '(?:[Rr]ecovery|[Bb]ackup|[Ss]ecret|[Ww]allet)[ _-](?:[Pp]hrase|[Ww]ords)|(?:RECOVERY|BACKUP|SECRET|WALLET)[ _-](?:PHRASE|WORDS)',
  '(?:12|24)(?:[ -]words?|[ -]word phrase)|fromPhrase\\(',
  '[Ff]rase semilla|[Ff]rase(?: secreta)? de recuperaci[óo]n|[Ff]rase de recuperação|[Ff]rase di recupero',
  '[Pp]hrase (?:secr[èe]te )?de r[ée]cup[ée]ration|[Ww]iederherstellungsphrase|[Ww]iederherstellungswörter',
  '助[记記][词詞]|ニーモニック|シードフレーズ|니모닉|시드 ?구문|[Сс]ид-?фраз[аы]|[Мм]немо\\p{L}{3,8}(?: фраз[аы])?',
].join('|')
const anchors = [
  ...['nemonic', 'NEMONIC', 'seed', 'Seed', 'SEED', ' phrase', ' Phrase', '_phrase', '_PHRASE', ' PHRASE', '-phrase'],
  ...['y words', 'p words', 't words', 't_words', '12 word', '24 word', '12-word', '24-word', 'fromPhrase('],
  ...['rase semilla', 'rase de rec', 'rase di rec', 'rase secreta', 'hrase de r', 'hrase secr', 'ederherstellung'],
  ...['助记词', '助記詞', 'ニーモニック', 'シードフレーズ', '니모닉', '시드', 'ид-фраз', 'идфраз', 'немо'],
]
const longestLabel = 32
const label = new RegExp(`(?:${labels})`, 'uy')
const seed = /[Ss]eed|SEED/y
/** What is between a label and the words: the rest of its line, the frame of a box, the brackets of a list. */
const binding = /(?:["'`]? is|[^\n:=："'`]{0,50}(?:["'`]{0,2}\s{0,3}[:=：]|\r?\n|(?=["'`])))/y
const frame = /[\s"'`[({=│┃║|─━═╭╮┌┐├┤╰╯└┘•*>#-]{0,240}/y
/** Latin words in one case; words of other scripts and with accents; ideographs alone; never the name of a field. */
const item =
  /(?:\d{1,2}[.):]?[ \t]{1,3})?(?<word>[a-z]{3,8}|[A-Z]{3,8}|\p{Script=Han}|(?:(?!\p{Script=Han})[\p{Ll}\p{Lo}]\p{M}{0,2}){1,9})(?![\p{L}\p{M}\d]|["'`]?[ \t]{0,4}[:=])/uy
const separator = /[\s,"'`│┃║|•*>#\u3000-]{1,120}/y
/** The same in one row or one list of texts, where the label leaves a doubt. */
const plainSeparator = /(?:[ ,]{1,2}|["'`],\s{0,24}["'`]|[ \t,]{0,24}\r?\n?[ \t]{0,8}(?=\d{1,2}[.):]?[ \t]))/y

/** Words in a row, `end` exclusive. */
interface Line {
  words: readonly string[]
  start: number
  end: number
}

/** The words from an offset on, line by line, up to an empty line. */
function linesFrom(text: string, from: number, between: RegExp): Line[] {
  const lines: Line[] = []
  let words: string[] = []
  let [start, end] = [from, from]
  const endLine = (): void => {
    if (words.length > 0) lines.push({ words, start, end })
    words = []
  }
  for (let at = from, count = 0; count <= maxWords; count++) {
    item.lastIndex = at
    const word = item.exec(text)?.groups?.['word']
    if (word === undefined) break
    end = item.lastIndex
    if (words.length === 0) start = end - word.length
    words.push(word)
    between.lastIndex = end
    const gap = between.exec(text)?.[0]
    if (gap === undefined || /\n[ \t]*\r?\n/.test(gap)) break
    if (gap.includes('\n')) endLine()
    at = between.lastIndex
  }
  endLine()
  return lines
}

/** Whether words are laid out as a row, a table or a list: as many in each line, except for the last. */
function isEven(lines: readonly Line[]): boolean {
  const [first = 0] = lines.map(({ words }) => words.length)
  return lines.every(
    ({ words }, index) => words.length === first || (index === lines.length - 1 && words.length < first),
  )
}

/** Whether lines are a phrase with a number of words that wallets use, and not a sentence. */
function isPhrase(lines: readonly Line[], after: string): boolean {
  const words = lines.flatMap((line) => line.words)
  if (!counts.has(words.length) || glue.test(words.join(' ')) || !isEven(lines)) return false
  const isLatin = words.every((word) => /^[A-Za-z]+$/.test(word))
  return isLatin || !/^[.!?。！？，,:：]/.test(after)
}

/** In lines of fewer words, a phrase ends only where the list does. */
const minRow = 3

/** The longest phrase from an offset on; what follows it in further lines is another text. */
function phraseFrom(text: string, from: number, between: RegExp): readonly Secret[] {
  binding.lastIndex = from
  if (!binding.test(text)) return none
  frame.lastIndex = binding.lastIndex
  frame.test(text)
  const lines = linesFrom(text, frame.lastIndex, between)
  const least = (lines[0]?.words.length ?? 0) < minRow ? lines.length : 1
  for (let count = lines.length; count >= least && count > 0; count--) {
    const [start = 0, end = 0] = [lines[0]?.start, lines[count - 1]?.end]
    if (isPhrase(lines.slice(0, count), text.charAt(end))) return [{ start, end, value: text.slice(start, end) }]
  }
  return none
}

/** The end of the label around an anchor. */
function labelEnd(text: string, offset: number): number | undefined {
  for (let start = Math.max(0, offset - longestLabel); start <= offset; start++) {
    label.lastIndex = start
    if (label.test(text) && label.lastIndex > offset) return label.lastIndex
  }
  return undefined
}

/** The rule for such phrases. */
export const seedPhraseRule: Rule = {
  id: 'seed-phrase',
  anchors,
  lines: true,
  read(text, offset) {
    const end = labelEnd(text, offset)
    if (end !== undefined) return phraseFrom(text, end, separator)
    seed.lastIndex = offset
    return seed.test(text) ? phraseFrom(text, seed.lastIndex, plainSeparator) : none
  },
}
