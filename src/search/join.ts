/** Joins indexes made by Pagefind into one, so that a question loads one file for a word and not one of each index. */

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
  /**
   * Prefix of ids and texts of its pages in the joined index, ending in a slash: the ids are short, and two indexes may use the
   * same.
   */
  folder: string
  /** Its table, packed. */
  table: Uint8Array
  /** Reads a packed file of words, by its name in the table. */
  read: (name: string) => Uint8Array
}

/** What Pagefind loads first of an index. */
interface IndexTable {
  version: string
  /** Id, number of words, and name of the file of texts, which is empty if it is named after the page. */
  pages: [id: string, words: number, texts: string][]
  /** Files of words in order: what the first and the last word of each begin with, and its name. */
  files: [first: string, last: string, name: string][]
  /** Names of what is known of a page besides its text; positions in fields refer to them by number. */
  fields: string[]
}

/** Size of a file of words in bytes before it is packed (then about 20 kB); a word that needs more has its own file. */
const maxFileBytes = 48 << 10

/** Ids of the pages of an index, in the order in which page lists count them. Throws as `joinIndexes` does. */
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
  // Filters and orders. Our pages have no marks for them, because both come from the list of sessions.
  bytes.tuple(0)
  bytes.tuple(0)
  const fields = bytes.listOf(bytes.text)
  bytes.end()
  return { version, pages, files, fields }
}

/**
 * Joins indexes: yields the packed files of words and then the packed table, one at a time, and returns the hash in the table's
 * name. The pages of the indexes follow each other; their texts stay where they are. One file of each index is in memory at a
 * time. Throws a `SearchError` if a file has a form that Pagefind's pinned version does not write.
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

/** The number of each of an index's fields among all fields; `undefined` if the numbers are the same. */
function fieldNumbers(own: readonly string[], all: readonly string[]): number[] | undefined {
  const same = own.length === all.length && own.every((name, index) => name === all[index])
  return same ? undefined : own.map((name) => all.indexOf(name))
}

// The words of one index, in byte order.

/** Pages that contain a word. */
interface PageList {
  count: number
  /** Numbers of the first and the last page, counted over the whole joined index. */
  first: number
  last: number
  /** Whether some have it in a field, such as the title. */
  isInFields: boolean
  /** What follows the number of the first page: its positions, then the other pages, each by its distance from the one before. */
  rest: Uint8Array
}

interface Word {
  text: Buffer
  pages: PageList
  /** The same for each way to write the word with accents. */
  forms: [form: Buffer, pages: PageList][]
}

interface WordSource {
  read: IndexPart['read']
  /** Number of pages in the preceding indexes. */
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
    for (let remaining = bytes.list(); remaining > 0; remaining--) {
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
 * Whether a word is, or contains, a run of an unspaced script. Questions search for pairs of characters instead, which are
 * separate words; the runs would be a third of what Japanese and Chinese sessions take in an index.
 */
function isRun(text: Buffer): boolean {
  if (text.every((byte) => byte < 0x80)) return false
  const word = text.toString()
  return word.length < text.length && [...word].length > 2 && unspaced.test(word)
}

/** Reads a page list: for each page, its distance from the page before, positions in the text, and positions in fields. */
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
    pieces.push(locations, encode(inFields.map((number) => renumbered(number, numbers))))
    from = bytes.at()
  }
  return { count, first, last, isInFields, rest: numbers === undefined ? bytes.span(from) : Buffer.concat(pieces) }
}

/** Renumbers a field: before its positions, a field is written as a negative number, the first as -1. */
function renumbered(number: number, numbers: readonly number[]): number {
  return number < 0 ? -1 - (numbers[-1 - number] ?? 0) : number
}

// The words of all indexes, joined and divided into files.

/** The words of all streams in order, each with its entries from the streams that contain it. */
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

/** The first of their texts in byte order. */
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

/** Writes page lists one after the other; only the distance of each list's first page changes. */
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
