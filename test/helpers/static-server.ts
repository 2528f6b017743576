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

/** What some hosts do in addition: send headers with each file, redirect from `index.html` to its folder, and from `2.html` to `2`. */
export interface HostHabits {
  headers?: Readonly<Record<string, string>>
  hidesIndex?: boolean
  hidesEnding?: boolean
}

/** The path to which a host leads from another one. */
function withoutHidden(path: string, { hidesIndex = false, hidesEnding = false }: HostHabits): string {
  if (hidesIndex && path.endsWith('/index.html')) return path.slice(0, -'index.html'.length)
  return hidesEnding ? path.replace(/\.html$/, '') : path
}

/** Serves `folder` below `base` (with slashes around it) until `close`; returns the address of the base. */
export async function serveFolder(
  folder: string,
  base: string,
  habits: HostHabits = {},
): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '', 'http://localhost').pathname)
    const shorter = withoutHidden(path, habits)
    if (shorter !== path) {
      response.writeHead(308, { Location: shorter }).end()
      return
    }
    const whole = path.endsWith('/') ? `${path}index.html` : path
    const name = habits.hidesEnding && extname(whole) === '' ? `${whole}.html` : whole
    const content = name.startsWith(base)
      ? await readFile(join(folder, name.slice(base.length))).catch(() => null)
      : null
    const type = types[extname(name)] ?? 'application/octet-stream'
    response.writeHead(content === null ? 404 : 200, { 'Content-Type': type, ...habits.headers }).end(content)
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
