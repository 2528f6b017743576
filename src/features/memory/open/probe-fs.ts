/** Finds out whether a file is open for writing, on any system. */

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
import { textAt } from '../../../util/files-fs.ts'
import { defined } from '../../../util/own.ts'
import { errorCode } from '../../../util/reason.ts'
import {
  type Holder,
  lsofState,
  type OpenProbe,
  type OpenState,
  type ProbedFile,
  type ProbeSystem,
} from './open-state.ts'

/** Describes a file for a probe. */
export function probed(path: string, { dev, ino, uid, mode }: BigIntStats): ProbedFile {
  return { path, dev, ino, uid: Number(uid), mode: Number(mode) }
}

/** Returns a probe for a system; default: this system. */
export function openProbe(system: ProbeSystem = thisSystem): OpenProbe {
  if (system.platform === 'win32') return (file) => windowsState(file, system)
  return system.platform === 'linux' ? (file) => linuxState(file, system) : (file) => unixState(file, system)
}

/** Opens the file exclusively, because Windows does not say who has a file open. There, readers count too. */
function windowsState({ path }: ProbedFile, { openAlone }: ProbeSystem): OpenState {
  try {
    openAlone(path)
    return { kind: 'closed' }
  } catch (error) {
    if (errorCode(error) === 'EBUSY') return { kind: 'open', by: [] }
    return { kind: 'unknown', reason: 'Windows does not allow opening it exclusively' }
  }
}

/** Asks `lsof`. It shows users their own processes; those of others it shows only to root. */
function unixState(file: ProbedFile, system: ProbeSystem): OpenState {
  const state = lsofState(file, system)
  if (state.kind !== 'closed') return state
  if ((file.mode & 0o022) !== 0) return { kind: 'unknown', reason: 'other users can write it' }
  if (!isLocal(file, system))
    return { kind: 'unknown', reason: 'it is on a file system that others can write from elsewhere' }
  return state
}

/**
 * Whether a file is on a disk of this machine, which `mount` marks as `local`. A path below several mount points is on
 * the deepest one.
 */
function isLocal({ path }: ProbedFile, { run }: ProbeSystem): boolean {
  const mounts = (run('mount', [])?.stdout ?? '').split('\n').flatMap((line) => {
    const [, at, options] = /^.* on (\/.*) \(([^)]*)\)$/.exec(line) ?? []
    return at === undefined || options === undefined ? [] : [{ at, options: options.split(/, */) }]
  })
  const around = mounts.filter(({ at }) => at === '/' || path === at || path.startsWith(`${at}/`))
  const [deepest] = around.sort((a, b) => b.at.length - a.at.length)
  return deepest?.options.includes('local') ?? false
}

// On Linux.

/** File systems to which other machines, or another system on this machine, can write too, by their numbers in `statfs`. */
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

/** Looks through the processes, and asks the kernel about those that hide their files. */
function linuxState(file: ProbedFile, system: ProbeSystem): OpenState {
  const reading = readProcesses(system.proc, file)
  if (reading !== undefined && reading.writers.length > 0) return { kind: 'open', by: reading.writers }
  const listed = reading === undefined ? lsofState(file, system) : undefined
  if (listed?.kind === 'open') return listed
  const shared = sharedSystems.get(typeAt(file, system) >>> 0)
  if (shared !== undefined)
    return { kind: 'unknown', reason: `it is on a \`${shared}\` file system, which others can write from elsewhere` }
  const hidden = reading?.hidden ?? []
  // Asked even if every process shows its files, because a mapping of a file outlasts its descriptor.
  const written = hasWriters(system, file.path)
  if (written === true) return { kind: 'open', by: [], guess: hidden.filter(looksLikeCodex) }
  if (written === false) return { kind: 'closed' }
  const reason = reading === undefined ? 'the system does not show its processes' : doubt(hidden, file, system)
  return reason === undefined ? { kind: 'closed' } : { kind: 'unknown', reason }
}

function looksLikeCodex({ program }: Holder): boolean {
  return /codex/i.test(program)
}

/** Why the processes may not show all writers; `undefined` if they do. */
function doubt(hidden: readonly HiddenProcess[], file: ProbedFile, { proc }: ProbeSystem): string | undefined {
  if (namespaceOf(proc) !== firstNamespace)
    return 'this runs in a container or namespace, which does not show the processes outside'
  const suspects = hidden.filter((process) => couldWrite(process, file))
  const [first] = suspects
  if (first === undefined) return undefined
  const more = suspects.length === 1 ? '' : ` and ${suspects.length - 1} more`
  return `the open files of \`${first.program}\` (process ${first.pid})${more} cannot be read`
}

/** Whether a process could write to a file: its owner and root can, others if the mode of the file lets them. */
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

// Asks the Linux kernel itself whether a file has writers, whoever they are.

/**
 * Programs that request a read lease, which is granted only while nobody, in any container and as any user, has the file
 * open for writing (fcntl(2), F_SETLEASE). It is given back at once. Node cannot request one; nearly every machine has
 * Perl or Python.
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

/** Whether somebody has the file open for writing; `undefined` if the kernel or the file system does not say. */
export function hasWriters({ run }: Pick<ProbeSystem, 'run'>, path: string): boolean | undefined {
  for (const [program, args] of askers) {
    const status = run(program, [...args, path])?.status
    if (status === 10) return false
    if (status === 11) return true
  }
  return undefined
}

// This system.

/** libuv's `UV_FS_O_EXLOCK`, which Node does not export: opens a file on Windows without sharing it. */
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

// The processes that have a file open for writing, as `/proc` of Linux shows them.

/** A process whose open files cannot be read. */
interface HiddenProcess extends Holder {
  /** Effective user; absent if that is hidden too. */
  uid?: number
}

/** What `/proc` shows. */
interface ProcReading {
  writers: Holder[]
  /**
   * Processes, without kernel threads, whose files cannot be read because they belong to another user or protect
   * themselves.
   */
  hidden: HiddenProcess[]
}

/** Looks through all processes; `undefined` if there is no such folder or it shows none. */
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
    const writes = isWriter(folder, file)
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
function isWriter(folder: string, file: ProbedFile): boolean | undefined {
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
