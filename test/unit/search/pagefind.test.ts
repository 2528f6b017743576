import { chmodSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { buildSearchIndex, type IndexFile, type IndexOptions, type IndexPage } from '../../../src/search/pagefind-fs.ts'
import { SearchError } from '../../../src/search/service-fs.ts'
import { writeFolder } from '../../helpers/folder.ts'
import { useTempDir } from '../../helpers/temp.ts'

/** An index whose files are in a folder of the running test. */
function build(pages: Parameters<typeof buildSearchIndex>[0], options: Omit<IndexOptions, 'tempDir'> = {}) {
  return buildSearchIndex(pages, { tempDir: useTempDir, ...options })
}

function page(path: string, title: string, prompt: string): IndexPage {
  const html = `<!doctype html><html lang="de"><head><title>${title}</title></head><body data-pagefind-body>
    <h1 data-pagefind-filter="project:shop" data-pagefind-meta="title">${title}</h1>
    <h2 id="l12">${prompt}</h2><p>${prompt}</p><h3 id="l14">Answer</h3><p>Something about oranges.</p></body></html>`
  return { path, html }
}

const pages = [
  page('sessions/aaa/index.html', 'Fix the engine', 'The carburettor leaks'),
  page('sessions/aaa/2.html', 'Fix the engine', 'Now the gearbox'),
  page('sessions/bbb/index.html', 'Paint it', 'Which zebra stripes fit?'),
]

async function* slowly(items: IndexPage[]): AsyncGenerator<IndexPage> {
  for (const item of items) {
    await Promise.resolve()
    yield item
  }
}

/** What Pagefind's API returns for a result. */
interface Hit {
  raw_url: string
  url: string
  meta: Record<string, string>
  filters: Record<string, string[]>
  sub_results: { url: string; title: string; anchor?: { id: string; element: string } }[]
}

interface Interface {
  options(options: object): Promise<void>
  search(term: string, options?: object): Promise<{ results: { data(): Promise<Hit> }[] }>
}

/** Loads the index with its own script as a browser does, under a base path. */
async function open(
  files: readonly IndexFile[],
): Promise<{ search: (term: string) => Promise<Hit[]>; asked: Set<string> }> {
  const asked = new Set<string>()
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace('/base/pagefind/', '').replace(/\?.*/, '')
    asked.add(path)
    const file = files.find(({ name }) => name === path)
    response.writeHead(file === undefined ? 404 : 200).end(file?.read())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  // `listen` with a port gives an address of this kind.
  const { port } = server.address() as AddressInfo
  const folder = useTempDir()
  const script = files.find(({ name }) => name === 'pagefind.js')
  writeFolder(folder, { 'pagefind.mjs': Buffer.from(script?.read() ?? '').toString() })
  const pagefind: Interface = await import(pathToFileURL(join(folder, 'pagefind.mjs')).href)
  await pagefind.options({ basePath: `http://127.0.0.1:${port}/base/pagefind/` })
  const search = async (term: string): Promise<Hit[]> =>
    Promise.all((await pagefind.search(term)).results.map((result) => result.data()))
  return { search, asked }
}

describe('an index', () => {
  test('finds the page and the item of a word of a prompt, by the path of the page', async () => {
    const { files } = await build(pages)
    const { search, asked } = await open(files)
    const [hit, ...others] = await search('carburettor')
    expect(others).toEqual([])
    expect(hit).toMatchObject({ raw_url: 'sessions/aaa/index.html', meta: { title: 'Fix the engine' } })
    expect(hit?.filters).toEqual({ project: ['shop'] })
    expect(hit?.sub_results[0]).toMatchObject({ title: 'The carburettor leaks', anchor: { id: 'l12', element: 'h2' } })
    expect(await search('zebr')).toMatchObject([{ raw_url: 'sessions/bbb/index.html' }])
    expect(await search('oranges')).toHaveLength(3)
    expect(await search('xylophone')).toEqual([])
    const paths = new Set(files.map(({ name }) => name))
    expect([...asked].filter((path) => !paths.has(path))).toEqual([])
  })

  test("contains what the search loads, and not Pagefind's own interface", async () => {
    const { files, pages: indexed } = await build(pages)
    const paths = files.map(({ name }) => name)
    expect(indexed).toEqual(pages.map(({ path }) => path))
    expect(paths).toEqual(paths.toSorted())
    expect(paths.filter((path) => path.startsWith('fragment/'))).toHaveLength(3)
    expect(paths.filter((path) => !/^(fragment|index|filter)\//.test(path))).toEqual([
      'pagefind-entry.json',
      'pagefind-worker.js',
      'pagefind.js',
      expect.stringMatching(/^pagefind\.zxx_[0-9a-f]+\.pf_meta$/),
      expect.stringMatching(/^wasm\.unknown-[0-9a-f]{10}\.pagefind$/),
      expect.stringMatching(/^words\.[0-9a-f]{10}\.pf_words$/),
    ])
  })

  test('has the same bytes for the same pages, whether they come at once or one by one', async () => {
    const many = Array.from({ length: 40 }, (_, i) =>
      page(`sessions/${i}/index.html`, `Title ${i}`, `word${i % 7} `.repeat(i * 40)),
    )
    const first = await build(many)
    const second = await build(slowly(many))
    const bytes = ({ files }: typeof first) => files.map(({ name, read }) => [name, Buffer.from(read())])
    expect(bytes(second)).toEqual(bytes(first))
    expect(second.pages).toEqual(first.pages)
    expect(first.pages).toHaveLength(40)
  })

  test('has its own pages only, also if the program builds several indexes at once', async () => {
    const all = await Promise.all([build(slowly(pages)), build(pages.slice(1)), build([])])
    const alone = [await build(pages), await build(pages.slice(1)), await build([])]
    const bytes = ({ files }: (typeof all)[number]) => files.map(({ name, read }) => [name, Buffer.from(read())])
    expect(all.map(bytes)).toEqual(alone.map(bytes))
  })

  test('finds hidden words that its texts omit, except for those of the session', async () => {
    const body = `cat src/a/b.ts ~^~ src‿a a‿b b‿ts ~^~ then ~^~ ~^^~ 019f6de1-d676 019f6de1‿d676 ~^~`
    const html = `<html><head><title>T</title></head><body data-pagefind-body>${body}</body></html>`
    const { files } = await build([{ path: 'sessions/aaa/index.html', html }])
    const text = files.find(({ name }) => name.startsWith('fragment/'))?.read() ?? new Uint8Array()
    const { content } = JSON.parse(gunzipSync(text).toString().replace('pagefind_dcd', ''))
    expect(content).toBe('cat src/a/b.ts ~^~ ~ ~ ~ ~^~ then ~^~ ~^^~ 019f6de1-d676 019f6de1‿d676 ~^~')
    const { search } = await open(files)
    expect(await search('src‿a')).toHaveLength(1)
  })

  test('has files of words of about 20 kB, whatever the environment says about their size', async () => {
    vi.stubEnv('PAGEFIND_UNSTABLE_INDEX_CHUNK_SIZE', '4')
    onTestFinished(() => void vi.unstubAllEnvs())
    const word = (number: number) => `w${`${number}`.replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')}`
    const own = (at: number) => Array.from({ length: 2000 }, (_, index) => word(at * 2000 + index))
    const many = Array.from({ length: 12 }, (_, at) =>
      page(`sessions/${at}/index.html`, `Title ${at}`, own(at).join(' ')),
    )
    const { files } = await build(many)
    // Each of 24,000 words is in a heading and in a paragraph, which Pagefind counts as five.
    expect(files.filter(({ name }) => name.startsWith('index/'))).toHaveLength(16)
    expect(process.env['PAGEFIND_UNSTABLE_INDEX_CHUNK_SIZE']).toBe('4')
  })

  test('finds words exactly as written, whatever the language of the pages', async () => {
    const { files } = await build(pages)
    const entry = files.find(({ name }) => name === 'pagefind-entry.json')
    const { languages } = JSON.parse(Buffer.from(entry?.read() ?? '').toString())
    expect(Object.values(languages)).toMatchObject([{ page_count: 3 }])
    const { search } = await open(files)
    expect(await search('"leaks"')).toHaveLength(1)
    expect(await search('"leaking"')).toEqual([])
  })

  test('has a list of all words, except those of scripts without spaces', async () => {
    const japanese = page('sessions/ccc/index.html', 'API', '日本語の文章 検索するMotor')
    const entities = page('sessions/ddd/index.html', 'Say', 'axle &quot;wheel&quot; &amp;&#x3c;hub&#39;')
    const { files, words } = await build([...pages, japanese, entities], { expected: { pages: 5, size: 1000 } })
    const list = gunzipSync(files.find(({ name }) => name === words)?.read() ?? '')
      .toString()
      .split('\n')
    expect(list).toEqual(expect.arrayContaining(['axle', 'carburettor', 'gearbox', 'hub', 'motor', 'wheel', 'zebra']))
    expect(list.filter((word) => ['quot', 'amp'].includes(word))).toEqual([])
    expect(list.filter((word) => /[^\p{sc=Latin}]/u.test(word))).toEqual([])
  })

  test.each([
    ['short', 1000, 1],
    ['of usual length', 48 << 10, 21],
    ['long', 200 << 10, 41],
  ])('puts the texts of several pages into a file if they are %s', async (_, size, count) => {
    const many = Array.from({ length: 41 }, (_, i) => page(`sessions/${i}/index.html`, `Title ${i}`, `word${i}`))
    const { files } = await build(many, { expected: { pages: 41, size: 41 * size } })
    expect(files.filter(({ name }) => name.startsWith('fragment/'))).toHaveLength(count)
    const { search } = await open(files)
    expect(await search('word40')).toMatchObject([{ raw_url: 'sessions/40/index.html' }])
  })

  test('is empty without pages', async () => {
    expect(await build([])).toEqual({ files: [], pages: [], words: '' })
  })
})

describe('an error is reported', () => {
  afterEach(() => {
    vi.unstubAllEnvs()
    vi.restoreAllMocks()
  })

  /** Replaces Pagefind's own program by one that answers each message with the next payload, then ends. */
  function program(...payloads: object[]): void {
    const path = join(useTempDir(), 'program')
    const script = `
      const payloads = ${JSON.stringify(payloads)}
      let text = ''
      process.stdin.on('data', (chunk) => {
        const messages = (text + chunk).split(',')
        text = messages.pop()
        for (const message of messages) {
          const { message_id } = JSON.parse(Buffer.from(message, 'base64'))
          const payload = payloads.shift()
          if (payload === undefined) process.exit(3)
          process.stdout.write(Buffer.from(JSON.stringify({ message_id, payload })).toString('base64') + ',')
        }
      })`
    writeFileSync(path, `#!${process.execPath}\n${script}\n`)
    chmodSync(path, 0o755)
    vi.stubEnv('PAGEFIND_EXTENDED_BINARY_PATH', path)
  }

  const begun = { type: 'NewIndex', index_id: 0 }
  const added = { type: 'IndexedFile', page_word_count: 1, page_url: 'x', page_meta: {} }

  async function failure(
    input: IndexPage[] | AsyncGenerator<IndexPage> = pages,
    signal?: AbortSignal,
  ): Promise<unknown> {
    const options = signal === undefined ? {} : { signal }
    return build(input, options).then(
      () => undefined,
      (error: unknown) => error,
    )
  }

  test('if the program is missing', async () => {
    vi.stubEnv('PAGEFIND_EXTENDED_BINARY_PATH', '/nowhere/pagefind')
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const error = await failure()
    expect(error).toBeInstanceOf(SearchError)
    expect(error).toHaveProperty(
      'message',
      expect.stringMatching(/^Pagefind cannot run here \(.+\)\. Install the optional packages/),
    )
  })

  test.each([
    ['immediately', []],
    ['while it has pages to add', [begun, added]],
    ['while it finishes the index', [begun, added, added, added]],
  ])('if the program ends %s', async (_, payloads) => {
    program(...payloads)
    const error = await failure()
    expect(error).toBeInstanceOf(SearchError)
    expect(error).toHaveProperty('message', "Pagefind's process ended early (exit code 3).")
  })

  test('with the path of the page if a page is refused', async () => {
    program(begun, added, { type: 'Error', message: 'no such luck' }, added)
    const error = await failure()
    expect(error).toBeInstanceOf(SearchError)
    expect(error).toHaveProperty('message', 'Pagefind refused the page `sessions/aaa/2.html`: no such luck')
  })

  test('if the index cannot be started', async () => {
    program({ type: 'Error', message: 'not today' })
    expect(await failure()).toHaveProperty('message', 'Pagefind did not start: not today')
  })

  test('if the index cannot be finished', async () => {
    program(begun, added, added, added, { type: 'Error', message: 'out of words' })
    expect(await failure()).toHaveProperty('message', 'Pagefind could not finish the index: out of words')
  })

  test('unchanged if the source of the pages throws it', async () => {
    const bug = new TypeError('a bug')
    async function* broken(): AsyncGenerator<IndexPage> {
      yield* pages
      throw bug
    }
    expect(await failure(broken())).toBe(bug)
  })

  test('with the reason of the interruption', async () => {
    const controller = new AbortController()
    const reason = new Error('interrupted')
    async function* interrupted(): AsyncGenerator<IndexPage> {
      for (let i = 0; i < 40; i++) yield page(`sessions/${i}/index.html`, 'x', 'y')
      controller.abort(reason)
      for (let i = 40; i < 80; i++) yield page(`sessions/${i}/index.html`, 'x', 'y')
    }
    expect(await failure(interrupted(), controller.signal)).toBe(reason)
    expect(await failure(pages, controller.signal)).toBe(reason)
    expect(await build(pages)).toHaveProperty('pages.length', 3)
  })

  test('on interruption without waiting for another index in progress', async () => {
    const began = withResolve()
    const held = withResolve()
    async function* holding(): AsyncGenerator<IndexPage> {
      for (let i = 0; i < 40; i++) yield page(`sessions/${i}/index.html`, 'x', 'y')
      began.resolve()
      await held.promise
    }
    const other = build(holding())
    await began.promise
    const controller = new AbortController()
    const reason = new Error('interrupted')
    const waiting = failure(pages, controller.signal)
    controller.abort(reason)
    expect(await waiting).toBe(reason)
    const third = build(pages)
    held.resolve()
    expect(await other).toHaveProperty('pages.length', 40)
    expect(await third).toHaveProperty('pages.length', 3)
  })
})

function withResolve(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {}
  const promise = new Promise<void>((yes) => {
    resolve = yes
  })
  return { promise, resolve }
}
