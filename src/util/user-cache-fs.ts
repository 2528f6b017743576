/** The folder in which programs keep what they can do without. */

import { posix, win32 } from 'node:path'

/** The parts of the world that decide the place. */
export interface CacheHost {
  env: Readonly<Record<string, string | undefined>>
  /** Absolute. */
  homeDir: string
  /** Default: that of this process. */
  platform?: NodeJS.Platform
}

/** The user's cache folder, absolute: as the XDG specification, macOS or Windows say. */
export function userCache({ env, homeDir, platform }: CacheHost): string {
  const path = platform === 'win32' ? win32 : posix
  const absolute = (value: string | undefined): string | undefined =>
    value !== undefined && path.isAbsolute(value) ? value : undefined
  // The XDG base directory specification: a relative path is to be ignored.
  const named = absolute(env['XDG_CACHE_HOME'])
  if (named !== undefined) return named
  if (platform === 'darwin') return path.join(homeDir, 'Library', 'Caches')
  if (platform === 'win32') return absolute(env['LOCALAPPDATA']) ?? path.join(homeDir, 'AppData', 'Local')
  return path.join(homeDir, '.cache')
}
