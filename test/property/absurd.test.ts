/** Absurd numbers and times damage only what contains them, and no page. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { list } from '../../src/cli/list-sessions.ts'
import type { Diagnostic } from '../../src/diagnostics/codes.ts'
import { check } from '../../src/features/audit/check.ts'
import { context } from '../../src/features/memory/context.ts'
import { absurdJson, type Draw, draws } from '../helpers/absurd.ts'
import { everyKind } from '../helpers/every-kind.ts'
import { goldenCases } from '../helpers/golden.ts'
import { showFrom } from '../helpers/show.ts'
import { buildSite } from '../helpers/site-build.ts'
import { everySession, quietHost } from '../helpers/surroundings.ts'
import { useTempDir } from '../helpers/temp.ts'

/** Rollouts by name: the texts of their lines, each JSON or damaged. */
let rollouts: [name: string, lines: string[]][]

beforeAll(() => {
  const golden = goldenCases().map(({ name, input }): [string, string[]] => [
    input.endsWith('.json') ? `rollout-${name}.json` : `${name}.jsonl`,
    input.endsWith('.json') ? [readFileSync(input, 'utf8')] : readFileSync(input, 'utf8').split('\n'),
  ])
  rollouts = [...golden, ['every-kind.jsonl', everyKind.map((record) => JSON.stringify(record))]]
})

/** A home of all rollouts and a list of names, with absurd values in them. */
function writeAbsurdHome(folder: string, draw: Draw, oneIn: number): string {
  const home = join(folder, 'home')
  const day = join(home, 'sessions', '2026', '03', '14')
  mkdirSync(day, { recursive: true })
  for (const [name, lines] of rollouts) {
    writeFileSync(join(day, name), lines.map((line) => absurdLine(line, draw, oneIn)).join('\n'))
  }
  const names = [{ id: 'x', thread_name: 'x', updated_at: '2026-03-14T09:00:00Z' }]
  writeFileSync(join(home, 'session_index.jsonl'), names.map((name) => absurdJson(name, draw, 1)).join('\n'))
  return home
}

function absurdLine(line: string, draw: Draw, oneIn: number): string {
  try {
    return absurdJson(JSON.parse(line), draw, oneIn)
  } catch {
    return line
  }
}

interface Lines {
  total: number
  shown: number
  folded: number
  damaged: number
  skipped: Record<string, number>
  unknown: Record<string, number>
}

const sum = (counts: Record<string, number>) => Object.values(counts).reduce((whole, count) => whole + count, 0)

/** Fields of a tree that should be numbers but are `null`, which is how JSON writes numbers that are not finite. */
function nullsOf(text: string): string[] {
  return text.match(/"(?:durationMs|exitCode|oldStart|newStart|input|total|added|removed|number|at|count)":null/g) ?? []
}

describe('a home full of absurd numbers and times', () => {
  it('has every page, receipts that add up, and commands that succeed', async () => {
    await fc.assert(
      fc.asyncProperty(draws, fc.constantFrom(1, 3, 10), async (draw, oneIn) => {
        const folder = useTempDir()
        const home = writeAbsurdHome(folder, draw, oneIn)
        const { result } = await buildSite(folder, { homes: [{ path: home }] })
        const failed = result.diagnostics.filter(({ ruleId }) => /failed$/.test(ruleId))
        expect(failed).toEqual([])
        expect(result.failed).toBe(0)
        const site = join(folder, 'site')
        const trees = readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((path) =>
          /index\.json$/.test(path),
        )
        expect(trees.length).toBeGreaterThan(30)
        for (const path of trees) {
          const text = readFileSync(join(site, path), 'utf8')
          expect(nullsOf(text), path).toEqual([])
          const { lines }: { lines: Lines } = JSON.parse(text).session.stats
          const { total, shown, folded, damaged, skipped, unknown } = lines
          expect(total, path).toBe(shown + folded + sum(skipped) + sum(unknown) + damaged)
        }
        await expectCommands(home)
      }),
      { numRuns: 2 },
    )
  }, 240_000)
})

/** The commands that read sessions succeed for a whole home. */
async function expectCommands(home: string): Promise<void> {
  const reported: Diagnostic[] = []
  const host = quietHost({ report: (item) => reported.push(item) })
  const homes = [{ path: home }]
  await check({ homes, ...everySession, plugins: [] }, host)
  const { rows } = await list({ homes, ...everySession }, host)
  expect(rows.length).toBeGreaterThan(30)
  for (const { id } of rows.filter((_, index) => index % 3 === 0)) {
    await context({ homes, target: id, targetPath: id, at: undefined }, host)
    for (const format of ['md', 'text', 'html'] as const) {
      const { diagnostics } = await showFrom(home, id, { format })
      reported.push(...diagnostics)
    }
  }
  expect(reported.filter(({ ruleId }) => /failed$/.test(ruleId))).toEqual([])
}
