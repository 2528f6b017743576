/** Makes the subtitle of a thread from the beginning of its last answer. */

import type { MessageFact } from '../rollout/parse/facts.ts'
import { verdictAnswer } from '../rollout/parse/settings.ts'
import { defined } from '../util/own.ts'
import { cutWords, hasWord, listNumber, plainLine, visibleText, widthOf, withoutKeys } from './texts.ts'

/** Most UTF-16 units of an answer, and of each of its lines, that are read. */
const maxAnswerLength = 8000
const maxLineLength = 1000
/** Width of a subtitle in columns: less says nothing (`Done.`), more is a paragraph. */
const minWidth = 12
const maxWidth = 118

/** A mark that some models put after a statement to point to its source, between private-use characters. */
const sourceMark = /\s{0,80}\uE200[^\uE201\n]{0,200}\uE201/g

/** Markdown escapes; those of round brackets are excluded, because they mean something else. */
const escapes = /\\([!-'*-/:-@[-`{-~])/g

/** Ends of sentences: a punctuation mark before a capital, or a Chinese or Japanese one. */
const sentenceEnd = /[.!?…]["'”’»)\]]*(?=\s+["'“‘«([]*[\p{Lu}\p{Lt}\p{Lo}\p{N}])|[。！？][」』”’）]*/gu

/**
 * The first sentence of an answer, or nothing if that is JSON, code or a word or two. Headings, tables and code are
 * skipped. Line ends stay until the words are redacted, as in titles.
 */
export function firstSentence(answer: string): string | undefined {
  const shown = visibleText((verdictAnswer(answer) ?? answer).slice(0, maxAnswerLength))
  const text = withoutKeys(shown).replace(sourceMark, '')
  if (/^\s*(?:\{|\[\s*[[{"])/.test(text)) return undefined
  const lines = proseLines(text)
  const words = cutWords(sentenceOf(lines.filter((line) => !isHeading(line))) || sentenceOf(lines), maxWidth)
  return widthOf(words) >= minWidth && isMostlyLetters(words) ? words : undefined
}

/** Lines outside fences, tables and indented code; an empty line for each line that is skipped. */
function proseLines(text: string): string[] {
  let fence: string | undefined
  return text.split('\n').map((line) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence)))
      fence = fence === undefined ? mark : undefined
    else if (
      fence === undefined &&
      !/^(?: {4}|\t|\s*(?:\||\$ |<|::|\{|\}|diff --git|\/\/|import ))|[;{]\s*$/.test(line)
    ) {
      return line.slice(0, maxLineLength)
    }
    return ''
  })
}

/** Whether a line is a heading, or is bold and serves as one. */
function isHeading(line: string): boolean {
  return /^\s*(?:#{1,6}\s|(\*\*|__)[^*_]{1,80}\1:?\s*$)/.test(line)
}

function sentenceOf(lines: readonly string[]): string {
  let words = ''
  for (const line of lines) {
    const plain = plainLine(line).replace(listNumber, '').replace(escapes, '$1')
    // A following list is another thought, unless the line before it introduces it.
    const isList = /^\s*(?:[-*+]|\d{1,3}[.)])\s/.test(line)
    const ends = isList ? !/[:：]$/.test(words) : !hasWord(plain) && !leadsOn(words)
    if (words !== '' && ends) break
    if (!hasWord(plain)) continue
    words = words === '' ? plain : `${words}\n${plain}`
    const end = endOf(words)
    if (end !== undefined) return words.slice(0, end)
    if (widthOf(words) > maxWidth) break
  }
  return words.replace(/[:：]$/, '')
}

/** Whether a paragraph introduces the next one, or is a short sentence that says nothing without it: `Done.` */
function leadsOn(words: string): boolean {
  return /[:：]$/.test(words) || (widthOf(words) < minWidth && /[.!?。！？]$/.test(words))
}

/** The end of the first sentence that is long enough to say something. */
function endOf(words: string): number | undefined {
  for (const { index, 0: sign } of words.matchAll(sentenceEnd)) {
    const end = index + sign.length
    if (widthOf(words.slice(0, end)) >= 2 * minWidth) return end
  }
  return undefined
}

function isMostlyLetters(words: string): boolean {
  const letters = words.match(/[\p{L}\p{N}\s]/gu)?.length ?? 0
  return /\p{L}{2}/u.test(words) && letters * 10 >= words.length * 7
}

/** Whether a subtitle only repeats the title. */
function repeatsTitle(subtitle: string, title: string): boolean {
  const [a, b] = [subtitle, title].map((text) =>
    text
      .replace(/[….\s]+$/, '')
      .replace(/\s+/g, ' ')
      .toLowerCase(),
  )
  return a !== undefined && b !== undefined && (a.startsWith(b) || b.startsWith(a))
}

/** Collects the last answer of each turn of a thread, in order. */
export interface AnswerCollector {
  /** Takes what the assistant said in a turn. */
  take: (fact: MessageFact, turn: number) => void
  /** Returns the last message (a comment counts too) since the last prompt, and forgets it. */
  takeUnanswered: () => string
  /** Drops the last answer of a turn that was cut short, unless the record calls it final. */
  cutShort: (turn: number) => void
  /** First sentence of the last answer in these turns, and its turn, if it says something that the title does not. */
  subtitle: (turns: readonly number[], title: string) => { subtitle?: string; subtitleTurn?: number }
}

/** A collector without answers. It keeps a sentence for each turn, because any of the last turns may be undone. */
export function answerCollector(): AnswerCollector {
  const sentences = new Map<number, string>()
  let last: { turn: number; text: string; isFinal: boolean } | undefined
  let unanswered = ''
  const finishTurn = (): void => {
    const sentence = last === undefined ? undefined : firstSentence(last.text)
    if (last !== undefined && sentence !== undefined) sentences.set(last.turn, sentence)
    last = undefined
  }
  return {
    take({ parts, phase }, turn) {
      const text = parts.map((part) => (part.kind === 'text' && part.class === 'typed' ? part.text : '')).join('\n')
      unanswered = text
      if (phase === 'commentary' || text.trim() === '') return
      if (last?.turn !== turn) finishTurn()
      last = { turn, text: text.slice(0, maxAnswerLength), isFinal: phase === 'final_answer' }
    },
    takeUnanswered() {
      const taken = unanswered
      unanswered = ''
      return taken
    },
    cutShort(turn) {
      if (last?.turn === turn && !last.isFinal) last = undefined
    },
    subtitle(turns, title) {
      finishTurn()
      const subtitleTurn = turns.findLast((number) => sentences.has(number))
      const subtitle = subtitleTurn === undefined ? undefined : sentences.get(subtitleTurn)
      return subtitle === undefined || repeatsTitle(subtitle, title) ? {} : defined({ subtitle, subtitleTurn })
    },
  }
}
