/** Finds and loads the configuration file. */
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, extname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ConfigError } from '../diagnostics/errors.ts'
import { defineConfig } from './define.ts'
import { isSelfContained } from './imports.ts'
import type { LoadedConfig } from './resolve.ts'

const names = ['site.config.ts', 'site.config.mts', 'site.config.js', 'site.config.mjs']

/**
 * Loads the file at `path`, else the `site.config.*` of the working folder; `undefined` where there is none.
 * Runs the file: it is the user's own code. Throws a `ConfigError` for a file that is missing, does not load,
 * or exports no object.
 */
export async function loadConfig(cwd: string, path?: string): Promise<LoadedConfig | undefined> {
  const file = path ?? findConfig(cwd)
  if (file === undefined) return undefined
  const name = relative(cwd, file).startsWith('..') ? file : relative(cwd, file)
  if (!existsSync(file)) throw new ConfigError(`The configuration file \`${name}\` does not exist.`)
  const values = await runConfig(file, name)
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw new ConfigError(
      `\`${name}\` has no object as its default export; write \`export default defineConfig({…})\`.`,
    )
  }
  return { name, folder: dirname(file), values: values as Record<string, unknown> } // any object may be read by key
}

function findConfig(cwd: string): string | undefined {
  const found = names.map((name) => join(cwd, name)).filter((file) => existsSync(file))
  if (found.length < 2) return found[0]
  const list = found.map((file) => `\`${basename(file)}\``).join(' and ')
  throw new ConfigError(`There are ${list}. Keep one of them, or name one by \`--config\`.`)
}

async function runConfig(file: string, name: string): Promise<unknown> {
  const { createJiti } = await import('jiti')
  // The whole entry takes longer to load than most configurations need.
  const entry = isSelfContained(readFileSync(file, 'utf8')) ? { defineConfig } : await ownEntry()
  // Under npx the package is not below the user's folder, so its name must not be looked up there.
  const jiti = createJiti(file, { virtualModules: { 'codex-export': entry }, fsCache: false, moduleCache: false })
  try {
    return await jiti.import(file, { default: true })
  } catch (cause) {
    const [reason] = (cause instanceof Error ? cause.message : String(cause)).split('\n')
    throw new ConfigError(`\`${name}\` does not load: ${reason}`, { cause })
  }
}

/** The package's public entry: `dist/index.js` when installed, `src/index.ts` in tests. */
async function ownEntry(): Promise<unknown> {
  const extension = extname(fileURLToPath(import.meta.url))
  const entry = new URL(`../index${extension}`, import.meta.url)
  return await import(entry.href)
}
