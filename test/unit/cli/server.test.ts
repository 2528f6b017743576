import { readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openerFor, openInBrowser } from '../../../src/cli/browser-fs.ts'
import { type Background, type RunningServer, serve, startServer } from '../../../src/cli/serve/server-fs.ts'
import { UsageError } from '../../../src/diagnostics/errors.ts'
import { openStagingArea } from '../../../src/site/output/staging-fs.ts'
import { type SessionSource, sessionRequests } from '../../../src/site/requests.ts'
import { silent } from '../../../src/site/types.ts'
import { sha256 } from '../../../src/util/hash.ts'
import { writeFolder } from '../../helpers/folder.ts'
import { useTempDir } from '../../helpers/temp.ts'

const files = {
  'index.html': '<h1>Home</h1>',
  '404.html': '<h1>Not found</h1>',
  'sessions/a/index.html': '<h1>Ä</h1>',
  'assets/site.css': '0123456789',
  'assets/picture.svg': '<svg/>',
  'empty.txt': '',
}

async function build(out: string, content: Record<string, string> = files): Promise<void> {
  const stage = await openStagingArea(out)
  for (const [path, text] of Object.entries(content)) stage.put({ path, content: text })
  await stage.commit()
}

async function start(content: Record<string, string> = files): Promise<{ out: string; server: RunningServer }> {
  const out = join(useTempDir(), 'site')
  await build(out, content)
  const server = await startServer(out, { port: 0 })
  onTestFinished(() => server.close())
  return { out, server }
}

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

/** Sends a request line exactly as given; `fetch` would normalise the path. */
function ask(
  server: RunningServer,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Answer> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, path, headers, method, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const body = Buffer.concat(chunks).toString('utf8')
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body })
      })
    })
    request.on('error', reject)
    request.end()
  })
}

describe('a file of the site', () => {
  test.each([
    ['/', 'index.html', 'text/html; charset=utf-8'],
    ['/index.html?q=x', 'index.html', 'text/html; charset=utf-8'],
    ['/sessions/a/', 'sessions/a/index.html', 'text/html; charset=utf-8'],
    ['/assets/site.css', 'assets/site.css', 'text/css; charset=utf-8'],
    ['/empty.txt', 'empty.txt', 'text/plain; charset=utf-8'],
  ] as const)('%s is sent with its type and length', async (path, file, type) => {
    const { server } = await start()
    const { status, headers, body } = await ask(server, path)
    expect({ status, body, type: headers['content-type'] }).toEqual({ status: 200, body: files[file], type })
    expect(headers['content-length']).toBe(String(Buffer.byteLength(files[file])))
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['etag']).toBe(`"${sha256(files[file])}"`)
  })

  test('may be the manifest', async () => {
    const { server } = await start()
    const { status, body } = await ask(server, '/manifest.json')
    expect(status).toBe(200)
    expect(JSON.parse(body)).toMatchObject({ schema: 'codex-export/manifest' })
  })

  test('is not sent again to a client that has it', async () => {
    const { server } = await start()
    const { headers } = await ask(server, '/index.html')
    const again = await ask(server, '/index.html', { 'If-None-Match': headers.etag ?? '' })
    expect(again).toMatchObject({ status: 304, body: '' })
    expect(await ask(server, '/index.html', { 'If-None-Match': '"other"' })).toMatchObject({ status: 200 })
  })

  test('is sent in parts', async () => {
    const { server } = await start()
    const part = await ask(server, '/assets/site.css', { Range: 'bytes=2-4' })
    expect(part).toMatchObject({ status: 206, body: '234' })
    expect(part.headers).toMatchObject({ 'content-range': 'bytes 2-4/10', 'content-length': '3' })
    const outside = await ask(server, '/assets/site.css', { Range: 'bytes=10-' })
    expect(outside).toMatchObject({ status: 416, body: '' })
    expect(outside.headers['content-range']).toBe('bytes */10')
  })

  test('is sent completely if the requested part belongs to an older version', async () => {
    const { server } = await start()
    const { headers } = await ask(server, '/assets/site.css')
    const range = { Range: 'bytes=2-4' }
    expect(await ask(server, '/assets/site.css', { ...range, 'If-Range': '"old"' })).toMatchObject({ status: 200 })
    expect(await ask(server, '/assets/site.css', { ...range, 'If-Range': headers.etag ?? '' })).toMatchObject({
      status: 206,
    })
  })

  test('is described by HEAD without its content', async () => {
    const { server } = await start()
    const { status, headers, body } = await ask(server, '/assets/site.css', {}, 'HEAD')
    expect({ status, length: headers['content-length'], body }).toEqual({ status: 200, length: '10', body: '' })
  })

  test('is found under its folder, by a redirect to the address with a slash', async () => {
    const { server } = await start()
    const { status, headers } = await ask(server, '/sessions/a?q=x')
    expect({ status, location: headers.location }).toEqual({ status: 301, location: 'a/?q=x' })
  })

  test('that is a picture cannot run scripts', async () => {
    const { server } = await start()
    const { headers } = await ask(server, '/assets/picture.svg')
    expect(headers['content-type']).toBe('image/svg+xml')
    expect(headers['content-security-policy']).toBe("default-src 'none'; sandbox; frame-ancestors 'none'")
  })

  test("has the headers of the site's `_headers`, except for cache times", async () => {
    const asked =
      "/*\n  Content-Security-Policy: default-src 'none'\n  X-Robots-Tag: noindex\n/assets/*\n  Cache-Control: immutable\n  X-Only: assets\n"
    const { server } = await start({ ...files, _headers: asked })
    const { headers } = await ask(server, '/')
    expect(headers).toMatchObject({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-robots-tag': 'noindex',
    })
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache' })
    expect(headers).not.toHaveProperty('x-only')
    const asset = await ask(server, '/assets/site.css')
    expect(asset.headers).toMatchObject({ 'x-only': 'assets', 'cache-control': 'no-cache' })
    expect((await ask(server, '/assets/picture.svg')).headers['content-security-policy']).toContain('sandbox')
  })

  test('may not be framed if the site sets no policy', async () => {
    const { server } = await start()
    expect((await ask(server, '/')).headers['content-security-policy']).toBe("frame-ancestors 'none'")
  })

  test.each([
    ["default-src 'none';", "default-src 'none'; frame-ancestors 'none'"],
    ["script-src 'self', img-src 'self'", "script-src 'self', img-src 'self'; frame-ancestors 'none'"],
    ["report-uri /frame-ancestors; x-frame-ancestors 'self'", "$&; frame-ancestors 'none'"],
    ["default-src 'none'; Frame-Ancestors 'self'", '$&'],
    ["default-src 'none',frame-ancestors", '$&'],
  ])('may be framed only if the policy of the site says so: %s', async (own, sent) => {
    const { server } = await start({ ...files, _headers: `/*\n  content-security-policy: ${own}\n` })
    const { headers } = await ask(server, '/')
    expect(headers['content-security-policy']).toBe(sent.replace('$&', () => own))
  })

  test('is the new one after a rebuild', async () => {
    const { out, server } = await start()
    expect((await ask(server, '/index.html')).body).toBe('<h1>Home</h1>')
    await build(out, { ...files, 'index.html': '<h1>New</h1>', 'new.html': 'new' })
    const { body, headers } = await ask(server, '/index.html')
    expect(body).toBe('<h1>New</h1>')
    expect(headers['etag']).toBe(`"${sha256('<h1>New</h1>')}"`)
    expect(await ask(server, '/new.html')).toMatchObject({ status: 200, body: 'new' })
  })
})

test('a manifest with the same inode, size and time is read again', async () => {
  const { out, server } = await start()
  const path = join(out, 'manifest.json')
  const { atime, mtime } = statSync(path)
  utimesSync(path, atime, mtime)
  const { headers } = await ask(server, '/index.html')
  const text = readFileSync(path, 'utf8').replace(sha256(files['index.html']), sha256('other'))
  // An update by another process leaves this if the inode of the old file is reused.
  for (const before = statSync(path).ctimeMs; statSync(path).ctimeMs === before; ) {
    writeFileSync(path, text)
    utimesSync(path, atime, mtime)
  }
  expect(await ask(server, '/index.html', { 'If-None-Match': headers.etag ?? '' })).toMatchObject({ status: 200 })
})

describe('any other request', () => {
  test("gets the site's own 404 page", async () => {
    const { server } = await start()
    const { status, headers, body } = await ask(server, '/nowhere')
    expect({ status, body, type: headers['content-type'] }).toEqual({
      status: 404,
      body: files['404.html'],
      type: 'text/html; charset=utf-8',
    })
    expect(await ask(server, '/nowhere', { Range: 'bytes=0-1' })).toMatchObject({
      status: 404,
      body: files['404.html'],
    })
  })

  test('gets a line that names the list of files if the site has no pages', async () => {
    const { server } = await start({ 'sessions/a/index.json': '{}' })
    const { status, body } = await ask(server, '/')
    expect({ status, body }).toEqual({
      status: 404,
      body: 'This site has no pages: it was built without the format html. /manifest.json lists its files.\n',
    })
    expect(await ask(server, '/manifest.json')).toMatchObject({ status: 200 })
  })

  test('gets a line of text if the site has no 404 page', async () => {
    const { server } = await start({ 'index.html': 'home' })
    const { status, headers, body } = await ask(server, '/<script>')
    expect({ status, body }).toEqual({ status: 404, body: 'There is no such page.\n' })
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
  })

  test('for a file that the manifest does not list is not served', async () => {
    const { out, server } = await start()
    writeFolder(out, { '.git/config': 'secret', 'draft.html': 'secret', '.staging-1-0-000000000000/n0': 'secret' })
    for (const path of [
      '/.git/config',
      '/draft.html',
      '/.staging-1-0-000000000000/n0',
      '/assets/',
      '/__proto__',
      '/constructor',
    ]) {
      expect(await ask(server, path), path).toMatchObject({ status: 404 })
    }
  })

  test.each(['/../secret.txt', '/%2e%2e/secret.txt', '/..%2fsecret.txt', '/..%5csecret.txt', '/a%00', '//secret.txt'])(
    'for %s does not leave the folder',
    async (path) => {
      const { out, server } = await start()
      writeFolder(join(out, '..'), { 'secret.txt': 'secret' })
      expect(await ask(server, path)).toMatchObject({ status: 400, body: 'That is not a path of this site.\n' })
    },
  )

  test('for a file behind a link out of the folder is not served', async () => {
    const { out, server } = await start()
    const folder = join(out, '..')
    writeFolder(folder, { 'secret.txt': 'secret', 'outside/index.html': 'secret' })
    rmSync(join(out, 'empty.txt'))
    symlinkSync(join(folder, 'secret.txt'), join(out, 'empty.txt'))
    rmSync(join(out, 'sessions/a'), { recursive: true })
    symlinkSync(join(folder, 'outside'), join(out, 'sessions/a'))
    expect(await ask(server, '/empty.txt')).toMatchObject({ status: 404 })
    expect(await ask(server, '/sessions/a/')).toMatchObject({ status: 404 })
  })

  test('for a file that is missing on disk gets 404, and the server continues', async () => {
    const { out, server } = await start()
    rmSync(join(out, 'index.html'))
    expect(await ask(server, '/')).toMatchObject({ status: 404 })
    rmSync(out, { recursive: true })
    expect(await ask(server, '/')).toMatchObject({ status: 404, body: 'There is no such page.\n' })
  })

  test('with a method other than GET and HEAD is refused', async () => {
    const { server } = await start()
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await ask(server, '/', {}, method)
      expect({ method, status, allow: headers['allow'] }).toEqual({ method, status: 405, allow: 'GET, HEAD' })
    }
  })

  test('with a host name that is not ours is refused', async () => {
    const { server } = await start()
    const { port } = new URL(server.url)
    expect(await ask(server, '/', { Host: `evil.example:${port}` })).toMatchObject({ status: 421 })
    expect(await ask(server, '/', { Host: 'localhost' })).toMatchObject({ status: 421 })
    expect(await ask(server, '/', { Host: `localhost:${port}` })).toMatchObject({ status: 200 })
  })
})

describe('starting', () => {
  test('uses a free port and returns the address', async () => {
    const { server } = await start()
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d{2,5}\/$/)
  })

  test('without a site fails with how to build one', async () => {
    const out = useTempDir()
    await expect(startServer(out, { port: 0 })).rejects.toThrow(`\`${out}\` contains no site.`)
    writeFolder(out, { 'manifest.json': '{}' })
    await expect(startServer(out, { port: 0 })).rejects.toThrow(UsageError)
    await expect(startServer(join(out, 'absent'), { port: 0 })).rejects.toThrow(UsageError)
  })

  test('on a port in use fails with what to do', async () => {
    const { out, server } = await start()
    const port = Number(new URL(server.url).port)
    const error = await startServer(out, { port }).catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(UsageError)
    expect(error).toHaveProperty(
      'message',
      expect.stringContaining(`Port ${port} on \`127.0.0.1\` is in use. Choose another`),
    )
  })

  test('can be ended while a visitor is connected', async () => {
    const { server } = await start()
    await ask(server, '/', { Connection: 'keep-alive' })
    await server.close()
    await expect(ask(server, '/')).rejects.toThrow(/ECONNREFUSED/)
  })
})

test('`serve` serves until it is stopped, and prints the address', async () => {
  const out = join(useTempDir(), 'site')
  await build(out)
  const controller = new AbortController()
  const said: string[] = []
  const progress = { ...silent, done: (line?: string) => said.push(line ?? '') }
  const host = { signal: controller.signal, progress, report: () => {}, now: () => 0, env: {}, homeDir: '/home/sam' }
  const background: Background = async (_host, { announce }) => announce()
  const running = serve({ out, port: 0, open: false }, host, background)
  await vi.waitFor(() => expect(said).toHaveLength(1))
  expect(said[0]).toMatch(/^Serving .+ at http:\/\/127\.0\.0\.1:\d+\/ \(Ctrl-C stops it\)$/)
  const server = {
    url: /http:\S+/.exec(said[0] ?? '')?.[0] ?? '',
    notifyPages: () => {},
    setMode: () => {},
    close: async () => {},
  }
  expect(await ask(server, '/')).toMatchObject({ status: 200, body: files['index.html'] })
  controller.abort()
  await running
  await expect(ask(server, '/')).rejects.toThrow(/ECONNREFUSED/)
  await serve({ out, port: 0, open: false }, host, background)
})

describe('a server of a site that changes', () => {
  const pages = { ...files, 'index.html': '<html><head><title>x</title></head></html>', 'b.html': '<head></head>' }

  async function live(): Promise<{ out: string; server: RunningServer }> {
    const out = join(useTempDir(), 'site')
    await build(out, pages)
    const server = await startServer(out, { port: 0, live: true })
    onTestFinished(() => server.close())
    return { out, server }
  }

  test('adds its script and style to pages that it sends, and to nothing else', async () => {
    const { server } = await live()
    const page = await ask(server, '/')
    expect(page.body).toMatch(
      /<title>x<\/title><link [^>]+>\n<script src="[^"]+" data-page="[0-9a-f]{64}-live" defer><\/script>\n<\/head>/,
    )
    expect(page.headers.etag).toMatch(/-live"$/)
    expect(await ask(server, '/', { 'if-none-match': String(page.headers.etag) })).toMatchObject({
      status: 304,
      body: '',
    })
    expect((await ask(server, '/assets/site.css')).body).toBe(files['assets/site.css'])
    const script = await ask(server, '/.live/live.js')
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(script.body).toContain('EventSource')
    expect((await ask(server, '/.live/other.js')).status).toBe(404)
    const plain = await startServer((await live()).out, { port: 0 })
    onTestFinished(() => plain.close())
    expect((await ask(plain, '/.live/live.js')).status).toBe(404)
    expect((await ask(plain, '/')).body).toBe(pages['index.html'])
  })

  test('reports which pages changed, and nothing if none did', async () => {
    const { out, server } = await live()
    const response = await fetch(`${server.url}.live/events`)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader?.read())?.value).toBe('retry: 1000\n\nevent: mode\ndata: watching\n\n')
    await build(out, { ...pages, 'empty.txt': 'not a page' })
    server.notifyPages()
    await build(out, { ...pages, 'b.html': '<head>other</head>', 'c.html': '' })
    server.notifyPages()
    expect((await reader?.read())?.value).toBe('event: changed\ndata: ["b.html","c.html"]\n\n')
  })

  test('answers HEAD with the type of its events, and ends', async () => {
    const { server } = await live()
    const { status, headers, body } = await ask(server, '/.live/events', {}, 'HEAD')
    expect({ status, type: headers['content-type'], body }).toEqual({
      status: 200,
      type: 'text/event-stream',
      body: '',
    })
  })

  test('answers no page of another origin', async () => {
    const { server } = await live()
    expect((await ask(server, '/.live/events', { host: 'evil.example' })).status).toBe(421)
  })
})

describe('the browser', () => {
  test.each([
    ['linux', 'xdg-open', ['http://127.0.0.1:1/']],
    ['darwin', 'open', ['http://127.0.0.1:1/']],
    ['win32', 'rundll32.exe', ['url.dll,FileProtocolHandler', 'http://127.0.0.1:1/']],
  ] as const)('on %s is opened by %s', (platform, program, args) => {
    expect(openerFor(platform, 'http://127.0.0.1:1/')).toEqual({ program, args })
  })

  test('that is missing causes no error', async () => {
    expect(await openInBrowser('http://127.0.0.1:1/', { program: 'no-such-program-here', args: [] })).toBe(false)
    expect(await openInBrowser('http://127.0.0.1:1/', { program: process.execPath, args: ['--version'] })).toBe(true)
  })
})

describe('a server while the site is being built', () => {
  const made = 'sessions/a/index.html'

  /** A server whose build makes the sessions that `render` says; none is in the site yet. */
  async function building(render: SessionSource['render'], content?: Record<string, string>) {
    const folder = useTempDir()
    const out = join(folder, 'site')
    if (content !== undefined) await build(out, content)
    writeFolder(folder, { [`staged/${made}`]: '<head></head><h1>Made</h1>' })
    const requests = sessionRequests()
    const server = await startServer(out, { port: 0, live: true, requests, timeoutMs: 0 })
    onTestFinished(() => server.close())
    server.setMode('building')
    let isMade = false
    const source: SessionSource = {
      async render(folder, free) {
        const answer = await render(folder, free)
        isMade ||= answer === 'made'
        return answer
      },
      staged: join(folder, 'staged'),
      hashOf: (path) => (isMade && path === made ? 'f'.repeat(64) : undefined),
      listPage: (path) => `<head></head>list for ${path}`,
      noticePage: (path, { heading, text }) => `${path}: ${heading}. ${text}`,
    }
    return { server, requests, source }
  }

  test('asks to wait until the sessions are known, then lists them', async () => {
    const { server, requests, source } = await building(async () => 'made')
    const before = await ask(server, '/')
    expect(before).toMatchObject({ status: 503, headers: { 'retry-after': '1', refresh: '1' } })
    requests.open(source)
    for (const [path, at] of [
      ['/', 'index.html'],
      ['/.live/sessions.html', '.live/sessions.html'],
    ] as const) {
      const { status, body, headers } = await ask(server, path)
      expect({ status, tag: headers.etag }).toEqual({ status: 200, tag: '"sessions"' })
      const script = at === 'index.html' ? '.live/live.js' : '../.live/live.js'
      expect(body).toMatch(new RegExp(`src="${script}" data-page="sessions"[^]*list for ${at}$`))
    }
  })

  test('makes a requested session, and serves only the files that were made', async () => {
    const { server, requests, source } = await building(async (folder) => (folder === 'a' ? 'made' : 'unknown'))
    requests.open(source)
    const { status, body, headers } = await ask(server, '/sessions/a/')
    expect({ status, tag: headers.etag }).toEqual({ status: 200, tag: `"${'f'.repeat(64)}-live"` })
    expect(body).toContain('<h1>Made</h1>')
    expect(await ask(server, '/sessions/a')).toMatchObject({ status: 301, headers: { location: 'a/' } })
    expect((await ask(server, '/sessions/%2e%2e/secret.html')).status).toBe(400)
    expect((await ask(server, '/other.txt')).status).toBe(404)
  })

  test('asks to wait for a session that takes long, and for pages that come with the site', async () => {
    const { server, requests, source } = await building(() => new Promise(() => {}))
    requests.open(source)
    const session = await ask(server, '/sessions/a/')
    expect(session).toMatchObject({ status: 503, headers: { refresh: '1' } })
    expect(session.body).toMatch(/^sessions\/a\/index\.html: This session is being rendered/)
    expect(await ask(server, '/stats/')).toMatchObject({ status: 503, headers: { refresh: '1' } })
  })

  test.each([
    ['unknown', 404, 'There is no page at this address'],
    [{ failure: 'the file vanished' }, 500, 'This session cannot be shown. the file vanished'],
  ] as const)('reports a session that is %j', async (answer, status, text) => {
    const { server, requests, source } = await building(async () => answer)
    requests.open(source)
    expect(await ask(server, '/sessions/a/')).toMatchObject({ status, body: expect.stringContaining(text) })
  })

  test('also serves the existing site, and requests nothing once the build is over', async () => {
    const { server, requests, source } = await building(async () => 'unknown', files)
    requests.open(source)
    expect((await ask(server, '/index.html')).body).toBe(files['index.html'])
    server.setMode('settled')
    expect(await ask(server, '/sessions/b/')).toMatchObject({ status: 404, body: files['404.html'] })
  })
})

test('a fault of the program ends one answer and is reported', async () => {
  const out = join(useTempDir(), 'site')
  await build(out)
  const faults: unknown[] = []
  const requests = sessionRequests()
  Object.defineProperty(requests, 'source', {
    get(): never {
      throw new TypeError('source is not a function')
    },
  })
  const server = await startServer(out, { port: 0, live: true, requests, onFault: (error) => faults.push(error) })
  onTestFinished(() => server.close())
  const { status, body } = await ask(server, '/')
  expect([status, body]).toEqual([500, expect.stringContaining('bug in codex-export')])
  expect(faults).toEqual([new TypeError('source is not a function')])
})
