/** Engines and hosts without WebAssembly: with an option of Node, or with a limit of the address space. */
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { hasNativeZstd } from '../../src/rollout/read/zstd-fs.ts'
import { requireBuild, runProcess } from '../helpers/cli.ts'
import { writeFolder } from '../helpers/folder.ts'
import * as r from '../helpers/records.ts'
import { threadNumber } from '../helpers/summary.ts'
import { useTempDir } from '../helpers/temp.ts'
import { zstdFrame } from '../helpers/zstd.ts'

beforeAll(requireBuild)

const node = ['--jitless', '--no-warnings']

/** A home with a session for each text; returns the folder of its parent. */
function homeOf(...texts: string[]): string {
  const cwd = useTempDir()
  const files = texts.map((text, index) => [
    `sessions/2026/03/14/rollout-2026-03-14T09-00-00-${threadNumber(index + 1)}.jsonl`,
    r.promptRollout(threadNumber(index + 1), text),
  ])
  writeFolder(join(cwd, 'home'), Object.fromEntries(files))
  return cwd
}

describe('without WebAssembly', () => {
  test('`search` finds the same words', async () => {
    const cwd = homeOf('Mend the oak gate', `Paint ${'the long fence '.repeat(20_000)} Hinge`, 'Sweep')
    for (const [word, status] of [
      ['GATE', 0],
      ['hinge', 0],
      ['wing', 1],
    ] as const) {
      const args = ['search', word, '--codex-home', 'home', '--no-config', '--count']
      const [plain, usual] = [await runProcess(args, { cwd, node }), await runProcess(args, { cwd })]
      expect(plain.status, plain.stderr).toBe(status)
      expect(plain.stdout).toBe(usual.stdout)
    }
  })

  test.skipIf(hasNativeZstd)('a compressed rollout is reported, and the others are read', async () => {
    const cwd = homeOf('Mend the oak gate')
    const packed = `rollout-2026-03-15T09-00-00-${threadNumber(2)}.jsonl.zst`
    writeFolder(join(cwd, 'home/sessions/2026/03/15'), {
      [packed]: zstdFrame(r.promptRollout(threadNumber(2), 'Paint the fence')),
    })
    const run = await runProcess(['list', '--codex-home', 'home', '--no-config'], { cwd, node })
    expect(run.status).toBe(1)
    expect(run.stdout).toContain('Mend the oak gate')
    expect(run.stderr).toMatch(/zst unreadable-file .* for which this Node needs WebAssembly/)
    expect(run.stderr).not.toContain('bug')
  })
})
