/**
 * Finds the files that a PowerShell script reads if it does nothing else, for example into a variable of which it prints
 * some lines.
 */

import { bareSteps } from './dialect.ts'
import { nameOf } from './program.ts'
import { type Run, runsOf } from './steps.ts'

/** Cmdlets that change nothing and read nothing but their input. */
const pure: ReadonlySet<string> = new Set([
  ...['Select-Object', 'Where-Object', 'ForEach-Object', 'Sort-Object', 'Group-Object', 'Measure-Object'],
  ...['Write-Output', 'Write-Host', 'Out-String', 'Out-Host', 'Out-Null', 'Format-Table', 'Format-List'],
  ...['Test-Path', 'Split-Path', 'Join-Path', 'Resolve-Path', 'ConvertFrom-Json', 'ConvertTo-Json', 'Select-String'],
])

/** Longer scripts explore more than one line could say. */
const maxLength = 2000

/** Static .NET members may do anything; these are known only to look. */
const staticCall = /\[[\w.]+\]::(\w+)/g
const harmlessCall =
  /^(?:Escape|IsMatch|Match(?:es)?|Split|Join|Format|Min|Max|Floor|Ceiling|Round|IsNullOrEmpty|IsNullOrWhiteSpace|UTF8|ASCII|Unicode|Default|OutputEncoding|InputEncoding|NewLine)$/i
const changingCall = /\.(?:Save|Write\w*|Append\w*|Delete|Kill|Invoke\w*|Start|MoveTo|CopyTo|Create\w*|Download\w*)\(/i

const assignedText = /\$(\w+)[ \t]*=[ \t]*(?:'([^'\n]*)'|"([^"$`\n]*)")/g
/** Options of Get-Content whose next word is not a file. */
const valued =
  /^-(?:encoding|totalcount|head|first|tail|last|readcount|delimiter|erroraction|ea|filter|include|exclude|stream)$/i

/** A text that runs something when it is built: `"$(Remove-Item a)"`. A member of a variable changes nothing. */
const runInText = /\$\((?!\$[\w.[\]-]*\))/

/** The files that a script reads, in order; `undefined` if it does anything else, or the files cannot be determined. */
export function powershellReads(script: string): string[] | undefined {
  if (script.length > maxLength || !/Get-Content/i.test(script)) return undefined
  const runs = [...runsOf(bareSteps({ script, argv: ['powershell'] }))].filter(({ words }) => words.length > 0)
  const readers = runs.filter((run) => nameOf(run) === 'Get-Content')
  if (readers.length === 0 || !runs.every((run) => readers.includes(run) || isPure(run))) return undefined
  const calls = Array.from(script.matchAll(staticCall), ([, member = '']) => member)
  if (changingCall.test(script) || runInText.test(script) || !calls.every((member) => harmlessCall.test(member)))
    return undefined
  const texts = assignedTexts(script)
  const paths = readers.map((run) => pathOf(run, texts))
  return paths.some((path) => path === undefined) ? undefined : [...new Set(paths.flatMap((path) => path ?? []))]
}

function isPure(run: Run): boolean {
  const { words, into } = run
  const name = nameOf(run) ?? ''
  // `Select-String` with a path reads another file itself.
  return (
    pure.has(name) &&
    into === undefined &&
    !(name === 'Select-String' && words.some((word) => /^-(?:literal)?path$/i.test(word)))
  )
}

/**
 * The texts of variables that are assigned once; `undefined` for one that is assigned again, because its value is not
 * known.
 */
function assignedTexts(script: string): ReadonlyMap<string, string | undefined> {
  const texts = new Map<string, string | undefined>()
  for (const [, name = '', single, double] of script.matchAll(assignedText)) {
    const key = name.toLowerCase()
    texts.set(key, texts.has(key) ? undefined : (single ?? double))
  }
  return texts
}

/** The only file of a run; `undefined` if it reads several, or one that only a run of the script would show. */
function pathOf({ words, into }: Run, texts: ReadonlyMap<string, string | undefined>): string | undefined {
  if (into !== undefined) return undefined
  const operands: string[] = []
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? ''
    if (valued.test(word)) at++
    else if (!word.startsWith('-')) operands.push(word)
  }
  const [path = ''] = operands
  if (operands.length !== 1 || path === '') return undefined
  const variable = /^\$(\w+)$/.exec(path)?.[1]
  if (variable !== undefined) return texts.get(variable.toLowerCase())
  return /[$*?,()]/.test(path) ? undefined : path
}
