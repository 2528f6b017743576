/** The built demo site, on disk and served. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, inject } from 'vitest'
import { startServer } from '../../src/cli/serve/server-fs.ts'
import type {} from './demo-setup.ts'

/** Absolute folder of the site. */
const demo: string = inject('demo')

/** Text of a file of the site. */
export function readDemo(path: string): string {
  return readFileSync(join(demo, path), 'utf8')
}

/** Paths of all files of the site, with `/`. */
export function demoFiles(): string[] {
  return readdirSync(demo, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(demo.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort()
}

/** Path of the one session page whose title starts with `title`. */
export function sessionPath(title: string): string {
  const pages = demoFiles().filter((path) => /^sessions\/[^/]+\/index\.html$/.test(path))
  const found = pages.filter((path) => readDemo(path).includes(`<title>${title}`))
  if (found[0] === undefined || found.length > 1) throw new Error(`${found.length} pages are titled \`${title}\``)
  return found[0]
}

/** Serves the site while the tests of a file run; returns a function that gives the address of a path. */
export function useDemoServer(): (path: string) => string {
  let server: Awaited<ReturnType<typeof startServer>>
  beforeAll(async () => {
    server = await startServer(demo, { port: 0 })
  })
  afterAll(() => server?.close())
  return (path) => new URL(path, server.url).href
}
