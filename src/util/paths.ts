/** Paths of any system, as text. */

const absolute = /^(?:[/\\]|[a-z]:[/\\])/i

/** Whether a path says by itself where it begins. */
export function isAbsolute(path: string): boolean {
  return absolute.test(path)
}

/** The last part of a path, whichever system's slashes it has. */
export function baseName(path: string): string {
  return path.replace(/^.*[\\/]/s, '')
}

/**
 * An absolute form of `path` against `cwd`, `.` and `..` resolved; `path` itself where it is absolute or `cwd` unknown, or where it
 * holds an address, whose secrets are known by its two slashes.
 */
export function resolvePath(cwd: string | undefined, path: string): string {
  if (cwd === undefined || path === '' || absolute.test(path) || path.includes('://')) return path
  const separator = /^[a-z]:\\|^\\\\/i.test(cwd) ? '\\' : '/'
  const parts = cwd.split(separator)
  for (const part of path.split(/[/\\]/)) {
    if (part === '..') {
      if (parts.length > 1) parts.pop()
    } else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join(separator)
}

/** Whether a path is of Windows: with a drive letter, or on a share. */
export function isWindowsPath(path: string): boolean {
  return /^(?:[a-z]:|\\\\)/i.test(path)
}

/** Text by which paths are compared: on Windows neither case nor the kind of slash tells names apart. */
export function pathKey(path: string): string {
  if (!isWindowsPath(path)) return path
  return withoutPrefix(path).replaceAll('\\', '/').toLowerCase()
}

/** Without the `\\\\?\\` that lifts the limit on the length of paths. */
function withoutPrefix(path: string): string {
  return path.replace(/^\\\\\?\\(?=[a-z]:)/i, '')
}

/** Whether two paths name one place; slashes at their ends do not count. */
export function isSamePath(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return pathKey(withoutEnd(one)) === pathKey(withoutEnd(other))
}

function withoutEnd(path: string): string {
  return path.replace(/(?<=^[/\\]|[^/\\])[/\\]+$/, '')
}

/** A path as seen from a folder that holds it; other paths as they are. */
export function pathBelow(path: string, folder: string | undefined): string {
  if (folder === undefined || folder === '') return path
  const root = withoutEnd(withoutPrefix(folder))
  const whole = withoutPrefix(path)
  const separator = whole.charAt(root.length)
  const isBelow =
    (separator === '/' || separator === '\\') &&
    whole.length > root.length + 1 &&
    pathKey(whole.slice(0, root.length)) === pathKey(root)
  return isBelow ? whole.slice(root.length + 1) : path
}
