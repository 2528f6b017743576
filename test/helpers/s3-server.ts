/**
 * An object store with one bucket on 127.0.0.1. Of the packages that offer one, those that run inside a test are
 * unmaintained and the maintained ones are separate servers. This one knows the four requests that `publish` makes,
 * refuses unsigned ones, and stops at a given change.
 */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** An object of the bucket. */
interface StoredObject {
  body: Buffer
  headers: Readonly<Record<string, string>>
}

/** What goes wrong with a request: no answer, a connection that breaks, or an answer. */
type Trouble = 'silence' | 'reset' | { status: number; code: string; headers?: Record<string, string> }

/** A bucket `sessions`. */
export interface ObjectStore {
  /** Decides about each request, by its number from 1, whether something goes wrong with it. */
  trouble: (number: number) => Trouble | undefined
  endpoint: string
  objects: Map<string, StoredObject>
  /** Requests so far, as `PUT key`. */
  requests: string[]
  /** Number of changes that are still accepted; afterwards every request is refused. */
  changesLeft: number
  /** Objects as text by key. */
  texts: () => Record<string, string>
}

/** Number of names in one answer to a list request: few, so that lists have several pages. */
const pageSize = 4
const kept = ['content-type', 'cache-control', 'content-disposition']

/** Starts a store that is closed when the running test ends. */
export async function startObjectStore(): Promise<ObjectStore> {
  const objects: ObjectStore['objects'] = new Map()
  const store: ObjectStore = {
    trouble: () => undefined,
    endpoint: '',
    objects,
    requests: [],
    changesLeft: Number.POSITIVE_INFINITY,
    texts: () =>
      Object.fromEntries(
        [...objects].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, { body }]) => [key, String(body)]),
      ),
  }
  const server = createServer((request, response) => {
    void answer(store, request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  store.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return store
}

type Refuse = (status: number, code: string, more?: Readonly<Record<string, string>>) => void

async function answer(store: ObjectStore, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer) // a request gives buffers
  const url = new URL(request.url ?? '', store.endpoint)
  const [, bucket, ...rest] = url.pathname.split('/').map(decodeURIComponent)
  const key = rest.join('/')
  const method = request.method ?? ''
  store.requests.push(`${method} ${key}`)
  const refuse: Refuse = (status, code, more = {}) => {
    response
      .writeHead(status, { 'content-type': 'application/xml', ...more })
      .end(`<Error><Code>${code}</Code></Error>`)
  }
  const trouble = store.trouble(store.requests.length)
  if (trouble !== undefined) return makeTrouble(trouble, response, refuse)
  if (!isSigned(request)) return void refuse(403, 'AccessDenied')
  if (bucket !== 'sessions') return void refuse(404, 'NoSuchBucket')
  if (method === 'GET' && key === '') return void response.end(listing(store, url.searchParams))
  const found = store.objects.get(key)
  if (method === 'GET') return void (found ? response.end(found.body) : refuse(404, 'NoSuchKey'))
  if (store.changesLeft <= 0) return void refuse(403, 'AccessDenied')
  store.changesLeft--
  if (method === 'DELETE') {
    store.objects.delete(key)
    return void response.writeHead(204).end()
  }
  if (put(store, key, request, Buffer.concat(pieces))) return void response.writeHead(200).end()
  refuse(400, 'BadDigest')
}

function makeTrouble(trouble: Trouble, response: ServerResponse, refuse: Refuse): void {
  if (trouble === 'reset') response.socket?.destroy()
  if (typeof trouble === 'object') refuse(trouble.status, trouble.code, trouble.headers)
}

/** Stores an object unless its digest is another than announced; returns whether it did. */
function put({ objects }: ObjectStore, key: string, { headers: sent }: IncomingMessage, body: Buffer): boolean {
  const wanted = sent['content-md5']
  if (wanted !== undefined && wanted !== createHash('md5').update(body).digest('base64')) return false
  const headers = kept.flatMap((name) => (sent[name] === undefined ? [] : [[name, String(sent[name])]]))
  objects.set(key, { body, headers: Object.fromEntries(headers) })
  return true
}

function isSigned({ headers }: IncomingMessage): boolean {
  const form =
    /^AWS4-HMAC-SHA256 Credential=key-of-test\/\d{8}\/[\w-]+\/s3\/aws4_request, SignedHeaders=[\w;-]*host[\w;-]*, Signature=[0-9a-f]{64}$/
  return form.test(headers.authorization ?? '')
}

function listing({ objects }: ObjectStore, query: URLSearchParams): string {
  const prefix = query.get('prefix') ?? ''
  const after = query.get('continuation-token') ?? ''
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort()
  const page = keys.slice(0, pageSize)
  const contents = page.map((key) => {
    const body = objects.get(key)?.body ?? Buffer.alloc(0)
    return `<Contents><Key>${key.replaceAll('&', '&amp;')}</Key><ETag>${etag(body).replaceAll('"', '&quot;')}</ETag><Size>${body.length}</Size></Contents>`
  })
  const next = keys.length > pageSize ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
  return `<ListBucketResult><IsTruncated>${keys.length > pageSize}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`
}

function etag(body: Buffer): string {
  return `"${createHash('md5').update(body).digest('hex')}"`
}
