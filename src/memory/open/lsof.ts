/** Which processes have a file open for writing, as `lsof` of macOS and other Unix systems tells. */
import type { Holder, OpenState, ProbedFile } from './open-state.ts'
import type { ProbeSystem } from './system-fs.ts'

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
