/**
 * The contents of this package's folder: its version, its code and its templates. `src` and `dist` are at the same depth in it.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sha256 } from '../util/hash.ts'

/** Version from `package.json`, for example `1.2.3`. */
export function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  const { version } = JSON.parse(text) as { version: string } // our own file
  return version
}

/** Name and version that outputs contain: `codex-export 1.2.3`. */
export function generatorName(): string {
  return `codex-export ${packageVersion()}`
}

/**
 * Identifies the running code: the names of chunks, including that of this module, contain hashes of their content. Two programs
 * of one version may differ, and one must not use what the other keeps. When run from sources, the result is always the same.
 */
export function codeName(): string {
  return sha256(
    readdirSync(new URL('.', import.meta.url))
      .sort()
      .join('\n'),
  )
}

/** The folder of the package, ending with a separator. */
export const packageFolder: string = fileURLToPath(new URL('../../', import.meta.url))

/** The package's own templates folder, ending with a separator. */
export const templatesFolder: string = fileURLToPath(new URL('../../templates/', import.meta.url))
