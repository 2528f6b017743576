import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { namesIn, textAt } from '../../../src/util/files-fs.ts'

test('the names in a folder and the text of a file are empty if they cannot be read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'codex-export-files-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'a.txt')
  writeFileSync(file, 'words')

  expect(namesIn(folder)).toEqual(['a.txt'])
  expect(namesIn(join(folder, 'absent'))).toEqual([])
  expect(namesIn(file)).toEqual([])
  expect(textAt(file)).toBe('words')
  expect(textAt(join(folder, 'absent'))).toBe('')
  expect(textAt(folder)).toBe('')
})
