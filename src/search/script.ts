/** `pagefind/search.js`: the one script that a page loads on first use, with everything but the files of the index. */

import { gzipSync } from 'node:zlib'
import type { SiteField } from '../config/plugins.ts'
import type { SearchFacts } from '../render/output.ts'
import { withoutHidden } from '../render/visible-text.ts'
import { compareText } from '../util/compare.ts'
import { formatInstant } from '../util/time.ts'
import { SearchError } from './service-fs.ts'

/** What the browser must know about an index. */
export interface IndexEntry {
  /** The hash in the name of its table. */
  hash: string
  /** Name of its engine: that of the language, or `null` for the one without a stemmer. */
  wasm: string | null
  /** Paths of its pages, in the order of its table. */
  pages: readonly string[]
  /** Name of the file with all its words. */
  words: string
}

/** Parts of the script. */
interface SearchScript {
  /** Our part, which declares `codexSearchIndex`. */
  engine: string
  /** Pagefind's module; empty if there is no index to open. */
  pagefind: string
  /** Text of a `pagefind-entry.json`; apart from languages, it is the same for all indexes. */
  entry: string
  /** The index of the newest pages and, if there are several shards, that of all others. */
  indexes: readonly IndexEntry[]
  /** What is known about each page, by path. */
  facts: ReadonlyMap<string, SearchFacts>
  timeZone: string
  /** Whether outputs of commands and tools are indexed. */
  outputs: boolean
  /** Fields of plugins by which the search can filter. */
  fields?: readonly SiteField[]
  /** Name of the file with the names that the search completes. */
  names: string
}

/** Text of the script. Throws a `SearchError` if Pagefind's module cannot be included in it. */
export function searchScript({
  engine,
  pagefind,
  entry,
  indexes,
  facts,
  timeZone,
  outputs,
  fields = [],
  names,
}: SearchScript): string {
  const { languages: _, ...common } = JSON.parse(entry) as Record<string, unknown>
  const { sessions, numbers } = sessionRows(facts, timeZone)
  const entries = indexes.map(({ hash, wasm, pages, words }) => {
    const rows = pages.map((page) => numbers.get(folderOf(page)))
    return { hash, wasm, page_count: pages.length, words, rows }
  })
  const language = indexes[0]?.hash.replace(/_.*$/, '')
  const searchable = fields.flatMap(({ name, label, plural, search }) => (search ? [[name, label, plural]] : []))
  // Rows are shown as they are, so nothing in them may reorder or hide text.
  const index = withoutHidden(
    JSON.stringify({
      language,
      entry: common,
      indexes: entries,
      sessions,
      timeZone,
      outputs,
      names,
      ...(searchable.length > 0 && { fields: searchable }),
    }),
  )
  const create = indexes.length === 0 ? 'undefined' : classicPagefind(pagefind)
  return `${engine}codexSearchIndex(${index}, ${create})\n`
}

/**
 * A row for each session, newest first: its id, day and minute, last day, project, models, branch, label, tags, whether something
 * failed, whether it is an agent's session, the state of its last turn, and values of plugin fields, if any. Also the number of
 * the row by the folder of the session's pages.
 */
function sessionRows(facts: ReadonlyMap<string, SearchFacts>, timeZone: string) {
  const byFolder = new Map<string, SearchFacts>()
  for (const [path, own] of facts) {
    const existing = byFolder.get(folderOf(path))
    const models = [...new Set([...(existing?.models ?? []), ...own.models])]
    byFolder.set(folderOf(path), { ...own, models, failed: own.failed || existing?.failed === true })
  }
  const sorted = [...byFolder].sort(
    ([pathA, a], [pathB, b]) => compareText(b.startedAt ?? '', a.startedAt ?? '') || compareText(pathA, pathB),
  )
  const written = (instant: string | undefined, unit: 'minute' | 'day'): string =>
    instant === undefined ? '' : formatInstant(instant, timeZone, unit)
  const sessions = sorted.map(([folder, { startedAt, endedAt, project, models, branch, label, tags, ...facts }]) => [
    ...[folder.split('/').at(-2) ?? '', written(startedAt, 'minute'), written(endedAt, 'day')],
    ...[project, models, branch ?? '', label ?? '', tags ?? []],
    ...[facts.failed ? 1 : 0, facts.isAgent ? 1 : 0, facts.state ?? ''],
    ...(facts.fields === undefined ? [] : [facts.fields]),
  ])
  return { sessions, numbers: new Map(sorted.map(([path], number) => [path, number])) }
}

/** Most names of files, and of tools, that are offered; the most used ones. */
const maxNames = 1000

/**
 * The names that `file:` and `tool:` complete, with the number of sessions that contain each: packed JSON of an object by
 * operator. It is a separate file, loaded when such an operator is typed.
 */
export function packNames(facts: ReadonlyMap<string, SearchFacts>): Uint8Array {
  const names = { file: sessionsByName(facts, 'files'), tool: sessionsByName(facts, 'tools') }
  return gzipSync(withoutHidden(JSON.stringify(names)), { level: 9 })
}

function sessionsByName(facts: ReadonlyMap<string, SearchFacts>, field: 'files' | 'tools'): Record<string, number> {
  const folders = new Map<string, Set<string>>()
  for (const [path, { [field]: names = [] }] of facts) {
    const folder = folderOf(path)
    for (const name of names) {
      const existing = folders.get(name)
      if (existing === undefined) folders.set(name, new Set([folder]))
      else existing.add(folder)
    }
  }
  const sorted = [...folders].sort(([a, some], [b, others]) => others.size - some.size || compareText(a, b))
  return Object.fromEntries(sorted.slice(0, maxNames).map(([name, { size }]) => [name, size]))
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

// Pagefind's module and the files of an index as classic scripts, the only ones that pages opened from disk can load.

/** What every known `pagefind.js` contains once at its end; the names differ in order and number. */
const exportList = /export\s*\{([^{}]*)\};?\s*$/

/** Imports and exports, which a classic script may not contain. */
const leftOver =
  /\bimport\s*(?:[.({'"]|\*\s*as\b|[\w$]+\s+from\b)|\bexport\s*(?:[{*]|(?:default|const|let|var|async|function|class)\b)/

/**
 * A `pagefind.js` as a function that takes the `fetch` and the `Worker` to use (`undefined` for none) and returns
 * `createInstance`. Throws a `SearchError` if the file does not have the expected form, for example after an update of Pagefind.
 */
export function classicPagefind(source: string): string {
  const names = exportList
    .exec(source)?.[1]
    ?.split(',')
    .map((name) => name.trim())
  const body = source.replace(exportList, 'return createInstance').replaceAll('import.meta.url', 'undefined')
  const left = leftOver.exec(body)
  if (names?.includes('createInstance') !== true || left !== null) {
    const what = left === null ? 'it does not export `createInstance`' : `it holds \`${left[0].slice(0, 40)}\``
    throw new SearchError(
      `\`pagefind.js\` has a form that this version does not know: ${what}. Build with \`--no-search\`.`,
    )
  }
  return `(fetch, Worker) => {\n'use strict';\n${body}\n}`
}

/** The script that delivers a file of the index; `path` is relative to `pagefind/`. */
export function fileScript(path: string, content: Uint8Array): string {
  return `codexSearchFile(${JSON.stringify(path)},"${Buffer.from(content).toString('base64')}")\n`
}
