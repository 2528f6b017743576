/** Staging folders: which process their names belong to, and how new files of an interrupted build reach the next one. */

import { randomBytes } from 'node:crypto'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { isRunning, startToken, unknownStart } from '../../util/process-owner-fs.ts'
import { type Disk, pathKind } from './disk-fs.ts'
import { stagingPrefix } from './paths.ts'
import { newFolder } from './plan.ts'

// Names say which process made a folder, so that one left by a dead process can be told from a live one.

const form = /^\.staging-(\d+)-([0-9a-f]+)-[0-9a-f]{12}$/

/** Names of staging folders of this process that are in use; for these, its own process number decides nothing. */
const open = new Set<string>()

/** Makes the name of a new staging folder of this process, which counts as live until `releaseStagingName`. */
export function claimStagingName(): string {
  const name = `${stagingPrefix}${process.pid}-${startToken(process.pid)}-${randomBytes(6).toString('hex')}`
  open.add(name)
  return name
}

/** Gives up a staging folder of this process. */
export function releaseStagingName(name: string): void {
  open.delete(name)
}

/** Whether a name is that of a staging folder; a user's own `.staging-notes` is not. */
export function isStagingName(name: string): boolean {
  return form.test(name)
}

/** Whether the process that made a staging folder may still be running. */
export function isLive(name: string): boolean {
  const match = form.exec(name)
  if (match === null) return false
  const pid = Number(match[1])
  if (pid === process.pid) return open.has(name)
  if (!isRunning(pid)) return false
  const token = startToken(pid)
  return token === unknownStart || match[2] === unknownStart || token === match[2]
}

// New files of an interrupted build, on their way to the next build of the same site. They wait outside the site if the disk
// allows them to be moved there, otherwise in the staging folder that the build leaves behind, as after a kill.

/** Empties a staging folder except for its new files, which wait in the folder `waiting`, or where they are. */
export function handOn(staging: string, waiting: string, disk: Disk): void {
  const files = join(staging, newFolder)
  if (pathKind(files) === 'folder') {
    try {
      disk.remove(waiting)
      disk.folder(join(waiting, '..'))
      disk.rename(files, waiting)
      chmodSync(waiting, 0o700)
    } catch {
      // The folder is on another disk, or the disk is full.
      disk.remove(join(staging, 'temp'))
      return
    }
  }
  disk.remove(staging)
}

/**
 * Moves waiting files into a new staging folder; `false` if there are none. `abandoned` are staging folders of dead builds; they come
 * first, because they are newer than what waits elsewhere.
 */
export function takeOver(
  staging: string,
  { abandoned, waiting }: { abandoned: readonly string[]; waiting: string | undefined },
  disk: Disk,
): boolean {
  const folders = [...abandoned.map((folder) => join(folder, newFolder)), ...(waiting === undefined ? [] : [waiting])]
  try {
    const found = folders.find((folder) => pathKind(folder) === 'folder')
    if (found === undefined) return false
    disk.rename(found, join(staging, newFolder))
    return true
  } catch {
    // Files that cannot be moved are made again. A cache that cannot be reached says so itself, when it is written.
    return false
  }
}
