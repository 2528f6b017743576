/** What stands in the folder of this package: its version, its code and its templates. `src` and `dist` lie equally deep in it. */

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sha256 } from '../util/hash.ts'

/** Version from `package.json`, for example `1.2.3`. */
export function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  const { version } = JSON.parse(text) as { version: string } // our own file
  return version
}

/** Name and version that outputs carry: `codex-export 1.2.3`. */
export function generatorName(): string {
  return `codex-export ${packageVersion()}`
}

/**
 * Names the code that runs: names of chunks, this module's own among them, hold hashes of what is in them. Two programs of one
 * version may differ, and what one keeps the other must not take for its own. From sources it is always the same.
 */
export function codeName(): string {
  return sha256(
    readdirSync(new URL('.', import.meta.url))
      .sort()
      .join('\n'),
  )
}

/** The folder of the package; the path ends with a separator. */
export const packageFolder: string = fileURLToPath(new URL('../../', import.meta.url))

/** The package's own templates; the path ends with a separator. */
export const templatesFolder: string = fileURLToPath(new URL('../../templates/', import.meta.url))
