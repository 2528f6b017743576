/** Answers one request for a file of the site. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { matchesTag, readRange } from './conditions.ts'
import { contentType, guardHeaders } from './content-type.ts'
import type { OpenFile, SiteFiles } from './site-files-fs.ts'
import { encodeTarget, isOwnHost, readTarget } from './target.ts'

/** What a server answers from. */
export interface Service {
  files: SiteFiles
  /** Address and port that it is bound to. */
  host: string
  port: number
}

/** Answers a request: only GET and HEAD, only for this host, only files of the manifest. */
export async function respond(request: IncomingMessage, response: ServerResponse, service: Service): Promise<void> {
  if (!isOwnHost(request.headers.host, service.host, service.port))
    return refuse(response, 421, 'This server has another name')
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD')
    return refuse(response, 405, 'Only GET and HEAD are answered')
  }
  const target = readTarget(request.url ?? '')
  if (target.kind === 'bad') return refuse(response, 400, 'That is no path of this site')
  const { files } = service
  const folderPage = `${target.path}/index.html`
  if (files.hashOf(target.path) === undefined && files.hashOf(folderPage) !== undefined) {
    // Links on the page are relative to its folder.
    response.setHeader('Location', `${encodeTarget(target.path)}/${target.query}`)
    return refuse(response, 301, 'The page is at its folder')
  }
  if (await sendFile(target.path, 200, { request, response, files })) return
  if (await sendFile('404.html', 404, { request, response, files })) return
  refuse(response, 404, 'There is no such page')
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  files: SiteFiles
}

/** Sends a file of the site; `false` where it is none. */
async function sendFile(path: string, status: 200 | 404, { request, response, files }: Exchange): Promise<boolean> {
  const hash = files.hashOf(path)
  const file = hash === undefined ? undefined : await files.open(path)
  if (hash === undefined || file === undefined) return false
  try {
    const tag = `"${hash}"`
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
    else await sendRange(file, tag, request, response)
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
