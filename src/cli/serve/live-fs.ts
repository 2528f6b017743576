/** Pages that follow the site: a script on their way to the browser, and server-sent events that tell it what changed. */

import type { ServerResponse } from 'node:http'
import { loadLiveAssets } from '../../render/assets-fs.ts'
import type { Notice, SessionRequests } from '../../site/requests.ts'
import { contentType, guardHeaders, type SiteFiles } from './site-files-fs.ts'

/** What open pages may wait for: a build that is under way, sessions that are watched, or nothing any more. */
export type LiveMode = 'building' | 'watching' | 'settled'

/** Open pages of a site that changes. */
export interface LivePages {
  /** Whether pages get the script. */
  readonly isOn: boolean
  readonly mode: LiveMode
  /** Says what pages may wait for from now on; once it is nothing, they get no script any more. */
  setMode(mode: LiveMode): void
  /** Answers a request for what is no file of the site: script, style sheet, events. `false` for all others. */
  answer(path: string, response: ServerResponse): boolean
  /** The text of a page with the script; `tag` is its entity tag, by which the script knows what it was loaded from. */
  withScript(html: string, tag: string): string
  /** Notifies open pages of those that changed since the last call. */
  notifyPages(): void
  /** Ends all streams of events. */
  close(): void
}

/** No file of a site has a path that begins so: names of its folders begin with a letter. */
const prefix = '.live/'

/** Path of the list of all sessions, whichever of them the site has by now. */
const listPath = `${prefix}sessions.html`

/** More changed pages than that stand for all of them. */
const maxNamed = 500

/** A line that means nothing, so that nobody on the way takes a silent stream for a dead one. */
const beatMs = 20_000

/** Makes the pages of a site follow it; those of a locked site cannot be read, and stay as they are. */
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
    withScript: (html, tag) => html.replace('</head>', `${tagsFor(tag)}</head>`),
    notifyPages() {
      const now = files.hashes()
      if (now === announced) return
      // Before the first site, nobody knows what a page was to be.
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
  // A browser whose stream broke tries again soon.
  response.write(`retry: 1000\n\n${modeEvent(mode)}`)
}

const modeEvent = (mode: LiveMode): string => `event: mode\ndata: ${mode}\n\n`

/** Our own tag holds nothing that markup could take for its own. */
function tagsFor(tag: string): string {
  const name = tag.replaceAll('"', '')
  return `<link rel="stylesheet" href="/${prefix}live.css">\n<script src="/${prefix}live.js" data-page="${name}" defer></script>\n`
}

/** Pages that are new, gone or others than before. */
function changedPages(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): string[] {
  const paths = new Set([...before.keys(), ...now.keys()])
  return [...paths].filter((path) => path.endsWith('.html') && before.get(path) !== now.get(path))
}

// What a build that goes on has not put in place yet.

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
  /** Sends the page where it is made by now. */
  sendMade: () => Promise<boolean>
  /** How long a request waits for a build before the page offers to wait, in milliseconds. */
  timeoutMs: number
}

/** Answers with a session that is made now, or with the list of all; `false` for what the build has nothing of. */
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

/** The list of all sessions, and what is to take the place of other pages. */
async function sendList(path: string, { requests, pages, timeoutMs, response }: RequestedPage): Promise<boolean> {
  await inTime(requests.ready, timeoutMs)
  const { source } = requests
  if (!path.endsWith('.html')) return false
  if (source === undefined) askToWait(response)
  else if (path === 'index.html' || path === listPath) {
    response.setHeader('ETag', listTag)
    sendPage(pages.withScript(source.listPage(path), listTag), 200, response)
  } else askToWait(response, source.noticePage(path, later))
  return true
}

/** The list says more from one moment to the next; a page that shows it waits for the site. */
const listTag = '"sessions"'

/** What a promise gives; nothing where that takes longer. */
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

/** Asks the reader to wait; the page loads again by itself. */
export function askToWait(response: ServerResponse, page: string = waiting): void {
  response.setHeader('Retry-After', '1')
  // No standard, but every browser loads the page again by it.
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
