import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { exitCodes } from '../../../src/cli/command.ts'
import { buildJson } from '../../../src/cli/summary.ts'
import { folderConfigUse } from '../../../src/config/schema.ts'
import { checkJson, siteJson } from '../../../src/features/audit/check-text.ts'
import { unknownJson } from '../../../src/features/audit/unknown.ts'
import { commands } from '../../../src/program.ts'
import type { BuildResult, CheckResult, ListRow } from '../../../src/site/types.ts'

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

test('docs/cli.md names every key of the result of a build', () => {
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
    diagnostics: [],
  }
  const keys = Object.keys(JSON.parse(buildJson(result, 1)) as object)
  expect(documentedKeys('build').toSorted()).toEqual(keys.toSorted())
})

test('docs/cli.md names every key of a row of the list', () => {
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

test('docs/cli.md names every key of the results of a check', () => {
  const result: CheckResult = {
    files: 0,
    sessions: 0,
    failed: 0,
    lines: { total: 0, shown: 0, folded: 0, skipped: {}, unknown: {}, damaged: 0 },
    places: [],
    findings: [],
    diagnostics: [],
  }
  const documents = [
    checkJson(result),
    siteJson({ findings: [], files: 0, bytes: 0, webLinks: 0, waived: [] }),
    unknownJson({ sessions: 0, failed: 0, records: 0, rows: [], omitted: 0, places: [] }),
  ]
  const keys = new Set(documents.flatMap((text) => Object.keys(JSON.parse(text) as object)))
  expect([...new Set(documentedKeys('check'))].toSorted()).toEqual([...keys].toSorted())
})

test('docs/cli.md names every exit code', () => {
  const codes = [...section('Exit codes').matchAll(/^\| (\d+) \|/gm)].map((match) => Number(match[1]))
  expect(codes).toEqual(Object.values(exitCodes))
})

test('SECURITY.md says of every command what it does with the configuration of a folder', () => {
  const text = readFileSync(new URL('../../../SECURITY.md', import.meta.url), 'utf8')
  const rows = text.slice(text.indexOf('| command | `site.config.*`')).split('\n').slice(2, 5)
  const told = rows.map((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map((match) => match[1]))
  const named = (use: string): string[] => commands.map((one) => one.name).filter((one) => folderConfigUse[one] === use)
  expect(told.map((names) => names.toSorted())).toEqual(['run', 'ask', 'ignore'].map((use) => named(use).toSorted()))
})
