/**
 * New files of a build that was interrupted, on their way to the next build of the same site. They wait outside the site
 * where the disk lets them be moved there, else in the staging folder that the build leaves behind, as where it is killed.
 */

import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { type Disk, kindOf } from './disk-fs.ts'
import { newFolder } from './plan.ts'

/** Empties a staging folder but for its new files, which wait in the folder `waiting`, or where they are. */
export function handOn(staging: string, waiting: string, disk: Disk): void {
  const files = join(staging, newFolder)
  if (kindOf(files) === 'folder') {
    try {
      disk.remove(waiting)
      disk.folder(join(waiting, '..'))
      disk.rename(files, waiting)
      chmodSync(waiting, 0o700)
    } catch {
      // Another disk, or one that is full.
      disk.remove(join(staging, 'temp'))
      return
    }
  }
  disk.remove(staging)
}

/**
 * Moves what waits into a new staging folder; `false` where nothing does. `left` are staging folders of dead builds, which
 * were killed later than what waits elsewhere was handed on.
 */
export function takeOver(
  staging: string,
  { left, waiting }: { left: readonly string[]; waiting: string | undefined },
  disk: Disk,
): boolean {
  const places = [...left.map((folder) => join(folder, newFolder)), ...(waiting === undefined ? [] : [waiting])]
  const found = places.find((place) => kindOf(place) === 'folder')
  if (found === undefined) return false
  try {
    disk.rename(found, join(staging, newFolder))
    return true
  } catch {
    // What cannot be moved is made again.
    return false
  }
}
