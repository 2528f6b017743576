/** Scripts that let a shell ask this program how a command line may go on. The program is run as `codex-export`. */

/** Shells that there is a script for. */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const

/** One of them. */
export type Shell = (typeof shells)[number]

// Each hands over the words up to the cursor, the last one with a mark behind it, because some shells drop an empty
// argument; and falls back to files where nothing is printed.

/** Stands behind the last word. */
export const cursor = '\u258f'

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
    codex-export completion powershell -- @before "$word${cursor}" 2>$null | ForEach-Object {
        $value, $help = $_ -split "\`t", 2
        if (-not $help) { $help = $value }
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $help)
    }
}
`

/** The script of each shell. */
export const scripts: Readonly<Record<Shell, string>> = { bash, zsh, fish, powershell }
