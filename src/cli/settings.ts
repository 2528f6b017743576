/** The settings of a call, and the options that use cases get from them. */

import path, { basename, dirname } from 'node:path'
import { type ImportGraph, readImportGraph, recallAllowed, rememberAllowed } from '../config/import-graph-fs.ts'
import { findConfig, loadConfig, loadCuration, loadRead } from '../config/load-fs.ts'
import { generatorName } from '../config/package-fs.ts'
import type { PersonalPolicy } from '../config/personal.ts'
import { type Curation, type Publication, visibilityOf } from '../config/publication.ts'
import {
  configPath,
  type LoadedConfig,
  type Resolved,
  refuseContradictions,
  refuseMisspeltVariables,
  resolveSettings,
  unusedFlags,
} from '../config/resolve.ts'
import { type Command, folderConfigUse, type SettingsOf, settingsOf } from '../config/schema.ts'
import { diagnostic, formatDiagnostic } from '../diagnostics/codes.ts'
import { ConfigError } from '../diagnostics/errors.ts'
import type { BuildOptions, Sources } from '../site/types.ts'
import { defined } from '../util/own.ts'
import { printable } from '../util/printable.ts'
import { reasonOf } from '../util/reason.ts'
import type { Invocation } from './command.ts'
import type { ShowOptions } from './show/target.ts'
import { canAsk, confirm, Interrupted, type World } from './world.ts'

/** Settings of a call. */
export interface CallSettings extends Resolved {
  /** Name of the configuration file for messages; absent if there is none. */
  configName?: string
}

/** Reads flags, environment and configuration file. Throws `UsageError` and `ConfigError`. */
export async function readSettings({ command, world, flags }: Invocation): Promise<CallSettings> {
  refuseMisspeltVariables(world.env)
  const inputs = { command, flags, env: world.env, cwd: world.cwd, homeDir: world.homeDir, path }
  const config = await configOf(command, configPath(inputs), world)
  const resolved = resolveSettings({ ...inputs, config })
  refuseContradictions(command, resolved)
  const [argument] = [flags['target'], flags['site']].filter((value) => typeof value === 'string')
  for (const text of unusedFlags(command, resolved, argument))
    await world.stderr.write(`${printable(formatDiagnostic(diagnostic('unused-option', {}, text)))}\n`)
  return { ...resolved, ...defined({ configName: config?.name }) }
}

/** Which sessions of which homes to read. */
export function sourcesOf({ settings }: Resolved): Sources {
  const { homes, timeZone, projects, since, until, ids, exclude, branches, archived } = settings
  return { homes, timeZone, projects, since, until, ids, exclude, branches, archived }
}

/** Which parts of sessions are published. Throws a `UsageError` or a `ConfigError` for invalid values. */
export function publicationOf({ settings }: Resolved): Publication {
  const { maxOutput } = settings
  return { visibility: visibilityOf(settings), curation: curationOf({ settings }), ...defined({ maxOutput }) }
}

/** Decisions about single sessions. Throws a `ConfigError` if their file is missing or invalid. */
export function curationOf({ settings }: Pick<Resolved, 'settings'>): Curation {
  return loadCuration(settings.curation)
}

/** The policy for personal data: that of `personal`, including e-mail addresses if the flag asks for them. */
export function personalOf({ settings: { personal, redactEmails } }: Resolved): PersonalPolicy {
  return redactEmails ? { ...personal, emails: true } : personal
}

/** Options of a build, the same for each command that builds. Throws as `publicationOf` does. */
export function buildOptions(call: Resolved): BuildOptions {
  return { ...settingsOf('build', call.settings), ...readOptions(call) }
}

/**
 * What use cases need besides settings: values read from files or derived from several settings. Throws as `publicationOf` does.
 */
function readOptions(call: Resolved): Pick<BuildOptions, 'personal' | 'generator'> & { publication: Publication } {
  return { personal: personalOf(call), publication: publicationOf(call), generator: generatorName() }
}

/** How `show` is asked for a session, except for who is asked and where it goes. Throws as `publicationOf` does. */
export function showOptions(
  call: Resolved,
  { world, flags }: Invocation,
): SettingsOf<'show'> & Omit<ShowOptions, 'choose' | 'write'> {
  const target = flags['target'] === undefined ? undefined : String(flags['target'])
  return {
    ...settingsOf('show', call.settings),
    ...readOptions(call),
    target,
    targetPath: target === undefined ? undefined : path.resolve(world.cwd, target),
    // `projects` of a configuration chooses what a site contains. A thread that is named is shown in any case.
    projects: call.origins.projects === 'flags' ? call.settings.projects : [],
  }
}

// The configuration of a call. A `site.config.*` is a program: some commands run it without asking, the others ask first.

/**
 * Loads the configuration of a call. `named` is the file that flags or environment name, which is run without asking, or `false`
 * if none is to be used. A file in the working folder is run as `folderConfigUse` says. Throws a `ConfigError` if it may not be
 * run, and `Interrupted`.
 */
async function configOf(
  command: Command,
  named: string | false | undefined,
  world: World,
): Promise<LoadedConfig | undefined> {
  const use = folderConfigUse[command]
  if (named === false) return undefined
  if (named !== undefined || use === 'run') return loadConfig(world.cwd, named)
  const file = use === 'ask' ? findConfig(world.cwd) : undefined
  if (file === undefined) return undefined
  return loadAllowed(file, command, world)
}

async function loadAllowed(file: string, command: Command, world: World): Promise<LoadedConfig> {
  const graph = readImportGraph(file)
  const isClear = graph.unclear.length === 0
  const earlier = recallAllowed(graph, world)
  if (!isClear || earlier !== 'allowed') {
    if (!canAsk(world)) throw unasked(file, command, earlier)
    await world.stderr.write(warning(graph, earlier))
    if (!(await saysYes(world)))
      throw new ConfigError(`\`${basename(file)}\` was not run. To continue without it, use \`--no-config\`.`)
    if (isClear) await remember(graph, world)
  }
  return loadRead(file, graph)
}

function unasked(file: string, command: Command, earlier: string): ConfigError {
  const name = basename(file)
  const since = earlier === 'changed' ? ' It changed since you allowed it.' : ''
  return new ConfigError(
    `\`${name}\` of this folder is a program, and \`${command}\` does not run it without asking.${since} ` +
      `\`--config ${name}\` runs it; \`--no-config\` continues without it and without its privacy settings.`,
  )
}

function warning({ file, imports, unclear }: ImportGraph, earlier: string): string {
  const shown = imports.slice(0, 5).join(', ') + (imports.length > 5 ? ` and ${imports.length - 5} more` : '')
  const lines = [
    `${basename(file)} in ${dirname(file)} is a program and runs with your rights${shown === '' ? '' : `; it imports ${shown}`}.`,
    ...(earlier === 'changed' ? ['It or what it imports changed since you allowed it.'] : []),
    ...(unclear.length === 0
      ? ['The answer is remembered until it or what it imports changes.']
      : [`Its text does not show what it loads (${unclear.slice(0, 3).join(', ')}), so you are asked each time.`]),
  ]
  return `${lines.map(printable).join('\n')}\n`
}

async function saysYes(world: World): Promise<boolean> {
  const interrupt = new AbortController()
  const release = world.onInterrupt((signal) => interrupt.abort(new Interrupted(signal)))
  try {
    const isYes = await confirm(world, interrupt.signal)?.('Run it?')
    interrupt.signal.throwIfAborted()
    return isYes === true
  } finally {
    release()
  }
}

async function remember(graph: ImportGraph, world: World): Promise<void> {
  try {
    rememberAllowed(graph, world)
  } catch (error) {
    await world.stderr.write(`Could not remember the answer: ${printable(reasonOf(error))}\n`)
  }
}
