/** Templates and assets of the package, which a process reads once. */
import files from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { afterEach, expect, test, vi } from 'vitest'

/** A module that has read nothing yet, because other tests of this process share theirs. */
const unread = (name: string) => import(/* @vite-ignore */ `../../../src/render/${name}-fs.ts?unread`)

afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

test.each([
  ['templates', 'loadTemplates'],
  ['assets', 'loadAssets'],
])('after a failed attempt to open files, a process can still load its %s', async (name, loader) => {
  const load = (await unread(name))[loader]
  const read = vi.spyOn(files, 'readFile')
  read.mockRejectedValueOnce(Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' }))
  syncBuiltinESMExports()
  await expect(load()).rejects.toThrow('EMFILE')
  const first = await load()
  const reads = read.mock.calls.length
  expect(await load()).toBe(first)
  expect([reads > 1, read.mock.calls.length]).toEqual([true, reads])
})
