import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { nodeComplaint } from '../../../src/cli/command.ts'

test.each(['20.19.0', '20.20.2', '22.12.0', '22.20.1', '23.0.0', '24.1.0'])('Node %s is accepted', (version) => {
  expect(nodeComplaint(version)).toBeUndefined()
})

test.each(['8.17.0', '18.20.8', '20.18.3', '21.7.3', '22.11.0'])('Node %s is refused as too old', (version) => {
  expect(nodeComplaint(version)).toBe(`codex-export: Node ${version} is too old; install Node 20.19, 22.12 or newer`)
})

test('`engines` of the package names the same versions', () => {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
  expect(JSON.parse(text)).toMatchObject({ engines: { node: '^20.19.0 || >=22.12.0' } })
})
