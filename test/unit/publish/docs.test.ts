import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { publishTargets } from '../../../src/config/publish.ts'
import { publishJson } from '../../../src/features/publish/command.ts'
import type { PublishResult } from '../../../src/features/publish/plan.ts'

const docs = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8')
const section = docs.split(/^## /m).find((text) => text.startsWith('publish\n')) ?? ''

test('docs/cli.md documents each target of publish, and each key of its result', () => {
  const result: Required<PublishResult> = {
    target: 'dir',
    place: '',
    dryRun: false,
    refused: false,
    findings: [],
    files: { added: [], changed: [], removed: [], kept: 0 },
    sessions: { total: 0, added: [], changed: 0, removed: [] },
    address: '',
    commit: '',
    done: [],
    next: [],
  }
  const cells = [...section.matchAll(/^\| (`[^|]*) \|/gm)].map((match) => match[1] ?? '')
  const documented = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map((match) => match[1]))
  expect(documented.toSorted()).toEqual(Object.keys(JSON.parse(publishJson(result)) as object).toSorted())
  const rows = [...section.matchAll(/^\| ([a-z][\w-]*(?:, [\w-]+)*) \|/gm)].flatMap((match) =>
    (match[1] ?? '').split(', '),
  )
  expect(rows.filter((word) => word !== 'target' && word !== 'key').toSorted()).toEqual([...publishTargets].toSorted())
})
