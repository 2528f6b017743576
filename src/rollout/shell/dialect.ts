/** Which language a command line is in, and what the programs in it run that only run others. */

import { ownValue } from '../../util/own.ts'
import { powershellSteps } from './powershell.ts'
import { cmdSteps, posixSteps } from './scripts.ts'
import { type Dialect, definitionOf, nothing, type Run, type Step } from './steps.ts'

/** A command as a call or a record tells it. */
export interface CommandLine {
  /** What a person would type. */
  script: string
  /** What was started; empty where only the script is known. */
  argv?: readonly string[]
  /** Where it ran: the form of the path tells the system. */
  cwd?: string | undefined
}

/** Longer scripts are not read, in UTF-16 units: reading takes time, and what they run stands in a file of their own. */
export const maxScript = 16_000

function read(script: string, dialect: Dialect): Step {
  if (dialect === 'powershell') return powershellSteps(script)
  return dialect === 'cmd' ? cmdSteps(script) : posixSteps(script)
}

const posixShells = new Set(['bash', 'sh', 'zsh', 'dash', 'ksh', 'ash', 'fish'])
const powershells = new Set(['powershell', 'pwsh', 'powershell_ise'])

/** The language that a program runs scripts in; `undefined` for one that is no shell. */
export function shellOf(program: string): Dialect | undefined {
  const name = baseName(program).toLowerCase()
  if (posixShells.has(name)) return 'posix'
  if (powershells.has(name)) return 'powershell'
  return name === 'cmd' ? 'cmd' : undefined
}

/** Last part of a path, without the ending of programs on Windows. */
export function baseName(word: string): string {
  const name = word.split(/[/\\]/).findLast((part) => part !== '') ?? word
  return name.replace(/\.(?:exe|cmd)$/i, '')
}

/** Marks that no other shell has: variables that get a value, here-strings, types, operators, cmdlets and their options. */
const powershellMarks =
  /^\s*['"]?[a-z]:\\|(?:^|[;{(\n])[ \t]*\$[\w:]+(?:\.\w+|\[[^\]\n]{0,200}\])*\s*[-+]?=|@['"][ \t]*\r?\n|\$env:|\$_\b|\$null\b|\$PS\w+|\[[A-Z][\w.]+\]::|\s-(?:ErrorAction|LiteralPath|Recurse|ExpandProperty|notmatch|ilike)\b|(?:^|[\s(;|{])(?:Add|Clear|Compare|Convert(?:To|From)?|Copy|Expand|Export|Find|ForEach|Format|Get|Group|Import|Install|Invoke|Join|Measure|Move|New|Out|Pop|Push|Read|Remove|Rename|Resolve|Restart|Select|Set|Sort|Split|Start|Stop|Test|Update|Wait|Where|Write)-[A-Z]\w+\b|(?:^|[;\n])[ \t]*foreach\s*\(\s*\$|(?:^|[;\n])[ \t]*&\s*['"$]/i
/** Marks of the POSIX shells. */
const posixMarks =
  /<<-?\s*['"\\]?\w|(?:^|[;\s])(?:fi|done|esac|then|export|local)(?:[;\s]|$)|\[\[|\$\(\(|\/dev\/null|\bset -[eux]/
const windowsPath = /^(?:[a-z]:|\\\\)/i

/** The language of a script: that of the shell which got it, else the one that it looks like. */
function dialectOf({ script, argv = [], cwd = '' }: CommandLine): Dialect {
  const known = argv[0] === undefined ? undefined : shellOf(argv[0])
  if (known !== undefined) return known
  if (argv.length > 0) return 'posix'
  const head = script.slice(0, maxScript)
  // A heredoc may hold anything, and its mark may stand in a text of PowerShell.
  const powershell = powershellMarks.exec(head)?.index ?? Number.POSITIVE_INFINITY
  const posix = posixMarks.exec(head)?.index ?? Number.POSITIVE_INFINITY
  if (powershell < posix) return 'powershell'
  return windowsPath.test(cwd) && posix === Number.POSITIVE_INFINITY ? 'powershell' : 'posix'
}

/** A program that runs another one. */
interface Wrapper {
  /** Letters of its options that take a value. */
  valued: string
  /** Its long options that take a value as a word of its own. */
  long?: readonly string[]
  /** Operands of its own before the command. */
  operands?: number
}

const wrappers: Readonly<Record<string, Wrapper>> = {
  sudo: { valued: 'ughpCTrtDR', long: ['--user', '--group', '--chdir'] },
  doas: { valued: 'uC' },
  env: { valued: 'uC', long: ['--unset', '--chdir'] },
  time: { valued: 'fo' },
  nice: { valued: 'n' },
  ionice: { valued: 'cnp' },
  nohup: { valued: '' },
  setsid: { valued: '' },
  exec: { valued: 'a' },
  command: { valued: '' },
  builtin: { valued: '' },
  noglob: { valued: '' },
  nocorrect: { valued: '' },
  caffeinate: { valued: 'tw' },
  unbuffer: { valued: '' },
  busybox: { valued: '' },
  toybox: { valued: '' },
  stdbuf: { valued: 'ioe' },
  timeout: { valued: 'sk', long: ['--signal', '--kill-after'], operands: 1 },
  gtimeout: { valued: 'sk', long: ['--signal', '--kill-after'], operands: 1 },
  taskset: { valued: '', operands: 1 },
  chrt: { valued: '', operands: 1 },
  'xvfb-run': { valued: 'nsef' },
}

/** What a run comes to, once what only wraps it is taken off: another program, or a script of its own. */
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

/** Options of a shell that stand before its script: `bash -euo pipefail -c`. */
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

/** Takes the wrappers off the runs of a script in a script. */
function deepen(step: Step, depth: number): Step {
  switch (step.kind) {
    case 'run':
      return unwrapped(step, depth)
    case 'pipe':
      return { ...step, stages: step.stages.map((stage) => deepen(stage, depth)) }
    case 'list': {
      const { steps, defines } = step
      if (defines !== undefined) return definitionOf(defines.name, deepen(defines.body, depth))
      return { ...step, steps: steps.map((part) => deepen(part, depth)) }
    }
    case 'branch': {
      const { tests, bodies } = step
      return {
        kind: 'branch',
        tests: tests.map((part) => deepen(part, depth)),
        bodies: bodies.map((part) => deepen(part, depth)),
      }
    }
    case 'background':
      return { ...step, step: deepen(step.step, depth) }
    default:
      return { ...step, left: deepen(step.left, depth), right: deepen(step.right, depth) }
  }
}

/** Steps by script, of those read last: what ended a command, what it wrote and what it is counted under is asked of each. */
const known: Record<Dialect, Map<string, Step>> = { posix: new Map(), powershell: new Map(), cmd: new Map() }
/** UTF-16 units of scripts that are remembered: the commands of a page. */
const maxKnown = 400_000
let knownUnits = 0

/** The steps of a command without what only wraps them. */
export function bareSteps(command: CommandLine): Step {
  const script = command.script.slice(0, maxScript)
  if (command.script.trim() === '') return nothing
  const dialect = dialectOf(command)
  const before = known[dialect].get(script)
  if (before !== undefined) return before
  const steps = deepen(read(script, dialect), 0)
  knownUnits += script.length
  if (knownUnits > maxKnown) {
    for (const steps of Object.values(known)) steps.clear()
    knownUnits = script.length
  }
  known[dialect].set(script, steps)
  return steps
}

function withoutAssignments({ words, dialect }: Run): readonly string[] {
  if (dialect !== 'posix') return words
  const start = words.findIndex((word) => !/^[A-Za-z_]\w*\+?=/.test(word))
  return start < 0 ? [] : words.slice(start)
}

/** `command -v x` looks for a program and runs none. */
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
