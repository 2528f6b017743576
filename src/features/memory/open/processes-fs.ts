/** Finds the processes that have a file open for writing in `/proc` of Linux. */

import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { textAt } from '../../../util/files-fs.ts'
import { defined } from '../../../util/own.ts'
import { errorCode } from '../../../util/reason.ts'
import type { Holder, ProbedFile } from './open-state.ts'

/** A process whose open files cannot be read. */
export interface HiddenProcess extends Holder {
  /** Effective user; absent if that is hidden too. */
  uid?: number
}

/** What `/proc` shows. */
export interface ProcReading {
  writers: Holder[]
  /**
   * Processes, without kernel threads, whose files cannot be read because they belong to another user or protect
   * themselves.
   */
  hidden: HiddenProcess[]
}

/** Looks through all processes; `undefined` if there is no such folder or it shows none. */
export function readProcesses(proc: string, file: ProbedFile): ProcReading | undefined {
  const reading: ProcReading = { writers: [], hidden: [] }
  let names: string[]
  try {
    names = readdirSync(proc).filter((name) => /^\d+$/.test(name))
  } catch {
    return undefined
  }
  if (names.length === 0) return undefined
  for (const name of names) {
    const folder = join(proc, name)
    const holder = (): Holder => ({ pid: Number(name), program: programOf(folder) })
    const writes = hasWriter(folder, file)
    if (writes === true) reading.writers.push(holder())
    if (writes === undefined && !isKernelThread(folder)) {
      const uid = userOf(folder)
      reading.hidden.push({ ...holder(), ...defined({ uid }) })
    }
  }
  return reading
}

/**
 * Whether a process has the file open for writing; `undefined` if that cannot be read. A process that has ended has
 * nothing open.
 */
function hasWriter(folder: string, file: ProbedFile): boolean | undefined {
  let numbers: string[]
  try {
    numbers = readdirSync(join(folder, 'fd'))
  } catch (error) {
    return errorCode(error) === 'ENOENT' || errorCode(error) === 'ESRCH' ? false : undefined
  }
  return numbers.some((number) => isFile(join(folder, 'fd', number), file) && mayWrite(folder, number))
}

function isFile(link: string, { dev, ino }: ProbedFile): boolean {
  try {
    // Sockets and pipes have names that do not start with a slash; only files need a further look.
    if (!readlinkSync(link).startsWith('/')) return false
    const stat = statSync(link, { bigint: true })
    return stat.ino === ino && stat.dev === dev
  } catch {
    return false
  }
}

/**
 * Whether a descriptor may be used for writing. The access mode is in the last two bits of an octal number; if it cannot
 * be read, the descriptor may be.
 */
function mayWrite(folder: string, number: string): boolean {
  const [, flags] = /^flags:\s*([0-7]+)/m.exec(textAt(join(folder, 'fdinfo', number))) ?? []
  return flags === undefined || (Number.parseInt(flags, 8) & 3) !== 0
}

/** The program as it was started. The name that the system keeps is that of a thread, which Node 24 calls `MainThread`. */
function programOf(folder: string): string {
  const [started = ''] = textAt(join(folder, 'cmdline')).split('\0')
  return basename(started) || textAt(join(folder, 'comm')).trim() || 'unknown'
}

function userOf(folder: string): number | undefined {
  const [, uid] = /^Uid:\s*\d+\s+(\d+)/m.exec(textAt(join(folder, 'status'))) ?? []
  return uid === undefined ? undefined : Number(uid)
}

/** Kernel threads, and processes that have ended, have no command line. */
function isKernelThread(folder: string): boolean {
  try {
    return readFileSync(join(folder, 'cmdline')).length === 0
  } catch {
    return false
  }
}
