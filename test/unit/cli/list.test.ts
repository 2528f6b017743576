import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { distinctLength, type ListForm } from '../../../src/cli/list-rows.ts'
import { listText } from '../../../src/cli/list-sessions.ts'
import { everything } from '../../../src/survey/select.ts'
import { quietHost } from '../../helpers/surroundings.ts'
import { useTempDir } from '../../helpers/temp.ts'

test('ids are cut to the length at which they differ, but never below eight characters', () => {
  expect(distinctLength([])).toBe(8)
  expect(distinctLength(['0199a213-81c0', '0299a213-81c0'])).toBe(8)
  expect(distinctLength(['0199a213-81c0', '0299', '0199a213-81d0'])).toBe(12)
  expect(distinctLength(['0199a213', '0199a213-81c0'])).toBe(9)
})

test('each form of the list is printed identically again, and differs from the others', async () => {
  const [sample, cache] = [fileURLToPath(new URL('../../../fixtures/home', import.meta.url)), useTempDir()]
  const host = quietHost({ env: { XDG_CACHE_HOME: cache }, homeDir: useTempDir() })
  const options = { ...everything, homes: [{ path: sample }], timeZone: 'UTC' }
  const printed = async (form: ListForm): Promise<string> => {
    const { text, sum } = await listText(options, form, host)
    return `${sum}\n${Buffer.from(text).toString('utf8')}`
  }
  const forms: ListForm[] = [
    { json: false, timeZone: 'UTC' },
    { json: false, timeZone: 'Asia/Tokyo' },
    { json: false, timeZone: 'UTC', width: 100 },
    { json: true, timeZone: 'UTC' },
  ]
  const texts = new Set<string>()
  for (const form of forms) {
    const first = await printed(form)
    expect(await printed(form)).toBe(first)
    texts.add(first)
  }
  expect(texts.size).toBe(forms.length)
  expect([...texts][2]).toMatch(/^\d+ sessions; no room for /)
})
