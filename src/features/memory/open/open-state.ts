/** Whether a file is open for writing somewhere, and how to say that. */

import { printable } from '../../../util/printable.ts'

/** A process that has a file open for writing. */
export interface Holder {
  pid: number
  /** Name of the program, as the system reports it. */
  program: string
}

/**
 * What could be found out. `open` may name nobody, because a system may know that there is a writer but hide who it is.
 * `guess` then names processes that cannot be inspected and look like Codex. Readers do not count: a program that only
 * reads, such as `tail -f` or an editor, keeps reading the old bytes and loses nothing.
 */
export type OpenState =
  | { kind: 'closed' }
  | { kind: 'open'; by: readonly Holder[]; guess?: readonly Holder[] }
  | { kind: 'unknown'; reason: string }

/** The file to check. It is identified by device and inode, not by name, because of links and removed files. */
export interface ProbedFile {
  /** A path that currently leads to it. */
  path: string
  dev: bigint
  ino: bigint
  /** Owner and mode as in `stat`; they determine which other users could write to it. */
  uid: number
  mode: number
}

/** Finds out whether a file is open for writing. Never throws. */
export type OpenProbe = (file: ProbedFile) => OpenState

/** Who has a file open, as the subject of a sentence. */
export function holdersText({ by, guess = [] }: Extract<OpenState, { kind: 'open' }>): string {
  if (by.length > 0) return listed(by)
  return guess.length === 0 ? 'Another program' : `A program that cannot be inspected, probably ${listed(guess)},`
}

function listed(holders: readonly Holder[]): string {
  const names = holders.slice(0, 5).map(({ pid, program }) => `\`${printable(program)}\` (process ${pid})`)
  const more = holders.length > names.length ? [`${holders.length - names.length} more`] : []
  return [...names, ...more].join(', ')
}

// Finds the processes that have a file open for writing with `lsof`, on macOS and other Unix systems.

/** Asks `lsof` for a file by its path; `lsof` itself compares device and inode. */
export function lsofState({ path }: Pick<ProbedFile, 'path'>, { run }: Pick<ProbeSystem, 'run'>): OpenState {
  const result = run('lsof', ['-w', '-n', '-P', '-F', 'pcfa', '--', path])
  // It exits with 1, and prints nothing, if nobody has the file open.
  if (result === undefined || result.status === null || result.status > 1)
    return { kind: 'unknown', reason: '`lsof`, which lists open files, could not be run' }
  const by = writersIn(result.stdout)
  return by.length === 0 ? { kind: 'closed' } : { kind: 'open', by }
}

/**
 * Reads the output of `lsof -F pcfa`, one field per line: `p` starts a process, `f` one of its descriptors, `a` is its
 * access: `r`, `w`, `u`.
 */
function writersIn(output: string): Holder[] {
  const writers = new Map<number, Holder>()
  let holder: Holder = { pid: 0, program: '' }
  let descriptor = ''
  for (const line of output.split(/[\n\0]/)) {
    const [field, value] = [line.charAt(0), line.slice(1)]
    if (field === 'p') holder = { pid: Number(value), program: 'unknown' }
    else if (field === 'c') holder.program = value
    else if (field === 'f') descriptor = value
    else if (field === 'a' && isWriting(descriptor, value)) writers.set(holder.pid, holder)
  }
  return [...writers.values()]
}

/** Unknown access to a numbered descriptor may be writing; `txt` and `mem` are programs and libraries. */
function isWriting(descriptor: string, access: string): boolean {
  return access === 'w' || access === 'u' || (access.trim() === '' && /^\d/.test(descriptor))
}

// What a probe asks the system, as a value, so that tests can try other systems.

/** How a program ended. */
interface ProgramResult {
  status: number | null
  stdout: string
}

/** A system that can be asked who has a file open. */
export interface ProbeSystem {
  platform: NodeJS.Platform
  /** Folder in which Linux shows its processes. */
  proc: string
  /** Runs a program of the system; `undefined` if there is none of that name, or it does not end in time. */
  run(program: string, args: readonly string[]): ProgramResult | undefined
  /** Opens a file for writing without sharing it, and closes it. Throws the system's error. */
  openAlone(path: string): void
  /** Number of the type of the file system at a path, as in `statfs`. */
  fileSystemType(path: string): number
}
