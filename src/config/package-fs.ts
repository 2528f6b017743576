/** What stands in the folder of this package: its version and its templates. `src` and `dist` lie equally deep in it. */

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

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

/** The folder of the package; the path ends with a separator. */
export const packageFolder: string = fileURLToPath(new URL('../../', import.meta.url))

/** The package's own templates; the path ends with a separator. */
export const templatesFolder: string = fileURLToPath(new URL('../../templates/', import.meta.url))
