/** Builds the demo site once, as README's first command does, for all browser tests. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { requireBuild, runCli } from '../helpers/cli.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Absolute folder of the built demo site. */
    demo: string
  }
}

/** Builds into a temporary folder and gives the function that removes it. */
export async function setup(project: TestProject): Promise<() => void> {
  requireBuild()
  const folder = mkdtempSync(join(tmpdir(), 'codex-export-demo-'))
  const out = join(folder, 'site')
  const run = await runCli(['build', '--out', out, '--cache', join(folder, 'cache'), '--format', 'html,md,json'])
  if (run.status !== 0) throw new Error(`the demo site was not built (exit ${run.status}):\n${run.stderr}`)
  project.provide('demo', out)
  return () => rmSync(folder, { recursive: true, force: true })
}
