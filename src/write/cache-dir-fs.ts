/** Where the cache of a site lies by default. */
import { posix, win32 } from 'node:path'
import { slugify } from '../model/urls.ts'
import { sha256 } from '../util/hash.ts'

/** The parts of the world that decide the place. */
export interface CacheHost {
  env: Readonly<Record<string, string | undefined>>
  /** Absolute. */
  homeDir: string
  /** Default: that of this process. */
  platform?: NodeJS.Platform
}

/** A folder below the user's cache folder, named after the absolute path of the output folder. */
export function defaultCacheDir(out: string, { env, homeDir, platform = process.platform }: CacheHost): string {
  const { join, resolve, basename } = platform === 'win32' ? win32 : posix
  const site = resolve(out)
  return join(
    userCache({ env, homeDir, platform }),
    'codex-export',
    `${slugify(basename(site))}-${sha256(site).slice(0, 12)}`,
  )
}

function userCache({ env, homeDir, platform }: CacheHost): string {
  const { join, isAbsolute } = platform === 'win32' ? win32 : posix
  const absolute = (value: string | undefined): string | undefined =>
    value !== undefined && isAbsolute(value) ? value : undefined
  // The XDG base directory specification: a relative path is to be ignored.
  const named = absolute(env['XDG_CACHE_HOME'])
  if (named !== undefined) return named
  if (platform === 'darwin') return join(homeDir, 'Library', 'Caches')
  if (platform === 'win32') return absolute(env['LOCALAPPDATA']) ?? join(homeDir, 'AppData', 'Local')
  return join(homeDir, '.cache')
}
