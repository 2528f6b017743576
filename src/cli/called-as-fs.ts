/** How the program was called, so that hints show commands that can be typed as they are and never fetch another package. */

import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { printable } from '../util/printable.ts'

/** The name of the package and of its command. */
const name = 'codex-export'

/** What shows how a process was started. */
interface Start {
  /** The script that Node was given, as an absolute path: the program or a link to it. */
  script: string
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  platform: NodeJS.Platform
}

/**
 * The words that call this program again from the same folder: `codex-export` if the shell finds it by that name,
 * `npx codex-export` or the form of another package manager if it is installed in the folder's project, `npx PACKAGE` as npx was
 * called with a file or folder, or else `node PATH`.
 */
export function calledAs(start: Start): string {
  if (isOnPath(start)) return name
  return runnerOf(start) ?? `node ${quoted(shortPath(start.script, start.cwd))}`
}

/** A command line in backticks that starts with `codex-export`: the form in which messages name a command. */
const named = /`codex-export ((?:([a-z]+)|-)[^`\n]*)/g

/** Commands that read sessions, from the homes that the call names. */
export const readingCommands: ReadonlySet<string> = new Set([
  ...['build', 'merge', 'list', 'show', 'share', 'search', 'serve', 'check', 'context', 'prune', 'restore'],
])

/** A message in which commands start the way the program was called, and read the same homes and configuration. */
export function asCalled(message: string, { program, args }: { program: string; args: readonly string[] }): string {
  const sources = sourceArguments(args).map(printable)
  return message.replace(named, (_, line: string, command: string | undefined) => {
    const hasSources = !readingCommands.has(command ?? '') || / --(?:codex-home|config|help)\b/.test(line)
    return `\`${[program, line, ...(hasSources ? [] : sources)].join(' ')}`
  })
}

const shortFlags: Readonly<Record<string, string>> = { '-H': '--codex-home', '-c': '--config' }

/** The arguments before `--`, among which options are. */
export function beforeDashes(args: readonly string[]): readonly string[] {
  return args.includes('--') ? args.slice(0, args.indexOf('--')) : args
}

/** The arguments that say where sessions and settings are. */
function sourceArguments(args: readonly string[]): string[] {
  const sources: string[] = []
  for (const [index, arg] of beforeDashes(args).entries()) {
    if (arg === '--no-config') sources.push(arg)
    const [, long, value = '', short, joined = ''] =
      /^(?:(--codex-home|--config)(?:=(.*))?|(-[Hc])=?(.*))$/s.exec(arg) ?? []
    const flag = short === undefined ? long : shortFlags[short]
    if (flag !== undefined) sources.push(flag, quoted(value || joined || (args[index + 1] ?? '')))
  }
  return sources
}

/** An argument quoted so that it can be pasted into a shell. */
export function quoted(text: string): string {
  if (/^[\w./\\:~,@=-]+$/.test(text)) return text
  if (/[$`"]/.test(text)) return `'${text.replaceAll("'", "'\\''")}'`
  // A single backslash at the end would escape the closing quote.
  return `"${text.replace(/\\+$/, '$&$&')}"`
}

/** Whether a folder is a project's own folder of commands, which npm puts on the path of what it runs, but which no shell has. */
const isProjectBin = (folder: string): boolean => /[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder)

function isOnPath({ script, env, platform }: Start): boolean {
  const isWindows = platform === 'win32'
  const path = env['PATH'] ?? env['Path'] ?? ''
  const isRunByNpm = env['npm_config_user_agent'] !== undefined
  const folders = path.split(isWindows ? ';' : ':').filter((folder) => !(isRunByNpm && isProjectBin(folder)))
  const command = folders
    .map((folder) => join(folder, isWindows ? `${name}.cmd` : name))
    .find((file) => existsSync(file))
  return command !== undefined && runTarget(command) === realPath(script)
}

/** What a command runs: the target of a link, or the script named in a small shell wrapper. */
function runTarget(command: string): string | undefined {
  const target = realPath(command)
  if (target?.endsWith('.js')) return target
  try {
    const [, script] = /(?:\$basedir|%~?dp0%?)[\\/]?([^"\n]*?\.js)"/.exec(readFileSync(command, 'utf8')) ?? []
    return script === undefined ? undefined : realPath(resolve(dirname(command), script.replaceAll('\\', '/')))
  } catch {
    return undefined // unreadable, so it is not what was run
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

// Package managers by the name that they report, each with its way to run a command.

const runners: Readonly<Record<string, string>> = { npm: 'npx', pnpm: 'pnpm exec', yarn: 'yarn run', bun: 'bunx' }

function runnerOf({ script, cwd, env }: Start): string | undefined {
  const [agent = ''] = (env['npm_config_user_agent'] ?? '').split('/')
  const runner = runners[agent]
  if (runner === undefined) return undefined
  if (isOfProject(script, cwd)) return `${runner} ${name}`
  return agent === 'npm' ? npxCall(script) : undefined
}

/** Whether the script belongs to the project around the working folder: as a dependency, or as the project itself. */
function isOfProject(script: string, cwd: string): boolean {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json')) || existsSync(join(folder, 'node_modules'))) {
      const candidates = [join(folder, 'node_modules', name, 'dist/cli.js'), join(folder, 'dist/cli.js')]
      return candidates.some((candidate) => realPath(candidate) === realPath(script))
    }
    if (dirname(folder) === folder) return false
  }
}

/** The `npx` call with the package that it installed for a single call, which npx records next to the installation. */
function npxCall(script: string): string | undefined {
  const [, home] = /^(.*[\\/]_npx[\\/][^\\/]+)[\\/]node_modules[\\/]/.exec(script) ?? []
  if (home === undefined) return undefined
  try {
    const noted = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { _npx?: { packages?: unknown } }
    const packages: unknown = noted._npx?.packages
    if (!Array.isArray(packages) || packages.length !== 1) return undefined
    return `npx ${quoted(String(packages[0]))}`
  } catch {
    return undefined
  }
}

/** A path relative to the working folder if it is below it, otherwise unchanged. */
export function shortPath(path: string, cwd: string): string {
  const short = relative(cwd, path)
  if (short === '') return '.'
  return short === '..' || short.startsWith(`..${sep}`) ? path : short
}
