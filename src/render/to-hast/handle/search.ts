/** Web searches, opened pages, text looked for in them. */
import type { ElementContent } from 'hast'
import { h } from 'hastscript'
import type { Search } from '../../../model/trast.ts'
import { literal } from '../../literal.ts'
import { isTrouble } from '../../words.ts'
import { callMark, fold, item, joined, single } from '../parts.ts'
import type { State } from '../state.ts'

const verbs: Readonly<Record<Search['action'], string>> = {
  search: 'Searched the web',
  open: 'Opened',
  find: 'Looked for',
}

/** A search in one line; its further queries and its links below where there are any. */
export function search(node: Search, state: State): ElementContent[] {
  const { queries, url, pattern } = node
  const line = { what: verbs[node.action], mark: callMark(node) }
  const look = { kind: 'search', failed: isTrouble(node.status) } as const
  const told = [pattern === undefined ? undefined : `“${pattern}”`, queries[0]].filter((part) => part !== undefined)
  const links = node.children.filter(({ target }) => target !== url)
  if (queries.length <= 1 && links.length === 0) {
    const parts = [...told.map(literal), ...(url === undefined ? [] : [[webLink(url)]])]
    return [item(node, look, state, [single({ ...line, gist: joined(parts, ' · ') })])]
  }
  const rest: ElementContent[] = [
    ...(queries.length > 1 ? queries : []).map((query) => h('li', {}, literal(query))),
    ...(url === undefined ? [] : [h('li', {}, webLink(url))]),
    ...links.map((child) => h('li', {}, state.all([child]))),
  ]
  const gist = [...told, ...(url === undefined ? [] : [url])].join(' · ')
  return [item(node, look, state, [fold({ ...line, gist, quiet: true }, [h('ul', {}, rest)])])]
}

function webLink(url: string): ElementContent {
  if (!/^https?:\/\//i.test(url)) return h('code', {}, literal(url))
  return h('a', { href: url, rel: ['nofollow', 'noreferrer', 'noopener'] }, literal(url))
}
