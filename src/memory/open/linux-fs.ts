/** Whether a file is open for writing, on Linux. */
import { readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { hasWriters } from './lease-fs.ts'
import { lsofState } from './lsof.ts'
import type { Holder, OpenState, ProbedFile } from './open-state.ts'
import { type HiddenProcess, readProcesses } from './proc-fs.ts'
import type { ProbeSystem } from './system-fs.ts'

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
export function linuxState(file: ProbedFile, system: ProbeSystem): OpenState {
  const reading = readProcesses(system.proc, file)
  if (reading !== undefined && reading.writers.length > 0) return { kind: 'open', by: reading.writers }
  const listed = reading === undefined ? lsofState(file, system) : undefined
  if (listed?.kind === 'open') return listed
  const shared = sharedSystems.get(typeAt(file, system) >>> 0)
  if (shared !== undefined)
    return { kind: 'unknown', reason: `it lies on a \`${shared}\` file system, which others may write from elsewhere` }
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
    return 'this runs in a container or a namespace of its own, which does not show the processes outside'
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
