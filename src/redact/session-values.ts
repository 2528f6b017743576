/** The values that a session tells, and those that it knows: its own from where they stand on, those of its family at once. */
import { isKnowable, type Telling } from './knowable.ts'
import { type KnownHit, type KnownValue, type KnownValues, searchOf } from './known.ts'

/** Which texts pass: titles and folders, the head of the rollout, a page, or what is made of them, which tells no values. */
export type Passage = 'facts' | 'head' | 'page' | 'around'

/** Values of one session that are known again. */
export interface SessionValues {
  /** What passes now. The end of a page forgets its texts. */
  passage: (next: Passage) => void
  /** Takes a value that a rule found; `before` is what stands right before it. */
  tell: (value: string, telling: Telling & { rank: number }) => void
  /** Takes the answer to a secret question, whatever it looks like. */
  answer: (value: string) => KnownValue
  /** Where known values stand in a text, of which all that is told was taken. */
  find: (text: string) => KnownHit[]
  /** What is known so far. */
  report: () => ValueReport
}

/** What a session knows once it is through. */
export interface ValueReport {
  told: KnownValues
  /** Known values stood in it. */
  hasKnown: boolean
  /** A value stood in a text before it was known: the session has to be redacted again. */
  isStale: boolean
  /** Values with the index of the page that told them, where there are pages before it. */
  late: ReadonlyMap<string, number>
  /** Titles, folders, names of files. */
  heads: readonly string[]
}

/** Answers that are shorter are found in too many words. */
const minAnswer = 6
const maxAnswers = 20
/** Values of one session; more are replaced only where they tell themselves. */
const maxTold = 1000

interface Fresh extends KnownValue {
  /** Texts before the one that told it. */
  before: number
}

/** The values of a session of a family in which some are known already. */
export function sessionValues(family: KnownValues = new Map()): SessionValues {
  const told = new Map<string, KnownValue>()
  const search = searchOf(family)
  /** Titles and folders, then the texts of the page. */
  const texts: string[] = []
  let heads = 0
  let passage: Passage = 'facts'
  let page = 0
  const fresh = new Map<string, Fresh>()
  const late = new Map<string, number>()
  const state = { answers: 0, hasKnown: false, isStale: false }

  const learn = (value: string, known: KnownValue): void => {
    const other = told.get(value)
    if (other === undefined ? told.size >= maxTold : other.rank <= known.rank) return
    told.set(value, known)
    const before = family.get(value)
    if (before !== undefined && before.rank <= known.rank) return
    search.add(value, known)
    fresh.set(value, { ...known, before: texts.length })
  }
  const endPage = (): void => {
    if (fresh.size > 0) state.isStale ||= standsBefore(fresh, texts)
    if (page > 0) for (const value of fresh.keys()) late.set(value, page)
    fresh.clear()
    texts.length = heads
    page++
  }
  return {
    passage(next) {
      if (passage === next) return
      if (passage === 'page') endPage()
      passage = next
    },
    tell(value, { rank, ...telling }) {
      if (passage !== 'head' && passage !== 'page') return
      for (const part of partsOf(value, telling.rule)) {
        if (isKnowable(part, telling)) learn(part, { rule: telling.rule, rank })
      }
    },
    answer(value) {
      const known: KnownValue = { rule: 'secret-answer', rank: -1 }
      if (value.length < minAnswer || state.answers >= maxAnswers || told.get(value)?.rank === -1) return known
      state.answers++
      const isShared = isKnowable(value, { rule: known.rule, before: '' })
      learn(value, isShared ? known : { ...known, isLocal: true })
      return known
    },
    find(text) {
      if (passage !== 'around') texts.push(text)
      if (passage === 'facts' || passage === 'head') heads = texts.length
      const hits = search.size === 0 ? [] : search.find(text)
      state.hasKnown ||= hits.length > 0
      return hits
    },
    report: () => ({ told, hasKnown: state.hasKnown, isStale: state.isStale, late, heads: texts.slice(0, heads) }),
  }
}

/** A header of cookies holds several values. */
function partsOf(value: string, rule: string): string[] {
  return rule === 'cookie' ? value.split(/; */).map((part) => part.slice(part.indexOf('=') + 1)) : [value]
}

/** Whether a value stands in a text that passed before it was told. */
function standsBefore(fresh: ReadonlyMap<string, Fresh>, texts: readonly string[]): boolean {
  const search = searchOf(fresh)
  return texts.some((text, index) =>
    search.find(text).some(({ value, isCut }) => isCut || index < (fresh.get(value)?.before ?? 0)),
  )
}
