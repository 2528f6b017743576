import { expect, test } from 'vitest'
import { complete } from '../../../src/features/setup/complete.ts'
import { commands } from '../../../src/program.ts'

/** The words that complete a line, or the kind of value that does. */
function completed(line: string): string[] | string {
  const completion = complete(line.split(' '), commands)
  return completion.kind === 'words' ? completion.words.map(({ value }) => value) : completion.kind
}

test.each([
  ['', commands.map(({ name }) => name)],
  ['se', ['search', 'serve']],
  ['nosuch ', []],
  ['list --js', ['--json']],
  ['build --no-se', ['--no-search']],
  ['list --no-conf', ['--no-config']],
  ['show --format ', ['md', 'html', 'json', 'text']],
  ['show -f h', ['html']],
  ['show --format=m', ['--format=md']],
  ['build --format html,m', ['html,md']],
  ['build --omit tool', ['tools', 'toolOutput', 'toolArguments']],
  ['build --show=plans,age', ['--show=plans,agents']],
  ['help se', ['search', 'serve']],
  ['help build ', []],
  ['publish g', ['git', 'github-pages']],
  ['completion ', ['bash', 'zsh', 'fish', 'powershell']],
  ['list --since ', []],
  ['search cart', []],
  ['show 019', 'threads'],
  ['context ', 'threads'],
  ['list --id 019', 'threads'],
  ['build --project sh', 'projects'],
  ['build -p ', 'projects'],
  ['build --out ./', 'files'],
  ['check ', 'files'],
  ['scrub roll', 'files'],
  ['--jso', ['--json']],
  ['--json se', ['search', 'serve']],
  ['-H home ', commands.map(({ name }) => name)],
  ['-H home show 019', 'threads'],
  ['--codex-home=home -q list --js', ['--json']],
  ['--preset ', ['private', 'team', 'public']],
  ['--form', ['--format']],
  ['-H ', 'files'],
])('completes %j', (line, expected) => {
  expect(completed(line)).toEqual(expected)
})

test('each command completes `--quiet`, and each completed option has a help text', () => {
  for (const command of commands) {
    const completion = complete([command.name, '--'], commands)
    const words = completion.kind === 'words' ? completion.words : []
    expect(words.map(({ value }) => value)).toContain('--quiet')
    for (const { value, help } of words) expect(`${value} ${help}`).toMatch(/^--[a-z-]+ [A-Z]/)
  }
})
