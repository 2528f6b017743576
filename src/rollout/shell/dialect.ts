/** Finds out which language a command line is in, and which programs its wrappers run. */

import { ownValue, recordOf } from '../../util/own.ts'
import { powershellSteps } from './powershell.ts'
import { cmdSteps, posixSteps } from './scripts.ts'
import { type Dialect, definitionOf, nothing, type Run, type Step, withParts } from './steps.ts'

/** A command as a call or a record gives it. */
export interface CommandLine {
  /** What a person would type. */
  script: string
  /** The program that was started and its arguments; empty if only the script is known. */
  argv?: readonly string[]
  /** Where it ran; the form of the path shows the system. */
  cwd?: string | undefined
}

/** Longest script that is read, in UTF-16 units: reading takes time, and what a longer one runs is in a file of its own. */
export const maxScript = 16_000

function read(script: string, dialect: Dialect): Step {
  if (dialect === 'powershell') return powershellSteps(script)
  return dialect === 'cmd' ? cmdSteps(script) : posixSteps(script)
}

const posixShells = new Set(['bash', 'sh', 'zsh', 'dash', 'ksh', 'ash', 'fish'])
const powershells = new Set(['powershell', 'pwsh', 'powershell_ise'])

/** The language in which a program runs scripts; `undefined` if it is not a shell. */
export function shellOf(program: string): Dialect | undefined {
  const name = baseName(program).toLowerCase()
  if (posixShells.has(name)) return 'posix'
  if (powershells.has(name)) return 'powershell'
  return name === 'cmd' ? 'cmd' : undefined
}

/** Last part of a path, without the extension of Windows programs. */
export function baseName(word: string): string {
  const name = word.split(/[/\\]/).findLast((part) => part !== '') ?? word
  return name.replace(/\.(?:exe|cmd)$/i, '')
}

/** Syntax that only PowerShell has: assignments to variables, here-strings, types, operators, cmdlets and their options. */
const powershellMarks =
  /^\s*['"]?[a-z]:\\|(?:^|[;{(\n])[ \t]*\$[\w:]+(?:\.\w+|\[[^\]\n]{0,200}\])*\s*[-+]?=|@['"][ \t]*\r?\n|\$env:|\$_\b|\$null\b|\$PS\w+|\[[A-Z][\w.]+\]::|\s-(?:ErrorAction|LiteralPath|Recurse|ExpandProperty|notmatch|ilike)\b|(?:^|[\s(;|{])(?:Add|Clear|Compare|Convert(?:To|From)?|Copy|Expand|Export|Find|ForEach|Format|Get|Group|Import|Install|Invoke|Join|Measure|Move|New|Out|Pop|Push|Read|Remove|Rename|Resolve|Restart|Select|Set|Sort|Split|Start|Stop|Test|Update|Wait|Where|Write)-[A-Z]\w+\b|(?:^|[;\n])[ \t]*foreach\s*\(\s*\$|(?:^|[;\n])[ \t]*&\s*['"$]/i
/** Syntax that only the POSIX shells have. */
const posixMarks =
  /<<-?\s*['"\\]?\w|(?:^|[;\s])(?:fi|done|esac|then|export|local)(?:[;\s]|$)|\[\[|\$\(\(|\/dev\/null|\bset -[eux]/
const windowsPath = /^(?:[a-z]:|\\\\)/i

/** The language of a script: that of the shell that received it, else the one whose syntax it has. */
function dialectOf({ script, argv = [], cwd = '' }: CommandLine): Dialect {
  const known = argv[0] === undefined ? undefined : shellOf(argv[0])
  if (known !== undefined) return known
  if (argv.length > 0) return 'posix'
  const head = script.slice(0, maxScript)
  // The first mark decides: a heredoc may contain anything, and its mark may occur in a PowerShell text.
  const powershell = powershellMarks.exec(head)?.index ?? Number.POSITIVE_INFINITY
  const posix = posixMarks.exec(head)?.index ?? Number.POSITIVE_INFINITY
  if (powershell < posix) return 'powershell'
  return windowsPath.test(cwd) && posix === Number.POSITIVE_INFINITY ? 'powershell' : 'posix'
}

/** A program that runs another one. */
interface Wrapper {
  /** Letters of its options that take a value. */
  valued: string
  /** Its long options that take the next word as their value. */
  long?: readonly string[]
  /** How many operands of its own precede the command. */
  operands?: number
}

const wrappers: Readonly<Record<string, Wrapper>> = {
  sudo: { valued: 'ughpCTrtDR', long: ['--user', '--group', '--chdir'] },
  doas: { valued: 'uC' },
  env: { valued: 'uC', long: ['--unset', '--chdir'] },
  time: { valued: 'fo' },
  nice: { valued: 'n' },
  ionice: { valued: 'cnp' },
  exec: { valued: 'a' },
  caffeinate: { valued: 'tw' },
  stdbuf: { valued: 'ioe' },
  ...recordOf('nohup setsid command builtin noglob nocorrect unbuffer busybox toybox', { valued: '' }),
  ...recordOf('timeout gtimeout', { valued: 'sk', long: ['--signal', '--kill-after'], operands: 1 }),
  ...recordOf('taskset chrt', { valued: '', operands: 1 }),
  'xvfb-run': { valued: 'nsef' },
}

/** What a run really runs, without its wrappers: another program, or a script of its own. */
function unwrapped(run: Run, depth: number): Step {
  if (depth > 8) return run
  const words = withoutAssignments(run)
  const [word] = words
  if (word === undefined) return { ...run, words: [] }
  const name = baseName(word).toLowerCase()
  const wrapper = ownValue(wrappers, name)
  if (wrapper !== undefined && words.length > 1 && !isLookup(name, words)) {
    const rest = withoutOptions(words.slice(1), wrapper)
    return rest.length === 0 ? { ...run, words } : unwrapped({ ...run, words: rest }, depth + 1)
  }
  if (name === 'eval' && words.length > 1) return inner(words.slice(1).join(' '), 'posix', depth)
  if (name === 'wsl') return unwrapped({ ...run, dialect: 'posix', words: wslWords(words) }, depth + 1)
  const dialect = shellOf(name)
  const script = dialect === undefined ? undefined : scriptOfShell(words, dialect)
  if (dialect === undefined || script === undefined) return { ...run, words }
  return { kind: 'list', steps: [inner(script, dialect, depth)], isApart: true }
}

/** The script that a shell is given, after settings for options that precede it: `bash -euo pipefail -c`. */
function scriptOfShell(words: readonly string[], dialect: Dialect): string | undefined {
  const flag = words.findIndex((word, index) => index > 0 && isScriptFlag(word, dialect))
  if (flag < 0) return undefined
  if (dialect !== 'posix') return words.slice(flag + 1).join(' ')
  const options = words.slice(1, flag + 1).join(' ')
  const strict = `${/\s-?\w*e|^-\w*e/.test(options) ? 'set -e\n' : ''}${options.includes('pipefail') ? 'set -o pipefail\n' : ''}`
  return `${strict}${words[flag + 1] ?? ''}`
}

function isScriptFlag(word: string, dialect: Dialect): boolean {
  if (dialect === 'cmd') return /^\/[ck]$/i.test(word)
  return dialect === 'posix' ? /^-\w*c$/.test(word) : /^[-/]c(?:o(?:m(?:m(?:a(?:n(?:d)?)?)?)?)?)?$/i.test(word)
}

function inner(script: string, dialect: Dialect, depth: number): Step {
  return deepen(read(script.slice(0, maxScript), dialect), depth + 1)
}

/** Removes the wrappers of all runs in a step. */
function deepen(step: Step, depth: number): Step {
  if (step.kind === 'run') return unwrapped(step, depth)
  if (step.kind === 'list' && step.defines !== undefined)
    return definitionOf(step.defines.name, deepen(step.defines.body, depth))
  return withParts(step, (part) => deepen(part, depth))
}

/** Steps of recently read scripts: how a command ended, what it wrote and how it is counted are each computed from them. */
const cache: Record<Dialect, Map<string, Step>> = { posix: new Map(), powershell: new Map(), cmd: new Map() }
/** Most UTF-16 units of scripts that are kept: about the commands of a page. */
const maxCachedUnits = 400_000
let cachedUnits = 0

/** The steps of a command, without wrappers. */
export function bareSteps(command: CommandLine): Step {
  const script = command.script.slice(0, maxScript)
  if (command.script.trim() === '') return nothing
  const dialect = dialectOf(command)
  const before = cache[dialect].get(script)
  if (before !== undefined) return before
  const steps = deepen(read(script, dialect), 0)
  cachedUnits += script.length
  if (cachedUnits > maxCachedUnits) {
    for (const steps of Object.values(cache)) steps.clear()
    cachedUnits = script.length
  }
  cache[dialect].set(script, steps)
  return steps
}

function withoutAssignments({ words, dialect }: Run): readonly string[] {
  if (dialect !== 'posix') return words
  const start = words.findIndex((word) => !/^[A-Za-z_]\w*\+?=/.test(word))
  return start < 0 ? [] : words.slice(start)
}

/** Whether a command only looks for a program and runs none: `command -v x`. */
function isLookup(name: string, words: readonly string[]): boolean {
  return name === 'command' && /^-\w*[vV]/.test(words[1] ?? '')
}

function withoutOptions(words: readonly string[], { valued, long = [], operands = 0 }: Wrapper): readonly string[] {
  let start = 0
  for (;;) {
    const word = words[start] ?? ''
    if (!word.startsWith('-')) break
    const takesNext = (/^-\w$/.test(word) && valued.includes(word.charAt(1))) || long.includes(word)
    start += takesNext ? 2 : 1
    if (word === '--') break
  }
  return words.slice(start + operands)
}

function wslWords(words: readonly string[]): readonly string[] {
  return withoutOptions(words.slice(1), { valued: 'du', long: ['--distribution', '--user', '--cd'] })
}
