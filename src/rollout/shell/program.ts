/** Finds the program under whose name a command is counted. */

import { ownValue } from '../../util/own.ts'
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
export interface MainRun {
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

const aliases: Readonly<Record<string, string>> = {
  '%': 'ForEach-Object',
  '?': 'Where-Object',
  ac: 'Add-Content',
  cat: 'Get-Content',
  cd: 'Set-Location',
  chdir: 'Set-Location',
  clc: 'Clear-Content',
  copy: 'Copy-Item',
  cp: 'Copy-Item',
  cpi: 'Copy-Item',
  del: 'Remove-Item',
  diff: 'Compare-Object',
  compare: 'Compare-Object',
  dir: 'Get-ChildItem',
  echo: 'Write-Output',
  erase: 'Remove-Item',
  fl: 'Format-List',
  foreach: 'ForEach-Object',
  ft: 'Format-Table',
  gc: 'Get-Content',
  gci: 'Get-ChildItem',
  gcm: 'Get-Command',
  gi: 'Get-Item',
  gl: 'Get-Location',
  gm: 'Get-Member',
  gps: 'Get-Process',
  group: 'Group-Object',
  gsv: 'Get-Service',
  gwmi: 'Get-WmiObject',
  iex: 'Invoke-Expression',
  ii: 'Invoke-Item',
  irm: 'Invoke-RestMethod',
  iwr: 'Invoke-WebRequest',
  kill: 'Stop-Process',
  ls: 'Get-ChildItem',
  md: 'mkdir',
  measure: 'Measure-Object',
  mi: 'Move-Item',
  move: 'Move-Item',
  mv: 'Move-Item',
  ni: 'New-Item',
  popd: 'Pop-Location',
  ps: 'Get-Process',
  pushd: 'Push-Location',
  pwd: 'Get-Location',
  rd: 'Remove-Item',
  ren: 'Rename-Item',
  ri: 'Remove-Item',
  rm: 'Remove-Item',
  rmdir: 'Remove-Item',
  saps: 'Start-Process',
  sc: 'Set-Content',
  select: 'Select-Object',
  si: 'Set-Item',
  sl: 'Set-Location',
  sleep: 'Start-Sleep',
  sls: 'Select-String',
  sort: 'Sort-Object',
  spps: 'Stop-Process',
  start: 'Start-Process',
  tee: 'Tee-Object',
  type: 'Get-Content',
  where: 'Where-Object',
  write: 'Write-Output',
}

/** Spellings of cmdlets whose nouns have more than one word. */
const spellings = new Map(
  [
    ...Object.values(aliases),
    ...['ConvertFrom-Json', 'ConvertTo-Json', 'Get-CimInstance', 'Get-NetTCPConnection', 'Get-FileHash', 'Out-Null'],
    ...['Get-ItemProperty', 'Set-ItemProperty', 'Get-WinEvent', 'Expand-Archive', 'Compress-Archive', 'Import-Csv'],
  ].map((name) => [name.toLowerCase(), name]),
)

/** The canonical name of a PowerShell command: aliases become cmdlets, and cmdlets have one spelling. */
function canonicalName(name: string): string {
  const lower = name.toLowerCase()
  const canonical = ownValue(aliases, lower) ?? spellings.get(lower)
  if (canonical !== undefined) return canonical
  if (!/^[a-z]+-[a-z]\w*$/i.test(name) || name !== lower) return name
  return /^(?:add|clear|convert|copy|get|invoke|join|measure|move|new|out|read|remove|rename|resolve|select|set|sort|start|stop|test|update|wait|write)-/.test(
    lower,
  )
    ? name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())
    : name
}
