/** Serves a built site, by default to this machine only. */

import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import type { Settings } from '../../config/schema.ts'
import { UsageError } from '../../diagnostics/errors.ts'
import { fileFault } from '../../rollout/read/source.ts'
import { manifestName } from '../../site/output/paths.ts'
import type { SessionRequests } from '../../site/requests.ts'
import type { Host } from '../../site/types.ts'
import { defined } from '../../util/own.ts'
import { printableLines } from '../../util/printable.ts'
import { errorCode } from '../../util/reason.ts'
import { openInBrowser } from '../browser-fs.ts'
import { askToWait, type LiveMode, type LivePages, livePages, sendPage, sendRequested } from './live-fs.ts'
import { folderLink, isOwnHost, matchesTag, readRange, readTarget, type SitePath } from './request.ts'
import { contentType, guardHeaders, isShortOfFiles, type OpenFile, openSite, type SiteFiles } from './site-files-fs.ts'

/** Options of `serve`: `out` is a built site. */
export type ServeOptions = Pick<Settings, 'out' | 'port' | 'open'> & Partial<Pick<Settings, 'passwordFile'>>

/** The address to bind: any other than a loopback address would show private sessions to the network. */
const address = '127.0.0.1'

/** Where to listen. */
export interface ServerOptions {
  /** 0 picks a free port. */
  port: number
  /** Pages follow changes of the site, which need not exist yet (default `false`). */
  live?: boolean
  /** Whether the site has a password (default `false`). */
  isLocked?: boolean
  /** Receives requests for sessions that a build has not reached yet. */
  requests?: SessionRequests
  /** How long a request waits for the build before the reader is asked to wait, in milliseconds (default 5000). */
  timeoutMs?: number
  /** Receives a fault of the program that ended the answer to a request. */
  onFault?: (error: unknown) => void
}

/** A running server. */
export interface RunningServer {
  /** Notifies open pages of what changed in the site since the last call. */
  notifyPages(): void
  /** Sets what open pages may wait for. */
  setMode(mode: LiveMode): void
  /** Its address with the port and a final slash, for example `http://127.0.0.1:8080/`. */
  url: string
  /** Stops the server and cuts open connections. */
  close(): Promise<void>
}

/**
 * Starts serving the site in a folder, given by its absolute path. Throws a `UsageError` if there is no site or the port cannot
 * be used.
 */
export async function startServer(root: string, options: ServerOptions): Promise<RunningServer> {
  const { port, live = false, isLocked = false, requests, timeoutMs = 5000, onFault } = options
  const files = openSite(root, { mayAppear: live, staged: () => requests?.source })
  const pages = live ? await livePages(files, { isLocked }) : undefined
  const service: Service = { files, port, timeoutMs, ...defined({ pages, requests }) }
  const server = createServer((request, response) => {
    respond(request, response, service).catch((error: unknown) => {
      if (isShortOfFiles(error) && !response.headersSent) {
        response.setHeader('Retry-After', '1')
        return refuse(response, 503, 'Too many files are open at once; ask again')
      }
      // The visitor left, or the file cannot be read to its end: only this exchange is over, not the server.
      if (response.destroyed || fileFault(error) !== undefined) return response.destroy()
      onFault?.(error)
      if (response.headersSent) return response.destroy()
      refuse(response, 500, 'The answer failed because of a bug in codex-export; its terminal says more')
    })
  })
  service.port = await listen(server, port)
  return {
    url: `http://${address}:${service.port}/`,
    notifyPages: () => pages?.notifyPages(),
    setMode: (mode) => pages?.setMode(mode),
    close() {
      pages?.close()
      return close(server)
    },
  }
}

/** Returns the actual port. */
function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(explain(error, port)))
    // A server on a port, and not on a pipe, has an address of this type.
    server.listen(port, address, () => resolve((server.address() as AddressInfo).port))
  })
}

function explain(error: Error, port: number): Error {
  const hint = 'Choose another port with `--port`, or let the system choose with `--port 0`.'
  const code = errorCode(error)
  const problems: Readonly<Record<string, string>> = { EADDRINUSE: 'is in use', EACCES: 'may not be used' }
  const problem = problems[code ?? '']
  if (problem === undefined) return error
  return new UsageError(`Port ${port} on \`${address}\` ${problem}. ${hint}`, { cause: error })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

// `serve`: a built site on this machine until the server is stopped.

/** Keeps the site that is being served up to date. */
export type Background = (host: Host, server: RunningServer & Announcement) => Promise<void>

interface Announcement {
  /** Prints the address, and opens the browser if that was asked for; only at the first call. */
  announce(): void
}

/**
 * Serves the site and resolves when the host's signal is aborted. Meanwhile `background` runs and changes the site, and open
 * pages follow; it announces the address when nothing prevents its build, which answers `requests`. Throws a `UsageError` if the
 * port is taken, and whatever `background` throws.
 */
export async function serve(
  { out, port, open, passwordFile }: ServeOptions,
  host: Host,
  background: Background,
  requests?: SessionRequests,
): Promise<void> {
  const isLocked = passwordFile !== undefined
  const onFault = (error: unknown): void => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    host.progress.done(printableLines(`A request failed because of a bug in codex-export; please report it\n${text}`))
  }
  const answering = defined({ requests: isLocked ? undefined : requests })
  const server = await startServer(out, { port, live: true, isLocked, ...answering, onFault })
  let isAnnounced = false
  const announce = async (): Promise<void> => {
    if (isAnnounced) return
    isAnnounced = true
    host.progress.done(`Serving ${out} at ${server.url} (Ctrl-C stops it)`)
    if (open && !(await openInBrowser(server.url))) {
      host.progress.done('Found no program to open a browser; open the address yourself.')
    }
  }
  try {
    const { signal } = host
    const running = background(host, { ...server, announce: () => void announce() })
    await Promise.all([signal.aborted || once(signal, 'abort'), running])
  } finally {
    await server.close()
  }
}

// Answering one request for a file of the site.

/** What answers are made from. */
interface Service {
  files: SiteFiles
  /** Absent if pages do not follow changes. */
  pages?: LivePages
  requests?: SessionRequests
  timeoutMs: number
  /** Port to which the server is bound. */
  port: number
}

/** Answers a request: only GET and HEAD, only for this host, only files of the manifest. */
async function respond(request: IncomingMessage, response: ServerResponse, service: Service): Promise<void> {
  if (!isOwnHost(request.headers.host, service.port)) return refuse(response, 421, 'This server has another name')
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD')
    return refuse(response, 405, 'Only GET and HEAD are answered')
  }
  const target = readTarget(request.url ?? '')
  if (target.kind === 'bad') return refuse(response, 400, 'That is not a path of this site')
  if (service.pages?.answer(target.path, response)) return
  await answer(target, { request, response, ...service })
}

/** Answers with a file of the site, with what the running build makes for this request, or with the page for missing ones. */
async function answer({ path, query }: SitePath, exchange: Exchange): Promise<void> {
  const { response, files, pages, timeoutMs } = exchange
  const requests = pages?.mode === 'building' ? exchange.requests : undefined
  if (pages !== undefined && requests === undefined && files.hashes().size === 0) return askToWait(response)
  const hasPage = files.hashOf(`${path}/index.html`) !== undefined || (requests && /^sessions\/[^/]+$/.test(path))
  if (files.hashOf(path) === undefined && hasPage) {
    // Links on the page are relative to its folder.
    response.setHeader('Location', `${folderLink(path)}${query}`)
    return refuse(response, 301, 'The page is at its folder')
  }
  const sendMade = () => sendFile(path, 200, exchange)
  if (await sendMade()) return
  if (pages && requests && (await sendRequested(path, { requests, pages, timeoutMs, response, sendMade }))) return
  if (await sendFile('404.html', 404, exchange)) return
  if (requests?.source === undefined) return refuse(response, 404, missingText(files))
  const text = 'The link may be wrong, or the session may have been removed since it was made.'
  sendPage(requests.source.noticePage(path, { heading: 'There is no page at this address', text }), 404, response)
}

/** Says that the page does not exist, or why the site has no pages at all. */
function missingText(files: SiteFiles): string {
  const hashes = files.hashes()
  if (hashes.has('index.html') || !hashes.has(manifestName)) return 'There is no such page'
  return `This site has no pages: it was built without the format html. /${manifestName} lists its files`
}

interface Exchange extends Service {
  request: IncomingMessage
  response: ServerResponse
}

/** Sends a file of the site; `false` if the path is not one. */
async function sendFile(path: string, status: 200 | 404, exchange: Exchange): Promise<boolean> {
  const { request, response, files, pages } = exchange
  const hash = files.hashOf(path)
  const file = hash === undefined ? undefined : await files.open(path)
  if (hash === undefined || file === undefined) return false
  try {
    const isLive = pages?.isOn === true && status === 200 && path.endsWith('.html')
    const tag = `"${hash}${isLive ? '-live' : ''}"`
    const type = contentType(path)
    const headers = {
      ...guardHeaders(type, files.headersOf(path)),
      'Content-Type': type,
      ETag: tag,
      'Cache-Control': 'no-cache',
    }
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    if (status === 404) await send(file, { status, first: 0, last: file.size - 1 }, request, response)
    else if (matchesTag(request.headers['if-none-match'], tag)) response.writeHead(304).end()
    else if (isLive) {
      const page = pages.withScript(await file.handle.readFile('utf8'), { path, tag })
      response.writeHead(200, { 'Content-Length': Buffer.byteLength(page) }).end(page)
    } else await sendRange(file, tag, request, response)
    return true
  } finally {
    await file.handle.close()
  }
}

async function sendRange(
  file: OpenFile,
  tag: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.setHeader('Accept-Ranges', 'bytes')
  const { range, 'if-range': ifRange } = request.headers
  const usable = request.method === 'GET' && (ifRange === undefined || ifRange === tag)
  const span = readRange(usable ? range : undefined, file.size)
  if (span === 'none') {
    response.writeHead(416, { 'Content-Range': `bytes */${file.size}`, 'Content-Length': 0 }).end()
    return
  }
  if (span === 'whole') return send(file, { status: 200, first: 0, last: file.size - 1 }, request, response)
  response.setHeader('Content-Range', `bytes ${span.first}-${span.last}/${file.size}`)
  await send(file, { status: 206, ...span }, request, response)
}

async function send(
  { handle }: OpenFile,
  { status, first, last }: { status: number; first: number; last: number },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(status, { 'Content-Length': last - first + 1 })
  if (request.method === 'HEAD' || last < first) {
    response.end()
    return
  }
  await pipeline(handle.createReadStream({ start: first, end: last, autoClose: false }), response)
}

function refuse(response: ServerResponse, status: number, message: string): void {
  const type = 'text/plain; charset=utf-8'
  response.writeHead(status, { ...guardHeaders(type), 'Content-Type': type }).end(`${message}.\n`)
}
