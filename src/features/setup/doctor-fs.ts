/** What `doctor` checks: the machine, the homes and the folders that other commands would use. It changes nothing. */

import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { openerFor } from '../../cli/browser-fs.ts'
import { nodeComplaint } from '../../cli/command.ts'
import type { Home } from '../../config/kinds.ts'
import { findConfig } from '../../config/load-fs.ts'
import { type Command, folderConfigUse } from '../../config/option.ts'
import { findRoots, type Root } from '../../rollout/discover/homes-fs.ts'
import { throwOwnFault } from '../../rollout/read/source.ts'
import { startService } from '../../search/service-fs.ts'
import { defaultCacheDir } from '../../site/cache/cache-folder-fs.ts'
import { withSpool } from '../../site/spool-fs.ts'
import type { Host, Sources } from '../../site/types.ts'
import { everything } from '../../survey/select.ts'
import { survey } from '../../survey/survey.ts'
import { writeFault } from '../../util/files-fs.ts'
import { sumBy } from '../../util/groups.ts'
import { reasonOf } from '../../util/reason.ts'
import { formatAmount, formatBytes } from '../../util/time.ts'
import { findUnknown, type UnknownReport } from '../audit/unknown.ts'

/** The result of one check. */
export interface Examined {
  /** `fault`: a command cannot do its work. `advice`: it can, but the user should know about this. */
  state: 'fine' | 'advice' | 'fault'
  name: string
  text: string
}

/** What to check. */
interface DoctorOptions {
  homes: readonly Home[]
  /** Absolute folder of the site. */
  out: string
  cwd: string
  /** How the program was called. */
  program: string
  version: string
}

/** Checks one thing after the other. Throws the signal's reason, and faults of the program. */
export async function* examine(options: DoctorOptions, host: Host): AsyncGenerator<Examined, void, undefined> {
  yield nodeState(process.versions.node)
  yield { state: 'fine', name: 'program', text: `codex-export ${options.version}, called as \`${options.program}\`` }
  yield configState(options.cwd)
  yield* homeStates(options.homes, host)
  yield await unknownState(options.homes, host)
  yield folderState('site', options.out)
  yield folderState('cache', defaultCacheDir(options.out, host))
  yield await pagefindState(host)
  yield browserState(host.env)
}

function nodeState(version: string): Examined {
  const complaint = nodeComplaint(version)
  return { state: complaint === undefined ? 'fine' : 'fault', name: 'node', text: complaint ?? `Node ${version}` }
}

function configState(cwd: string): Examined {
  const name = 'config'
  try {
    const file = findConfig(cwd)
    if (file === undefined)
      return { state: 'fine', name, text: 'no `site.config.*` in this folder: every command uses its defaults' }
    const commands = (use: string): string =>
      (Object.keys(folderConfigUse) as Command[]).filter((command) => folderConfigUse[command] === use).join(', ')
    const text = `\`${file}\`: run by ${commands('run')}; ${commands('ask')} ask first; \`doctor\` did not run it`
    return { state: 'fine', name, text }
  } catch (error) {
    throwOwnFault(error)
    return { state: 'fault', name, text: reasonOf(error) }
  }
}

async function* homeStates(homes: readonly Home[], host: Host): AsyncGenerator<Examined, void, undefined> {
  const name = 'home'
  try {
    const { roots, missing } = findRoots(homes, host)
    for (const { path, reason } of missing) yield { state: 'advice', name, text: `\`${path}\`: ${reason}` }
    for (const root of roots) yield await homeState(root, host)
  } catch (error) {
    host.signal.throwIfAborted()
    throwOwnFault(error)
    yield { state: 'fault', name, text: reasonOf(error) }
  }
}

/** What a home contains, according to the heads of its files. */
function homeState(root: Root, { signal }: Host): Promise<Examined> {
  return withSpool(async (spoolDir) => {
    const found = await survey({ roots: [root], places: [], missing: [] }, { spoolDir, signal })
    const segments = found.catalog.threads.flatMap((thread) => thread.segments)
    const bytes = sumBy(segments, ({ file }) => file.bytes)
    const versions = [...new Set(segments.flatMap(({ head }) => head.version ?? []))].sort(byVersion)
    const range = versions.length < 2 ? versions.join('') : `${versions[0]} to ${versions.at(-1)}`
    const sum = `${formatAmount(found.catalog.threads.length, 'session')}, ${formatBytes(bytes)}`
    const faults = found.diagnostics.filter(({ ruleId }) => ruleId.startsWith('unreadable-'))
    const unread =
      faults.length === 0
        ? ''
        : `; ${formatAmount(faults.length, 'file or folder', 'files or folders')} cannot be read: \`codex-export check\` says why`
    const text = `\`${root.path}\`: ${sum}${range === '' ? '' : `, written by Codex ${range}`}${unread}`
    return { state: stateOf(segments.length, faults.length), name: 'home', text }
  })
}

/** `fault` if nothing in a home can be read; `advice` if it has no sessions or some cannot be read. */
function stateOf(sessions: number, faults: number): Examined['state'] {
  if (sessions === 0 && faults > 0) return 'fault'
  return sessions === 0 || faults > 0 ? 'advice' : 'fine'
}

const collator = new Intl.Collator('en', { numeric: true })
const byVersion = (a: string, b: string): number => collator.compare(a, b)

async function unknownState(homes: readonly Home[], host: Host): Promise<Examined> {
  const sources: Sources = { ...everything, homes, timeZone: 'UTC' }
  try {
    // The line that this returns names the command that reports them.
    return recordsState(await findUnknown(sources, { ...host, report: () => {} }))
  } catch (error) {
    host.signal.throwIfAborted()
    throwOwnFault(error)
    return { state: 'fault', name: 'records', text: reasonOf(error) }
  }
}

/** What records and sessions are unknown or unreadable, in one line. */
export function recordsState(report: Pick<UnknownReport, 'rows' | 'omitted' | 'failed' | 'records'>): Examined {
  const { rows, omitted, failed, records } = report
  const name = 'records'
  const kinds = formatAmount(rows.length + omitted, 'kind or value', 'kinds or values')
  const advice = [
    ...(rows.length > 0
      ? [`${kinds} of records that this version does not know: \`codex-export check --unknown\` lists them`]
      : []),
    ...(failed > 0 ? [`${formatAmount(failed, 'session')} cannot be read: \`codex-export check\` says why`] : []),
  ]
  if (advice.length > 0) return { state: 'advice', name, text: advice.join('; ') }
  return { state: 'fine', name, text: `all kinds of ${formatAmount(records, 'record')} are known` }
}

/** Whether a folder, or the one in which it would be made, may be written to. */
function folderState(name: string, path: string): Examined {
  const use = existsSync(path) ? 'written to' : 'made'
  const fault = writeFault(path)
  return fault === undefined
    ? { state: 'fine', name, text: `\`${path}\` can be ${use}` }
    : { state: 'fault', name, text: `\`${path}\` cannot be ${use}: ${fault}` }
}

/** Starts Pagefind as a build does, but gives it no page. */
async function pagefindState({ signal }: Host): Promise<Examined> {
  const name = 'pagefind'
  try {
    const service = await startService({ language: 'en' }, signal)
    await service.close()
    return { state: 'fine', name, text: 'its program runs here' }
  } catch (error) {
    signal.throwIfAborted()
    return { state: 'fault', name, text: reasonOf(error) }
  }
}

/** Whether the program that `--open` and `open` call exists. */
function browserState(env: Host['env']): Examined {
  const { program } = openerFor(process.platform, '')
  const isFound = (env['PATH'] ?? env['Path'] ?? '')
    .split(delimiter)
    .some((folder) => existsSync(join(folder, program)))
  const text = isFound ? `\`${program}\` opens pages` : `\`${program}\` was not found: open pages by hand`
  return { state: isFound ? 'fine' : 'advice', name: 'browser', text }
}
