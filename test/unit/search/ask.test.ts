import { expect, test } from 'vitest'
import { templatesFolder } from '../../../src/config/package-fs.ts'

const [{ ask }, { readQuery }] = await Promise.all([
  import(`${templatesFolder}assets/search/ask.js`),
  import(`${templatesFolder}assets/search/query.js`),
])

/** An index of numbered pages that all have the same text; `asked` collects the words that it was asked for. */
function indexOf(words: Record<string, number[]>) {
  const asked: string[] = []
  const page = async () => ({
    content: 'src/gate/keeper.ts',
    anchors: [{ element: 'x-prompt', id: 'l1', location: 0 }],
  })
  const pages = async (text: string) => {
    asked.push(text)
    return new Map((words[text] ?? []).map((id) => [id, { id, score: 100 - id, exact: true, page }]))
  }
  return { asked, exactly: pages, beginning: pages }
}

/** The pages of an answer: those that contain the words exactly, and the number of all. */
async function answer(index: ReturnType<typeof indexOf>, text: string): Promise<{ exact: number[]; all: number }> {
  const { pages } = await ask([index], readQuery(text))
  const hits: { id: number; exact: boolean }[] = [...pages.values()]
  return { exact: hits.flatMap(({ id, exact }) => (exact ? [id] : [])), all: hits.length }
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at)

test('of many pages with the parts of a path, those with the whole path as a word come first', async () => {
  const parts = { src‿gate‿keeper: upTo(30), gate‿keeper‿ts: upTo(30) }
  const index = indexOf({ ...parts, srcgatekeeperts: [7, 29] })
  expect(await answer(index, 'src/gate/keeper.ts')).toEqual({ exact: [7, 29], all: 30 })
  expect(await answer(indexOf(parts), 'src/gate/keeper.ts')).toEqual({ exact: upTo(30), all: 30 })
})

test('of few pages, the index is not asked for the whole path, because their texts are read', async () => {
  const index = indexOf({ src‿gate‿keeper: upTo(8), gate‿keeper‿ts: upTo(8), srcgatekeeperts: [7] })
  expect(await answer(index, 'src/gate/keeper.ts')).toEqual({ exact: upTo(8), all: 8 })
  expect(index.asked).toEqual(['src‿gate‿keeper', 'gate‿keeper‿ts'])
})

test('pages in which Pagefind finds the phrase come first, then pages that may contain it', async () => {
  const index = indexOf({ mend: upTo(9), the: upTo(9), gate: upTo(9), 'mend the gate': [3] })
  expect(await answer(index, '"mend the gate"')).toEqual({ exact: [3], all: 9 })
  const none = indexOf({ mend: upTo(9), the: upTo(9), gate: upTo(9) })
  expect(await answer(none, '"mend the gate"')).toEqual({ exact: [], all: 9 })
})

test.each([
  ['.exe', ['.exe', 'exe']],
  ['+.exe', ['.exe', '']],
  ["don't", ["don't", '']],
  ['lost/gate/keeper.ts', ['lost/gate/keeper.ts', 'gate/keeper.ts']],
  ['"lost/gate/keeper.ts"', ['lost/gate/keeper.ts', '']],
])(
  'a term that is in no page is searched for by its end, unless an exact match is asked for: %s',
  async (typed, changed) => {
    const index = indexOf({ exe: upTo(9), t: upTo(9), gate‿keeper‿ts: upTo(9) })
    expect((await ask([index], readQuery(typed))).changed).toEqual([changed])
  },
)

test('pages with the words near each other are distinguished from pages with the words far apart', async () => {
  const at: Record<string, [number, number[]][]> = {
    mend: [
      [1, [5, 900]],
      [2, [5]],
      [3, [41, 60]],
    ],
    gate: [
      [1, [300, 600]],
      [2, [45]],
      [3, [1, 101]],
    ],
  }
  const pages = async (text: string) =>
    new Map((at[text] ?? []).map(([id, words]) => [id, { id, score: 1, exact: true, words }]))
  const found = await ask([{ exactly: pages, beginning: pages }], readQuery('mend gate'))
  const hits: { id: number; near: boolean }[] = [...found.pages.values()]
  expect(hits.map(({ id, near }) => [id, near])).toEqual([
    [1, false],
    [2, true],
    [3, true],
  ])
})

/** Pages 1 and 2, of which 2 lacks the first letter or word of the text; `asked` collects the words that the index is asked for. */
function twoPages(text: string, asked: string[]) {
  const hit = (id: number) => {
    const content = id === 1 ? text : text.replace(/^\S/u, '')
    const page = async () => ({ content, anchors: [{ element: 'x-prompt', id: 'l1', location: 0 }] })
    return { id, score: 1, exact: true, words: [1], page }
  }
  const pages = async (word: string) => {
    asked.push(word)
    return new Map([1, 2].map((id) => [id, hit(id)]))
  }
  return { exactly: pages, beginning: pages }
}

test.each([
  ['mend the old garden gate with some oil and patience', ['garden', 'patience']],
  ['件热压社府響求反 張克象量電天長府', ['件热', '張克']],
])('a long query asks the index for a few words, and the texts of the pages for the rest: %s', async (text, words) => {
  const asked: string[] = []
  const { pages, changed } = await ask([twoPages(text, asked)], readQuery(text))
  expect([[...pages.keys()], changed]).toEqual([[1], []])
  expect(asked.sort()).toEqual(words)
})

test('a long query asks the index for further words if many pages have the first ones', async () => {
  const words = ['patience', 'garden', 'mend', 'gate', 'with', 'old']
  const index = indexOf(Object.fromEntries(words.map((word) => [word, upTo(6)])))
  await ask([index], readQuery('mend old garden gate with patience'))
  expect(index.asked.slice(0, 5)).toEqual(words.slice(0, 5))
})

test('for a long run without spaces, the index is asked for at most five parts', async () => {
  const asked = new Set<string>()
  const pages = async (word: string) => {
    asked.add(word)
    return new Map(upTo(30).map((id) => [id, { id, score: 1, exact: true, words: [1] }]))
  }
  const { pages: found } = await ask(
    [{ exactly: pages, beginning: pages }],
    readQuery('件热压社府響求反張克象量電天長府'),
  )
  expect(found.size).toBe(30)
  expect(asked.size).toBe(5)
})
