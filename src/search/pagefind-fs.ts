/** Makes the search index of a site with Pagefind, from the pruned pages. */

import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { unspaced } from '../../templates/assets/search/parts.js'
import type { SearchPage } from '../render/output.ts'
import { compareText } from '../util/compare.ts'
import { sha256 } from '../util/hash.ts'
import { signature } from './cbor.ts'
import { withoutHiddenWords } from './entry-text.ts'
import { pageIds } from './join.ts'
import { SearchError, type SearchService, startService } from './service-fs.ts'

/** Options of `buildSearchIndex`. */
export interface IndexOptions {
  /** Returns the absolute folder in which the files of the index wait until they are read. */
  tempDir: () => string
  /** Number of the pages and their length in UTF-16 units, if known: texts of several short pages then share a file. */
  expected?: { pages: number; size: number }
  /** Aborts the work with the signal's reason. */
  signal?: AbortSignal
}

/** A built index. */
export interface SearchIndex {
  /** Files that the browser needs, by the names that Pagefind gave them, in order; none if there was no page. */
  files: IndexFile[]
  /** Paths of the pages in the index, in the order of its table. */
  pages: string[]
  /** Name of the file with all words, one per line, which helps with misspelt words and parts of words. */
  words: string
  /** Text and contents of its `pagefind-entry.json`; absent if there was no page. */
  entry?: { text: string; hash: string; wasm: string | null }
}

/** A file of an index, on disk: for a large archive, all of them take tens of megabytes. */
export interface IndexFile {
  name: string
  read: () => Uint8Array
}

/** A page to index. */
export type IndexPage = Pick<SearchPage, 'path' | 'html'>

/**
 * UTF-16 units of pages whose texts share a file, some 15 kB when packed: an answer loads few files, and little that it does not
 * need.
 */
const textsInFile = 96 << 10

/**
 * Word positions in a file of the index, some 20 kB. A question loads a file for most of its words, from each index that has
 * them. Pagefind's default is 20,000.
 */
const placesInFile = 8_000

/** Limits in number and length for the pages that are being sent to Pagefind's process at one time. */
const batchPages = 16
const batchLength = 4 << 20

/**
 * No language, so that Pagefind compares words as they are. With stems, `ruled` would be the same as `rule`, and a reader who
 * searches for one would not find it among the others.
 */
const noLanguage = 'zxx'

/**
 * Builds the index of the pages, which it takes in batches. Equal pages in equal order give equal bytes. A result's `raw_url` is
 * the path of the page, and `sub_results[].anchor.id` is the id of the element before the hit. A process makes one index at a
 * time. Throws a `SearchError` that names the page or says what is wrong with Pagefind.
 */
export async function buildSearchIndex(
  pages: Iterable<IndexPage> | AsyncIterable<IndexPage>,
  { tempDir, expected, signal }: IndexOptions,
): Promise<SearchIndex> {
  let service: SearchService | undefined
  const words = new Set<string>()
  try {
    for await (const batch of batches(pages)) {
      service ??= await startService({ language: noLanguage, placesInFile, ...fragments(expected) }, signal)
      await addAll(service, batch)
      for (const { html } of batch) addWords(html, words)
    }
    return service === undefined
      ? { files: [], pages: [], words: '' }
      : withWords(await writeFiles(service, tempDir), words)
  } catch (error) {
    throw signal?.aborted ? signal.reason : error
  } finally {
    await service?.close()
  }
}

function fragments(expected: IndexOptions['expected']): { maxFragments?: number } {
  return expected === undefined
    ? {}
    : { maxFragments: Math.max(1, Math.min(expected.pages, Math.ceil(expected.size / textsInFile))) }
}

async function* batches(pages: Iterable<IndexPage> | AsyncIterable<IndexPage>): AsyncGenerator<IndexPage[]> {
  let batch: IndexPage[] = []
  let length = 0
  for await (const page of pages) {
    batch.push(page)
    length += page.html.length
    if (batch.length < batchPages && length < batchLength) continue
    yield batch
    batch = []
    length = 0
  }
  if (batch.length > 0) yield batch
}

async function addAll({ index, wait }: SearchService, batch: readonly IndexPage[]): Promise<void> {
  const answers = batch.map(async ({ path, html }) => {
    try {
      return { path, errors: (await index.addHTMLFile({ url: path, content: html })).errors }
    } catch (cause) {
      throw new SearchError(`Pagefind failed at the page \`${path}\`: ${String(cause)}`, { cause })
    }
  })
  for (const { path, errors } of await wait(Promise.all(answers))) {
    if (errors.length > 0) throw new SearchError(`Pagefind refused the page \`${path}\`: ${errors.join('; ')}`)
  }
}

/** Has Pagefind write its files to disk: through its pipe, they arrive as a single text that takes five times the memory. */
async function writeFiles(
  { index, wait }: SearchService,
  tempDir: IndexOptions['tempDir'],
): Promise<Omit<SearchIndex, 'words'>> {
  const folder = mkdtempSync(join(tempDir(), 'index-'))
  const { errors } = await wait(index.writeFiles({ outputPath: folder }))
  if (errors.length > 0) throw new SearchError(`Pagefind could not finish the index: ${errors.join('; ')}`)
  const names = namesBelow(folder)
  const read = (name: string): Uint8Array => readFileSync(join(folder, name))
  const text = names.includes(entryName) ? Buffer.from(read(entryName)).toString('utf8') : ''
  const language = text === '' ? undefined : entryLanguage(text)
  if (language === undefined) throw new SearchError('Pagefind gave an index without a language.')
  const needed = neededNames(names, text)
  const texts = (name: string): Fragment => unpackTexts(read(name))
  const files = needed.map((name): IndexFile => {
    const isFragment = name.startsWith(textsFolder)
    return { name, read: () => (isFragment ? packTexts(texts(name)) : read(name)) }
  })
  const paths = new Map(needed.flatMap((name) => (name.startsWith(textsFolder) ? pagesIn(name, texts(name)) : [])))
  const pages = pageIds(read(`pagefind.${language.hash}.pf_meta`)).map((id) => {
    const path = paths.get(id)
    if (path === undefined) throw new SearchError(`Pagefind gave an index without the text of its page \`${id}\`.`)
    return path
  })
  return { ...nameEngine(files, { text, ...language }), pages }
}

/** Names of the files below a folder, with `/`, in an order that does not depend on the file system. */
function namesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll(sep, '/'))
    .sort(compareText)
}

/** The text of a page, as far as we read it. */
interface PageText {
  url: string
  content: string
}

/** A file of texts as Pagefind packs it: of one page, named like its file, or of several pages by id. */
type Fragment = PageText | Record<string, PageText>

/** The folder of an index that contains the texts of its pages. */
export const textsFolder = 'fragment/'

function unpackTexts(content: Uint8Array): Fragment {
  const text = gunzipSync(content).subarray(signature.length).toString('utf8')
  return JSON.parse(text) as Fragment
}

function isOnePage(fragment: Fragment): fragment is PageText {
  return typeof fragment['url'] === 'string'
}

function packTexts(fragment: Fragment): Uint8Array {
  const shorten = (page: PageText): PageText => ({ ...page, content: withoutHiddenWords(page.content) })
  const short = isOnePage(fragment)
    ? shorten(fragment)
    : Object.fromEntries(Object.entries(fragment).map(([id, page]) => [id, shorten(page)]))
  // The highest level takes 1.6 times as long to save a hundredth of the bytes.
  return gzipSync(signature + JSON.stringify(short), { level: 5 })
}

/** Paths of the pages in a file of texts, by the ids that the table uses. */
function pagesIn(name: string, fragment: Fragment): [id: string, path: string][] {
  const own = name.replace(/^fragment\/|\.pf_fragment$/g, '')
  if (isOnePage(fragment)) return [[own, fragment.url]]
  return Object.entries(fragment).map(([id, { url }]) => [id, url])
}

// All words of an index, for readers who write them differently.

const letters = /\p{L}[\p{L}\p{M}]{2,47}(?![\p{L}\p{M}])/gu
/** In Korean, numbers and names are written before a word without a space: `60분이상`. The index treats them as one word. */
const hangul = /\p{sc=Hangul}/u
const mixed = /(?<![\p{L}\p{M}\p{N}])(?=\p{L}*\p{N})[\p{L}\p{M}\p{N}]{3,48}(?![\p{L}\p{M}\p{N}])/gu

function addWords(html: string, words: Set<string>): void {
  const text = html.replace(/<[^>]*>|&(?:#x?)?[a-z\d]{1,10};/gi, ' ')
  for (const word of text.match(letters) ?? []) words.add(word.toLowerCase())
  if (!hangul.test(text)) return
  for (const word of text.match(mixed) ?? []) if (hangul.test(word)) words.add(word.toLowerCase())
}

/**
 * The parts of a word outside runs of unspaced scripts. A run is not a word: any part of it is found as it is, and a whole clause
 * is not a misspelling.
 */
function besideRuns(word: string): string[] {
  return word.split(unspaced).filter((part, at) => at % 2 === 0 && part.length > 2)
}

function withWords(index: Omit<SearchIndex, 'words'>, words: ReadonlySet<string>): SearchIndex {
  const { name, content } = packWords(new Set([...words].flatMap(besideRuns)))
  return { ...index, files: [...index.files, { name, read: () => content }], words: name }
}

/** The file of all words of several indexes, made from their files. */
export function joinWords(lists: readonly Uint8Array[]): { name: string; content: Uint8Array } {
  return packWords(new Set(lists.flatMap((packed) => gunzipSync(packed).toString('utf8').match(/.+/g) ?? [])))
}

function packWords(words: Iterable<string>): { name: string; content: Uint8Array } {
  const content = gzipSync([...words].sort(compareText).join('\n'))
  return { name: `words.${sha256(content).slice(0, 10)}.pf_words`, content }
}

/**
 * Names the engine by its content, as all files of an index are named: a page may be older than the index or the reverse, and
 * both find the engine that their entry names.
 */
function nameEngine(
  files: readonly IndexFile[],
  { text, hash, wasm }: { text: string; hash: string; wasm: string | null },
): Omit<SearchIndex, 'pages' | 'words'> {
  const old = engineFile(wasm)
  const engine = files.find(({ name }) => name === old)
  if (engine === undefined) throw new SearchError(`Pagefind gave an index without its engine \`${old}\`.`)
  const name = `${wasm ?? 'unknown'}-${sha256(engine.read()).slice(0, 10)}`
  const entry = text.replace(`"wasm":${JSON.stringify(wasm)}`, `"wasm":${JSON.stringify(name)}`)
  if (entryLanguage(entry)?.wasm !== name)
    throw new SearchError('`pagefind-entry.json` has a form that this version does not know. Build with `--no-search`.')
  const named = files.map((file): IndexFile => {
    if (file === engine) return { ...engine, name: engineFile(name) }
    return file.name === entryName ? { name: entryName, read: () => Buffer.from(entry) } : file
  })
  return { files: named.sort((a, b) => compareText(a.name, b.name)), entry: { text: entry, hash, wasm: name } }
}

const entryName = 'pagefind-entry.json'

function engineFile(wasm: string | null): string {
  return `wasm.${wasm ?? 'unknown'}.pagefind`
}

// Which files of Pagefind's output a site needs; its stock interfaces and the highlighter are left out.

const data = /^(?:index|fragment|filter)\/|\.pf_(?:meta|words|names)$/
const scripts = new Set(['pagefind.js', 'pagefind-worker.js'])
const wasm = /^wasm\.(.+)\.pagefind$/

/** The files of Pagefind's output that are loaded in the browser. `entry` is the text of `pagefind-entry.json`. */
export function neededNames(names: Iterable<string>, entry: string): string[] {
  const engine = entryLanguage(entry)?.wasm ?? 'unknown'
  return [...names].filter((name) => {
    if (wasm.test(name)) return wasm.exec(name)?.[1] === engine
    return name === 'pagefind-entry.json' || scripts.has(name) || data.test(name)
  })
}

/** Whether a file lists which pages contain which words, and not the texts of pages; indexes are joined from such files. */
export function isOfWords(name: string): boolean {
  return data.test(name) && !name.startsWith(textsFolder)
}

/** Whether the search itself reads a file, as opposed to scripts and to what the search script already contains. */
export function isData(name: string): boolean {
  return data.test(name) || wasm.test(name)
}

// `pagefind-entry.json`, which gives the names of an index's files.

interface Language {
  hash: string
  wasm: string | null
  page_count: number
}

/** The language of an index: all pages are indexed in the same one. */
function entryLanguage(entry: string): Language | undefined {
  // It was written a moment ago by the pinned version of Pagefind.
  const { languages } = JSON.parse(entry) as { languages: Record<string, Language> }
  return Object.values(languages)[0]
}
