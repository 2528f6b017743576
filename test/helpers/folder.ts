/** Folders as plain values: path to content. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Every file below a folder as text by `/` path, sorted; an empty folder is a path that ends in `/`. */
export function readFolder(root: string, prefix = ''): Record<string, string> {
  const found: Record<string, string> = {}
  const entries = readdirSync(join(root, prefix), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    const path = `${prefix}${entry.name}`
    if (entry.isDirectory()) {
      const inside = readFolder(root, `${path}/`)
      Object.assign(found, Object.keys(inside).length === 0 ? { [`${path}/`]: '' } : inside)
    } else {
      found[path] = entry.isFile() ? readFileSync(join(root, path), 'utf8') : '(no file)'
    }
  }
  return found
}

/** Writes files below a folder and creates the folders that they need. */
export function writeFolder(root: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
}
