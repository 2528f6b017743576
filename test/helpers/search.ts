/** Uses the search of a page that is open in a browser, below its interface. */
import type { Page } from 'playwright-core'

/** A page that was found. */
interface Hit {
  path: string
  meta: { title: string; project: string; date?: string }
  places: { id: string; kind: string; excerpt: [string, boolean][] }[]
}

/** The result of a search: everything that it found, and the first hits with the items that match. */
export interface Answer {
  total: number
  /** Whether all `total` hits match; otherwise they may match. */
  isSure: boolean
  /**
   * Whether it comes from the newest shard only: the hits are the first of all, `total` and `filters` count what was
   * found so far.
   */
  isPart: boolean
  instead?: string
  some?: boolean
  filters: Record<string, Record<string, number>>
  hits: Hit[]
  /** Time from the query to the last of these hits, including loading the script if necessary. */
  milliseconds: number
}

/** What narrows a search. */
export interface Narrowing {
  filters?: Record<string, string | string[]>
  kinds?: string[]
  sort?: 'date'
  /** Number of sessions that make an answer of the newest shard sufficient to begin with. */
  minSessions?: number
}

/** Searches for a text; `first` is the number of hits that are loaded. Loads the script of the search if necessary. */
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
