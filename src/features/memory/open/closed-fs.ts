/** Keeps a rollout from being replaced while somebody may write it. */

import { spawnSync } from 'node:child_process'
import {
  type BigIntStats,
  closeSync,
  constants,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { UsageError } from '../../../diagnostics/errors.ts'
import { textAt } from '../../../util/files-fs.ts'
import { defined } from '../../../util/own.ts'
import { errorCode } from '../../../util/reason.ts'
import {
  type Holder,
  holdersText,
  lsofState,
  type OpenProbe,
  type OpenState,
  type ProbedFile,
  type ProbeSystem,
} from './open-state.ts'

/** When a rollout counts as closed. */
export interface ClosedRule {
  /** Finds out who has it open; asks this system where absent. */
  probe?: OpenProbe
  /** What cannot be known counts as closed, because somebody said so. What is known to be open never does. */
  assumeClosed?: boolean
}

/** Throws `UsageError` where a file is open for writing, and where that cannot be known and nobody said that it is closed. */
export function requireClosed(path: string, rule: ClosedRule = {}): void {
  const state = openStateOf(path, rule)
  if (state.kind === 'open') throw new UsageError(openText(path, state))
  if (state.kind === 'unknown' && rule.assumeClosed !== true) throw new UsageError(doubtText(path, state.reason))
}

/** Whether the file at a path is open for writing. One that is gone is not. */
function openStateOf(path: string, { probe = openProbe() }: ClosedRule): OpenState {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat === undefined ? { kind: 'closed' } : probe(probed(path, stat))
}

/** What is risked where it cannot be known whether a file is closed, as two sentences. */
function doubtText(path: string, reason: string): string {
  return `Cannot tell whether \`${basename(path)}\` is open in Codex: ${reason}. If it is, everything you type there from now on is lost.`
}

/** That a file is open, by whom, and what to do. */
export function openText(path: string, state: Extract<OpenState, { kind: 'open' }>): string {
  const verb = state.by.length > 1 ? 'have' : 'has'
  return `${holdersText(state)} ${verb} \`${basename(path)}\` open: what you type there would go to a removed file and be lost. Close that session first. Nothing was changed.`
}

/** A file as a probe wants it. */
export function probed(path: string, { dev, ino, uid, mode }: BigIntStats): ProbedFile {
  return { path, dev, ino, uid: Number(uid), mode: Number(mode) }
}

// Whether a file is open for writing, on any system.

/** Makes a probe for a system; this one by default. */
export function openProbe(system: ProbeSystem = thisSystem): OpenProbe {
  if (system.platform === 'win32') return (file) => windowsState(file, system)
  return system.platform === 'linux' ? (file) => linuxState(file, system) : (file) => unixState(file, system)
}

/** Windows names nobody, and readers count too: the file is opened as if it were ours alone. */
function windowsState({ path }: ProbedFile, { openAlone }: ProbeSystem): OpenState {
  try {
    openAlone(path)
    return { kind: 'closed' }
  } catch (error) {
    if (errorCode(error) === 'EBUSY') return { kind: 'open', by: [] }
    return { kind: 'unknown', reason: 'Windows does not allow opening it exclusively' }
  }
}

/** `lsof` shows a user his own processes, and those of others only to root. */
function unixState(file: ProbedFile, system: ProbeSystem): OpenState {
  const state = lsofState(file, system)
  if (state.kind !== 'closed') return state
  if ((file.mode & 0o022) !== 0) return { kind: 'unknown', reason: 'other users can write it' }
  if (!isLocal(file, system))
    return { kind: 'unknown', reason: 'it is on a file system that others can write from elsewhere' }
  return state
}

/** `mount` marks what lies on a disk of this machine as `local`. A path below several mounts lies in the deepest one. */
function isLocal({ path }: ProbedFile, { run }: ProbeSystem): boolean {
  const mounts = (run('mount', [])?.stdout ?? '').split('\n').flatMap((line) => {
    const [, at, options] = /^.* on (\/.*) \(([^)]*)\)$/.exec(line) ?? []
    return at === undefined || options === undefined ? [] : [{ at, options: options.split(/, */) }]
  })
  const around = mounts.filter(({ at }) => at === '/' || path === at || path.startsWith(`${at}/`))
  const [deepest] = around.sort((a, b) => b.at.length - a.at.length)
  return deepest?.options.includes('local') ?? false
}

// Whether a file is open for writing, on Linux.

/** File systems that other machines, or another system on this one, write too, by their numbers in `statfs`. */
const sharedSystems: ReadonlyMap<number, string> = new Map([
  [0x6969, 'nfs'],
  [0x517b, 'smb'],
  [0xff534d42, 'cifs'],
  [0xfe534d42, 'smb2'],
  [0x01021997, '9p'],
  [0x65735546, 'fuse'],
  [0x786f4256, 'vboxsf'],
  [0xbacbacbc, 'vmhgfs'],
  [0x00c36400, 'ceph'],
  [0x5346414f, 'afs'],
  [0x6b414653, 'afs'],
  [0x73757245, 'coda'],
  [0x01161970, 'gfs2'],
  [0x7461636f, 'ocfs2'],
  [0x0bd00bd0, 'lustre'],
  [0x47504653, 'gpfs'],
])

/** Number of the first process namespace (PROC_PID_INIT_INO); a container has another one. */
const firstNamespace = 'pid:[4026531836]'

/** Looks through the processes, and asks the kernel for what they do not show. */
function linuxState(file: ProbedFile, system: ProbeSystem): OpenState {
  const reading = readProcesses(system.proc, file)
  if (reading !== undefined && reading.writers.length > 0) return { kind: 'open', by: reading.writers }
  const listed = reading === undefined ? lsofState(file, system) : undefined
  if (listed?.kind === 'open') return listed
  const shared = sharedSystems.get(typeAt(file, system) >>> 0)
  if (shared !== undefined)
    return { kind: 'unknown', reason: `it is on a \`${shared}\` file system, which others can write from elsewhere` }
  const hidden = reading?.hidden ?? []
  // Also where every process shows its files: a mapping of one outlasts its descriptor.
  const written = hasWriters(system, file.path)
  if (written === true) return { kind: 'open', by: [], guess: hidden.filter(looksLikeCodex) }
  if (written === false) return { kind: 'closed' }
  const reason = reading === undefined ? 'the system does not show its processes' : doubt(hidden, file, system)
  return reason === undefined ? { kind: 'closed' } : { kind: 'unknown', reason }
}

function looksLikeCodex({ program }: Holder): boolean {
  return /codex/i.test(program)
}

/** Why what the processes show is not all there is; `undefined` where it is. */
function doubt(hidden: readonly HiddenProcess[], file: ProbedFile, { proc }: ProbeSystem): string | undefined {
  if (namespaceOf(proc) !== firstNamespace)
    return 'this runs in a container or namespace, which does not show the processes outside'
  const suspects = hidden.filter((process) => couldWrite(process, file))
  const [first] = suspects
  if (first === undefined) return undefined
  const more = suspects.length === 1 ? '' : ` and ${suspects.length - 1} more`
  return `the open files of \`${first.program}\` (process ${first.pid})${more} cannot be read`
}

/** Its owner and root can; others where the rights of the file let them. */
function couldWrite({ uid }: HiddenProcess, { uid: owner, mode }: ProbedFile): boolean {
  return uid === undefined || uid === 0 || uid === owner || (mode & 0o022) !== 0
}

function namespaceOf(proc: string): string {
  try {
    return readlinkSync(join(proc, 'self/ns/pid'))
  } catch {
    return ''
  }
}

function typeAt({ path }: ProbedFile, { fileSystemType }: ProbeSystem): number {
  try {
    return fileSystemType(path)
  } catch {
    return 0
  }
}

// Asks the kernel of Linux itself whether a file has writers, whoever they are.

/**
 * A read lease is granted only while nobody has the file open for writing (fcntl(2), F_SETLEASE), in any container and
 * by any user. It is given back at once. Node cannot ask; Perl or Python is on nearly every machine.
 */
const askers: readonly (readonly [program: string, args: readonly string[]])[] = [
  [
    'perl',
    ['-e', 'open(F,"<",$ARGV[0]) or exit 3; if(fcntl(F,1024,0)){fcntl(F,1024,2);exit 10} exit($!+0==11 ? 11 : 3)'],
  ],
  [
    'python3',
    [
      '-c',
      'import fcntl,sys\nf=open(sys.argv[1],"rb")\ntry:\n fcntl.fcntl(f,1024,0)\nexcept BlockingIOError: sys.exit(11)\nexcept OSError: sys.exit(3)\nfcntl.fcntl(f,1024,2)\nsys.exit(10)',
    ],
  ],
]

/** Whether somebody has the file open for writing; `undefined` where the kernel or the file system does not tell. */
export function hasWriters({ run }: Pick<ProbeSystem, 'run'>, path: string): boolean | undefined {
  for (const [program, args] of askers) {
    const status = run(program, [...args, path])?.status
    if (status === 10) return false
    if (status === 11) return true
  }
  return undefined
}

// Which processes have a file open for writing, as `/proc` of Linux tells.

/** A process whose open files may not be read. */
interface HiddenProcess extends Holder {
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
function readProcesses(proc: string, file: ProbedFile): ProcReading | undefined {
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

function programOf(folder: string): string {
  return textAt(join(folder, 'comm')).trim() || 'unknown'
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

// Whether a thread is open in Codex right now (rollout-format 1.2).

/** A file that was written within this time may be written on. */
const recentMs = 5 * 60_000

/** A thread that somebody may have open. */
export interface LiveThread {
  /** Absolute path of the rollout. */
  path: string
  /** Absolute path of its Codex home, where it lies in one. */
  home: string | undefined
  threadId: string
}

/**
 * Why it cannot be known whether a thread is closed, as two sentences; `undefined` where nothing speaks against it. Codex keeps the
 * rollout open, and since 0.150 the lock of the thread's writer; one that a killed Codex left behind is open nowhere.
 * Throws `UsageError` where either is open for writing, with the names of the programs.
 */
export function closedDoubt({ path, home, threadId }: LiveThread, rule: ClosedRule): string | undefined {
  // Windows only says whether a file is open at all, and we read it ourselves: there the swap alone asks.
  if (process.platform === 'win32') return undefined
  const lock = home === undefined ? undefined : join(home, 'thread-writer-locks', `${threadId}.lock`)
  let doubt: string | undefined
  for (const file of [path, ...(lock === undefined ? [] : [lock])]) {
    const state = openStateOf(file, rule)
    if (state.kind === 'open') throw new UsageError(openText(path, state))
    if (state.kind === 'unknown') doubt ??= doubtText(path, state.reason)
  }
  return doubt
}

/** Whether a file was written within the last five minutes. `now` is in milliseconds since the epoch. */
export function isRecent(path: string, now: number): boolean {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat !== undefined && Math.abs(now - stat.mtimeMs) < recentMs
}

// This system.

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
