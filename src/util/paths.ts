/** Paths of any system, as text. */

const absolute = /^(?:[/\\]|[a-z]:[/\\])/i

/** The last part of a path, whichever system's slashes it has. */
export function baseName(path: string): string {
  return path.replace(/^.*[\\/]/, '')
}

/** An absolute form of `path` against `cwd`, `.` and `..` resolved; `path` itself where it is absolute or `cwd` unknown. */
export function resolvePath(cwd: string | undefined, path: string): string {
  if (cwd === undefined || path === '' || absolute.test(path)) return path
  const separator = /^[a-z]:\\|^\\\\/i.test(cwd) ? '\\' : '/'
  const parts = cwd.split(separator)
  for (const part of path.split(/[/\\]/)) {
    if (part === '..') {
      if (parts.length > 1) parts.pop()
    } else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join(separator)
}
