/**
 * Judges the numbers of a test run: `node .ci/verdict.mjs REPORT STATUS`, with vitest's JSON report and the exit status
 * of the test command. Ends with `N passed, N failed` and an exit code that fits. The corpus must not be skipped where
 * it is there, the tests in Chromium must not be skipped at all, those in Firefox only where `FIREFOX` says `none`.
 */
import { existsSync, readFileSync } from 'node:fs'
import { argv, env, exit, stdout } from 'node:process'

const [reportPath, status] = [argv[2], Number(argv[3])]
const report = existsSync(reportPath) ? JSON.parse(readFileSync(reportPath, 'utf8')) : { testResults: [] }

const tests = report.testResults.flatMap((file) =>
  file.assertionResults.map((test) => ({ file: file.name.replaceAll('\\', '/'), status: test.status })),
)
// A file that does not load, or whose set-up fails, has no failed test, and fails all the same.
const broken = report.testResults.filter(
  (file) => file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'),
)
const passed = tests.filter((test) => test.status === 'passed').length
const failed = tests.filter((test) => test.status === 'failed').length + broken.length

const complaints = []

/** Complains unless at least so many tests whose path fits ran, and none of them was skipped. */
function mustRun(path, what, min = 1) {
  const own = tests.filter((test) => path.test(test.file))
  const ran = own.filter((test) => test.status === 'passed' || test.status === 'failed')
  if (ran.length < min || ran.length < own.length) {
    complaints.push(`${what}: ${ran.length} of ${own.length} ran`)
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
