/** Whether a file is open for writing, on any system. */
import { errorCode } from '../../util/reason.ts'
import { linuxState } from './linux-fs.ts'
import { lsofState } from './lsof.ts'
import type { OpenProbe, OpenState, ProbedFile } from './open-state.ts'
import { type ProbeSystem, thisSystem } from './system-fs.ts'

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
    return { kind: 'unknown', reason: 'Windows does not let it be opened alone' }
  }
}

/** `lsof` shows a user his own processes, and those of others only to root. */
function unixState(file: ProbedFile, system: ProbeSystem): OpenState {
  const state = lsofState(file, system)
  if (state.kind !== 'closed') return state
  if ((file.mode & 0o022) !== 0) return { kind: 'unknown', reason: 'other users may write it' }
  if (!isLocal(file, system))
    return { kind: 'unknown', reason: 'it lies on a file system that others may write from elsewhere' }
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
