/** Where to look: folders given by the user, `CODEX_HOME`, or `~/.codex` (rollout-format 1.1). */

import { lstatSync, opendirSync, realpathSync, type Stats, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { UsageError } from '../../diagnostics/errors.ts'
import { namesIn, realPath } from '../../util/files-fs.ts'
import { defined } from '../../util/own.ts'
import { baseName } from '../../util/paths.ts'
import { errorCode, reasonOf } from '../../util/reason.ts'
import { parseName } from './names.ts'

/** A folder or file that holds rollouts. */
export interface Root {
  /** Absolute path. */
  path: string
  /** `home`: only its session folders are walked. `folder`: walked whole. `file`: one rollout. */
  kind: 'home' | 'folder' | 'file'
  /** Shown with each of its sessions; empty when the user gave none. */
  label: string
}

/** The roots, and `places`: readable names of everything that was searched, for the message that nothing was found. */
export interface FoundRoots {
  roots: Root[]
  places: string[]
  /** Homes that do not exist: `~/.codex`, and those that `mayMiss` accepts. */
  missing: MissingHome[]
}

/** A home that cannot be searched. */
interface MissingHome {
  /** Absolute. */
  path: string
  label: string
  /** The reason, as a clause. */
  reason: string
}

/** What decides where to look if the caller names no homes, and which homes may be missing. */
export interface RootInputs {
  /** The environment. */
  env: Readonly<Record<string, string | undefined>>
  /** The user's home directory. */
  homeDir: string
  /** Whether the named home at an absolute path may be missing. Absent: none may. */
  mayMiss?: (path: string) => boolean
}

/** Entries any of which make a folder a Codex home. */
const homeMarks = ['sessions', 'archived_sessions', 'config.toml', 'auth.json']

/**
 * Finds the roots to walk: the given homes, folders or single files (relative paths start at the working directory), else
 * the home that `CODEX_HOME` names, else `~/.codex`. Throws `UsageError` if a path that the user named is not a rollout,
 * or does not exist and may not be missing. A missing `~/.codex` is not the user's mistake and gives no root.
 */
export function findRoots(
  homes: readonly (string | { path: string; label?: string })[],
  { env, homeDir, mayMiss = () => false }: RootInputs,
): FoundRoots {
  if (homes.length > 0) {
    const given = homes.map((home) => (typeof home === 'string' ? { path: home } : home))
    return rootsOf(given.map(({ path, label = '' }) => rootOrMissing({ path, label }, givenRoot, mayMiss)))
  }
  const codexHome = env['CODEX_HOME']
  if (codexHome !== undefined && codexHome !== '')
    return rootsOf([rootOrMissing({ path: codexHome, label: '' }, environmentRoot, mayMiss)])
  const path = join(homeDir, '.codex')
  const name = join('~', '.codex')
  const stat = statOf(path)
  if (!(stat instanceof Error)) {
    const root: Root = { path, kind: 'home', label: '' }
    return { roots: [root], places: [nameWithFault(root, name)], missing: [] }
  }
  const reason = reasonOf(stat)
  return { roots: [], places: [`${name} (${reason})`], missing: [{ path, label: '', reason }] }
}

/** The root at a named path; if it is missing and may be, what is wrong with it. */
function rootOrMissing(
  { path: given, label }: { path: string; label: string },
  rootOf: (given: string) => Root,
  mayMiss: (path: string) => boolean,
): Root | MissingHome {
  const path = resolve(given)
  const stat = statOf(path)
  if (stat instanceof Error && mayMiss(path)) return { path, label, reason: reasonOf(stat) }
  return { ...rootOf(given), label }
}

function givenRoot(given: string): Root {
  const path = resolve(given)
  const stat = statOf(path)
  if (stat instanceof Error) throw new UsageError(`Cannot look for sessions in \`${given}\`: ${reasonOf(stat)}.`)
  if (stat.isDirectory()) return { path, kind: isHome(path) ? 'home' : 'folder', label: '' }
  if (stat.isFile() && parseName(baseName(path), 'given') !== undefined) {
    return { path, kind: 'file', label: '' }
  }
  throw new UsageError(
    `\`${given}\` is not a rollout: expected a Codex home, a folder, or a \`.jsonl\`, \`.jsonl.zst\` or \`.json\` file.`,
  )
}

/** Codex itself never falls back to `~/.codex` when the variable is set, so neither do we. */
function environmentRoot(codexHome: string): Root {
  const path = resolve(codexHome)
  const stat = statOf(path)
  if (!(stat instanceof Error) && stat.isDirectory()) return { path, kind: 'home', label: '' }
  const reason = stat instanceof Error ? reasonOf(stat) : 'it is not a folder'
  throw new UsageError(`\`CODEX_HOME\` names \`${codexHome}\`: ${reason}. Name a Codex home, or unset the variable.`)
}

/**
 * What is wrong with the folders of a root, each as a clause. A missing folder is reported too, although many homes have
 * only one of the two: only a caller that knows it was there before can tell that it was lost.
 */
export function rootFaults({ path, kind }: Root): { home?: string; sessions?: string; archived?: string } {
  if (kind !== 'home') return defined({ home: kind === 'folder' ? folderFault(path) : undefined })
  return defined({
    home: folderFault(path),
    sessions: folderFault(join(path, 'sessions'), '`sessions` in it: '),
    archived: folderFault(join(path, 'archived_sessions'), '`archived_sessions` in it: '),
  })
}

function folderFault(path: string, prefix = ''): string | undefined {
  try {
    opendirSync(path).closeSync()
    return undefined
  } catch (error) {
    return `${prefix}${reasonOf(error)}`
  }
}

/** Separates roots from missing homes and omits roots that were already given under another spelling. */
function rootsOf(given: readonly (Root | MissingHome)[]): FoundRoots {
  const seen = new Set<string>()
  const roots = given.filter((root): root is Root => {
    const path = 'kind' in root ? realpathSync(root.path) : undefined
    if (path === undefined || seen.has(path)) return false
    seen.add(path)
    return true
  })
  const missing = given.filter((root): root is MissingHome => !('kind' in root))
  return { roots, places: [...roots.map((root) => nameWithFault(root)), ...missing.map(({ path }) => path)], missing }
}

/** A readable name for a root, with the reason if its folder cannot be read, because then nothing is found in it. */
function nameWithFault(root: Root, name = root.path): string {
  const fault = root.kind === 'file' ? undefined : folderFault(root.path)
  return fault === undefined ? name : `${name} (${fault})`
}

function isHome(path: string): boolean {
  return homeMarks.some((mark) => !(statOf(join(path, mark)) instanceof Error))
}

/** Entries that Codex creates in a home, but a site or another program does not. */
const certainMarks = ['archived_sessions', 'session_index.jsonl']
const yearFolder = /^\d{4}$/

/** Whether a folder, whatever its name, certainly is a Codex home with sessions. */
export function isCertainlyHome(folder: string): boolean {
  const has = (mark: string): boolean => !(statOf(join(folder, mark)) instanceof Error)
  return certainMarks.some(has) || namesIn(join(folder, 'sessions')).some((name) => yearFolder.test(name))
}

/** The folders above a path that are certainly Codex homes, nearest first. The path need not exist. */
export function homesAbove(path: string): Root[] {
  const homes: Root[] = []
  for (let folder = dirname(realPath(path)); folder !== dirname(folder); folder = dirname(folder))
    if (isCertainlyHome(folder)) homes.push({ path: folder, kind: 'home', label: '' })
  return homes
}

/** The error that prevents looking up any name in a folder, so that everything in it seems unreadable; else `undefined`. */
export function entryFault(folder: string): unknown {
  try {
    lstatSync(join(folder, 'sessions'))
    return undefined
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? undefined : error
  }
}

// What is at a path.

/** The status of a path, after following links, or the error if there is none. */
export function statOf(path: string): Stats | Error {
  try {
    return statSync(path)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
