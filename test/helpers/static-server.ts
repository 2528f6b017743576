/** A plain web server, like static hosts: a folder below a base path, nothing else. */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
}

/** What some hosts do in addition: send headers with each file, and redirect from `index.html` to its folder. */
export interface HostHabits {
  headers?: Readonly<Record<string, string>>
  hidesIndex?: boolean
}

/** Serves `folder` below `base` (with slashes around it) until `close`; returns the address of the base. */
export async function serveFolder(
  folder: string,
  base: string,
  { headers = {}, hidesIndex = false }: HostHabits = {},
): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '', 'http://localhost').pathname)
    if (hidesIndex && path.endsWith('/index.html')) {
      response.writeHead(308, { Location: path.slice(0, -'index.html'.length) }).end()
      return
    }
    const name = path.endsWith('/') ? `${path}index.html` : path
    const content = name.startsWith(base)
      ? await readFile(join(folder, name.slice(base.length))).catch(() => null)
      : null
    const type = types[extname(name)] ?? 'application/octet-stream'
    response.writeHead(content === null ? 404 : 200, { 'Content-Type': type, ...headers }).end(content)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // `listen` with a port returns an address of this kind.
  const { port } = server.address() as AddressInfo
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${port}${base}`, close }
}
