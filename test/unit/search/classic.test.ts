import { Script } from 'node:vm'
import { expect, test } from 'vitest'
import { buildSearchIndex } from '../../../src/search/pagefind-fs.ts'
import { classicPagefind, fileScript } from '../../../src/search/script.ts'
import { SearchError } from '../../../src/search/service-fs.ts'
import { useTempDir } from '../../helpers/temp.ts'

test("the installed Pagefind's module becomes a function that gives `createInstance`", async () => {
  const { files } = await buildSearchIndex([{ path: 'a.html', html: '<html><body>word</body></html>' }], {
    tempDir: useTempDir,
  })
  const source = Buffer.from(files.find(({ name }) => name === 'pagefind.js')?.read() ?? '').toString()
  const make: unknown = new Script(`(${classicPagefind(source)})`).runInThisContext()
  expect(make).toBeTypeOf('function')
  // The text above is a function of two parameters.
  const createInstance = (make as (fetch: unknown, worker: unknown) => unknown)(undefined, undefined)
  expect(createInstance).toBeTypeOf('function')
})

test('a module becomes a function whose parameter replaces `fetch`', () => {
  const text = classicPagefind('const createInstance=()=>fetch(import.meta.url);export{createInstance, search};')
  const make = new Script(`(${text})`).runInThisContext() as (fetch: (url: unknown) => string) => () => string
  expect(make((url) => `got ${url}`)()).toBe('got undefined')
})

test.each([
  ['nothing is exported', 'const createInstance = 1'],
  ['other names are exported', 'const open = 1; export { open }'],
  ['it imports', "import x from './x.js'; const createInstance = x; export { createInstance }"],
  ['it imports on demand', "const createInstance = () => import('./x.js'); export { createInstance }"],
  ['it exports elsewhere too', 'export const createInstance = 1; export { createInstance }'],
])('a module of another form is refused: %s', (_, source) => {
  expect(() => classicPagefind(source)).toThrow(SearchError)
  expect(() => classicPagefind(source)).toThrow('`pagefind.js` has a form')
})

test('a file of the index is passed on in base64', () => {
  expect(fileScript('index/a.pf_index', new Uint8Array([0, 255, 16]))).toBe(
    'codexSearchFile("index/a.pf_index","AP8Q")\n',
  )
})
