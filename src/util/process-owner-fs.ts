/** Names that say which process made a file, so that leftovers of a dead process can be told from the work of a live one. */

import { randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { sha256 } from './hash.ts'
import { errorCode } from './reason.ts'

/**
 * State of the process that made a name. `unknown`: it was made on another machine or in another container, or its process number
 * may by now belong to another process.
 */
type OwnerState = 'own' | 'live' | 'dead' | 'unknown'

/**
 * Host, boot, process namespace, process number, start of the process, and a random number that makes the name unique. No
 * hyphens: when an old Codex resumes a session, it accepts any name below `sessions` that contains the characters of its UUID in
 * order.
 */
const form = /^([0-9a-f]{8})_([0-9a-f]{8})_([0-9a-f]{8})_(\d+)_([0-9a-f]{12}|0)_[0-9a-f]{8}$/

/** Names that this process has claimed; for these, its own process number decides nothing. */
const open = new Set<string>()

/** Makes a name for this process that is in use until `releaseOwner`. It can be used in file names. */
export function claimOwner(): string {
  const { pid } = process
  const name = [...surroundings(), pid, startToken(pid), randomBytes(4).toString('hex')].join('_')
  open.add(name)
  return name
}

/** Gives up a name of this process. */
export function releaseOwner(name: string): void {
  open.delete(name)
}

/** State of the process that made a name; `undefined` if the text is not such a name. */
export function ownerState(name: string): OwnerState | undefined {
  const [, host, boot, space, digits, start] = form.exec(name) ?? []
  if (digits === undefined) return undefined
  if (open.has(name)) return 'own'
  const here = surroundings()
  if (host !== here[0]) return 'unknown'
  // The machine was restarted since.
  if (boot !== here[1]) return 'dead'
  if (space !== here[2]) return 'unknown'
  const pid = Number(digits)
  if (pid === process.pid || !isRunning(pid)) return 'dead'
  const now = startToken(pid)
  if (now === unknownStart || start === unknownStart) return 'unknown'
  return now === start ? 'live' : 'dead'
}

/** Whether a process with this number exists, even if it belongs to another user and may not be signalled. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

function surroundings(): [host: string, boot: string, space: string] {
  const space = readOrEmpty(() => readlinkSync('/proc/self/ns/pid'))
  return [short(hostname()), short(bootId()), short(space)]
}

function short(text: string): string {
  return sha256(text).slice(0, 8)
}

/** The token for a start that the system does not report. */
export const unknownStart = '0'
const ended = 'e'.repeat(12)

/**
 * A token for the time at which a process started, because its number may since belong to another one. Only Linux reports it, in
 * `/proc`.
 */
export function startToken(pid: number): string {
  const stat = readOrEmpty(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  if (stat === '') return unknownStart
  // The second field is the program's name in brackets and may contain spaces; the state follows it, and later the start.
  const fields = stat.replace(/^.*\) /s, '').split(' ')
  // A zombie still has its number but does nothing.
  return fields[0] === 'Z' ? ended : sha256(`${bootId()} ${fields[19]}`).slice(0, 12)
}

function bootId(): string {
  return readOrEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())
}

function readOrEmpty(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}
