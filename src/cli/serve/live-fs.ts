/** Pages that follow the site: a script is added when they are sent, and server-sent events report what has changed. */

import type { ServerResponse } from 'node:http'
import { loadLiveAssets } from '../../render/assets-fs.ts'
import type { Notice, SessionRequests } from '../../site/requests.ts'
import { contentType, guardHeaders, type SiteFiles } from './site-files-fs.ts'

/** What open pages may wait for: a build in progress, sessions that are watched, or nothing any more. */
export type LiveMode = 'building' | 'watching' | 'settled'

/** The open pages of a site that changes. */
export interface LivePages {
  /** Whether pages get the script. */
  readonly isOn: boolean
  readonly mode: LiveMode
  /** Sets what pages may wait for from now on; once that is nothing, they no longer get a script. */
  setMode(mode: LiveMode): void
  /**
   * Answers a request for something that is not a file of the site: the script, the style sheet or the events. `false` for any
   * other request.
   */
  answer(path: string, response: ServerResponse): boolean
  /** The text of the page at `path` with the script; `tag` is its entity tag, which says to the script which version was loaded. */
  withScript(html: string, page: { path: string; tag: string }): string
  /** Notifies open pages of what changed since the last call. */
  notifyPages(): void
  /** Ends all event streams. */
  close(): void
}

/** No file of a site has a path with this prefix: the names of its folders begin with a letter. */
const prefix = '.live/'

/** Path of the list of all sessions, including those that the site does not have yet. */
const listPath = `${prefix}sessions.html`

/** If more pages than this changed, all pages are reported as changed. */
const maxNamed = 500

/** How often an empty comment is sent, so that no proxy mistakes a silent stream for a dead one. */
const beatMs = 20_000

/** Makes the pages of a site follow its changes; those of a locked site cannot be read and stay as they are. */
export async function livePages(files: SiteFiles, { isLocked }: { isLocked: boolean }): Promise<LivePages> {
  const { css, js } = await loadLiveAssets()
  const assets = new Map([
    [`${prefix}live.css`, css],
    [`${prefix}live.js`, js],
  ])
  const streams = new Set<ServerResponse>()
  let announced = files.hashes()
  let mode: LiveMode = 'watching'
  const beat = setInterval(() => {
    for (const stream of streams) stream.write(':\n\n')
  }, beatMs)
  return {
    get isOn() {
      return mode !== 'settled' && !isLocked
    },
    get mode() {
      return mode
    },
    setMode(next) {
      mode = next
      for (const stream of streams) stream.write(modeEvent(mode))
    },
    answer(path, response) {
      if (path === `${prefix}events`) {
        open(response, mode)
        if (response.req.method === 'HEAD') {
          response.end()
          return true
        }
        streams.add(response)
        response.once('close', () => streams.delete(response))
        return true
      }
      const content = assets.get(path)
      if (content === undefined) return false
      const type = contentType(path)
      const headers = { ...guardHeaders(type), 'Content-Type': type, 'Cache-Control': 'no-cache' }
      response.writeHead(200, headers).end(content)
      return true
    },
    withScript: (html, page) => html.replace('</head>', `${tagsFor(page)}</head>`),
    notifyPages() {
      const now = files.hashes()
      if (now === announced) return
      // Before the first site, nobody knows what a page was meant to become.
      const isFirst = announced.size === 0
      const paths = changedPages(announced, now)
      announced = now
      if (paths.length === 0) return
      const data = JSON.stringify(isFirst || paths.length > maxNamed ? null : paths)
      for (const stream of streams) stream.write(`event: changed\ndata: ${data}\n\n`)
    },
    close() {
      clearInterval(beat)
      for (const stream of streams) stream.end()
    },
  }
}

function open(response: ServerResponse, mode: LiveMode): void {
  const type = 'text/event-stream'
  response.writeHead(200, { ...guardHeaders(type), 'Content-Type': type, 'Cache-Control': 'no-store' })
  // Makes a browser whose stream broke reconnect soon.
  response.write(`retry: 1000\n\n${modeEvent(mode)}`)
}

const modeEvent = (mode: LiveMode): string => `event: mode\ndata: ${mode}\n\n`

/**
 * The tags of script and style sheet, relative to the page, because a proxy may serve the site below a path. An entity tag is our
 * own and contains nothing that could be read as markup.
 */
function tagsFor({ path, tag }: { path: string; tag: string }): string {
  const name = tag.replaceAll('"', '')
  const folder = `${'../'.repeat(path.split('/').length - 1)}${prefix}`
  return `<link rel="stylesheet" href="${folder}live.css">\n<script src="${folder}live.js" data-page="${name}" defer></script>\n`
}

/** Pages that are new, removed or changed. */
function changedPages(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): string[] {
  const paths = new Set([...before.keys(), ...now.keys()])
  return [...paths].filter((path) => path.endsWith('.html') && before.get(path) !== now.get(path))
}

// Pages that a running build has not written to the site yet.

const soon: Notice = { heading: 'This session is being rendered', text: 'This page reloads by itself.' }
const later: Notice = {
  heading: 'This page is not ready yet',
  text: 'It comes with the whole site, and reloads by itself.',
}

/** A page that is not in the site. */
interface RequestedPage {
  requests: SessionRequests
  pages: LivePages
  response: ServerResponse
  /** Sends the page if it has been made by now. */
  sendMade: () => Promise<boolean>
  /** How long a request waits for the build before the reader is asked to wait, in milliseconds. */
  timeoutMs: number
}

/** Answers with a session that is made now, or with the list of all sessions; `false` if the build has nothing for the path. */
export function sendRequested(path: string, page: RequestedPage): Promise<boolean> {
  const [, folder] = /^sessions\/([^/]+)\/./.exec(path) ?? []
  return folder === undefined ? sendList(path, page) : sendSession(path, folder, page)
}

async function sendSession(
  path: string,
  folder: string,
  { requests, timeoutMs, response, sendMade }: RequestedPage,
): Promise<boolean> {
  const answer = await inTime(requests.ask(folder), timeoutMs)
  if (answer === 'made') return sendMade()
  if (answer === 'unknown') return false
  const { source } = requests
  if (source === undefined) askToWait(response)
  else if (typeof answer === 'object')
    sendPage(source.noticePage(path, { heading: 'This session cannot be shown', text: answer.failure }), 500, response)
  else askToWait(response, source.noticePage(path, soon))
  return true
}

/** The list of all sessions, or a notice instead of other pages. */
async function sendList(path: string, { requests, pages, timeoutMs, response }: RequestedPage): Promise<boolean> {
  await inTime(requests.ready, timeoutMs)
  const { source } = requests
  if (!path.endsWith('.html')) return false
  if (source === undefined) askToWait(response)
  else if (path === 'index.html' || path === listPath) {
    response.setHeader('ETag', listTag)
    sendPage(pages.withScript(source.listPage(path), { path, tag: listTag }), 200, response)
  } else askToWait(response, source.noticePage(path, later))
  return true
}

/** Entity tag of the list. The list itself grows from one moment to the next; a page that shows it waits for the site. */
const listTag = '"sessions"'

/** The value of a promise; `undefined` if it takes longer than `ms`. */
async function inTime<T>(answer: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Asks the reader to wait; the page reloads by itself. */
export function askToWait(response: ServerResponse, page: string = waiting): void {
  response.setHeader('Retry-After', '1')
  // Not a standard, but every browser reloads the page because of it.
  response.setHeader('Refresh', '1')
  sendPage(page, 503, response)
}

export function sendPage(page: string, status: number, response: ServerResponse): void {
  const type = contentType('index.html')
  const headers = { ...guardHeaders(type), 'Content-Type': type, 'Cache-Control': 'no-store' }
  response.writeHead(status, headers).end(page)
}

const waiting = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>The site is being built</title>
</head>
<body>
<main>
<h1>The site is being built</h1>
<p>This page reloads by itself.</p>
</main>
</body>
</html>
`
