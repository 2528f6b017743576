import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type IndexPart, joinIndexes, pageIds } from '../../../src/search/join.ts'
import { buildSearchIndex, type SearchIndex } from '../../../src/search/pagefind-fs.ts'
import { SearchError } from '../../../src/search/service-fs.ts'
import { sha256 } from '../../../src/util/hash.ts'

const folder = mkdtempSync(join(tmpdir(), 'codex-export-join-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const tempDir = (): string => folder

/** Decodes CBOR generically, whatever its structure. */
function decoded(packed: Uint8Array): unknown {
  const bytes = gunzipSync(packed).subarray('pagefind_dcd'.length)
  let at = 0
  const read = (): unknown => {
    const first = bytes[at++] ?? 0
    const [kind, short] = [first >> 5, first & 31]
    const length = short < 24 ? 0 : 2 ** (short - 24)
    const size = length === 0 ? short : bytes.readUIntBE(at, length)
    at += length
    if (kind === 0) return size
    if (kind === 1) return -1 - size
    if (kind === 4) return Array.from({ length: size }, read)
    at += size
    return bytes.subarray(at - size, at).toString()
  }
  const value = read()
  expect([at, bytes.length]).toEqual([bytes.length, bytes.length])
  return value
}

type Lists = [page: number, places: number[], fields: number[]][]
type Table = [string, [string, number, string][], [string, string, string][], unknown[], unknown[], string[]]
type Words = [[word: string, pages: Lists, forms: [string, Lists][]][]]

/**
 * The content of an index: for each word, and each way to write it, the positions by page, with the names of fields.
 */
function said(table: Table, read: (name: string) => unknown): Record<string, Record<string, string>> {
  const [, pages, files, , , fields] = table
  const byPage = (lists: Lists): Record<string, string> => {
    let page = 0
    return Object.fromEntries(
      lists.map(([distance, places, inFields]) => {
        page += distance
        const named = inFields.map((place) => (place < 0 ? fields[-1 - place] : place))
        return [pages[page]?.[0], `${places} ${named}`]
      }),
    )
  }
  return Object.fromEntries(
    files.flatMap(([first, last, name]) => {
      const [words] = read(name) as Words
      // Pagefind takes the first file that may contain a word, by the beginnings of the file's first and last word.
      expect(words[0]?.[0].startsWith(first)).toBe(true)
      expect(words.at(-1)?.[0].startsWith(last)).toBe(true)
      return words.flatMap(([word, lists, forms]) => [
        [word, byPage(lists)],
        ...forms.map(([form, own]) => [`${word} as ${form}`, byPage(own)]),
      ])
    }),
  )
}

const saidBy = (table: Uint8Array, read: IndexPart['read']) =>
  said(decoded(table) as Table, (name) => decoded(read(name)))

interface Page {
  title: string
  text: string
  date?: string
}

const htmlOf = ({ title, text, date }: Page): string => {
  const meta = date === undefined ? '' : `<meta data-pagefind-meta="date[content]" content="${date}">`
  return `<html><head><title>${title}</title>${meta}</head><body data-pagefind-body><p>${text}</p></body></html>`
}

/** An index that Pagefind made of some pages, as a part. */
async function partOf(folder: string, pages: readonly Page[], how: { count?: number } = {}) {
  const made = pages.map((page, number) => ({ path: `sessions/${folder}${number}.html`, html: htmlOf(page) }))
  return partIn(folder, await buildSearchIndex(made, { tempDir, ...how }))
}

function partIn(folder: string, { files, entry }: SearchIndex): IndexPart {
  const read = (name: string) => files.find((file) => file.name === name)?.read() ?? new Uint8Array()
  return {
    folder,
    table: read(`pagefind.${entry?.hash}.pf_meta`),
    read: (name) => read(`index/${name}.pf_index`),
  }
}

/** Joins parts; returns the files by name, and the name of the table. */
function joined(parts: readonly IndexPart[]): { files: Map<string, Uint8Array>; table: string } {
  const files = new Map<string, Uint8Array>()
  const steps = joinIndexes(parts)
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return { files, table: `pagefind.${step.value}.pf_meta` }
    files.set(step.value.name, step.value.content)
  }
}

const saidByJoined = ({ files, table }: ReturnType<typeof joined>) => {
  const read = (name: string) => files.get(name) ?? new Uint8Array()
  return saidBy(read(table), (name) => read(`index/${name}.pf_index`))
}

const many = (seed: number, count: number) =>
  Array.from({ length: count }, (_, at) => `w${(at * seed) % 9973}x`).join(' ')
const archive: [pages: Page[], how?: { count: number }][] = [
  [[{ title: 'Mend the gate', text: 'a gate, Café and cafe, naïve', date: '2026-01-02' }]],
  [
    [
      { title: 'Oil it', text: 'gate of the gate CamelCase 日本 src‿a' },
      { title: 'Gate', text: 'näive naïve Straße' },
    ],
    { count: 2 },
  ],
  [
    [
      { title: 'Café', text: many(7, 4000), date: '2026-02-03' },
      { title: '', text: 'x' },
    ],
  ],
  [
    Array.from({ length: 300 }, (_, at) => ({ title: `Page ${at}`, text: `gate zebra ${many(at + 3, 30)} café` })),
    { count: 300 },
  ],
  [[{ title: 'naïve', text: `${'gate '.repeat(30_000)} end`, date: '2026-03-04' }]],
]

describe('indexes of Pagefind', () => {
  let parts: IndexPart[]
  beforeAll(async () => {
    parts = []
    for (const [at, [pages, how]] of archive.entries()) parts.push(await partOf(`${at}/`, pages, how))
  })

  test('give the same pages and positions for each word when any of them are joined', () => {
    const sayings = parts.map(({ folder, table, read }) => {
      const pages = ([id, places]: [string, string]): [string, string] => [folder + id, places]
      return Object.entries(saidBy(table, read)).map(
        ([word, byPage]) => [word, Object.fromEntries(Object.entries(byPage).map(pages))] as const,
      )
    })
    const chosen = fc.shuffledSubarray([...parts.keys()], { minLength: 1 })
    fc.assert(
      fc.property(chosen, (numbers) => {
        const expected: Record<string, Record<string, string>> = {}
        for (const [word, byPage] of numbers.flatMap((number) => sayings[number] ?? []))
          expected[word] = { ...expected[word], ...byPage }
        expect(saidByJoined(joined(numbers.flatMap((number) => parts[number] ?? [])))).toEqual(expected)
      }),
      { numRuns: 25 },
    )
  })

  test('omit runs without spaces, which are found by pairs of characters, but keep those of a title', async () => {
    const text = '日本語の文章 検索するAPI 日本 本語 検 하나둘셋'
    const runs = await partOf('runs/', [{ title: '章の題名', text }])
    const words = Object.keys(saidBy(runs.table, runs.read))
    expect(words.filter((word) => !(word in saidByJoined(joined([runs]))))).toEqual(['日本語の文章', '検索するapi'])
  })

  test('are joined to the same bytes each time, under names by their content', () => {
    const [one, other] = [joined(parts), joined(parts)]
    expect(one).toEqual(other)
    expect([...one.files.keys()]).toEqual(
      [...one.files.keys()].map(() => expect.stringMatching(/^(?:index\/|pagefind\.)all_[0-9a-f]{10}\.pf_\w+$/)),
    )
    const without = joined(parts.slice(1))
    expect(without.table).not.toBe(one.table)
    const named = [...one.files, ...without.files].filter(
      ([name, packed]) => !name.includes(sha256(packed).slice(0, 10)),
    )
    expect(named.map(([name]) => name)).toEqual([])
  })

  test('keep the order and the ids of their pages, each with its folder', () => {
    const { files, table } = joined(parts)
    const ids = parts.flatMap(({ folder, table }) => pageIds(table).map((id) => folder + id))
    expect(pageIds(files.get(table) ?? new Uint8Array())).toEqual(ids)
    expect(ids).toHaveLength(archive.flatMap(([pages]) => pages).length)
  })

  test('have files of words of at most 48 kB before packing, except for a single longer word', () => {
    const { files } = joined(parts)
    const words = [...files].filter(([name]) => name.startsWith('index/')).map(([, packed]) => packed)
    expect(words.length).toBeGreaterThan(3)
    for (const packed of words) {
      const { length } = gunzipSync(packed)
      expect(length < 49_200 || (decoded(packed) as Words)[0].length === 1).toBe(true)
    }
  })
})

describe('a file of an unknown form', () => {
  const repacked = (packed: Uint8Array, change: (bytes: Buffer) => Uint8Array): Uint8Array =>
    gzipSync(change(gunzipSync(packed)))
  const changes: [string, (bytes: Buffer) => Uint8Array][] = [
    ['ends early', (bytes) => bytes.subarray(0, -1)],
    ['goes on', (bytes) => Buffer.concat([bytes, Buffer.of(0)])],
    ['has another mark', (bytes) => Buffer.concat([Buffer.from('x'), bytes.subarray(1)])],
    [
      'has more values',
      (bytes) =>
        Buffer.concat([bytes.subarray(0, 12), Buffer.of((bytes[12] ?? 0) + 1), bytes.subarray(13), Buffer.of(0x80)]),
    ],
    [
      'has lists without a length',
      (bytes) => Buffer.concat([bytes.subarray(0, 12), Buffer.of(0x9f), bytes.subarray(13), Buffer.of(0xff)]),
    ],
  ]
  const refusal = (extension: string) =>
    new SearchError(
      `A file \`.${extension}\` of Pagefind has a form that this version does not know. Build with \`--no-search\`.`,
    )

  test.each(changes)('is refused if it %s', async (_, change) => {
    const part = await partOf('a/', [{ title: 'Gate', text: 'oil it', date: '2026-01-02' }])
    expect(() => joined([{ ...part, table: repacked(part.table, change) }])).toThrow(refusal('pf_meta'))
    expect(() => joined([{ ...part, read: (name) => repacked(part.read(name), change) }])).toThrow(refusal('pf_index'))
  })

  test('is refused if it is not packed, has filters, or has words in another order', async () => {
    const part = await partOf('a/', [{ title: 'Gate', text: 'abc abd' }])
    expect(() => joined([{ ...part, table: gunzipSync(part.table) }])).toThrow(refusal('pf_meta'))
    const swapped = (bytes: Buffer) =>
      Buffer.from(
        bytes
          .toString('latin1')
          .replace('abc', 'abd')
          .replace(/abd(?!.*abd)/s, 'abc'),
        'latin1',
      )
    expect(() => joined([{ ...part, read: (name) => repacked(part.read(name), swapped) }])).toThrow(refusal('pf_index'))
    const html = '<html><body data-pagefind-body><p data-pagefind-filter="project:shop">gate</p></body></html>'
    const filtered = partIn('b/', await buildSearchIndex([{ path: 'b.html', html }], { tempDir }))
    expect(() => joined([filtered])).toThrow(refusal('pf_meta'))
  })
})
