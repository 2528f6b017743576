import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exitCodes } from '../../../src/cli/command.ts'
import type { ListRow } from '../../../src/cli/list-rows.ts'
import { buildJson } from '../../../src/cli/summary.ts'
import { folderConfigUse } from '../../../src/config/schema.ts'
import type { CheckResult } from '../../../src/features/audit/check.ts'
import { checkJson, siteJson } from '../../../src/features/audit/check-text.ts'
import { unknownJson } from '../../../src/features/audit/unknown.ts'
import { initCommand } from '../../../src/features/setup/command.ts'
import { commands, features } from '../../../src/program.ts'
import type { Shard, ShardResult } from '../../../src/site/shards-fs.ts'
import type { BuildResult } from '../../../src/site/types.ts'
import { useTempDir } from '../../helpers/temp.ts'
import { fakeWorld } from '../../helpers/world.ts'

const docs = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8')

function section(title: string): string {
  return docs.split(/^## /m).find((text) => text.startsWith(`${title}\n`)) ?? ''
}

/** The names in backticks of each row's first cell. */
function documentedKeys(title: string): string[] {
  const cells = [...section(title).matchAll(/^\| (`[^|]*) \|/gm)].map((match) => match[1] ?? '')
  return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map((match) => match[1] ?? ''))
}

test('docs/cli.md has a section for every command', () => {
  for (const { name } of commands) expect(section(name), name).not.toBe('')
})

test('docs/cli.md names exactly the keys of the result of a build', () => {
  const result: BuildResult = {
    out: '/site',
    sessions: 0,
    rendered: 0,
    pages: 0,
    failed: 0,
    warnings: 0,
    written: 0,
    kept: 0,
    removed: 0,
    withdrawn: [],
    searched: 0,
    places: [],
    found: 0,
    diagnostics: [],
  }
  const keys = Object.keys(JSON.parse(buildJson(result, 1)) as object)
  expect(documentedKeys('build').toSorted()).toEqual(keys.toSorted())
})

test('docs/cli.md names every key of what a shard prints', () => {
  const result: Required<Shard & ShardResult> = {
    index: 1,
    total: 1,
    folder: '',
    sessions: 0,
    rendered: 0,
    failed: 0,
    warnings: 0,
    fatal: 0,
  }
  const [, text = ''] = section('build').split('With `--shard I/N`')
  for (const key of Object.keys(result)) expect(text).toContain(`\`${key}\``)
})

test('docs/cli.md names exactly the keys of a row of the list', () => {
  const row: Required<ListRow> = {
    id: '',
    startedAt: '',
    lastAt: '',
    archived: false,
    project: '',
    cwds: [],
    remote: '',
    branch: '',
    title: '',
    subtitle: '',
    firstPrompt: '',
    lastPrompt: '',
    turns: 0,
    lines: 0,
    bytes: 0,
    files: [],
    forkOf: '',
    source: '',
    parent: '',
    version: '',
    model: '',
    tokens: 0,
    state: 'completed',
  }
  expect(documentedKeys('list').toSorted()).toEqual(Object.keys(row).toSorted())
})

test('docs/cli.md names exactly the keys of the results of a check', () => {
  const result: CheckResult = {
    files: 0,
    sessions: 0,
    failed: 0,
    lines: { total: 0, shown: 0, folded: 0, skipped: {}, unknown: {}, damaged: 0 },
    places: [],
    found: 0,
    findings: [],
    diagnostics: [],
  }
  const documents = [
    checkJson(result),
    siteJson({ findings: [], files: 0, bytes: 0, webLinks: 0, waived: [] }),
    unknownJson({ sessions: 0, failed: 0, records: 0, rows: [], omitted: 0, places: [], found: 0 }),
  ]
  const keys = new Set(documents.flatMap((text) => Object.keys(JSON.parse(text) as object)))
  expect([...new Set(documentedKeys('check'))].toSorted()).toEqual([...keys].toSorted())
})

test('docs/cli.md names exactly the exit codes', () => {
  const codes = [...section('Exit codes').matchAll(/^\| (\d+) \|/gm)].map((match) => Number(match[1]))
  expect(codes).toEqual(Object.values(exitCodes))
})

/** Commands that use the configuration of a folder in this way, in alphabetical order. */
function commandsThat(use: string): string[] {
  return commands.flatMap(({ name }) => (folderConfigUse[name] === use ? [name] : [])).toSorted()
}

/** The words in backticks in the first match of a pattern, in alphabetical order. */
function namedIn(text: string, pattern: RegExp): (string | undefined)[] {
  return [...(pattern.exec(text)?.[1] ?? '').matchAll(/`(\w+)`/g)].map((match) => match[1]).toSorted()
}

test('SECURITY.md says for every command what it does with the configuration of a folder', () => {
  const text = readFileSync(new URL('../../../SECURITY.md', import.meta.url), 'utf8')
  const rows = text.slice(text.indexOf('| command | `site.config.*`')).split('\n').slice(2, 5)
  expect(rows.map((row) => namedIn(row, /\|(.*?)\|/))).toEqual(['run', 'ask', 'ignore'].map(commandsThat))
})

test('docs/cli.md names every command that asks before it runs the configuration of a folder', () => {
  expect(namedIn(docs, /has a `site\.config\.ts`, then (.*?)\s+ask before/s)).toEqual(commandsThat('ask'))
})

test('the configuration that `init` writes names every command that runs it without asking', async () => {
  const cwd = useTempDir()
  const world = fakeWorld([], { cwd })
  expect(await initCommand.run({ command: 'init', world, flags: {}, features, commands: [] })).toBe(0)
  const text = readFileSync(join(cwd, 'site.config.ts'), 'utf8')
  expect(namedIn(text, /A program: (.*?) run it/)).toEqual(commandsThat('run'))
})
