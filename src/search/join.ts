/** Joins indexes that Pagefind made into one, so that a question takes one file for a word and not one of each index. */

import { unspaced } from '../../templates/assets/search/parts.js'
import { compareText } from '../util/compare.ts'
import { addTo, sumBy } from '../util/groups.ts'
import { sha256 } from '../util/hash.ts'
import {
  type CborReader,
  type CborWriter,
  cborReader,
  cborWriter,
  encode,
  head,
  listKind,
  pack,
  whole,
} from './cbor.ts'

/** An index to join. */
export interface IndexPart {
  /** What ids and texts of its pages are below in the joined index, with a slash at its end: they are short, and may meet. */
  folder: string
  /** Its table, packed. */
  table: Uint8Array
  /** Reads a file of words, packed, by the name that the table has for it. */
  read: (name: string) => Uint8Array
}

/** What Pagefind loads first of an index. */
interface IndexTable {
  version: string
  /** Id, number of words, and name of the file of texts, empty where that is named like the page. */
  pages: [id: string, words: number, texts: string][]
  /** Files of words in their order: what the first and the last word of each begin with, and its name. */
  files: [first: string, last: string, name: string][]
  /** Names of what is known of a page beside its text; places in them are counted by their number here. */
  fields: string[]
}

/** Bytes of a file of words before it is packed, about 20 kB then; a word with more has a file of its own. */
const maxFileBytes = 48 << 10

/** Ids of the pages of an index, in the order in which lists of pages count them. Throws as `joinIndexes` does. */
export function pageIds(table: Uint8Array): string[] {
  return readPages(cborReader(table, 'pf_meta')).pages.map(([id]) => id)
}

function readPages(bytes: CborReader): Pick<IndexTable, 'version' | 'pages'> {
  bytes.tuple(6)
  const version = bytes.text()
  const pages = bytes.listOf((): IndexTable['pages'][number] => {
    bytes.tuple(3)
    return [bytes.text(), bytes.count(), bytes.text()]
  })
  return { version, pages }
}

function readTable(packed: Uint8Array): IndexTable {
  const bytes = cborReader(packed, 'pf_meta')
  const { version, pages } = readPages(bytes)
  const files = bytes.listOf((): IndexTable['files'][number] => {
    bytes.tuple(3)
    return [bytes.text(), bytes.text(), bytes.text()]
  })
  // Filters and orders. Our pages have no marks for them: both come from the list of sessions.
  bytes.tuple(0)
  bytes.tuple(0)
  const fields = bytes.listOf(bytes.text)
  bytes.end()
  return { version, pages, files, fields }
}

/**
 * Joins indexes: gives the files of words and then the table, each packed, one at a time, and returns what the table is
 * named by. The pages stand one index behind the other; their texts stay where they are. At any time one file of each index
 * is in memory. Throws a `SearchError` where a file has a form that Pagefind's pinned version does not write.
 */
export function* joinIndexes(
  parts: readonly IndexPart[],
): Generator<{ name: string; content: Uint8Array }, string, undefined> {
  const indexes = parts.map((part) => ({ ...part, table: readTable(part.table) }))
  const fields = [...new Set(indexes.flatMap(({ table }) => table.fields))].sort(compareText)
  let before = 0
  const streams = indexes.map(({ table, read }) => {
    const offset = before
    before += table.pages.length
    return wordsOf(table, { read, offset, numbers: fieldNumbers(table.fields, fields) })
  })
  const files: IndexTable['files'] = []
  for (const { first, last, packed } of filesOf(merged(streams))) {
    const name = `all_${sha256(packed).slice(0, 10)}`
    files.push([first, last, name])
    yield { name: `index/${name}.pf_index`, content: packed }
  }
  const pages = indexes.flatMap(({ folder, table }) =>
    table.pages.map(([id, words, texts]) => [folder + id, words, texts && folder + texts]),
  )
  const version = indexes[0]?.table.version ?? ''
  const table = pack([encode([version, pages, files, [], [], fields])])
  const hash = `all_${sha256(table).slice(0, 10)}`
  yield { name: `pagefind.${hash}.pf_meta`, content: table }
  return hash
}

/** The number of each field among all, where these are others. */
function fieldNumbers(own: readonly string[], all: readonly string[]): number[] | undefined {
  const same = own.length === all.length && own.every((name, index) => name === all[index])
  return same ? undefined : own.map((name) => all.indexOf(name))
}

// The words of one index, in the order of their bytes.

/** Pages that hold a word. */
interface PageList {
  count: number
  /** Numbers of the first and the last page among all of the joined index. */
  first: number
  last: number
  /** Some have it in a field, such as the title. */
  isInFields: boolean
  /** What follows the number of the first page: its places, then all the other pages, each by its distance from the one before. */
  rest: Uint8Array
}

interface Word {
  text: Buffer
  pages: PageList
  /** The same for how it is written, where that has accents. */
  forms: [form: Buffer, pages: PageList][]
}

interface WordSource {
  read: IndexPart['read']
  /** Pages of the indexes before. */
  offset: number
  numbers: readonly number[] | undefined
}

/** Words of an index that questions ask for. */
function* wordsOf({ files }: IndexTable, { read, offset, numbers }: WordSource): Generator<Word, undefined, undefined> {
  let before: Buffer | undefined
  for (const [, , name] of files) {
    const bytes = cborReader(read(name), 'pf_index')
    const pages = (): PageList => readList(bytes, { offset, numbers })
    bytes.tuple(1)
    for (let left = bytes.list(); left > 0; left--) {
      bytes.tuple(3)
      const text = bytes.bytesOfText()
      if (before !== undefined && Buffer.compare(before, text) >= 0) bytes.fail()
      before = text
      const all = pages()
      const forms = bytes.listOf((): Word['forms'][number] => {
        bytes.tuple(2)
        return [bytes.bytesOfText(), pages()]
      })
      const isAsked = !isRun(text) || all.isInFields || forms.some(([, own]) => own.isInFields)
      if (isAsked) yield { text, pages: all, forms }
    }
    bytes.end()
  }
}

/**
 * Whether a word is, or holds, a run of a script without blanks. Texts are searched by pairs of characters in its place, which are
 * words of their own: a third of what Japanese and Chinese sessions take in an index would be such runs.
 */
function isRun(text: Buffer): boolean {
  if (text.every((byte) => byte < 0x80)) return false
  const word = text.toString()
  return word.length < text.length && [...word].length > 2 && unspaced.test(word)
}

/** Each page is a list of its distance from the page before, places in the text, and places in fields. */
function readList(bytes: CborReader, { offset, numbers }: Omit<WordSource, 'read'>): PageList {
  const count = bytes.list()
  let [first, last, from, isInFields] = [offset, offset, bytes.at(), false]
  const pieces: Uint8Array[] = []
  for (let index = 0; index < count; index++) {
    bytes.tuple(3)
    last += bytes.count()
    if (index === 0) [first, from] = [last, bytes.at()]
    bytes.passNumbers()
    if (numbers === undefined) {
      isInFields = bytes.passNumbers() > 0 || isInFields
      continue
    }
    const locations = bytes.span(from)
    const inFields = bytes.listOf(bytes.number)
    isInFields ||= inFields.length > 0
    pieces.push(locations, encode(inFields.map((place) => renumbered(place, numbers))))
    from = bytes.at()
  }
  return { count, first, last, isInFields, rest: numbers === undefined ? bytes.span(from) : Buffer.concat(pieces) }
}

/** A field stands before its places as a number below zero, the first as -1. */
function renumbered(place: number, numbers: readonly number[]): number {
  return place < 0 ? -1 - (numbers[-1 - place] ?? 0) : place
}

// The words of all indexes, joined and cut into files.

/** Words of all streams in their order, each with its entries in those that have it. */
function* merged(streams: readonly Iterator<Word, undefined>[]): Generator<[text: Buffer, entries: Word[]]> {
  const heads = streams.map((stream) => stream.next().value)
  for (;;) {
    const text = firstText(heads)
    if (text === undefined) return
    const entries: Word[] = []
    for (const [index, word] of heads.entries()) {
      if (word === undefined || !word.text.equals(text)) continue
      entries.push(word)
      heads[index] = streams[index]?.next().value
    }
    yield [text, entries]
  }
}

/** The first of their texts, in order of bytes. */
function firstText(words: readonly (Word | undefined)[]): Buffer | undefined {
  let first: Buffer | undefined
  for (const word of words)
    if (word !== undefined && (first === undefined || Buffer.compare(word.text, first) < 0)) first = word.text
  return first
}

function* filesOf(
  words: Iterable<[text: Buffer, entries: Word[]]>,
): Generator<{ first: string; last: string; packed: Uint8Array }> {
  const writer = cborWriter()
  let texts: Buffer[] = []
  let length = 0
  const file = () => {
    const packed = pack([head(listKind, 1), head(listKind, texts.length), writer.take(length)])
    return { first: String(texts[0]), last: String(texts.at(-1)), packed }
  }
  for (const [text, entries] of words) {
    writeWord(text, entries, writer)
    if (texts.length > 0 && writer.length() > maxFileBytes) {
      yield file()
      texts = []
    }
    texts.push(text)
    length = writer.length()
  }
  if (texts.length > 0) yield file()
}

function writeWord(text: Buffer, entries: readonly Word[], writer: CborWriter): void {
  writer.head(listKind, 3)
  writer.text(text)
  writePages(
    entries.map(({ pages }) => pages),
    writer,
  )
  const forms = new Map<string, PageList[]>()
  for (const word of entries) for (const [form, pages] of word.forms) addTo(forms, form.toString(), pages)
  writer.head(listKind, forms.size)
  for (const [form, lists] of [...forms].sort(([a], [b]) => compareText(a, b))) {
    writer.head(listKind, 2)
    writer.text(Buffer.from(form))
    writePages(lists, writer)
  }
}

/** Lists of pages behind each other: of each only the distance of its first page is another. */
function writePages(lists: readonly PageList[], writer: CborWriter): void {
  writer.head(
    listKind,
    sumBy(lists, ({ count }) => count),
  )
  let before = 0
  for (const { count, first, last, rest } of lists) {
    if (count === 0) continue
    writer.head(listKind, 3)
    writer.head(whole, first - before)
    writer.bytes(rest)
    before = last
  }
}
