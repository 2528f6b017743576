/** Finds and loads the configuration file. */
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, extname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TransformOptions, TransformResult } from 'jiti'
import { ConfigError } from '../diagnostics/errors.ts'
import { sha256 } from '../util/hash.ts'
import { defineConfig } from './define.ts'
import { type ImportGraph, readImportGraph } from './import-graph-fs.ts'
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
  const name = nameOf(file, cwd)
  if (!existsSync(file)) throw new ConfigError(`The configuration file \`${name}\` does not exist.`)
  return loaded(await runConfig(file, name), file, name)
}

/**
 * Loads a configuration file that was read before, at most as it was read: refuses it where anything changed since, runs the
 * very text that was read, and refuses modules that change while it is being loaded, but those that Node loads natively.
 * Throws a `ConfigError` as `loadConfig` does.
 */
export async function loadRead(file: string, graph: ImportGraph): Promise<LoadedConfig> {
  const name = basename(file)
  if (readImportGraph(file).hash !== graph.hash)
    throw new ConfigError(`\`${name}\` or what it imports changed meanwhile; it was not run.`)
  return loaded(await runConfig(file, name, graph.unclear.length === 0 ? graph : undefined), file, name)
}

/** The `site.config.*` of a folder, absolute; `undefined` where there is none. Throws a `ConfigError` where there are two. */
export function findConfig(cwd: string): string | undefined {
  const found = names.map((name) => join(cwd, name)).filter((file) => existsSync(file))
  if (found.length < 2) return found[0]
  const list = found.map((file) => `\`${basename(file)}\``).join(' and ')
  throw new ConfigError(`There are ${list}. Keep one of them, or name one by \`--config\`.`)
}

function nameOf(file: string, cwd: string): string {
  return relative(cwd, file).startsWith('..') ? file : relative(cwd, file)
}

function loaded(values: unknown, file: string, name: string): LoadedConfig {
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw new ConfigError(
      `\`${name}\` has no object as its default export; write \`export default defineConfig({…})\`.`,
    )
  }
  return { name, folder: dirname(file), values: values as Record<string, unknown> } // any object may be read by key
}

async function runConfig(file: string, name: string, graph?: ImportGraph): Promise<unknown> {
  const { createJiti } = await import('jiti')
  // The whole entry takes longer to load than most configurations need.
  const source = graph?.source ?? readFileSync(file, 'utf8')
  const entry = isSelfContained(source) ? { defineConfig } : await ownEntry()
  // Under npx the package is not below the user's folder, so its name must not be looked up there.
  const options = { virtualModules: { 'codex-export': entry }, fsCache: false, moduleCache: false }
  const plain = createJiti(file, options)
  try {
    if (graph === undefined) return await plain.import(file, { default: true })
    const transform = (module: TransformOptions): TransformResult => {
      if (graph.texts.has(sha256(module.source))) return { code: plain.transform(module) }
      throw new Error(`\`${module.filename}\` changed while it was being loaded.`)
    }
    const guarded = createJiti(file, { ...options, transform })
    const run = { filename: file, async: true, forceTranspile: true }
    return defaultOf(await guarded.evalModule(source, run))
  } catch (cause) {
    const [reason] = (cause instanceof Error ? cause.message : String(cause)).split('\n')
    throw new ConfigError(`\`${name}\` does not load: ${reason}`, { cause })
  }
}

function defaultOf(module: unknown): unknown {
  return typeof module === 'object' && module !== null && 'default' in module ? module.default : module
}

/** The package's public entry: `dist/index.js` when installed, `src/index.ts` in tests. */
async function ownEntry(): Promise<unknown> {
  const extension = extname(fileURLToPath(import.meta.url))
  const entry = new URL(`../index${extension}`, import.meta.url)
  return await import(entry.href)
}
