/** Whether anything changed in a small folder. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Names, sizes and times of all files below a folder as a text; empty where there is no such folder. */
export function folderMark(folder: string): string {
  return marksBelow(folder).join('\n')
}

/** Folder by folder: `recursive` of Node 20 takes ten times as long. */
function marksBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap((entry) => {
        const path = join(folder, entry.name)
        return entry.isDirectory() ? marksBelow(path) : [`${path} ${markOf(path)}`]
      })
  } catch {
    return []
  }
}

/** Size and time of a file; empty where there is none. */
function markOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat === undefined ? '' : `${stat.size} ${stat.mtimeMs}`
}
