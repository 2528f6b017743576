/** Settings of a call, and the options of the use cases made from them. */
import path from 'node:path'
import type { Filters, Look, Sources } from '../app/types.ts'
import { loadCuration } from '../config/curation-fs.ts'
import { visibilityOf } from '../config/publication.ts'
import { configPath, type Resolved, resolveSettings } from '../config/resolve.ts'
import type { Command } from '../config/schema.ts'
import { generatorName } from '../config/version-fs.ts'
import type { Publication } from '../model/publication.ts'
import type { Invocation } from './command.ts'
import { configOf } from './config-of.ts'

/** Settings of a call. */
export interface CallSettings extends Resolved {
  /** Name of the configuration file for messages; absent where there is none. */
  configName?: string
}

/** Reads flags, environment and configuration file. Throws `UsageError` and `ConfigError`. */
export async function readSettings(command: Command, { world, flags }: Invocation): Promise<CallSettings> {
  const inputs = { command, flags, env: world.env, cwd: world.cwd, homeDir: world.homeDir, path }
  const config = await configOf(command, configPath(inputs), world)
  const resolved = resolveSettings({ ...inputs, config })
  return { ...resolved, ...(config !== undefined && { configName: config.name }) }
}

/** Where sessions are read from. */
export function sourcesOf({ settings }: Resolved): Sources {
  return { homes: settings.homes }
}

/** Which sessions are wanted. */
export function filtersOf({ settings }: Resolved): Filters {
  const { projects, since, until, ids, exclude, branches, archived, timeZone } = settings
  return { projects, since, until, ids, exclude, branches, archived, timeZone }
}

/** What of the sessions is published. Throws `UsageError` and `ConfigError` for what does not fit. */
export function publicationOf({ settings }: Resolved): Publication {
  const { curation, maxOutput } = settings
  const cap = maxOutput === undefined ? {} : { maxOutput }
  return { visibility: visibilityOf(settings), curation: loadCuration(curation), ...cap }
}

/** How transcripts look. */
export function lookOf({ settings }: Resolved): Look {
  const { title, description, siteUrl, timeZone, language, templatesDir, prices, plugins } = settings
  return { title, description, siteUrl, timeZone, language, templatesDir, prices, plugins, generator: generatorName() }
}
