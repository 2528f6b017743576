/** Temporary folders for tests. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'

/** Absolute path of a fresh, empty folder that is removed when the running test ends. */
export function useTempDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'codex-export-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Like `useTempDir`, but for all tests of a file: call it at the top of the file. */
export function shareTempDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'codex-export-test-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
