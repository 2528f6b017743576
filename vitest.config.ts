import { availableParallelism } from 'node:os'
import { defineConfig, type TestProjectConfiguration, type TestProjectInlineConfiguration } from 'vitest/config'
import type { Reporter, TestModule } from 'vitest/node'

/**
 * Ends a run with one plain line, so that the result stands alone for people and scripts; before it stands what passed
 * only when run again.
 */
const closingLine: Reporter = {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]) {
    const counts = { passed: 0, failed: errors.length, skipped: 0, pending: 0 }
    for (const module of modules) {
      const before = counts.failed
      for (const test of module.children.allTests()) {
        counts[test.result().state]++
        if (test.diagnostic()?.flaky) process.stdout.write(`passed only when run again: ${test.fullName}\n`)
      }
      // A file that does not load, or a set-up that fails, has no failed test and would look as if nothing were wrong.
      if (!module.ok() && counts.failed === before) counts.failed++
    }
    const { passed, failed, skipped, pending } = counts
    process.stdout.write(`${passed} passed, ${failed + pending} failed, ${skipped} skipped\n`)
  },
}

/** One project a kind of test; CONTRIBUTING.md says which kind fits which change. */
function project(
  name: string,
  include: string[],
  seconds: number,
  options: Pick<NonNullable<TestProjectInlineConfiguration['test']>, 'globalSetup' | 'isolate' | 'retry'> = {},
): TestProjectConfiguration {
  return {
    extends: true,
    test: { name, include, testTimeout: seconds * 1000, hookTimeout: seconds * 2000, ...options },
  }
}

/** Files of one process share its modules: loading them anew for each file costs more than most tests. */
const shared = { isolate: false } as const

/** Where `.ci/run` wants the numbers of the run as JSON. */
const report = process.env['CODEX_EXPORT_TEST_REPORT']

/** Without it properties have new seeds in each run. */
const seed = process.env['CODEX_EXPORT_TEST_SEED']

export default defineConfig({
  test: {
    // One more than cores: many tests wait for a browser, for another program or for the disk.
    maxWorkers: availableParallelism() + 1,
    env: { TZ: 'UTC', LC_ALL: 'C.UTF-8' },
    setupFiles: seed === undefined ? [] : ['test/helpers/seed.ts'],
    // What is polled is seen at once where it is right; a machine with other work may need seconds.
    expect: { poll: { timeout: 15_000 } },
    // A missing expectation fails, also on a developer's machine; `-u` writes it.
    update: 'none',
    reporters:
      report === undefined ? ['default', closingLine] : ['default', closingLine, ['json', { outputFile: report }]],
    projects: [
      project('unit', ['test/unit/**/*.test.ts', 'test/property/**/*.test.ts'], 180, shared),
      project('golden', ['test/golden/**/*.test.ts'], 120, shared),
      project('cli', ['test/cli/**/*.test.ts'], 120, shared),
      project('codex', ['test/codex/**/*.test.ts'], 180),
      project('corpus', ['test/corpus/**/*.test.ts'], 600, shared),
      project('e2e', ['test/e2e/**/*.test.ts'], 240, {
        ...shared,
        globalSetup: ['test/helpers/browser-setup.ts', 'test/e2e/demo-setup.ts'],
        // A browser that a busy machine held up is asked once more; the end of the run names each such test.
        retry: 1,
      }),
    ],
  },
})
