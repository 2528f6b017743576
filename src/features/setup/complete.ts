/** Completes a command line from the commands and the table of options. */

import type { CommandModule } from '../../cli/command.ts'
import { commandFirst } from '../../cli/parser.ts'
import { contentKinds } from '../../config/publication.ts'
import { type Option, optionAt, options, settingNames } from '../../config/schema.ts'

/** A candidate for the end of a command line. */
export interface CompletionWord {
  value: string
  help: string
}

/**
 * What fits: words; values that only the sessions provide (`threads`, `projects`); or `files`, which the shell completes
 * itself.
 */
type Completion = { kind: 'words'; words: CompletionWord[] } | { kind: 'threads' | 'projects' | 'files'; begin: string }

/** Completes the last of the words after the program's name; it may be empty. */
export function complete(words: readonly string[], commands: readonly CommandModule[]): Completion {
  const begin = words.at(-1) ?? ''
  const [name = '', ...rest] = commandFirst(words.slice(0, -1), commands)
  if (name === 'help' && rest.length === 0) return complete([begin], commands)
  const command = commands.find((one) => one.name === name)
  if (command === undefined && name !== '' && !name.startsWith('-')) return { kind: 'words', words: [] }
  const rows = settingNames.map((key) => (command === undefined ? options[key] : optionAt(command.name, options[key])))
  const own = rows.filter(({ commands: takers }) => command === undefined || takers.includes(command.name))
  const [, flag, value] = /^(--[^=]+)=(.*)$/s.exec(begin) ?? []
  const before = flag ?? words.at(-2)
  const awaited = own.find((option) => option.kind.placeholder !== '' && flagsOf(option).includes(before ?? ''))
  if (awaited !== undefined) return prefixed(valuesOf(awaited, value ?? begin), flag)
  // Before a command is named, several commands may have the same flag: list it once.
  if (begin.startsWith('-'))
    return fitting([...new Map(own.flatMap(candidates).map((word) => [word.value, word])).values()], begin)
  if (command !== undefined) return positional(command, begin)
  return fitting(
    commands.map(({ name: value, describe: help }) => ({ value, help })),
    begin,
  )
}

function flagsOf({ flag, short }: Option): string[] {
  return [...(flag === undefined ? [] : [`--${flag}`]), ...(short === undefined ? [] : [`-${short}`])]
}

function candidates({ flag, kind, help: text, default: defaultValue, off }: Option): CompletionWord[] {
  if (flag === undefined) return []
  const help = text.replaceAll('`', '')
  const isOn = kind.placeholder === '' && defaultValue !== false
  return [{ value: `--${flag}`, help }, ...(isOn || off === false ? [{ value: `--no-${flag}`, help }] : [])]
}

/** Candidates for the value of an option. */
function valuesOf({ flag, kind: { placeholder } }: Option, begin: string): Completion {
  if (flag === 'project') return { kind: 'projects', begin }
  if (flag === 'id' || flag === 'exclude-id') return { kind: 'threads', begin }
  if (/^(?:DIR|FILE)$/.test(placeholder)) return { kind: 'files', begin }
  // In a list, only the last word is completed.
  const isKinds = placeholder === 'KINDS'
  const [list = ''] = isKinds || placeholder.includes(',') ? (/^(?:.*,)?/s.exec(begin) ?? []) : []
  const named = isKinds ? contentKinds.join('|') : placeholder
  const words = named.split(/[|,]/).filter((word) => /^[a-z\d-]+$/i.test(word) && word !== word.toUpperCase())
  return fitting(
    words.map((word) => ({ value: list + word, help: '' })),
    begin,
  )
}

/** Adds `FLAG=` to the candidates again, because `--format=md` is a single word for most shells. */
function prefixed(completion: Completion, flag: string | undefined): Completion {
  if (flag === undefined || completion.kind !== 'words') return completion
  return { kind: 'words', words: completion.words.map(({ value, help }) => ({ value: `${flag}=${value}`, help })) }
}

function positional({ usage, positionals = {} }: CommandModule, begin: string): Completion {
  const [, name] = /[<[](\w+)/.exec(usage) ?? []
  const help = positionals[name ?? ''] ?? ''
  const [, listed] = /: ([\w-]+(?:, [\w-]+)+)$/.exec(help) ?? []
  if (listed !== undefined)
    return fitting(
      listed.split(', ').map((value) => ({ value, help: '' })),
      begin,
    )
  if (name === undefined || name === 'query') return { kind: 'words', words: [] }
  return { kind: help.includes('thread id') ? 'threads' : 'files', begin }
}

/** The words that start with `begin`. */
export function fitting(words: readonly CompletionWord[], begin: string): Completion {
  return { kind: 'words', words: words.filter(({ value }) => value.startsWith(begin)) }
}

// Scripts with which a shell asks this program for candidates. They run it as `codex-export`.

/** The shells for which there is a script. */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const

/** A shell for which there is a script. */
export type Shell = (typeof shells)[number]

// Each script passes the words up to the cursor and adds a mark to the last one, because some shells drop an empty
// argument. If nothing is printed, it falls back to file names. The scripts are plain ASCII, because PowerShell reads a
// program's output in the code page of the console.

/** The mark after the last word. */
export const cursor = '.'

const bash = `# codex-export, for bash: put this line into ~/.bashrc
#   source <(codex-export completion bash)
_codex_export() {
  local word
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    COMPREPLY+=("$(printf '%q' "$word")")
  done < <("\${COMP_WORDS[0]}" completion bash -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" "\${COMP_WORDS[COMP_CWORD]}${cursor}" 2>/dev/null)
}
complete -o default -F _codex_export codex-export
`

const zsh = `#compdef codex-export
# codex-export, for zsh: put this line into ~/.zshrc, after compinit
#   source <(codex-export completion zsh)
_codex_export() {
  local -a found
  local word help
  while IFS=$'\\t' read -r word help; do
    found+=("\${word//:/\\\\:}\${help:+:$help}")
  done < <("\${words[1]}" completion zsh -- "\${(@)words[2,CURRENT-1]}" "\${words[CURRENT]}${cursor}" 2>/dev/null)
  if (( $#found )); then _describe -V codex-export found; else _files; fi
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _codex_export "$@"; else compdef _codex_export codex-export; fi
`

const fish = `# codex-export, for fish
#   codex-export completion fish > ~/.config/fish/completions/codex-export.fish
function __codex_export
    set -l before (commandline -opc)
    set -l word (commandline -ct)
    set -l found (command $before[1] completion fish -- $before[2..-1] "$word${cursor}" 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path "$word"
    end
end
complete -c codex-export -f -k -a '(__codex_export)'
`

const powershell = `# codex-export, for PowerShell: put this line into $PROFILE
#   codex-export completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName codex-export -ScriptBlock {
    param($word, $line, $position)
    $before = @($line.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $position } | ForEach-Object { $_.ToString() })
    # A bare -- would not reach a program that npm installed: its starter is a script, and PowerShell takes it away.
    codex-export completion powershell '--' @before "$word${cursor}" 2>$null | ForEach-Object {
        $value, $help = $_ -split "\`t", 2
        if (-not $help) { $help = $value }
        $text = $value
        if ($value -notmatch '^[\\w./\\\\:=@-]+$') { $text = "'" + $value.Replace("'", "''") + "'" }
        [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $help)
    }
}
`

/** The script of each shell. */
export const scripts: Readonly<Record<Shell, string>> = { bash, zsh, fish, powershell }
