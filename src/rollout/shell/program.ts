/** Which program a command line runs, so that commands can be counted by program. */

import { canonicalName } from './cmdlets.ts'
import { bareSteps, baseName, type CommandLine, shellOf } from './dialect.ts'
import { type Run, runsOf } from './steps.ts'

/** Commands that prepare, wait, test, label or lay out: a script is named after what they lead to. */
const setups = new Set([
  ...['cd', 'chdir', 'pushd', 'popd', 'set', 'setlocal', 'shopt', 'setopt', 'export', 'unset', 'source', '.', 'umask'],
  ...[
    'ulimit',
    'alias',
    'trap',
    'rem',
    ':',
    'true',
    'eval',
    'echo',
    'printf',
    'sleep',
    'wait',
    'test',
    '[',
    '[[',
    '((',
  ],
  ...['local', 'declare', 'exit', 'return', 'break', 'continue', 'shift', 'read', 'throw', 'title', 'chcp'],
  ...['set-location', 'push-location', 'pop-location', 'set-strictmode', 'set-variable', 'import-module', 'set-alias'],
  ...['write-output', 'write-host', 'write-error', 'write-verbose', 'write-warning', 'start-sleep', 'out-null'],
  ...['select-object', 'where-object', 'foreach-object', 'sort-object', 'measure-object', 'group-object', 'out-string'],
  ...['format-table', 'format-list', 'format-wide', 'format-hex', 'out-host', 'out-default', 'test-path', 'join-path'],
  ...['split-path', 'convertto-json', 'convertfrom-json', 'tee-object', 'out-file'],
])

/** No program has such a name: a variable, a piece of source, an address, a number. */
const noName = /^[-+=,.:@\d]*$|["'`$(){}<>|;&*?!\n\r\t\\]|:\/\/|^\d+(?:\.\d+){3}|^\[.+|=|^--?\w/

/**
 * Name of the first program of a script that does work, without folder: `cd x && FOO=1 sudo ./bin/make all` is `make`.
 * A script of nothing but preparation is named after its first command, one of expressions after its shell; one
 * without a command is `undefined`. Never a piece of the script that is no program's name.
 */
export function programOf(command: string | CommandLine): string | undefined {
  const line = typeof command === 'string' ? { script: command } : command
  let first: string | undefined
  let shell: string | undefined
  for (const run of runsOf(bareSteps(line))) {
    const name = nameOf(run)
    if (run.dialect === 'powershell') shell = 'PowerShell'
    if (name === undefined) continue
    if (!setups.has(name.toLowerCase())) return name
    first ??= name
  }
  return first ?? shell
}

/** The name that a run's program goes by; `undefined` where its first word is none. */
export function nameOf({ words, dialect }: Run): string | undefined {
  const word = words[0]
  if (word === undefined || word.includes('://')) return undefined
  const base = word === '.' || word === '[' || word === '[[' ? word : baseName(word)
  const name = dialect === 'powershell' && !/\.exe$/i.test(word) ? canonicalName(base) : base
  if (/^\[\[?$|^\.$|^\(\($|^:$/.test(name)) return name
  if (name === '' || name.length > 60 || noName.test(name)) return undefined
  return shellOf(name) === undefined ? name : name.toLowerCase()
}
