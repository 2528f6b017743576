/** Which processes have a file open for writing, as `/proc` of Linux tells. */

import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { textAt } from '../../../util/files-fs.ts'
import { defined } from '../../../util/own.ts'
import { errorCode } from '../../../util/reason.ts'
import type { Holder, ProbedFile } from './open-state.ts'

/** A process whose open files may not be read. */
export interface HiddenProcess extends Holder {
  /** Effective user; absent where that is hidden too. */
  uid?: number
}

/** What the processes told. */
export interface ProcReading {
  writers: Holder[]
  /** Processes, threads of the kernel left out, that another user or a guard of their own keeps from being read. */
  hidden: HiddenProcess[]
}

/** Looks through all processes; `undefined` where there is no such folder. */
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

/** `undefined` where the process may not be read; a process that ended meanwhile has nothing open. */
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
    // Sockets and pipes have names without a slash: what is no file is not asked further.
    if (!readlinkSync(link).startsWith('/')) return false
    const stat = statSync(link, { bigint: true })
    return stat.ino === ino && stat.dev === dev
  } catch {
    return false
  }
}

/** The access mode stands in the last two bits of an octal number; what is not told may write. */
function mayWrite(folder: string, number: string): boolean {
  const [, flags] = /^flags:\s*([0-7]+)/m.exec(textAt(join(folder, 'fdinfo', number))) ?? []
  return flags === undefined || (Number.parseInt(flags, 8) & 3) !== 0
}

/** What was started; the name that the system keeps is that of a thread, which Node 24 calls `MainThread`. */
function programOf(folder: string): string {
  const [started = ''] = textAt(join(folder, 'cmdline')).split('\0')
  return basename(started) || textAt(join(folder, 'comm')).trim() || 'unknown'
}

function userOf(folder: string): number | undefined {
  const [, uid] = /^Uid:\s*\d+\s+(\d+)/m.exec(textAt(join(folder, 'status'))) ?? []
  return uid === undefined ? undefined : Number(uid)
}

/** Threads of the kernel, and processes that ended, have no command line. */
function isKernelThread(folder: string): boolean {
  try {
    return readFileSync(join(folder, 'cmdline')).length === 0
  } catch {
    return false
  }
}
