/** Asks the kernel of Linux itself whether a file has writers, whoever they are. */
import type { ProbeSystem } from './system-fs.ts'

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
