/** What of the system is asked, as a value, so that other systems than this one can be tried. */

import { spawnSync } from 'node:child_process'
import { closeSync, constants, openSync, statfsSync } from 'node:fs'

/** The end of a program that was run. */
export interface ProgramResult {
  status: number | null
  stdout: string
}

/** The system. */
export interface ProbeSystem {
  platform: NodeJS.Platform
  /** Folder in which Linux shows its processes. */
  proc: string
  /** Runs a program of the system; `undefined` where there is none of that name, or it does not end. */
  run(program: string, args: readonly string[]): ProgramResult | undefined
  /** Opens a file for writing in a way that nobody else may have it open, and closes it. Throws the system's error. */
  openAlone(path: string): void
  /** Number that tells the type of the file system at a path, as in `statfs`. */
  fileSystemType(path: string): number
}

/** libuv's `UV_FS_O_EXLOCK`, which Node does not export: on Windows the file is shared with nobody. */
const shareWithNobody = 0x1000_0000

const timeoutMs = 20_000

/** The system that this process runs on. */
export const thisSystem: ProbeSystem = {
  platform: process.platform,
  proc: '/proc',
  run(program, args) {
    const env = { PATH: process.env['PATH'], LC_ALL: 'C' }
    const { error, status, stdout } = spawnSync(program, args, {
      encoding: 'utf8',
      env,
      timeout: timeoutMs,
      stdio: ['ignore', 'pipe', 'ignore'],
      windowsHide: true,
    })
    return error === undefined ? { status, stdout } : undefined
  },
  openAlone(path) {
    closeSync(openSync(path, constants.O_RDWR | shareWithNobody))
  },
  fileSystemType: (path) => statfsSync(path).type,
}
