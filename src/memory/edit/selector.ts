/**
 * The grammar in which people name items of a memory: terms joined by `+`, all of which must hold. `docs/cli.md` has it
 * for people.
 */
import { type MemoryCategory, memoryCategories } from '../../model/memory.ts'
import { parseSelection, type Selection } from '../../model/selection.ts'

/** One condition. */
export type Term =
  | { by: 'place'; selection: Exclude<Selection, { by: 'category' }> }
  | { by: 'category'; category: MemoryCategory }
  /** Estimated tokens, both ends included. */
  | { by: 'tokens'; from: number; to: number }
  /** Turns before the last so many ones. */
  | { by: 'older'; turns: number }
  /** Turns before this one. */
  | { by: 'before'; turn: number }
  /** Name of a tool, in lower case; `*` stands for any characters. */
  | { by: 'tool'; name: string }

/** Conditions with the words that were typed for them. */
export interface Selector {
  text: string
  terms: readonly Term[]
}

/** What can be typed, for messages. */
const selectorForms =
  '`3`, `7-12`, `turn:4`, `before:4`, `older:10`, `over:2000`, `tool:exec_command`, `category:reasoning`, `l120-l188`, or several joined by `+`'

/**
 * Reads selectors, several of them in one text with commas between. The first that is none comes back as `fault`, a
 * sentence that says what there is.
 */
export function readSelectors(texts: readonly string[]): { selectors: Selector[] } | { fault: string } {
  const selectors: Selector[] = []
  for (const text of texts.flatMap((list) => list.split(',')).map((part) => part.trim())) {
    if (text === '') continue
    const terms: Term[] = []
    for (const part of text.split(/[+&]/)) {
      const term = readTerm(part.trim())
      if (typeof term === 'string') return { fault: term }
      terms.push(term)
    }
    selectors.push({ text, terms })
  }
  return { selectors }
}

/** A term, or why the text is none. */
function readTerm(text: string): Term | string {
  const [, key = '', value = ''] = /^(\w+)\s*:\s*(.*)$/.exec(text.toLowerCase()) ?? []
  if (key === 'category') return categoryTerm(value)
  if (key === 'tool' && value !== '') return { by: 'tool', name: value }
  if (key === 'tokens') return sizeTerm(value) ?? noSelector(text)
  const number = /^\d{1,9}$/.test(value) ? Number(value) : undefined
  if (key === 'over' && number !== undefined) return { by: 'tokens', from: number + 1, to: Number.POSITIVE_INFINITY }
  if (key === 'older' && number !== undefined) return { by: 'older', turns: number }
  if (key === 'before' && number !== undefined) return { by: 'before', turn: number }
  const selection = parseSelection(text.toLowerCase())
  return selection === undefined || selection.by === 'category' ? noSelector(text) : { by: 'place', selection }
}

function noSelector(text: string): string {
  return `\`${text}\` names no items; these forms do: ${selectorForms}.`
}

/** `>2000`, `>=2000`, `<50`, `<=50`, `500-2000`. */
function sizeTerm(value: string): Term | undefined {
  const [, sign = '', first, last] = /^([<>]=?)?\s*(\d{1,9})(?:-(\d{1,9}))?$/.exec(value) ?? []
  if (first === undefined || (sign !== '' && last !== undefined)) return undefined
  const number = Number(first)
  const strict = sign.length === 1 ? 1 : 0
  if (sign.startsWith('>')) return { by: 'tokens', from: number + strict, to: Number.POSITIVE_INFINITY }
  if (sign.startsWith('<')) return { by: 'tokens', from: 0, to: number - strict }
  return { by: 'tokens', from: number, to: Number(last ?? first) }
}

function categoryTerm(value: string): Term | string {
  const letters = value.replaceAll(/[-_\s]/g, '')
  const category = memoryCategories.find((name) => name.toLowerCase() === letters)
  if (category !== undefined) return { by: 'category', category }
  return `There is no category \`${value}\`; there are ${memoryCategories.join(', ')}.`
}
