/** `codex-export init`, `open`, `doctor` and `completion`: commands that set up the program and use what it made. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path, { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { asCalled, quoted } from '../../cli/called-as-fs.ts'
import { type CommandModule, exitCodes, type Invocation } from '../../cli/command.ts'
import { readSettings } from '../../cli/settings.ts'
import { supervise } from '../../cli/supervise.ts'
import { ask, canAsk, hasColour, note, type World } from '../../cli/world.ts'
import { findConfig } from '../../config/load-fs.ts'
import { packageVersion } from '../../config/package-fs.ts'
import { type Preset, presets } from '../../config/publication.ts'
import { UsageError } from '../../diagnostics/errors.ts'
import { defaultCacheDir, readLastHomes } from '../../site/cache/cache-folder-fs.ts'
import { manifestName } from '../../site/output/paths.ts'
import type { Host } from '../../site/types.ts'
import { everything, matchThread } from '../../survey/select.ts'
import { printable } from '../../util/printable.ts'
import { reasonOf } from '../../util/reason.ts'
import { beginningOf } from '../../util/text.ts'
import { isTimeZone } from '../../util/time.ts'
import { type CompletionWord, complete, cursor, fitting, type Shell, scripts, shells } from './complete.ts'
import type { Examined } from './doctor-fs.ts'

// `codex-export init`

const configName = 'site.config.ts'

/** Writes a configuration file; on a terminal it asks for the main settings first. */
export const initCommand: CommandModule = {
  name: 'init',
  usage: 'init',
  describe: 'Write a commented site.config.ts in the working folder',
  examples: [['init', 'on a terminal, ask three questions; elsewhere, write the defaults']],
  async run({ world }) {
    const existing = findConfig(world.cwd)
    if (existing !== undefined)
      throw new UsageError(`\`${path.basename(existing)}\` is there already; nothing was written.`)
    const runtime = Intl.DateTimeFormat().resolvedOptions().timeZone
    const { timeZone, unknown } = zoneOfSystem({ variable: world.env['TZ'], runtime })
    if (unknown !== undefined)
      await note(world, `\`TZ\` is \`${printable(unknown)}\`, which is not a time zone: \`timeZone\` is ${timeZone}.\n`)
    const defaults: Answers = { title: 'Codex sessions', timeZone, preset: 'private' }
    const answers = canAsk(world) ? await supervise(world, (host) => askAll(defaults, world, host)) : defaults
    try {
      // `wx`: a file that appeared in the meantime is somebody's work and stays.
      writeFileSync(join(world.cwd, configName), configText(answers), { flag: 'wx' })
    } catch (cause) {
      throw new UsageError(`Cannot write \`${configName}\` here: ${reasonOf(cause)}.`, { cause })
    }
    await note(world, asCalled(`Wrote ${configName}: \`codex-export build\` runs it.\n`, world))
    return exitCodes.fine
  },
}

async function askAll(defaults: Answers, world: World, { signal }: Host): Promise<Answers> {
  const answer = async (question: string, defaultAnswer: string, fits: (text: string) => boolean): Promise<string> => {
    for (;;) {
      const text = await ask(`${question} (${defaultAnswer}): `, world, signal)
      signal.throwIfAborted()
      if (text === '') return defaultAnswer
      if (fits(text)) return text
      await world.stderr.write(`\`${printable(text)}\` does not fit.\n`)
    }
  }
  const isPreset = (text: string): text is Preset => Object.hasOwn(presets, text)
  const title = await answer('Title of the site', defaults.title, (text) => !/\p{Cc}/u.test(text))
  const timeZone = await answer('Time zone', defaults.timeZone, isTimeZone)
  const preset = await answer('Who reads it: private, team or public', defaults.preset, isPreset)
  return { title, timeZone, preset: isPreset(preset) ? preset : defaults.preset }
}

/** What the system says about its time zone: the variable `TZ`, and what the runtime made of it. */
interface SystemZone {
  variable: string | undefined
  runtime: string | undefined
}

/** The system's zone, or else UTC. `unknown` is what `TZ` says if that names no zone. */
export function zoneOfSystem({ variable = '', runtime = '' }: SystemZone): { timeZone: string; unknown?: string } {
  // `TZ` may also be the path of a zone's file, with or without a colon before it.
  const named = variable.replace(/^:/, '').replace(/^.*\/zoneinfo\//, '')
  if (named !== '' && !isTimeZone(named)) return { timeZone: 'UTC', unknown: variable }
  if (isTimeZone(runtime)) return { timeZone: runtime }
  return { timeZone: named === '' ? 'UTC' : named }
}

// `codex-export open`

/** Opens a built site, or the page of a session in it. */
export const openCommand: CommandModule = {
  name: 'open',
  usage: 'open [target]',
  describe: 'Open the built site, or a session in it, in the browser',
  positionals: { target: 'The start of a thread id' },
  examples: [['open 0199a434', 'open the page of that session']],
  async run(invocation) {
    const { world, flags } = invocation
    const { settings } = await readSettings(invocation)
    const { lockedAdvice, openInBrowser } = await import('../../cli/browser-fs.ts')
    const page = pageOf(settings.out, flags['target'], lockedAdvice)
    const address = pathToFileURL(page).href
    if (!(await openInBrowser(address))) await world.stderr.write('No browser could be started. Open this address:\n')
    await world.stdout.write(`${address}\n`)
    return exitCodes.fine
  },
}

function pageOf(out: string, target: unknown, lockedAdvice: (out: string) => string | undefined): string {
  const home = join(out, 'index.html')
  if (!existsSync(home) && existsSync(join(out, manifestName)))
    throw new UsageError(`The site \`${out}\` has no pages to open: it was built without the format \`html\`.`)
  if (!existsSync(home))
    throw new UsageError(`\`${out}\` contains no site. Build one first: \`codex-export build --out ${quoted(out)}\`.`)
  if (target === undefined) return home
  const folder = join(out, 'sessions')
  const match = matchThread(existsSync(folder) ? readdirSync(folder) : [], String(target))
  if (match.kind === 'one') return join(folder, match.id, 'index.html')
  if (match.kind === 'ambiguous')
    throw new UsageError(`Several sessions fit \`${target}\`: ${match.candidates.slice(0, 20).join(', ')}.`)
  throw new UsageError(
    lockedAdvice(out) ?? `The site \`${out}\` has no page of a session whose id starts with \`${target}\`.`,
  )
}

// `codex-export doctor`

/** Checks what the other commands need, and changes nothing. */
export const doctorCommand: CommandModule = {
  name: 'doctor',
  usage: 'doctor',
  describe: 'Check Node, homes, folders and programs that the other commands use',
  examples: [['doctor', 'say what is found on this machine, and what is missing']],
  async run(invocation) {
    const { world } = invocation
    const { settings } = await readSettings(invocation)
    const { examine } = await import('./doctor-fs.ts')
    const { cwd, program } = world
    const options = { homes: settings.homes, out: settings.out, cwd, program, version: packageVersion() }
    let hasFault = false
    await supervise(world, async (host) => {
      for await (const item of examine(options, host)) {
        host.progress.done()
        hasFault ||= item.state === 'fault'
        await world.stdout.write(`${lineOf(item, world)}\n`)
      }
    })
    return hasFault ? exitCodes.findings : exitCodes.fine
  },
}

const marks = { fine: ['ok   ', 32], advice: ['note ', 33], fault: ['fault', 31] } as const

function lineOf({ state, name, text }: Examined, world: World): string {
  const [mark, colour] = marks[state]
  const shown = hasColour(world.stdout, world.env) ? `\x1b[${colour}m${mark}\x1b[39m` : mark
  return `${shown}  ${name.padEnd(8)}  ${asCalled(printable(text), world)}`
}

// `codex-export completion`

/** Prints the completion script for a shell; the script calls this command again with `--` to get candidates. */
export const completionCommand: CommandModule = {
  name: 'completion',
  usage: 'completion <shell> [words..]',
  describe: 'Print a script that completes commands, options, thread ids and projects in your shell',
  positionals: { shell: `Which: ${shells.join(', ')}`, words: 'For the script: the words so far, behind `--`' },
  examples: [['completion bash', 'print the script; its first lines say where to put it']],
  async run(invocation) {
    const { world, flags } = invocation
    const shell = shells.find((one) => one === flags['shell'])
    if (shell === undefined)
      throw new UsageError(`There is no script for \`${flags['shell']}\`; there is one for ${shells.join(', ')}.`)
    const start = world.args.indexOf('--')
    const words = world.args.slice(start + 1)
    if (start < 0) await world.stdout.write(scripts[shell])
    else
      await world.stdout.write(
        await completed(words.with(-1, words.at(-1)?.slice(0, -cursor.length) ?? ''), shell, invocation),
      )
    return exitCodes.fine
  },
}

/** One candidate per line. Shells other than bash also get a tab and the help after it. */
async function completed(words: readonly string[], shell: Shell, invocation: Invocation): Promise<string> {
  const completion = complete(words, invocation.commands)
  if (completion.kind === 'files') return ''
  const found =
    completion.kind === 'words'
      ? completion
      : fitting(await valuesOf(completion.kind, words, invocation), completion.begin)
  if (found.kind !== 'words') return ''
  const lines = found.words.map(({ value, help }) => (help === '' || shell === 'bash' ? value : `${value}\t${help}`))
  return lines.map((line) => `${line}\n`).join('')
}

async function valuesOf(
  kind: 'threads' | 'projects',
  words: readonly string[],
  invocation: Invocation,
): Promise<CompletionWord[]> {
  const flags = { 'codex-home': homesIn(words) ?? homesOfSite(invocation.world) }
  const { settings } = await readSettings({ ...invocation, flags })
  const { list } = await import('../../cli/list-sessions.ts')
  const { world } = invocation
  const options = { ...everything, homes: settings.homes, timeZone: 'UTC', redact: true, personal: settings.personal }
  const { rows } = await supervise({ ...world, verbosity: 'quiet' }, (host) =>
    list(options, { ...host, report: () => {} }),
  )
  const newest = rows.toReversed()
  if (kind === 'threads')
    return newest.map(({ id, title, project }) => ({
      value: id,
      help: beginningOf(printable(`${title} · ${project}`), 80),
    }))
  return [...new Set(newest.map(({ project }) => project))].map((value) => ({ value: printable(value), help: '' }))
}

/** The homes that the words of the command line name. */
function homesIn(words: readonly string[]): string[] | undefined {
  const long = '--codex-home='
  const homes = words.flatMap((word, index) => {
    if (['--codex-home', '-H'].includes(words[index - 1] ?? '')) return [word]
    return word.startsWith(long) ? [word.slice(long.length)] : []
  })
  return homes.length === 0 ? undefined : homes
}

/**
 * The homes that the last build of this folder's site read. The configuration file names them too, but it is a program,
 * and pressing Tab must not run it. `undefined` if no configuration file would be used, or if there was no build yet.
 */
function homesOfSite({ cwd, env, homeDir }: World): string[] | undefined {
  const config = ['CODEX_HOME', 'CODEX_EXPORT_CODEX_HOME'].some((name) => env[name]) ? undefined : findConfig(cwd)
  if (config === undefined) return undefined
  // The file is read as text, so an `out` that is computed is not found.
  const code = withoutComments(readFileSync(config, 'utf8'))
  const [, , out = 'site'] = /(?:^|[\s{,])out:\s*(['"])([^'"]+)\1/.exec(code) ?? []
  return readLastHomes(defaultCacheDir(path.resolve(cwd, out), { env, homeDir }))?.map((home) => home.path)
}

/** A program without its comments. Strings stay, because `//` stands in addresses too. */
function withoutComments(code: string): string {
  const part = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|\/\/.*|\/\*[\s\S]*?\*\//g
  return code.replace(part, (found) => (found.startsWith('/') ? '' : found))
}

// The configuration file that `init` writes: each line is explained, and optional settings are commented out.

/** What `init` asks for. */
interface Answers {
  title: string
  /** IANA name. */
  timeZone: string
  preset: Preset
}

/** The text of a `site.config.ts`. */
function configText({ title, timeZone, preset }: Answers): string {
  return `import { defineConfig } from 'codex-export'

// A program: \`build\`, \`merge\`, \`serve\`, \`publish\` and \`share\` run it, commands that only read ask first.
// Every key: docs/config.md of the package. Flags and CODEX_EXPORT_* variables override what stands here.
export default defineConfig({
  // Name of the site.
  title: ${literal(title)},

  // Zone of displayed times and of days.
  timeZone: ${literal(timeZone)},

  // Who reads the site: 'private' shows everything but secrets, 'team' omits and folds what colleagues need not see,
  // 'public' omits what strangers need not see. Look through the site before you publish it.
  preset: ${literal(preset)},

  // Where sessions are, each with a name for whose they are. Without this: $CODEX_HOME, else ~/.codex.
  // homes: [{ path: '~/.codex', label: 'Me' }],

  // Only sessions of these projects, or since a day or an age.
  // projects: ['shop'],
  // since: '90d',

  // Folder of the site.
  // out: 'site',

  // Public address: adds a feed, a sitemap and link previews, and lets search engines in.
  // siteUrl: 'https://example.org/sessions/',

  // Front matter on the Markdown of sessions, for Obsidian and the like.
  // frontMatter: true,
})
`
}

/** A text as a TypeScript string, quoted as in the rest of the file. */
function literal(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
