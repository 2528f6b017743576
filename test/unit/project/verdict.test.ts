/** The verdict of `.ci/run` on the numbers of a test run. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { useTempDir } from '../../helpers/temp.ts'

const script = fileURLToPath(new URL('../../../.ci/verdict.mjs', import.meta.url))

interface FileResult {
  name: string
  status: 'passed' | 'failed'
  assertionResults: { status: 'passed' | 'failed' | 'skipped' }[]
}

function file(name: string, ...statuses: ('passed' | 'failed' | 'skipped')[]): FileResult {
  const failed = statuses.includes('failed')
  return {
    name: `/clone/test/${name}`,
    status: failed ? 'failed' : 'passed',
    assertionResults: statuses.map((status) => ({ status })),
  }
}

/** Judges a report; `undefined` means that the run wrote none. */
function judge(
  files: FileResult[] | undefined,
  { status = 0, corpus = false, firefox = '' } = {},
): { lines: string[]; code: number | null } {
  const report = join(useTempDir(), 'report.json')
  if (files !== undefined) writeFileSync(report, JSON.stringify({ testResults: files }))
  const env = { PATH: process.env['PATH'], ...(corpus && { CODEX_EXPORT_CORPUS: '/corpus' }), FIREFOX: firefox }
  const run = spawnSync(process.execPath, [script, report, String(status)], { env, encoding: 'utf8' })
  return { lines: run.stdout.trimEnd().split('\n'), code: run.status }
}

const browser = file('e2e/pages.test.ts', 'passed')
const corpusRun = file('corpus/all.test.ts', 'passed')

describe('the verdict of a clean clone', () => {
  it('is good when everything ran and passed', () => {
    expect(judge([browser, file('unit/a.test.ts', 'passed', 'passed')])).toEqual({
      lines: ['3 passed, 0 failed'],
      code: 0,
    })
  })

  it('counts failures, files that did not load, and files whose set-up failed', () => {
    const broken: FileResult = { name: '/clone/test/unit/b.test.ts', status: 'failed', assertionResults: [] }
    const setUp: FileResult = { ...broken, assertionResults: [{ status: 'skipped' }] }
    const files = [browser, file('unit/a.test.ts', 'passed', 'failed'), broken, setUp]
    const { lines, code } = judge(files, { status: 1 })
    expect(lines).toEqual(['ci: the test command ended with 1', '2 passed, 3 failed'])
    expect(code).toBe(1)
  })

  it('is bad if the build or the lint failed, even if every test passed', () => {
    expect(judge([browser], { status: 2 })).toEqual({
      lines: ['ci: the test command ended with 2', '1 passed, 0 failed'],
      code: 1,
    })
  })

  it('is bad if browser tests were skipped, or if there are none', () => {
    expect(judge([file('e2e/pages.test.ts', 'passed', 'skipped')]).lines[0]).toBe('ci: tests in Chromium: 1 of 2 ran')
    expect(judge([file('unit/a.test.ts', 'passed')]).lines[0]).toBe('ci: tests in Chromium: 0 of 0 ran')
  })

  it('is bad if tests in Firefox were skipped although Firefox is installed', () => {
    const skipped = file('e2e/firefox.test.ts', 'skipped')
    expect(judge([browser, skipped]).lines[0]).toBe('ci: tests in Firefox: 0 of 1 ran')
    expect(judge([browser, skipped], { firefox: 'none' }).code).toBe(0)
  })

  it('is bad if there is a corpus and its tests were skipped', () => {
    expect(judge([browser, corpusRun], { corpus: true }).code).toBe(0)
    expect(judge([browser, file('corpus/all.test.ts', 'skipped')], { corpus: true }).code).toBe(1)
    expect(judge([browser, file('corpus/all.test.ts', 'skipped')]).code).toBe(0)
  })

  it('is bad if no report was written', () => {
    expect(judge(undefined, { status: 1 })).toMatchObject({
      code: 1,
      lines: expect.arrayContaining(['0 passed, 0 failed']),
    })
  })
})
