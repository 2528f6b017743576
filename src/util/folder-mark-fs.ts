/** Whether anything changed in a small folder. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Names, sizes and times of all files below a folder as a text; empty where there is no such folder. */
export function folderMark(folder: string): string {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
    return names.map((name) => `${name} ${markOf(join(folder, name))}`).join('\n')
  } catch {
    return ''
  }
}

/** Size and time of a file; empty where there is none. */
export function markOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat === undefined ? '' : `${stat.size} ${stat.mtimeMs}`
}
