/** Everything that can be read about a folder without changing it. */
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../../src/util/hash.ts'

/**
 * A line for each entry below a folder, and for the folder itself: kind and mode, inode number, number of links, size
 * of a file, times of the last change of content and of the entry, and the hash of its content. The time of the last
 * access may change.
 */
export function fingerprint(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort()
  return [folder, ...paths].map((path) => {
    const { mode, ino, size, mtimeMs, ctimeMs, nlink } = lstatSync(path)
    const isFile = lstatSync(path).isFile()
    const content = isFile ? sha256(readFileSync(path)) : ''
    return [
      path.slice(folder.length),
      mode.toString(8),
      ino,
      nlink,
      isFile ? size : '',
      mtimeMs,
      ctimeMs,
      content,
    ].join(' ')
  })
}
