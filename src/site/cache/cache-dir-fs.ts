/** Where the cache of a site lies by default. */

import { existsSync } from 'node:fs'
import { isAbsolute, join, posix, relative, resolve, sep, win32 } from 'node:path'
import { UsageError } from '../../diagnostics/errors.ts'
import { slugify } from '../../transcript/urls.ts'
import { type CacheHost, userCache } from '../../util/files-fs.ts'
import { sha256 } from '../../util/hash.ts'

export type { CacheHost } from '../../util/files-fs.ts'

/** A folder below the user's cache folder, named after the absolute path of the output folder. */
export function defaultCacheDir(out: string, { env, homeDir, platform = process.platform }: CacheHost): string {
  const path = platform === 'win32' ? win32 : posix
  const site = path.resolve(out)
  const name = `${slugify(path.basename(site))}-${sha256(site).slice(0, 12)}`
  return path.join(userCache({ env, homeDir, platform }), 'codex-export', name)
}

/**
 * The folder in which `list` keeps what it read in some places; `undefined` where the user has no cache folder, for a command
 * that only reads makes none.
 */
export function listCacheDir(places: readonly string[], host: CacheHost): string | undefined {
  const { env, homeDir, platform = process.platform } = host
  const folder = userCache({ env, homeDir, platform })
  return existsSync(folder) ? join(folder, 'codex-export', `list-${sha256(places.join('\0')).slice(0, 12)}`) : undefined
}

/** The folder in which masks of pruned rollouts are kept. */
export function maskDir({ env, homeDir, platform = process.platform }: CacheHost): string {
  const path = platform === 'win32' ? win32 : posix
  return path.join(userCache({ env, homeDir, platform }), 'codex-export', 'memory')
}

/** The folder in which new files of an interrupted build wait for the next one. */
export function waitingFolder(cacheDir: string): string {
  return join(cacheDir, 'unfinished')
}

/** Throws a `UsageError` where a cache folder is the output folder or lies in it: it would be published with the site. */
export function checkCacheDir(cache: string, out: string): void {
  const way = relative(resolve(out), resolve(cache))
  if (isAbsolute(way) || way === '..' || way.startsWith(`..${sep}`)) return
  const hint = 'The cache contains text of private sessions: choose a `--cache` outside the site.'
  throw new UsageError(`The cache folder \`${cache}\` is inside the output folder \`${out}\`. ${hint}`)
}
