/** The message about an id that no thread has. */
import { expect, test } from 'vitest'
import { type Diagnostic, diagnostic } from '../../../src/diagnostics/codes.ts'
import { UsageError } from '../../../src/diagnostics/errors.ts'
import { threadsNamed } from '../../../src/survey/select.ts'

const name = 'sessions/2026/03/14/rollout-2026-03-14T09-00-00-019C4697-f168-7288-ba5f-5334cc2f541b.jsonl'
const unreadable = diagnostic('unreadable-file', { file: name }, 'Reason: permission denied.')
const damaged = diagnostic('damaged-line', { file: name, line: 3 })
const places = ['/home/ada/.codex']

/** Looks among no threads. */
function find(target: string, ...diagnostics: Diagnostic[]): void {
  threadsNamed(target, { catalog: { threads: [] }, places, diagnostics }, false)
}

test('the file with that id that could not be read is named', () => {
  expect(() => find('019c4697', damaged, unreadable)).toThrow(
    new UsageError(`\`${name}\`: A file could not be read. Reason: permission denied.`),
  )
})

test.each([
  ['no file has such a name', '029c', unreadable],
  ['the file was read', '019c4697', damaged],
])('the places that were searched are named if %s', (_, target, item) => {
  expect(() => find(target, item)).toThrow(
    `No thread id starts with \`${target}\`, and there is no such file. Looked in /home/ada/.codex;`,
  )
})

test('a folder that could not be read is named, because the session may be in it', () => {
  const folder = diagnostic('unreadable-folder', { file: 'sessions/2026' }, 'Reason: permission denied.')
  expect(() => find('019c4697', folder)).toThrow(
    /lists the sessions\. `sessions\/2026`: A folder could not be read\. Reason: permission denied\.$/,
  )
})
