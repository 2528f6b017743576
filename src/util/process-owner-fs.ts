/** Names that tell which process made a file, so that what a dead one left can be told from the work of a live one. */

import { randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { sha256 } from './hash.ts'
import { errorCode } from './reason.ts'

/**
 * Whose a name is. `unknown`: made on another machine or in another container, or by a process number that may have
 * passed to another process.
 */
export type OwnerState = 'own' | 'live' | 'dead' | 'unknown'

/**
 * Machine, run of the system, process namespace, process, its start, and a number that makes it unlike any other. No
 * hyphens: an old Codex takes any name below `sessions` that holds the characters of a UUID in order for that session.
 */
const form = /^([0-9a-f]{8})_([0-9a-f]{8})_([0-9a-f]{8})_(\d+)_([0-9a-f]{12}|0)_[0-9a-f]{8}$/

/** Names of this very process: its process number says nothing about those. */
const open = new Set<string>()

/** Makes a name of this process and counts it as in use until `releaseOwner`. Safe in names of files. */
export function claimOwner(): string {
  const { pid } = process
  const name = [...surroundings(), pid, startToken(pid), randomBytes(4).toString('hex')].join('_')
  open.add(name)
  return name
}

/** Says that this process is done with a name. */
export function releaseOwner(name: string): void {
  open.delete(name)
}

/** Whether the process that made a name still runs; `undefined` for what is no such name. */
export function ownerState(name: string): OwnerState | undefined {
  const [, host, boot, space, digits, start] = form.exec(name) ?? []
  if (digits === undefined) return undefined
  if (open.has(name)) return 'own'
  const here = surroundings()
  if (host !== here[0]) return 'unknown'
  // The machine was started anew since.
  if (boot !== here[1]) return 'dead'
  if (space !== here[2]) return 'unknown'
  const pid = Number(digits)
  if (pid === process.pid || !isRunning(pid)) return 'dead'
  const now = startToken(pid)
  if (now === unknownStart || start === unknownStart) return 'unknown'
  return now === start ? 'live' : 'dead'
}

/** Whether a process has a number; another user's too, though it may not be asked. */
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

/** What stands for a start that the system does not tell. */
export const unknownStart = '0'
const ended = 'e'.repeat(12)

/** When a process started, as a token: its number alone may have passed to another one. Only `/proc` of Linux tells. */
export function startToken(pid: number): string {
  const stat = readOrEmpty(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  if (stat === '') return unknownStart
  // The second field is the program's name in brackets and may hold spaces; behind it the state, later the start.
  const fields = stat.replace(/^.*\) /s, '').split(' ')
  // A zombie still has its number but does nothing any more.
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
