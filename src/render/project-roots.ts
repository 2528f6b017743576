/** One name for one file, in whichever folder of a project a session began. */
import { pathBelow } from './words.ts'

/** Path of a file as seen from the project's folder. */
export type ProjectPath = (path: string, cwd: string | undefined) => string

/**
 * Joins the paths of a project's sessions. A session that began in a folder below that of another one saw the same files
 * under shorter names. Hidden folders on the way hold copies (worktrees), which have the names of the original.
 */
export function projectPaths(cwds: Iterable<string>): ProjectPath {
  const roots = rootsOf(new Set(cwds))
  return (path, cwd) => {
    const root = cwd === undefined ? undefined : roots.get(cwd)
    if (root === undefined || root === cwd || cwd === undefined) return path
    return isAbsolute(path) ? pathBelow(path, root) : `${pathBelow(cwd, root)}${separatorOf(cwd)}${path}`
  }
}

/** The highest of the folders that holds each of them. */
function rootsOf(cwds: ReadonlySet<string>): Map<string, string> {
  const roots: string[] = []
  const found = new Map<string, string>()
  for (const cwd of [...cwds].sort((a, b) => a.length - b.length)) {
    const root = roots.find((folder) => isInside(cwd, folder))
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
