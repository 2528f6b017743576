/**
 * Questions that are drawn from the trees of sessions, each with the sessions that answer it according to a plain
 * scan.
 */

import { tmpdir } from 'node:os'
import { textsOf } from '../../src/features/terminal-search/texts.ts'
import { findRoots } from '../../src/rollout/discover/homes-fs.ts'
import { slicesOf } from '../../src/site/slices.ts'
import { scanWithLineage, threadIndex } from '../../src/survey/lineage.ts'
import { loneNeighbours } from '../../src/survey/neighbours.ts'
import { privacyOf, privateThread } from '../../src/survey/privacy.ts'
import { survey } from '../../src/survey/survey.ts'
import type { TopContent, TrastNode } from '../../src/transcript/trast.ts'
import { isOnlyCopy } from '../../src/transcript/view.ts'
import { defined } from '../../src/util/own.ts'
import type { TextKind } from '../../templates/assets/search/grammar.js'

/** The texts of a session as its pages show them. */
export interface Sample {
  id: string
  title: string
  /** The texts that are in the index. */
  texts: { kind: TextKind; value: string }[]
  /** The same in lower case and with single spaces; then everything that pages show. */
  searched: string
  whole: string
}

/** A question. Sessions are named by their ids. */
export interface Question {
  text: string
  /** Sessions that answer it: what was typed, or meant, begins a word or a part of a word there. */
  right: ReadonlySet<string>
  /** Sessions that are not wrong answers: what was meant is somewhere in them. */
  fair: ReadonlySet<string>
}

/** How the questions of a class are made, and the properties of its members. */
interface QuestionClass {
  name: string
  /** Words of the class in one text. */
  from: (text: string) => string[]
  kinds: readonly TextKind[]
  /** What is typed for the word that is meant; by default the word. */
  typed?: (word: string, random: () => number) => string | undefined
  /** The minimum and maximum number of sessions that contain a word of the class. */
  sessions?: [number, number]
  /** Whether it may be inside a word. */
  inside?: boolean
  /** Whether its words may be apart, but all in one session. */
  apart?: boolean
}

const said: TextKind[] = ['prompt', 'answer']
const written: TextKind[] = ['prompt', 'answer', 'thought', 'command', 'plan']
/** What is in the index only on request. */
const unsearched: ReadonlySet<TextKind> = new Set(['output', 'context'])

/** Returns a function that finds all matches of a pattern in a text. */
const all = (pattern: RegExp) => (text: string) => [...text.matchAll(pattern)].map(([found]) => found)

const word = /(?<![\p{L}\p{N}_])\p{L}{5,24}(?![\p{L}\p{N}_])/gu
const latinWord = /(?<![\p{L}\p{N}_])\p{sc=Latin}{7,20}(?![\p{L}\p{N}_])/gu
const identifier = /(?<![\w./-])(?:[a-z]+(?:[A-Z][a-z]+){1,5}|[a-z]+(?:_[a-z]+){1,5})(?![\w./-])/g
const path = /(?<![\w./:-])(?:[\w-]+\/){1,8}[\w-]+\.[a-z]{1,5}(?![\w/])/g

/** A line of several words, as somebody pastes it: with its options, punctuation and quotes. */
const pastedLine = /^\S+(?: \S+){2,}$(?<=^.{20,120})/gm

const inWord = (found: string, random: () => number, from: number): string | undefined => {
  const at = from + Math.floor(random() * Math.max(1, found.length - from - 1))
  const other = found.slice(0, at) + found[at + 1] + found[at] + found.slice(at + 2)
  return at + 1 < found.length && found[at] !== found[at + 1] ? other : undefined
}

/** The classes of the findings that prompted this measurement, if a pattern can describe their members. */
const classes: QuestionClass[] = [
  { name: 'word of 1 to 4 sessions', from: all(word), kinds: written, sessions: [1, 4] },
  { name: 'common word', from: all(word), kinds: written, sessions: [12, 10_000] },
  { name: 'path whole', from: all(path), kinds: ['command', 'edit', 'answer'] },
  {
    name: 'path, name',
    from: (text) => all(path)(text).map((found) => found.slice(found.lastIndexOf('/') + 1)),
    kinds: ['command', 'edit'],
  },
  {
    name: 'path, middle',
    from: (text) =>
      all(path)(text).flatMap((found) =>
        found.split('/').slice(1, -1).length > 1 ? [found.split('/').slice(1, 3).join('/')] : [],
      ),
    kinds: ['command', 'edit'],
  },
  { name: 'identifier whole', from: all(identifier), kinds: written },
  {
    name: 'part of an identifier',
    from: (text) =>
      all(identifier)(text).flatMap((found) =>
        found
          .split(/_|(?=[A-Z])/)
          .slice(1)
          .filter((part) => part.length > 3),
      ),
    kinds: written,
  },
  {
    name: 'parts of an identifier',
    from: (text) =>
      all(identifier)(text).flatMap((found) =>
        found.split(/(?<=_)|(?=[A-Z])/).length > 2
          ? [
              found
                .split(/(?<=_)|(?=[A-Z])/)
                .slice(1, 3)
                .join('')
                .replace(/_$/, ''),
            ]
          : [],
      ),
    kinds: written,
  },
  { name: 'flag', from: all(/(?<![\w-])--[a-z][a-z-]{2,}/g), kinds: ['command', 'prompt', 'answer'] },
  { name: 'error code', from: all(/(?<!\w)(?:[A-Z]{1,4}\d{3,5}|E[A-Z]{4,})(?!\w)/g), kinds: written },
  { name: 'version', from: all(/(?<![\w.-])v?\d{1,3}\.\d{1,3}\.\d{1,3}(?![\w.])/g), kinds: written },
  {
    name: 'hash or number',
    from: all(/(?<!\w)(?:(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}|\d{4,9})(?!\w)/g),
    kinds: written,
  },
  { name: 'URL', from: all(/https?:\/\/[\w.-]+\/[\w./-]*\w/g), kinds: said },
  { name: 'e-mail', from: all(/(?<![\w.])[\w.]+@[\w-]+\.[a-z]{2,}(?![\w.])/g), kinds: [...written, 'edit', 'tool'] },
  {
    name: 'phrase in quotes',
    from: all(/(?<![\p{L}\p{N}'’])\p{L}+(?: \p{L}+){2,3}(?![\p{L}\p{N}'’])/gu),
    kinds: said,
    typed: (found) => `"${found}"`,
  },
  {
    name: 'next to a dash, arrow or quote',
    from: all(/(?<=\p{L}[—–‑→…“”×])\p{L}{4,}|\p{L}{4,}(?=[—–‑→…“”×]\p{L})/gu),
    kinds: said,
  },
  { name: 'command, pasted', from: all(pastedLine), kinds: ['command'] },
  { name: 'line, pasted', from: all(pastedLine), kinds: said },
  { name: 'line of a diff, pasted', from: all(pastedLine), kinds: ['edit'] },
  {
    name: 'thought or plan, pasted',
    from: all(pastedLine),
    kinds: ['thought', 'plan', 'commentary'],
  },
  { name: 'several words', from: (text) => severalWords(text), kinds: said, apart: true },
  {
    name: 'Chinese, Japanese',
    from: all(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]{2,4}/gu),
    kinds: said,
    inside: true,
  },
  {
    name: 'Korean inside a word',
    from: (text) => all(/\p{sc=Hangul}{4,8}/gu)(text).map((found) => found.slice(1)),
    kinds: said,
    inside: true,
  },
  {
    name: 'accents left out',
    from: all(/(?<!\p{L})\p{sc=Latin}*[à-öø-ÿ]\p{sc=Latin}{2,}(?!\p{L})/gu),
    kinds: written,
    typed: (found) => found.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss'),
  },
  {
    name: 'misspelt',
    from: all(latinWord),
    kinds: said,
    typed: (found, random) => inWord(found, random, 2),
  },
  {
    name: 'misspelt in front',
    from: all(latinWord),
    kinds: said,
    typed: (found, random) =>
      random() < 0.5 ? inWord(found.slice(0, 3), () => 0, 0)?.concat(found.slice(3)) : `${found[0]}x${found.slice(2)}`,
  },
  { name: 'behind 4,000 characters', from: (text) => all(word)(text.slice(4500)), kinds: said, sessions: [1, 4] },
  { name: 'line of a diff', from: all(word), kinds: ['edit'], sessions: [1, 4] },
  { name: 'argument of a tool', from: all(word), kinds: ['tool'], sessions: [1, 4] },
]

/** Three words from one text. */
function severalWords(text: string): string[] {
  const words = [...new Set(all(word)(text.slice(0, 1500)))]
  return words.length < 6 ? [] : [[words[1], words[3], words[5]].join(' ')]
}

/** Reads the sessions of some homes as a site shows them. */
export async function readSamples(homes: readonly string[]): Promise<Sample[]> {
  const spool = { spoolDir: () => tmpdir() }
  const { catalog } = await survey(findRoots(homes, { env: {}, homeDir: '/home/nobody-here' }), spool)
  const index = threadIndex(catalog.threads)
  const privacy = privacyOf({}, { homeDir: '/home/nobody-here' })
  const samples: Sample[] = []
  for (const thread of catalog.threads) {
    const { facts } = await scanWithLineage(thread, index, spool)
    if (facts === undefined) continue
    const kept = privateThread(thread, facts, privacy)
    const texts: Sample['texts'] = []
    const shown: string[] = []
    const { slices } = slicesOf(kept.thread, kept.facts, {
      ...spool,
      ...defined({ redactor: kept.redactor }),
      neighbours: loneNeighbours(thread, facts, index),
      assets: () => undefined,
    })
    for await (const { tree } of slices) {
      for (const node of tree.children.flatMap(ownOrOnlyCopy)) {
        if (node.type === 'group' && node.kind === 'rolledBack') continue
        textsOf(node, ({ kind, value: given }) => {
          const value = given.normalize('NFC')
          shown.push(value)
          if (!unsearched.has(kind)) texts.push({ kind, value: kind === 'edit' ? changedLines(value) : value })
        })
      }
    }
    const title = kept.facts.title.normalize('NFC')
    samples.push({
      id: thread.id,
      title,
      texts,
      searched: flat([title, ...texts.map(({ value }) => value)]),
      whole: flat([title, ...shown]),
    })
  }
  return samples
}

/** The content of a history that was copied from a session that is not there; any other node itself. */
function ownOrOnlyCopy(node: TopContent): TrastNode[] {
  return isOnlyCopy(node) ? node.children : [node]
}

/** An edit without the context lines around its changes, which are not in the index. Paths come before them. */
function changedLines(edit: string): string {
  return edit
    .split('\n')
    .filter((line) => !line.startsWith(' '))
    .join('\n')
}

function flat(texts: readonly string[]): string {
  return texts.join('\n').toLowerCase().replace(/\s+/g, ' ')
}

/** Numbers from 0 to 1, the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** At most `count` questions of each class that has members in the sessions. The same seed draws the same. */
export function drawQuestions(
  samples: readonly Sample[],
  { seed, count }: { seed: number; count: number },
): Map<string, Question[]> {
  const drawn = new Map<string, Question[]>()
  for (const [number, type] of classes.entries()) {
    const random = randomOf(seed * 1009 + number)
    const questions: Question[] = []
    const candidates = shuffled([...membersOf(samples, type)].sort(), random)
    for (const member of candidates.slice(0, 40 * count)) {
      if (questions.length === count) break
      const question = questionOf(member, type, { samples, random })
      if (question !== undefined) questions.push(question)
    }
    if (questions.length > 0) drawn.set(type.name, questions)
  }
  return drawn
}

/** Members of a class: some from each session, so that long sessions do not provide all of them. */
function membersOf(samples: readonly Sample[], { kinds, from }: QuestionClass): Set<string> {
  const members = new Set<string>()
  for (const { texts } of samples) {
    const own = new Set(texts.flatMap(({ kind, value }) => (kinds.includes(kind) ? from(value) : [])))
    const step = Math.max(1, Math.floor(own.size / 200))
    for (const [at, found] of [...own].entries()) if (at % step === 0 && !found.includes('redacted')) members.add(found)
  }
  return members
}

function shuffled<T>(list: T[], random: () => number): T[] {
  for (let at = list.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    ;[list[at], list[other]] = [list[other] as T, list[at] as T]
  }
  return list
}

function questionOf(
  member: string,
  { typed, sessions: [least, most] = [1, 10_000], inside, apart }: QuestionClass,
  { samples, random }: { samples: readonly Sample[]; random: () => number },
): Question | undefined {
  const words = apart === true ? member.toLowerCase().split(' ') : [member.toLowerCase().replace(/\s+/g, ' ')]
  const holds = (text: string): boolean => words.every((asked) => text.includes(asked))
  const fair = samples.filter(({ whole }) => holds(whole))
  // Where a part of a word may begin; a lower-case letter before a capital can no longer be seen.
  const begins = words.map(
    (asked) =>
      new RegExp(
        `${inside === true || !/^[\p{L}\p{N}]/u.test(asked) ? '' : '(?<![\\p{L}\\p{N}])'}${asked.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`,
        'u',
      ),
  )
  const camel = new RegExp(`(?<=[\\p{Ll}\\p{N}])${member.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`, 'u')
  const right = samples.filter(
    ({ searched, texts }) =>
      begins.every((pattern) => pattern.test(searched)) ||
      (/^\p{Lu}/u.test(member) && texts.some(({ value }) => camel.test(value))),
  )
  if (right.length < Math.max(1, least) || right.length > most) return undefined
  const text = typed === undefined ? member : typed(member, random)
  // A misspelling that is itself a word asks for something else.
  if (
    text === undefined ||
    (typed !== undefined && !text.startsWith('"') && samples.some(({ whole }) => whole.includes(text.toLowerCase())))
  )
    return undefined
  return { text, right: idsOf(right), fair: idsOf(fair) }
}

function idsOf(samples: readonly Sample[]): Set<string> {
  return new Set(samples.map(({ id }) => id))
}
