/** Where to look: folders given by the user, `CODEX_HOME`, or `~/.codex` (rollout-format 1.1). */

import { lstatSync, opendirSync, realpathSync, type Stats, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { UsageError } from '../../diagnostics/errors.ts'
import { namesIn, realPath } from '../../util/files-fs.ts'
import { defined } from '../../util/own.ts'
import { baseName } from '../../util/paths.ts'
import { errorCode, reasonOf } from '../../util/reason.ts'
import { parseName } from './names.ts'

/** A place with rollouts. */
export interface Root {
  /** Absolute path. */
  path: string
  /** `home`: only its session folders are walked. `folder`: walked whole. `file`: one rollout. */
  kind: 'home' | 'folder' | 'file'
  /** Shown with every session of it; empty when the user gave none. */
  label: string
}

/** All places, and their names for people: what was looked at when nothing is found. */
export interface FoundRoots {
  roots: Root[]
  places: string[]
  /** Homes that are not there: `~/.codex`, and what `mayMiss` let pass. */
  missing: MissingHome[]
}

/** A home that cannot be looked at. */
export interface MissingHome {
  /** Absolute. */
  path: string
  label: string
  /** Why, as a clause. */
  reason: string
}

/** Where to look, unless the call says it. */
export interface RootInputs {
  /** The environment. */
  env: Readonly<Record<string, string | undefined>>
  /** The user's home directory. */
  homeDir: string
  /** Whether a named place, by its absolute path, may be missing; absent where none may. */
  mayMiss?: (path: string) => boolean
}

/** What makes a folder a Codex home. */
const homeMarks = ['sessions', 'archived_sessions', 'config.toml', 'auth.json']

/**
 * Finds the places to walk: the homes, bare folders or single files that were given, relative ones below the working
 * directory, else the home that the environment names, else `~/.codex`. Throws `UsageError` when a place that the user named is no rollout, or does not exist and may
 * not be missing; a missing `~/.codex` is not the user's mistake and gives no root.
 */
export function findRoots(
  homes: readonly (string | { path: string; label?: string })[],
  { env, homeDir, mayMiss = () => false }: RootInputs,
): FoundRoots {
  if (homes.length > 0) {
    const given = homes.map((home) => (typeof home === 'string' ? { path: home } : home))
    return rootsOf(given.map(({ path, label = '' }) => orMissing({ path, label }, givenRoot, mayMiss)))
  }
  const codexHome = env['CODEX_HOME']
  if (codexHome !== undefined && codexHome !== '')
    return rootsOf([orMissing({ path: codexHome, label: '' }, environmentRoot, mayMiss)])
  const path = join(homeDir, '.codex')
  const place = join('~', '.codex')
  const stat = statOf(path)
  if (!(stat instanceof Error)) {
    const root: Root = { path, kind: 'home', label: '' }
    return { roots: [root], places: [placeOf(root, place)], missing: [] }
  }
  const reason = reasonOf(stat)
  return { roots: [], places: [`${place} (${reason})`], missing: [{ path, label: '', reason }] }
}

/** The root of a named place; where it may be missing and is, what is wrong with it. */
function orMissing(
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
  throw new UsageError(`\`CODEX_HOME\` names \`${codexHome}\`: ${reason}. Create it, or unset the variable.`)
}

/**
 * What is wrong with the folders of a place that was found, each as a clause. A home without archived sessions, or with
 * nothing else, is the rule; who knows that there were some can tell that a folder is gone.
 */
export function rootFaults({ path, kind }: Root): { home?: string; sessions?: string; archived?: string } {
  if (kind !== 'home') return defined({ home: kind === 'folder' ? folderFault(path) : undefined })
  return defined({
    home: folderFault(path),
    sessions: folderFault(join(path, 'sessions'), '`sessions` in it: '),
    archived: folderFault(join(path, 'archived_sessions'), '`archived_sessions` in it: '),
  })
}

function folderFault(path: string, place = ''): string | undefined {
  try {
    opendirSync(path).closeSync()
    return undefined
  } catch (error) {
    return `${place}${reasonOf(error)}`
  }
}

/** Leaves out a place that was given before under another spelling. */
function rootsOf(given: readonly (Root | MissingHome)[]): FoundRoots {
  const seen = new Set<string>()
  const roots = given.filter((root): root is Root => {
    const path = 'kind' in root ? realpathSync(root.path) : undefined
    if (path === undefined || seen.has(path)) return false
    seen.add(path)
    return true
  })
  const missing = given.filter((root): root is MissingHome => !('kind' in root))
  return { roots, places: [...roots.map((root) => placeOf(root)), ...missing.map(({ path }) => path)], missing }
}

/** A place by its name for people, with the reason where its folder cannot be read: nothing is found in such a one. */
function placeOf(root: Root, name = root.path): string {
  const fault = root.kind === 'file' ? undefined : folderFault(root.path)
  return fault === undefined ? name : `${name} (${fault})`
}

function isHome(path: string): boolean {
  return homeMarks.some((mark) => !(statOf(join(path, mark)) instanceof Error))
}

/** What Codex leaves in a home, and neither a site nor other programs. */
const sureMarks = ['archived_sessions', 'session_index.jsonl']
const yearFolder = /^\d{4}$/

/** Whether Codex surely keeps sessions in a folder, whatever it is called. */
export function isSurelyHome(folder: string): boolean {
  const has = (mark: string): boolean => !(statOf(join(folder, mark)) instanceof Error)
  return sureMarks.some(has) || namesIn(join(folder, 'sessions')).some((name) => yearFolder.test(name))
}

/** The folders above a path, which need not be there, in which Codex surely keeps sessions, the nearest first. */
export function homesAbove(path: string): Root[] {
  const homes: Root[] = []
  for (let folder = dirname(realPath(path)); folder !== dirname(folder); folder = dirname(folder))
    if (isSurelyHome(folder)) homes.push({ path: folder, kind: 'home', label: '' })
  return homes
}

/** What keeps us from looking up any name in a folder, so that all in it seems unreadable; `undefined` where nothing does. */
export function entryFault(folder: string): unknown {
  try {
    lstatSync(join(folder, 'sessions'))
    return undefined
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? undefined : error
  }
}

// What stands at a path.

/** What the system tells of a path, links followed; its error where it tells nothing. */
export function statOf(path: string): Stats | Error {
  try {
    return statSync(path)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
