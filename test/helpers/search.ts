/** Asks the search of a page that stands open in a browser, below its interface. */
import type { Page } from 'playwright-core'

/** A page that was found. */
export interface Hit {
  path: string
  meta: { title: string; project: string; date?: string }
  places: { id: string; kind: string; excerpt: [string, boolean][] }[]
}

/** What a search gave: all that it found, and of the first some with their places. */
export interface Answer {
  total: number
  /** `total` are all that answer; else all that may. */
  isSure: boolean
  /** It is that of the newest shard: the hits are the first of all, `total` and `filters` count what was found so far. */
  isPart: boolean
  instead?: string
  some?: boolean
  filters: Record<string, Record<string, number>>
  hits: Hit[]
  /** From the question to the last of these hits, the script included where it was not there yet. */
  milliseconds: number
}

/** What narrows a search. */
export interface Narrowing {
  filters?: Record<string, string | string[]>
  kinds?: string[]
  sort?: 'date'
  /** Sessions with which an answer of the newest shard suffices to begin with. */
  minSessions?: number
}

/** Looks for a text; `first` is the number of hits that are loaded. The script of the search is loaded where it is not. */
export function askSearch(page: Page, text: string, options: Narrowing = {}, first = 5): Promise<Answer> {
  return page.evaluate(`(async () => {
    const begin = performance.now()
    if (globalThis.codexSearch === undefined) {
      const script = document.createElement('script')
      script.src = (document.documentElement.dataset.root ?? '') + 'pagefind/search.js'
      await new Promise((done, fail) => {
        script.onload = done
        script.onerror = () => fail(new Error('search.js could not be loaded'))
        document.head.append(script)
      })
    }
    const engine = await codexSearch.open()
    let { results, rest, ...answer } = await engine.search(${JSON.stringify(text)}, ${JSON.stringify(options)})
    const [hits, read] = [[], new Set()]
    while (hits.length < ${first}) {
      let result = results.find(({ id }) => !read.has(id))
      if (result === undefined && rest === undefined) break
      if (result === undefined) {
        ({ results, rest, ...answer } = await rest())
        continue
      }
      read.add(result.id)
      const hit = await result.data()
      if (hit !== undefined) hits.push(hit)
    }
    return { ...answer, isPart: rest !== undefined, hits, milliseconds: Math.round(performance.now() - begin) }
  })()`)
}
