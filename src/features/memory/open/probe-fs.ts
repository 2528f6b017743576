/** Finds out whether a file is open for writing, on any system. */

import { spawnSync } from 'node:child_process'
import { type BigIntStats, closeSync, constants, openSync, readlinkSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '../../../util/reason.ts'
import {
  type Holder,
  lsofState,
  type OpenProbe,
  type OpenState,
  type ProbedFile,
  type ProbeSystem,
} from './open-state.ts'
import { type HiddenProcess, readProcesses } from './processes-fs.ts'

/** A file as a probe wants it. */
export function probed(path: string, { dev, ino, uid, mode }: BigIntStats): ProbedFile {
  return { path, dev, ino, uid: Number(uid), mode: Number(mode) }
}

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

// On Linux.

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
