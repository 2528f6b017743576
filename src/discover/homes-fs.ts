/** Where to look: folders given by the user, `CODEX_HOME`, or `~/.codex` (rollout-format 1.1). */
import { realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { UsageError } from '../diagnostics/errors.ts'
import { baseName } from '../util/paths.ts'
import { reasonOf } from '../util/reason.ts'
import { parseName } from './names.ts'
import { statOf } from './stat-fs.ts'

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
}

/** Where the user may have said to look, strongest first. */
export interface RootInputs {
  /** Homes, bare folders or single files, as given; relative ones are below the working directory. */
  codexHomes: readonly (string | { path: string; label?: string })[]
  /** The environment. */
  env: Readonly<Record<string, string | undefined>>
  /** The user's home directory. */
  homeDir: string
}

/** What makes a folder a Codex home. */
const homeMarks = ['sessions', 'archived_sessions', 'config.toml', 'auth.json']

/**
 * Finds the places to walk. Throws `UsageError` when a place that the user named does not exist or is no rollout;
 * a missing `~/.codex` is none of the user's making and gives no root.
 */
export function findRoots({ codexHomes, env, homeDir }: RootInputs): FoundRoots {
  if (codexHomes.length > 0) {
    const given = codexHomes.map((home) => (typeof home === 'string' ? { path: home } : home))
    return unique(given.map(({ path, label }) => ({ ...givenRoot(path), label: label ?? '' })))
  }
  const codexHome = env['CODEX_HOME']
  if (codexHome !== undefined && codexHome !== '') return unique([environmentRoot(codexHome)])
  const path = join(homeDir, '.codex')
  const places = [join('~', '.codex')]
  return { roots: statOf(path) instanceof Error ? [] : [{ path, kind: 'home', label: '' }], places }
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
    `\`${given}\` is no rollout: expected a Codex home, a folder, or a \`.jsonl\`, \`.jsonl.zst\` or \`.json\` file.`,
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

/** Leaves out a place that was given before under another spelling. */
function unique(given: Root[]): FoundRoots {
  const seen = new Set<string>()
  const roots = given.filter((root) => {
    const path = realpathSync(root.path)
    return !seen.has(path) && seen.add(path)
  })
  return { roots, places: roots.map((root) => root.path) }
}

function isHome(path: string): boolean {
  return homeMarks.some((mark) => !(statOf(join(path, mark)) instanceof Error))
}
