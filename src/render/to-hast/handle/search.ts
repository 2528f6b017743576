/** Web searches, opened pages, text looked for in them. */
import type { ElementContent } from 'hast'
import { h } from 'hastscript'
import type { Search } from '../../../model/trast.ts'
import { literal } from '../../literal.ts'
import { isTrouble } from '../../words.ts'
import { callMark, fold, item } from '../parts.ts'
import type { State } from '../state.ts'

const verbs: Readonly<Record<Search['action'], string>> = {
  search: 'Searched the web',
  open: 'Opened',
  find: 'Looked for',
}

/** A search in one line; its queries and links below where there are several. */
export function search(node: Search, state: State): ElementContent[] {
  const { queries, url, pattern } = node
  const gist = [pattern === undefined ? undefined : `“${pattern}”`, queries[0], url].filter(
    (part) => part !== undefined,
  )
  const head = {
    what: verbs[node.action],
    gist: gist.join(' · '),
    mark: callMark(node),
    quiet: true,
    failed: isTrouble(node.status),
  }
  const rest: ElementContent[] = [
    ...(queries.length > 1 ? queries : []).map((query) => h('li', {}, literal(query))),
    ...(url === undefined || node.children.some(({ target }) => target === url) ? [] : [h('li', {}, webLink(url))]),
    ...node.children.map((child) => h('li', {}, state.all([child]))),
  ]
  if (rest.length > 0) return [item(node, 'search', state, [fold(head, [h('ul', {}, rest)])])]
  const line = [h('span', { className: ['what'] }, head.what), h('span', { className: ['gist'] }, literal(head.gist))]
  const mark = head.mark.length === 0 ? undefined : h('span', { className: ['mark'] }, head.mark)
  return [item(node, 'search', state, [h('p', { className: ['work', 'quiet', 'single'] }, line, mark)])]
}

function webLink(url: string): ElementContent {
  if (!/^https?:\/\//i.test(url)) return h('code', {}, literal(url))
  return h('a', { href: url, rel: ['nofollow', 'noreferrer', 'noopener'] }, literal(url))
}
