/**
 * Judges the numbers of a test run: `node .ci/verdict.mjs REPORT STATUS`, with vitest's JSON report and the exit status
 * of the test command. Ends with `N passed, N failed` and the exit code 0 or 1. Tests of the corpus must not be skipped if
 * it exists, tests in Chromium must not be skipped at all, those in Firefox only if `FIREFOX` is `none`.
 */
import { existsSync, readFileSync } from 'node:fs'
import { argv, env, exit, stdout } from 'node:process'

const [reportPath, status] = [argv[2], Number(argv[3])]
const report = existsSync(reportPath) ? JSON.parse(readFileSync(reportPath, 'utf8')) : { testResults: [] }

const tests = report.testResults.flatMap((file) =>
  file.assertionResults.map((test) => ({ file: file.name.replaceAll('\\', '/'), status: test.status })),
)
// A file that does not load, or whose set-up fails, has no failed test, but counts as one.
const broken = report.testResults.filter(
  (file) => file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'),
)
const passed = tests.filter((test) => test.status === 'passed').length
const failed = tests.filter((test) => test.status === 'failed').length + broken.length

const complaints = []

/** Complains unless at least `min` tests whose file matches ran, and none of them was skipped. */
function mustRun(path, what, min = 1) {
  const selected = tests.filter((test) => path.test(test.file))
  const ran = selected.filter((test) => test.status === 'passed' || test.status === 'failed')
  if (ran.length < min || ran.length < selected.length) {
    complaints.push(`${what}: ${ran.length} of ${selected.length} ran`)
  }
}

mustRun(/\/test\/e2e\/(?!.*firefox)/, 'tests in Chromium')
if (env.FIREFOX !== 'none') mustRun(/\/test\/e2e\/.*firefox/, 'tests in Firefox', 0)
if (env.CODEX_EXPORT_CORPUS) mustRun(/\/test\/corpus\//, 'corpus tests')
if (passed === 0) complaints.push('no test passed')
if (status !== 0) complaints.push(`the test command ended with ${status}`)

for (const complaint of complaints) stdout.write(`ci: ${complaint}\n`)
stdout.write(`${passed} passed, ${failed} failed\n`)
exit(failed === 0 && complaints.length === 0 ? 0 : 1)
