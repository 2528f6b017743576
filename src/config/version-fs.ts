/** The version of this package. */

import { readFileSync } from 'node:fs'

/** Version from `package.json`, for example `1.2.3`. */
export function packageVersion(): string {
  // `src` and `dist` are equally deep, so the path holds in both.
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  const { version } = JSON.parse(text) as { version: string } // our own file
  return version
}

/** Name and version that outputs carry: `codex-export 1.2.3`. */
export function generatorName(): string {
  return `codex-export ${packageVersion()}`
}
