/** Pages that stand alone: what they show of other pages is in them, or cannot be linked. */

import type { Element, Root } from 'hast'
import { visit } from 'unist-util-visit'
import { sessionPage, threadFolder } from '../../transcript/urls.ts'

/** The address of a link in a page that stands alone; `undefined` where it leads to a file that is not at hand. */
export type Relink = (href: string) => string | undefined

/** Stands for the site while relative links are read; nothing of it is ever printed. */
const origin = 'https://site.invalid'

/** Anchor of a thread that stands below another one in the same page; with `-` behind it, prefix of the ids in it. */
export function agentAnchor(threadId: string): string {
  return threadFolder(threadId)
}

/**
 * Links of a page that holds the thread `first` and below it the threads `below`, written on the page of the thread
 * `from`. Links within the page and to elsewhere stay, those to pages of the threads become anchors.
 */
export function relinker(from: string, first: string, below: readonly string[]): Relink {
  const base = `${origin}/${sessionPage(from)}`
  const own = threadFolder(from)
  const anchors = new Map(below.map((id) => [threadFolder(id), agentAnchor(id)]))
  anchors.set(threadFolder(first), '')
  return (href) => {
    if (href.startsWith('#')) return href
    const url = URL.canParse(href, base) ? new URL(href, base) : undefined
    if (url === undefined || url.protocol === 'data:') return undefined
    if (url.origin !== origin) return href
    const folder = /^\/sessions\/([^/]+)\/(?:index|\d+)\.html$/.exec(url.pathname)?.[1] ?? ''
    const anchor = anchors.get(folder)
    // Ids of the page's own thread are prefixed already.
    return anchor === undefined ? undefined : placeIn(anchor, url.hash, folder === own)
  }
}

function placeIn(anchor: string, hash: string, isPrefixed: boolean): string {
  if (hash === '') return `#${anchor === '' ? 'main' : anchor}`
  return anchor === '' || isPrefixed ? hash : `#${anchor}-${hash.slice(1)}`
}

/** Rewrites all links of a tree in place; a link that leads nowhere becomes plain text. */
export function relinkTree(root: Root, relink: Relink): void {
  visit(root, 'element', (element: Element) => {
    const { href } = element.properties
    if (element.tagName !== 'a' || typeof href !== 'string') return
    const target = relink(href)
    if (target === undefined) delete element.properties['href']
    else element.properties['href'] = target
  })
}

/** Adds a title to the names of all sections, in place: a page with several threads has several first turns. */
export function nameWith(root: Root, title: string): void {
  visit(root, 'element', ({ properties }: Element) => {
    const { ariaLabelledBy } = properties
    if (Array.isArray(ariaLabelledBy)) properties['ariaLabelledBy'] = [...ariaLabelledBy, title]
  })
}

/** Id of the title of a thread that stands below another one. */
export function agentTitle(threadId: string): string {
  return `${agentAnchor(threadId)}-title`
}

/** A copy of a view with all its links rewritten; `href` is gone where a link leads nowhere. */
export function relinkView<View>(view: View, relink: Relink): View {
  if (Array.isArray(view)) return view.map((item) => relinkView(item, relink)) as View // the same items
  if (typeof view !== 'object' || view === null) return view
  const fields = Object.entries(view).flatMap(([name, value]): [string, unknown][] => {
    if (name !== 'href' || typeof value !== 'string') return [[name, relinkView(value, relink)]]
    const target = relink(value)
    return target === undefined ? [] : [[name, target]]
  })
  return Object.fromEntries(fields) as View // the same fields
}
