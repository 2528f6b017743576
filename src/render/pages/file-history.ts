/** Which turns of which sessions changed a project's files. */

import type { FileTouch, SessionDetail, SessionSummary } from '../../transcript/summary.ts'
import { type Best, bestOf, compareText } from '../../util/compare.ts'
import { defined } from '../../util/own.ts'
import { isSamePath, isWindowsPath, pathBelow } from '../../util/paths.ts'

/** Turns that are listed for one file. */
const maxTurns = 50

/** What one turn did to one file. */
export interface FileTurn {
  threadId: string
  title: string
  turn: number
  /** First line of its prompt. */
  prompt?: string
  /** Page and anchor of its last change. */
  page: number
  anchor: string
  pages: number
  at?: string
  added: number
  removed: number
  /** `added`, `deleted`, `moved to x` or `moved from x`; absent for a plain edit. */
  note?: string
  /** Its last change renamed the file, which is also listed under the new name. */
  isRenamed?: true
}

/** One file with the newest of the turns that changed it. */
export interface FileHistory {
  /** Relative to the project's folder if the file is below it. */
  path: string
  /** Newest first. */
  turns: FileTurn[]
  /** Number of all turns that changed the file, and of their sessions. */
  count: number
  sessions: number
  added: number
  removed: number
}

interface Entry {
  turns: Best<FileTurn>
  sessions: number
  added: number
  removed: number
}

/** The files of one project. Failed patches are left out, because they changed nothing. */
interface ProjectHistory {
  add: (summary: SessionSummary, detail: SessionDetail) => void
  /** Sorted by folder, then by name. */
  files: () => FileHistory[]
  /** Number of changes that the sessions' details left out. */
  omitted: () => number
}

/** An empty history. */
export function projectHistory(pathOf: ProjectPath): ProjectHistory {
  const entries = new Map<string, Entry>()
  let omitted = 0
  return {
    add(summary, detail) {
      omitted += detail.omitted.touches
      for (const [path, turns] of turnsByFile(summary, detail, pathOf)) {
        const entry = entries.get(path) ?? { turns: bestOf(maxTurns, newestFirst), sessions: 0, added: 0, removed: 0 }
        entries.set(path, entry)
        entry.sessions++
        for (const turn of turns.values()) {
          entry.turns.add(turn)
          entry.added += turn.added
          entry.removed += turn.removed
        }
      }
    },
    files: () =>
      [...entries]
        .map(([path, { turns, ...entry }]) => ({ path, turns: turns.items(), count: turns.count(), ...entry }))
        .sort((a, b) => byFolder(a.path, b.path)),
    omitted: () => omitted,
  }
}

/** What the turns of a session did, by file and turn. */
function turnsByFile(
  { title, threadId, cwd, pages }: SessionSummary,
  { touches, prompts }: SessionDetail,
  pathOf: ProjectPath,
): Map<string, Map<number, FileTurn>> {
  const files = new Map<string, Map<number, FileTurn>>()
  const add = (path: string, touch: FileTouch, note: string | undefined, lines: boolean): void => {
    const turns = files.get(path) ?? new Map<number, FileTurn>()
    files.set(path, turns)
    const { turn, page, anchor, at } = touch
    const old = turns.get(turn)
    turns.set(turn, {
      threadId,
      title,
      turn,
      page,
      anchor,
      pages,
      added: (old?.added ?? 0) + (lines ? touch.added : 0),
      removed: (old?.removed ?? 0) + (lines ? touch.removed : 0),
      ...defined({
        prompt: prompts[turn],
        at,
        note: note ?? old?.note,
        isRenamed: lines ? undefined : (true as const),
      }),
    })
  }
  for (const touch of touches) {
    if (touch.failed) continue
    const path = pathOf(touch.path, cwd)
    const target = touch.movedTo === undefined ? undefined : pathOf(touch.movedTo, cwd)
    if (target === undefined || target === path) add(path, touch, notes[touch.operation], true)
    else {
      add(path, touch, `moved to ${target}`, false)
      add(target, touch, `moved from ${path}`, true)
    }
  }
  return files
}

/** Number of files; one that was moved is listed under both names but counts once. */
export function countFiles(files: readonly FileHistory[]): number {
  return files.filter(({ turns }) => turns[0]?.isRenamed !== true).length
}

const notes: Readonly<Partial<Record<FileTouch['operation'], string>>> = { add: 'added', delete: 'deleted' }

function newestFirst(a: FileTurn, b: FileTurn): number {
  return compareText(b.at ?? '', a.at ?? '') || compareText(a.threadId, b.threadId) || b.turn - a.turn
}

/** Sorts the files of a folder together, before those of its subfolders. */
function byFolder(a: string, b: string): number {
  const [left, right] = [folderOf(a), folderOf(b)]
  return left === right ? compareText(a, b) : compareText(left, right)
}

/** Folder of a path with a trailing slash; empty for a bare name. */
export function folderOf(path: string): string {
  return /^.*[/\\]/s.exec(path)?.[0] ?? ''
}

// One name for one file, no matter in which folder of a project a session began.

/** Path of a file relative to the project's folder. */
type ProjectPath = (path: string, cwd: string | undefined) => string

/**
 * Unifies the paths of a project's sessions: a session that began in a subfolder of another session's folder saw the same
 * files under shorter names. Hidden folders in between contain copies (worktrees), which have the names of the original.
 */
export function projectPaths(cwds: Iterable<string>): ProjectPath {
  const roots = rootsOf(new Set(cwds))
  /** Names of files on Windows in their first spelling. */
  const spellings = new Map<string, string>()
  const pathOf = (path: string, cwd: string): string => {
    const root = roots.get(cwd)
    if (root === undefined || isSamePath(root, cwd)) return path
    return isAbsolute(path) ? pathBelow(path, root) : `${pathBelow(cwd, root)}${separatorOf(cwd)}${path}`
  }
  return (path, cwd) => {
    if (cwd === undefined) return path
    const name = pathOf(path, cwd)
    if (!isWindowsPath(cwd)) return name
    const key = `${roots.get(cwd) ?? cwd} ${name}`.replaceAll('\\', '/').toLowerCase()
    const firstSpelling = spellings.get(key)
    if (firstSpelling === undefined) spellings.set(key, name)
    return firstSpelling ?? name
  }
}

/** The topmost of the folders that contains each folder. */
function rootsOf(cwds: ReadonlySet<string>): Map<string, string> {
  const roots: string[] = []
  const found = new Map<string, string>()
  for (const cwd of [...cwds].sort((a, b) => a.length - b.length)) {
    const root = roots.find((folder) => isSamePath(cwd, folder) || isInside(cwd, folder))
    if (root === undefined) roots.push(cwd)
    found.set(cwd, root ?? cwd)
  }
  return found
}

function isInside(cwd: string, folder: string): boolean {
  const below = pathBelow(cwd, folder)
  return below !== cwd && !below.split(/[/\\]/).some((part) => part.startsWith('.'))
}

function isAbsolute(path: string): boolean {
  return /^(?:[/\\]|[a-z]:[/\\]|~(?=[/\\]|$))/i.test(path)
}

function separatorOf(cwd: string): string {
  return cwd.includes('\\') && !cwd.includes('/') ? '\\' : '/'
}
