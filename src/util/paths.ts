/** Paths of any operating system, as text. */

const absolute = /^(?:[/\\]|[a-z]:[/\\])/i

const device = /(?:^|\/)(?:con|prn|aux|nul|com\d|lpt\d)(?:[./]|$)/

/** Whether a name in a path of small letters, with slashes, is that of a device on Windows, with any ending. */
export function hasDeviceName(path: string): boolean {
  return device.test(path)
}

/** Whether a path begins at a root. */
export function isAbsolute(path: string): boolean {
  return absolute.test(path)
}

/** The last part of a path, with slashes of any system. */
export function baseName(path: string): string {
  return path.replace(/^.*[\\/]/s, '')
}

/**
 * An absolute form of `path` against `cwd`, with `.` and `..` resolved. Returns `path` itself if it is absolute, if `cwd` is
 * unknown, or if it contains a URL, because secrets in URLs are recognised by the two slashes.
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

/** Whether a path is a Windows path: with a drive letter, or on a share. */
export function isWindowsPath(path: string): boolean {
  return /^(?:[a-z]:|\\\\)/i.test(path)
}

/** Text for comparing paths: on Windows, neither case nor the kind of slash distinguishes names. */
export function pathKey(path: string): string {
  if (!isWindowsPath(path)) return path
  return withoutPrefix(path).replaceAll('\\', '/').toLowerCase()
}

/** Removes the `\\?\` prefix that lifts the limit on the length of Windows paths. */
function withoutPrefix(path: string): string {
  return path.replace(/^\\\\\?\\(?=[a-z]:)/i, '')
}

/** Whether two paths name the same location; slashes at their ends do not count. */
export function isSamePath(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return pathKey(withoutEnd(one)) === pathKey(withoutEnd(other))
}

function withoutEnd(path: string): string {
  return path.replace(/(?<=^[/\\]|[^/\\])[/\\]+$/, '')
}

/** A path relative to a folder that contains it; any other path unchanged. */
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
