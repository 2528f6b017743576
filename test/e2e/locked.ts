/** The locked demo site, on disk and served. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll } from 'vitest'
import { runCli } from '../helpers/cli.ts'
import { openSite } from '../helpers/locked-site.ts'
import { serveFolder } from '../helpers/static-server.ts'

/** The password of the site. */
export const password = 'tin drum, blue lantern'

/** The site while the tests of a file run. */
export interface LockedSite {
  /** Absolute folder with the site, the password file and the cache. */
  folder: string
  site: string
  /** Sealed files by the path that they have without a lock. */
  files: () => Awaited<ReturnType<typeof openSite>>
  /** Path of the sealed page that contains a page of the site. */
  at: (path: string) => string
  /** Addresses of the site, by where it is read from. */
  roots: Record<'over http' | 'from a folder on disk', () => string>
}

/** Builds the site before the tests of a file. */
export function useLockedSite(): LockedSite {
  const folder = mkdtempSync(join(tmpdir(), 'codex-export-lock-'))
  const site = join(folder, 'site')
  let server: Awaited<ReturnType<typeof serveFolder>> | undefined
  let files: Awaited<ReturnType<typeof openSite>> = new Map()
  beforeAll(async () => {
    const file = join(folder, 'password')
    writeFileSync(file, `${password}\n`, { mode: 0o600 })
    const args = ['--cache', join(folder, 'cache'), '--format', 'html,md,json', '--password-file', file]
    const run = await runCli(['build', '--out', site, ...args])
    if (run.status !== 0) throw new Error(`the locked site was not built:\n${run.stderr}`)
    server = await serveFolder(site, '/some/base/')
    files = await openSite(site, password)
  })
  afterAll(async () => {
    await server?.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    folder,
    site,
    files: () => files,
    at(path) {
      const sealed = files.get(path)?.sealed[0]
      if (sealed === undefined) throw new Error(`\`${path}\` is no file of the site`)
      return sealed
    },
    roots: { 'over http': () => server?.url ?? '', 'from a folder on disk': () => pathToFileURL(join(site, '/')).href },
  }
}
