/** Builds the demo site once, like README's first command, for all browser tests. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { requireBuild, runProcess } from '../helpers/cli.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Absolute folder of the built demo site. */
    demo: string
    /** Absolute path of a thread of the demo site as one file. */
    single: string
  }
}

/** The thread whose single file the tests read: a picture, a refused patch, a rollback. */
const shown = '019eab64'

/** Runs the built command and returns its output; throws if it fails. */
async function succeed(what: string, args: string[]): Promise<string> {
  const run = await runProcess(args)
  if (run.status !== 0) throw new Error(`${what} (exit ${run.status}):\n${run.stderr}`)
  return run.stdout
}

/** Builds into a temporary folder and returns the function that removes it. */
export async function setup(project: TestProject): Promise<() => void> {
  requireBuild()
  const folder = mkdtempSync(join(tmpdir(), 'codex-export-demo-'))
  const out = join(folder, 'site')
  const single = join(folder, 'thread.html')
  const cache = join(folder, 'cache')
  await succeed('the demo site was not built', ['build', '--out', out, '--cache', cache, '--format', 'html,md,json'])
  await succeed('the single file was not made', ['show', shown, '--format', 'html', '--output', single])
  project.provide('demo', out)
  project.provide('single', single)
  return () => rmSync(folder, { recursive: true, force: true })
}
