/** Templates and assets of the package, which a process reads once. */
import * as files from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { loadAssets } from '../../../src/render/assets-fs.ts'
import { loadTemplates } from '../../../src/render/templates-fs.ts'

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof files>()
  return { ...real, readFile: vi.fn(real.readFile) }
})

const refusal = Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' })

test.each([
  ['templates', loadTemplates],
  ['assets', loadAssets],
])('a system that refuses to open files once does not cost the process its %s', async (_, load) => {
  vi.mocked(files.readFile).mockRejectedValueOnce(refusal)
  await expect(load()).rejects.toThrow('EMFILE')
  const first = await load()
  const reads = vi.mocked(files.readFile).mock.calls.length
  expect(await load()).toBe(first)
  expect(vi.mocked(files.readFile).mock.calls.length).toBe(reads)
})
