/** Joins indexes that Pagefind made into one, so that a question takes one file for a word and not one of each index. */

import { gunzipSync, gzipSync } from 'node:zlib'
import { unspaced } from '../../templates/assets/search-parts.js'
import { compareText } from '../util/compare.ts'
import { append, sumBy } from '../util/groups.ts'
import { sha256 } from '../util/hash.ts'
import { SearchError } from './service-fs.ts'

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

/** What every unpacked file of Pagefind begins with. */
const signature = Buffer.from('pagefind_dcd')

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
    const [least, ...others] = heads.filter((word) => word !== undefined)
    if (least === undefined) return
    const { text } = others.reduce((a, b) => (Buffer.compare(b.text, a.text) < 0 ? b : a), least)
    const entries: Word[] = []
    for (const [index, stream] of streams.entries()) {
      const word = heads[index]
      if (word === undefined || !word.text.equals(text)) continue
      entries.push(word)
      heads[index] = stream.next().value
    }
    yield [text, entries]
  }
}

function* filesOf(
  words: Iterable<[text: Buffer, entries: Word[]]>,
): Generator<{ first: string; last: string; packed: Uint8Array }> {
  let texts: Buffer[] = []
  let pieces: Uint8Array[] = []
  let length = 0
  const file = () => {
    const packed = pack([head(listKind, 1), head(listKind, texts.length), ...pieces])
    return { first: String(texts[0]), last: String(texts.at(-1)), packed }
  }
  for (const [text, entries] of words) {
    const word = joinedWord(text, entries)
    const size = sumBy(word, (piece) => piece.length)
    if (texts.length > 0 && length + size > maxFileBytes) {
      yield file()
      ;[texts, pieces, length] = [[], [], 0]
    }
    texts.push(text)
    append(pieces, word)
    length += size
  }
  if (texts.length > 0) yield file()
}

function joinedWord(text: Buffer, entries: readonly Word[]): Uint8Array[] {
  const forms = new Map<string, PageList[]>()
  for (const [form, pages] of entries.flatMap((word) => word.forms)) {
    const name = form.toString()
    forms.set(name, [...(forms.get(name) ?? []), pages])
  }
  return [
    head(listKind, 3),
    encodeBytes(text),
    ...joinedPages(entries.map(({ pages }) => pages)),
    head(listKind, forms.size),
    ...[...forms]
      .sort(([a], [b]) => compareText(a, b))
      .flatMap(([form, pages]) => [head(listKind, 2), encode(form), ...joinedPages(pages)]),
  ]
}

/** Lists of pages behind each other: of each only the distance of its first page is another. */
function joinedPages(lists: readonly PageList[]): Uint8Array[] {
  const pieces: Uint8Array[] = [
    head(
      listKind,
      sumBy(lists, ({ count }) => count),
    ),
  ]
  let before = 0
  for (const { count, first, last, rest } of lists) {
    if (count === 0) continue
    pieces.push(head(listKind, 3), head(whole, first - before), rest)
    before = last
  }
  return pieces
}

// CBOR, as far as Pagefind writes it: lists of a known length, texts, and whole numbers of at most 32 bits.

/** Kinds of values. */
const [whole, negative, textKind, listKind] = [0, 1, 3, 4]

type Plain = string | number | readonly Plain[]

function encode(value: Plain): Buffer {
  if (typeof value === 'number') return value < 0 ? head(negative, -1 - value) : head(whole, value)
  return typeof value === 'string'
    ? encodeBytes(Buffer.from(value))
    : Buffer.concat([head(listKind, value.length), ...value.map(encode)])
}

function encodeBytes(content: Buffer): Buffer {
  return Buffer.concat([head(textKind, content.length), content])
}

/** The bytes before a value: its kind, and its length or the number itself. */
function head(kind: number, size: number): Buffer {
  const first = kind << 5
  if (size < 24) return Buffer.of(first | size)
  if (size < 1 << 8) return Buffer.of(first | 24, size)
  if (size < 1 << 16) return Buffer.of(first | 25, size >> 8, size & 255)
  const bytes = Buffer.of(first | 26, 0, 0, 0, 0)
  bytes.writeUInt32BE(size, 1)
  return bytes
}

/** By the usual level: the highest takes a quarter more time of a join, for one byte in a thousand. */
function pack(pieces: readonly Uint8Array[]): Uint8Array {
  return gzipSync(Buffer.concat([signature, ...pieces]))
}

type CborReader = ReturnType<typeof cborReader>

/** Lengths of a size that does not fit into the first byte of a value, by what stands there from 24 on. */
const sizeLengths = [1, 2, 4]

/** Reads values one behind the other. Each call says what must come, and fails where something else does. */
function cborReader(packed: Uint8Array, extension: string) {
  const fail = (): never => {
    throw new SearchError(
      `A file \`.${extension}\` of Pagefind has a form that this version does not know. Build with \`--no-search\`.`,
    )
  }
  const bytes = unpack(packed) ?? fail()
  let at = signature.length
  const take = (length: number): number => {
    at += length
    return at > bytes.length ? fail() : at - length
  }
  const size = (kind: number): number => {
    const first = bytes[take(1)] ?? 0
    const short = first & 31
    if (first >> 5 !== kind) fail()
    if (short < 24) return short
    const length = sizeLengths[short - 24] ?? fail()
    return bytes.readUIntBE(take(length), length)
  }
  const number = (): number => ((bytes[at] ?? 0) >> 5 === negative ? -1 - size(negative) : size(whole))
  const bytesOfText = (): Buffer => {
    const from = take(size(textKind))
    return bytes.subarray(from, at)
  }
  /** The number of values in a list; they follow. */
  const list = (): number => size(listKind)
  return {
    fail,
    at: () => at,
    span: (from: number): Buffer => bytes.subarray(from, at),
    list,
    /** Begins a list of so many values. */
    tuple(length: number): void {
      if (list() !== length) fail()
    },
    listOf: <T>(read: () => T): T[] => Array.from({ length: list() }, read),
    count: (): number => size(whole),
    number,
    /** Passes a list of numbers, and tells how many they are. */
    passNumbers(): number {
      const count = list()
      for (let left = count; left > 0; left--) number()
      return count
    },
    bytesOfText,
    text: (): string => bytesOfText().toString(),
    end(): void {
      if (at !== bytes.length) fail()
    },
  }
}

function unpack(packed: Uint8Array): Buffer | undefined {
  try {
    const bytes = gunzipSync(packed)
    return bytes.subarray(0, signature.length).equals(signature) ? bytes : undefined
  } catch {
    // It is not packed, or no longer whole.
    return undefined
  }
}
