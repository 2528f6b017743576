/** Finds the program under whose name a command is counted. */

import { byWord } from '../../util/groups.ts'
import { bareSteps, baseName, type CommandLine, shellOf } from './dialect.ts'
import { functionKey, functionsOf, type Run, runsOf, type Step } from './steps.ts'

/** Commands that prepare, wait, test, label or format: a script is named after the command that they serve. */
const setups = new Set(
  (
    'cd chdir pushd popd set setlocal shopt setopt export unset source . umask ulimit alias trap rem : true eval ' +
    'echo printf sleep wait test [ [[ (( local declare exit return break continue shift read throw title chcp ' +
    'set-location push-location pop-location set-strictmode set-variable import-module set-alias write-output ' +
    'write-host write-error write-verbose write-warning start-sleep out-null select-object where-object ' +
    'foreach-object sort-object measure-object group-object out-string format-table format-list format-wide ' +
    'format-hex out-host out-default test-path join-path split-path convertto-json convertfrom-json tee-object ' +
    'out-file'
  ).split(' '),
)

/** What cannot be a program's name: a variable, a piece of source, an address, a number. */
const noName = /^[-+=,.:@\d]*$|["'`$(){}<>|;&*?!\n\r\t\\]|:\/\/|^\d+(?:\.\d+){3}|^\[.+|=|^--?\w/

/**
 * Name of the first program of a script that does work, without its folder: `cd x && FOO=1 sudo ./bin/make all` is
 * `make`. A function that the script defines counts as what it runs. A script that only prepares is named after its
 * first command, one of expressions after its shell; without a command the result is `undefined`. Never a piece of the
 * script that cannot be a program's name.
 */
export function programOf(command: string | CommandLine): string | undefined {
  return mainRun(typeof command === 'string' ? { script: command } : command)?.program
}

/** A program with the words after its name, and its run. A shell that runs only expressions has neither words nor a run. */
interface MainRun {
  program: string
  words: readonly string[]
  run?: Run
}

/** The program that `programOf` names, with the words after its name. */
export function mainRun(line: CommandLine): MainRun | undefined {
  return mainRunOf(bareSteps(line))
}

/** The same for a script that has already been read. */
export function mainRunOf(step: Step): MainRun | undefined {
  let first: MainRun | undefined
  let shell: string | undefined
  for (const run of calledRuns(step, { functions: functionsOf(step), called: new Set(), open: [] })) {
    const program = nameOf(run)
    if (run.dialect === 'powershell') shell = 'PowerShell'
    if (program === undefined) continue
    const named = { program, words: run.words.slice(1), run }
    if (!setups.has(program.toLowerCase())) return named
    first ??= named
  }
  return first ?? (shell === undefined ? undefined : { program: shell, words: [] })
}

/** The functions that a script defines, and which of them have been called. */
interface Calls {
  functions: ReadonlyMap<string, Step>
  called: Set<string>
  /** The functions whose calls are being followed. */
  open: readonly string[]
}

/** The runs of a step, with the first call of each function replaced by the runs in it. */
function* calledRuns(step: Step, { functions, called, open }: Calls): Generator<Run> {
  for (const run of runsOf(step)) {
    const name = functionKey(run.words[0] ?? '', run.dialect)
    const body = functions.get(name)
    // `ls() { command ls --color; }` calls the program.
    if (body === undefined || (run.dialect === 'posix' && open.includes(name))) yield run
    else if (!called.has(name)) yield* calledRuns(body, { functions, called: called.add(name), open: [...open, name] })
  }
}

/** The name of a run's program; `undefined` if its first word does not name a program. */
export function nameOf({ words, dialect }: Run): string | undefined {
  const word = words[0]
  if (word === undefined || word.includes('://')) return undefined
  const base = word === '.' || word === '[' || word === '[[' ? word : baseName(word)
  const name = dialect === 'powershell' && !/\.exe$/i.test(word) ? canonicalName(base) : base
  if (/^\[\[?$|^\.$|^\(\($|^:$/.test(name)) return name
  if (name === '' || name.length > 60 || noName.test(name)) return undefined
  return shellOf(name) === undefined ? name : name.toLowerCase()
}

// Aliases of PowerShell and the spelling of its cmdlets (about_Aliases of Windows PowerShell 5.1).

/** Cmdlets, and what stands for each. */
const cmdlets: Readonly<Record<string, string>> = {
  'Add-Content': 'ac',
  'Clear-Content': 'clc',
  'Compare-Object': 'diff compare',
  'Copy-Item': 'copy cp cpi',
  'ForEach-Object': '% foreach',
  'Format-List': 'fl',
  'Format-Table': 'ft',
  'Get-ChildItem': 'dir gci ls',
  'Get-Command': 'gcm',
  'Get-Content': 'cat gc type',
  'Get-Item': 'gi',
  'Get-Location': 'gl pwd',
  'Get-Member': 'gm',
  'Get-Process': 'gps ps',
  'Get-Service': 'gsv',
  'Get-WmiObject': 'gwmi',
  'Group-Object': 'group',
  'Invoke-Expression': 'iex',
  'Invoke-Item': 'ii',
  'Invoke-RestMethod': 'irm',
  'Invoke-WebRequest': 'iwr',
  'Measure-Object': 'measure',
  'Move-Item': 'mi move mv',
  'New-Item': 'ni',
  'Pop-Location': 'popd',
  'Push-Location': 'pushd',
  'Remove-Item': 'del erase rd ri rm rmdir',
  'Rename-Item': 'ren',
  'Select-Object': 'select',
  'Select-String': 'sls',
  'Set-Content': 'sc',
  'Set-Item': 'si',
  'Set-Location': 'cd chdir sl',
  'Sort-Object': 'sort',
  'Start-Process': 'saps start',
  'Start-Sleep': 'sleep',
  'Stop-Process': 'kill spps',
  'Tee-Object': 'tee',
  'Where-Object': '? where',
  'Write-Output': 'echo write',
  mkdir: 'md',
}
const aliases = byWord(cmdlets)

/** Spellings of cmdlets whose nouns have more than one word. */
const spellings = new Map(
  [
    ...Object.keys(cmdlets),
    ...['ConvertFrom-Json', 'ConvertTo-Json', 'Get-CimInstance', 'Get-NetTCPConnection', 'Get-FileHash', 'Out-Null'],
    ...['Get-ItemProperty', 'Set-ItemProperty', 'Get-WinEvent', 'Expand-Archive', 'Compress-Archive', 'Import-Csv'],
  ].map((name) => [name.toLowerCase(), name]),
)

/** The canonical name of a PowerShell command: aliases become cmdlets, and cmdlets have one spelling. */
function canonicalName(name: string): string {
  const lower = name.toLowerCase()
  const canonical = aliases.get(lower) ?? spellings.get(lower)
  if (canonical !== undefined) return canonical
  if (!/^[a-z]+-[a-z]\w*$/i.test(name) || name !== lower) return name
  return /^(?:add|clear|convert|copy|get|invoke|join|measure|move|new|out|read|remove|rename|resolve|select|set|sort|start|stop|test|update|wait|write)-/.test(
    lower,
  )
    ? name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())
    : name
}
