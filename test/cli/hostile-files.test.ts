/** Files that would fill memory or disk, links that lead out, and special files. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { BuildReport } from '../../src/site/report.ts'
import { bombs, writeBombs } from '../helpers/bombs.ts'
import { requireBuild, runCli, runProcess } from '../helpers/cli.ts'
import { readFolder, writeFolder } from '../helpers/folder.ts'
import * as r from '../helpers/records.ts'
import { threadNumber } from '../helpers/summary.ts'
import { shareTempDir, useTempDir } from '../helpers/temp.ts'

beforeAll(requireBuild)

/** Prints at exit the peak memory of the process in KiB. */
const measure =
  'data:text/javascript,process.on("exit",()=>process.stderr.write("peak "+process.resourceUsage().maxRSS+"\n"))'
/** A small heap, so that anything that grows with a file fails. */
const node = ['--max-old-space-size=192', '--import', measure]

function peakMebibytes(stderr: string): number {
  return Number(/^peak (\d+)$/m.exec(stderr)?.[1]) / 1024
}

function diagnosticsOf(site: string): BuildReport['diagnostics'] {
  return JSON.parse(readFileSync(join(site, 'build-report.json'), 'utf8')).diagnostics
}

describe('files that expand enormously', () => {
  const folder = shareTempDir()
  let home: string
  beforeAll(() => {
    home = writeBombs(folder)
  })

  // In MiB: what one thread may use, and what each further one may add.
  test.each([
    { jobs: '1', most: 450 },
    { jobs: '2', most: 450 + 160 },
  ])(
    'end in diagnostics with file and line, in bounded memory, and stop no other session: $jobs jobs',
    async ({ jobs, most }) => {
      const site = join(folder, `site-${jobs}`)
      const places = ['--codex-home', home, '--out', site, '--cache', join(folder, `cache-${jobs}`)]
      const run = await runProcess(['build', ...places, '--no-search', '--jobs', jobs], { cwd: folder, node })
      expect(run.stderr).toContain('Built ')
      const found = diagnosticsOf(site)
      const diagnosticIds = (index: number): string[] => {
        const own = found.filter(({ file }) => file?.includes(threadNumber(index + 1)))
        // Of many lines with the same rule, only the first one counts.
        const first = own.filter(
          (item) =>
            item.line === undefined || own.find((o) => o.ruleId === item.ruleId && o.line !== undefined) === item,
        )
        return [...new Set(first.map(({ ruleId, line }) => (line === undefined ? ruleId : `${ruleId}:${line}`)))].sort()
      }
      expect(bombs.map(({ what }, index) => [what, diagnosticIds(index)])).toEqual(
        bombs.map(({ what, expected }) => [what, expected.toSorted()]),
      )
      expect(readdirSync(join(site, 'sessions'))).toContain(threadNumber(bombs.length + 1))
      expect(readFileSync(join(site, 'index.html'), 'utf8')).toContain('Mend the gate')
      expect(peakMebibytes(run.stderr)).toBeLessThan(most)
    },
    180_000,
  )

  test('are listed in bounded memory', async () => {
    const run = await runProcess(['list', '--codex-home', home], { cwd: folder, node })
    // Some could not be read.
    expect(run.status).toBe(1)
    expect(run.stdout).toContain('Mend the gate')
    expect(peakMebibytes(run.stderr)).toBeLessThan(450)
  })
})

describe.skipIf(process.platform === 'win32')('a home with links and pipes', () => {
  function linkedHome(): string {
    const cwd = useTempDir()
    const day = join(cwd, 'home/sessions/2026/03/14')
    mkdirSync(day, { recursive: true })
    const name = (number: number): string => join(day, `rollout-2026-03-14T09-00-00-${threadNumber(number)}.jsonl`)
    const outside = join(cwd, 'elsewhere.jsonl')
    writeFileSync(name(1), r.promptRollout(threadNumber(1), 'Said inside'))
    writeFileSync(outside, r.promptRollout(threadNumber(2), 'Said outside'))
    symlinkSync(outside, name(2))
    symlinkSync('/dev/zero', name(3))
    execFileSync('mkfifo', [name(4), join(cwd, 'home/session_index.jsonl')])
    symlinkSync(join(cwd, 'home'), join(day, 'loop'))
    symlinkSync(name(6), name(6))
    symlinkSync(name(1), join(day, 'rollout-again.jsonl'))
    return cwd
  }

  test('gives only its own files, and reports each of the others', async () => {
    const cwd = linkedHome()
    const run = await runCli(['build', '--codex-home', 'home', '--no-search'], {
      cwd,
      env: { XDG_CACHE_HOME: join(cwd, 'cache') },
    })
    const site = join(cwd, 'site')
    const reported = diagnosticsOf(site).map(({ ruleId, file }) => `${ruleId} ${file?.split('/').at(-1)}`)
    const file = (number: number): string => `rollout-2026-03-14T09-00-00-${threadNumber(number)}.jsonl`
    expect(reported.sort()).toEqual([
      'directory-loop loop',
      'duplicate-thread rollout-again.jsonl',
      `outside-link ${file(2)}`,
      `outside-link ${file(3)}`,
      `unreadable-file ${file(4)}`,
      `unreadable-file ${file(6)}`,
      'unreadable-index session_index.jsonl',
    ])
    expect(readdirSync(join(site, 'sessions'))).toEqual([threadNumber(1)])
    expect(run.stderr + readFileSync(join(site, 'index.html'), 'utf8')).not.toContain('Said outside')
  })
})

describe.skipIf(process.platform === 'win32')('an output folder with a link', () => {
  const through = 'is a link or a device, not a folder. Nothing is written through it'
  test.each([
    ['sessions', 2, through],
    ['assets', 2, through],
    ['months', 2, through],
    ['index.html', 2, 'is not from codex-export and is where'],
    ['manifest.json', 2, 'it is not a manifest of codex-export'],
    ['.staging-1-0-000000000000', 0, 'Built 1 session'],
  ])('is not followed if it is named %s', async (name, status, message) => {
    const cwd = useTempDir()
    const home = join(cwd, 'home/sessions')
    mkdirSync(home, { recursive: true })
    const rollout = join(home, `rollout-2026-03-14T09-00-00-${threadNumber(1)}.jsonl`)
    writeFileSync(rollout, r.promptRollout(threadNumber(1), 'Hello'))
    const options = { cwd, env: { XDG_CACHE_HOME: join(cwd, 'cache') } }
    const args = ['build', '--codex-home', 'home', '--no-search']
    expect((await runCli(args, options)).status).toBe(0)
    const away = join(cwd, 'away')
    writeFolder(away, { 'kept.txt': 'kept' })
    rmSync(join(cwd, 'site', name), { recursive: true, force: true })
    symlinkSync(away, join(cwd, 'site', name))
    writeFileSync(rollout, r.promptRollout(threadNumber(1), 'Hello again'))
    const run = await runCli(args, options)
    expect(run.stderr).toContain(message)
    expect(run.status).toBe(status)
    expect(readFolder(away)).toEqual({ 'kept.txt': 'kept' })
  })
})
