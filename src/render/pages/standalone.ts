/** Standalone pages: links lead to content of the page itself or to the web; links to other pages become plain text. */

import { agentAnchor, anchorLink, relativeLink, sessionPage, threadFolder } from '../../transcript/urls.ts'
import { defined } from '../../util/own.ts'
import type { Relink } from '../transcript/context.ts'
import type { AgentView, LinkView, SingleView } from '../views.ts'
import { sessionView } from './session/session.ts'
import type { SessionPage } from './session/session-page.ts'

/** Origin against which relative links are resolved; it is never printed. */
const origin = 'https://site.invalid'

/**
 * Rewrites links of the thread `from` for a page that holds the thread `first` and below it the threads `below`. Links
 * within the page and to other sites stay, links to pages of these threads become anchors, all others lead nowhere.
 */
export function relinker(from: string, first: string, below: readonly string[]): Relink {
  const base = `${origin}/${sessionPage(from)}`
  const ownFolder = threadFolder(from)
  const anchors = new Map(below.map((id) => [threadFolder(id), agentAnchor(id)]))
  anchors.set(threadFolder(first), '')
  return (href) => {
    if (href.startsWith('#')) return href
    const url = URL.canParse(href, base) ? new URL(href, base) : undefined
    if (url === undefined || url.protocol === 'data:') return undefined
    if (url.origin !== origin) return href
    const folder = /^\/sessions\/([^/]+)\/(?:index|\d+)\.html$/.exec(url.pathname)?.[1] ?? ''
    const anchor = anchors.get(folder)
    // Ids in links of a thread to itself already have its prefix.
    return anchor === undefined ? undefined : fragmentFor(anchor, url.hash, folder === ownFolder)
  }
}

function fragmentFor(anchor: string, hash: string, isPrefixed: boolean): string {
  if (hash === '') return `#${anchor === '' ? 'main' : anchor}`
  return anchor === '' || isPrefixed ? hash : `#${anchor}-${hash.slice(1)}`
}

/** A copy of a view with all its links rewritten; a link that leads nowhere has no `href`. */
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

// A standalone session, with its sub-agents below it.

/** The view for `html/single.eta` without style sheet, script and policy. Throws if there is no page. */
export function singleView(pages: readonly SessionPage[]): Omit<SingleView, 'style' | 'script' | 'policy'> {
  const [first, ...below] = pages
  if (first === undefined) throw new TypeError('Expected a session')
  const agents = below.map(agentView)
  const view = relinkView(sessionView(first), relinkOf(first))
  const outline = agents.map(({ id, heading }) => ({ text: `Sub-agent: ${heading}`, href: `#${id}`, here: true }))
  const hasOutline = view.hasOutline || agents.length > 0
  return { ...view, outline: [...view.outline, ...outline], hasOutline, agents }
}

function agentView(page: SessionPage): AgentView {
  const { heading, place, facts, details, receipt, downloads, body } = relinkView(sessionView(page), relinkOf(page))
  const origin = originOf(page)
  return {
    id: agentAnchor(page.session.threadId),
    heading,
    place,
    facts,
    details,
    ...defined({ receipt }),
    downloads,
    body,
    ...defined({ origin }),
  }
}

/** The thread that started this one, at the call that did. */
function originOf({ session, neighbours: { parent }, context }: SessionPage): LinkView | undefined {
  if (parent === undefined) return undefined
  const link = relativeLink(sessionPage(session.threadId), anchorLink(parent.threadId, parent.place))
  const href = context.relink?.(link)
  return href === undefined ? undefined : { text: parent.title ?? parent.threadId, href }
}

function relinkOf({ context }: SessionPage): Relink {
  return context.relink ?? ((href) => href)
}

// Style sheets and scripts inside a page.

/**
 * A script as the content of a `script` element. Line breaks are those that browsers parse, because they hash the parsed
 * text. What would end the element or begin a comment is escaped, which means the same inside strings.
 */
export function inlineScript(source: string): string {
  return parsedBreaks(source).replace(/<(?=\/script|!--)/gi, '\\x3C')
}

/** A style sheet as the content of a `style` element. */
export function inlineStyle(source: string): string {
  return parsedBreaks(source).replace(/<(?=\/style)/gi, '\\3C ')
}

function parsedBreaks(source: string): string {
  return source.replace(/\r\n?/g, '\n')
}
