/** Temporary folders for tests. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Absolute path of a fresh, empty folder that is removed when the running test ends. */
export function useTempDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'codex-export-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
