/** Searches of the web. */
import type { ListItem, RootContent } from 'mdast'
import type { Search } from '../../../model/trast.ts'
import { callFacts } from '../../labels.ts'
import { factLine, type Inline, mono, paragraph, strong, webLink } from '../build.ts'
import type { Handle } from '../state.ts'
import { referenceInline } from './reference.ts'

const words: Readonly<Record<Search['action'], string>> = {
  search: 'Searched the web',
  open: 'Opened a page',
  find: 'Searched in a page',
}

/** A label, then one list of queries, the page and what was found. */
export const search: Handle<Search> = (node, state) => {
  const rows: Inline[][] = node.queries.map((query) => [mono(query)])
  if (node.pattern !== undefined) rows.push([mono(node.pattern)])
  if (node.url !== undefined) rows.push(webLink(node.url, node.url))
  for (const child of node.children) if (child.target !== node.url) rows.push(referenceInline(child, state))
  return [paragraph(strong(words[node.action])), ...bullets(rows), ...factLine(callFacts(node))]
}

function bullets(rows: Inline[][]): RootContent[] {
  if (rows.length === 0) return []
  const children = rows.map((row): ListItem => ({ type: 'listItem', spread: false, children: [paragraph(...row)] }))
  return [{ type: 'list', ordered: false, spread: false, children }]
}
