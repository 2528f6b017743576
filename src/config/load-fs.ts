/** Finds and loads the configuration file. */

import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, extname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TransformOptions, TransformResult } from 'jiti'
import { ConfigError, sourcePosition } from '../diagnostics/errors.ts'
import { namesIn } from '../util/files-fs.ts'
import { sha256 } from '../util/hash.ts'
import { repeatedKey } from '../util/json.ts'
import { reasonOf } from '../util/reason.ts'
import { readCuration } from './curation.ts'
import { type ImportGraph, isSelfContained, readImportGraph } from './import-graph-fs.ts'
import { packageFolder } from './package-fs.ts'
import type { Curation, CurationSource } from './publication.ts'
import type { LoadedConfig } from './resolve.ts'
import { defineConfig } from './schema.ts'

const names = ['site.config.ts', 'site.config.mts', 'site.config.js', 'site.config.mjs']

/**
 * Loads the file at `path`, or else the `site.config.*` of the working folder; `undefined` if there is none. Runs the file,
 * because it is the user's own code. Throws a `ConfigError` for a file that is missing, does not load, or exports no object.
 */
export async function loadConfig(cwd: string, path?: string): Promise<LoadedConfig | undefined> {
  const file = path ?? findConfig(cwd)
  if (file === undefined) return undefined
  const name = nameOf(file, cwd)
  if (!existsSync(file)) throw new ConfigError(`The configuration file \`${name}\` does not exist.`)
  return loaded(await runConfig(file, name), file, name)
}

/**
 * Loads a configuration file that was read before, and only in that form: refuses it if anything has changed since, runs the very
 * text that was read, and refuses modules that change during loading, except those that Node loads natively. Throws a
 * `ConfigError` as `loadConfig` does.
 */
export async function loadRead(file: string, graph: ImportGraph): Promise<LoadedConfig> {
  const name = basename(file)
  if (readImportGraph(file).hash !== graph.hash)
    throw new ConfigError(`\`${name}\` or what it imports changed in the meantime; it was not run.`)
  return loaded(await runConfig(file, name, graph.unclear.length === 0 ? graph : undefined), file, name)
}

/**
 * The absolute path of the `site.config.*` in a folder; `undefined` if there is none. Throws a `ConfigError` if there are two, or
 * if there is only one whose ending is not supported.
 */
export function findConfig(cwd: string): string | undefined {
  const found = names.map((name) => join(cwd, name)).filter((file) => existsSync(file))
  if (found.length === 0) refuseOtherEndings(cwd)
  if (found.length < 2) return found[0]
  const list = found.map((file) => `\`${basename(file)}\``).join(' and ')
  throw new ConfigError(`There are ${list}. Keep one of them, or name one with \`--config\`.`)
}

/** Refuses a configuration file that would not be read: its settings would be missed only after the site is published. */
function refuseOtherEndings(cwd: string): void {
  const other = namesIn(cwd)
    .toSorted()
    .find((name) => /^site\.config\.[a-z\d]+$/i.test(name))
  if (other === undefined) return
  const endings = names.map((name) => `\`${extname(name)}\``).join(', ')
  throw new ConfigError(
    `\`${other}\` is not read: a configuration file is a module that ends in ${endings}. ` +
      'Rename it, or use `--no-config` to continue without it.',
  )
}

function nameOf(file: string, cwd: string): string {
  return relative(cwd, file).startsWith('..') ? file : relative(cwd, file)
}

function loaded(values: Record<string, unknown> | undefined, file: string, name: string): LoadedConfig {
  if (values !== undefined) return { name, folder: dirname(file), values }
  throw new ConfigError(
    `\`${name}\` has no plain object as its default export; write \`export default defineConfig({…})\`.`,
  )
}

/**
 * The settings that a module exports, read once because a getter is code. `undefined` if they are not a plain object: what a
 * prototype or a `Map` holds would be lost.
 */
function settingsIn(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype ? { ...value } : undefined
}

async function runConfig(
  file: string,
  name: string,
  graph?: ImportGraph,
): Promise<Record<string, unknown> | undefined> {
  const { createJiti } = await import('jiti')
  // Loading the whole entry takes longer than most configurations need.
  const source = graph?.source ?? readConfig(file, name)
  const entry = isSelfContained(source) ? { defineConfig } : await ownEntry()
  // Under npx, the package is not below the user's folder, so its name cannot be resolved from there.
  const options = { virtualModules: { 'codex-export': entry }, fsCache: false, moduleCache: false }
  const plain = createJiti(file, options)
  try {
    if (graph === undefined) return settingsIn(defaultOf(await plain.import(file)))
    const transform = (module: TransformOptions): TransformResult => {
      if (graph.texts.has(sha256(module.source))) return { code: plain.transform(module) }
      throw new Error(`\`${module.filename}\` changed while it was being loaded.`)
    }
    const guarded = createJiti(file, { ...options, transform })
    const run = { filename: file, async: true, forceTranspile: true }
    return settingsIn(defaultOf(await guarded.evalModule(source, run)))
  } catch (cause) {
    throw new ConfigError(`\`${name}\` does not load: ${loadFault(cause)}`, { cause })
  }
}

function readConfig(file: string, name: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new ConfigError(`The configuration file \`${name}\` cannot be read: ${reasonOf(cause)}.`, { cause })
  }
}

/** The first line of an error, with its location: the parser gives it on the second line, other errors in their stack. */
function loadFault(cause: unknown): string {
  const [reason = '', location = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n')
  const [, file, line] = location.match(/^\s*(.+):(\d+):\d+$/) ?? []
  if (file !== undefined) return `${reason.trim()} (${basename(file)}:${line})`
  const what = reason === '' ? 'it threw an error without a message' : reason
  return cause instanceof Error ? `${what}${sourcePosition(cause, packageFolder)}` : what
}

/**
 * The default export, or a whole CommonJS module; `undefined` for a module without a default export, whose settings would be
 * lost.
 */
function defaultOf(module: unknown): unknown {
  if (typeof module !== 'object' || module === null) return module
  if ('default' in module) return module.default
  const isModule = '__esModule' in module || Symbol.toStringTag in module
  return isModule || Object.keys(module).length === 0 ? undefined : module
}

/** The package's public entry: `dist/index.js` when installed, `src/index.ts` in tests. */
async function ownEntry(): Promise<unknown> {
  const extension = extname(fileURLToPath(import.meta.url))
  const entry = new URL(`../index${extension}`, import.meta.url)
  return await import(entry.href)
}

// The file with decisions about single sessions.

/** The decisions in a setting or in the file that it names. Throws a `ConfigError` if the file is missing or invalid. */
export function loadCuration(source: CurationSource | undefined): Curation {
  if (source === undefined) return {}
  if ('sessions' in source) return readCuration({ sessions: source.sessions }, '`curation`')
  const name = `\`${basename(source.file)}\``
  const text = readText(source.file, name)
  const value = parse(text, name)
  const repeated = repeatedKey(text)
  // Only the last of two equal keys counts, so what the first one holds back would be published.
  if (repeated !== undefined)
    throw new ConfigError(
      `The curation file ${name} has the key \`${repeated}\` twice in one object; merge the two entries.`,
    )
  return readCuration(value, name)
}

function readText(file: string, name: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  } catch (cause) {
    throw new ConfigError(`The curation file ${name} cannot be read: ${reasonOf(cause)}.`, { cause })
  }
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ConfigError(`The curation file ${name} is not JSON: ${reasonOf(cause)}.`, { cause })
  }
}
