/** Whether a file is open for writing somewhere, and how that is told. */

import { printable } from '../../../util/printable.ts'

/** A process that has a file open for writing. */
export interface Holder {
  pid: number
  /** Name of the program, as the system tells it. */
  program: string
}

/**
 * What could be found out. `open` may name nobody: the system can tell that there is a writer and hide who it is.
 * `guess` then names processes that cannot be looked into and look like Codex. Readers do not count: who only reads,
 * such as `tail -f` or an editor, goes on reading the old bytes and loses nothing.
 */
export type OpenState =
  | { kind: 'closed' }
  | { kind: 'open'; by: readonly Holder[]; guess?: readonly Holder[] }
  | { kind: 'unknown'; reason: string }

/** The file that is asked about. Names do not count: links and removed files are known by device and number. */
export interface ProbedFile {
  /** A path that leads to it now. */
  path: string
  dev: bigint
  ino: bigint
  /** Owner, and rights as in `stat`: they tell which other users could write it. */
  uid: number
  mode: number
}

/** Finds out whether a file is open for writing. Never throws. */
export type OpenProbe = (file: ProbedFile) => OpenState

/** The subject of a sentence: who has a file open. */
export function holdersText({ by, guess = [] }: Extract<OpenState, { kind: 'open' }>): string {
  if (by.length > 0) return listed(by)
  return guess.length === 0 ? 'Another program' : `A program that cannot be inspected, probably ${listed(guess)},`
}

function listed(holders: readonly Holder[]): string {
  const names = holders.slice(0, 5).map(({ pid, program }) => `\`${printable(program)}\` (process ${pid})`)
  const more = holders.length > names.length ? [`${holders.length - names.length} more`] : []
  return [...names, ...more].join(', ')
}

// Which processes have a file open for writing, as `lsof` of macOS and other Unix systems tells.

/** Asks for the file by its path: `lsof` itself compares device and number. */
export function lsofState({ path }: Pick<ProbedFile, 'path'>, { run }: Pick<ProbeSystem, 'run'>): OpenState {
  const result = run('lsof', ['-w', '-n', '-P', '-F', 'pcfa', '--', path])
  // It ends with 1 where nobody has the file open, and prints nothing then.
  if (result === undefined || result.status === null || result.status > 1)
    return { kind: 'unknown', reason: '`lsof`, which lists open files, could not be run' }
  const by = writersIn(result.stdout)
  return by.length === 0 ? { kind: 'closed' } : { kind: 'open', by }
}

/** Reads `lsof -F pcfa`: a field a line, `p` begins a process, `f` a descriptor of it, `a` is its access: `r`, `w`, `u`. */
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

/** An access that is not known, of a numbered descriptor, may be writing; `txt` and `mem` are programs and libraries. */
function isWriting(descriptor: string, access: string): boolean {
  return access === 'w' || access === 'u' || (access.trim() === '' && /^\d/.test(descriptor))
}

// What of the system is asked, as a value, so that other systems than this one can be tried.

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
