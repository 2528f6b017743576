import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planPublish, type SiteFile } from '../../src/features/publish/plan.ts'
import { type Store, syncSite } from '../../src/features/publish/sync.ts'

import { sha256 } from '../../src/util/hash.ts'
import { missedByReaders, smallSite } from '../helpers/small-site.ts'

/** A store in memory that fails after this many changes. */
function memoryStore(files: Map<string, string>, site: Readonly<Record<string, string>>, changes: number): Store {
  let left = changes
  const change = (work: () => void): void => {
    if (left-- <= 0) throw new Error('killed')
    work()
  }
  return {
    name: 'memory',
    markKind: 'sha256',
    parallel: 3,
    probe: async () => new Map([...files].map(([path, text]) => [path, sha256(text)])),
    read: async (path) => files.get(path),
    put: async ({ path }) => change(() => files.set(path, site[path] ?? '')),
    putText: async (path, text) => change(() => files.set(path, text)),
    remove: async (path) => change(() => files.delete(path)),
    tidy: async () => {},
    close: async () => {},
  }
}

function filesOf(site: Readonly<Record<string, string>>): SiteFile[] {
  return Object.entries(site).map(([path, text]) => ({ path, size: text.length, mark: sha256(text) }))
}

async function publish(
  files: Map<string, string>,
  site: Readonly<Record<string, string>>,
  changes = 1e9,
): Promise<void> {
  const run = {
    sourceOf: (path: string) => path,
    dryRun: false,
    check() {},
    signal: new AbortController().signal,
  }
  await syncSite(filesOf(site), memoryStore(files, site, changes), { ...run, onPlan() {}, onStep() {} })
}

const site = fc
  .record({
    sessions: fc.dictionary(
      fc.constantFrom('alder', 'birch', 'cedar', 'dogwood', 'elm'),
      fc.constantFrom('one', 'two'),
    ),
    css: fc.constantFrom('p{}', 'p{margin:0}'),
  })
  .map(smallSite)

test('readers miss nothing after publishes that are cut off anywhere, and a complete one is exact', async () => {
  const cut = fc.record({ site, changes: fc.nat(40) })
  await fc.assert(
    fc.asyncProperty(fc.array(cut, { maxLength: 4 }), site, async (cuts, last) => {
      const files = new Map([['mine.txt', 'mine']])
      for (const { site: next, changes } of cuts) {
        await publish(files, next, changes).catch((error: Error) => expect(error.message).toBe('killed'))
        expect(missedByReaders(Object.fromEntries(files))).toEqual([])
      }
      await publish(files, last)
      expect(Object.fromEntries(files)).toEqual({ ...last, 'mine.txt': 'mine' })
    }),
  )
}, 120_000)

test('two publishes that were cut off before there was a start page give readers no broken links', async () => {
  const first = smallSite({ sessions: { alder: 'one', elm: 'one' } })
  const second = smallSite({ sessions: { alder: 'one' }, css: 'p{margin:0}' })
  for (let one = 0; one < 12; one++) {
    for (let two = 0; two < 16; two++) {
      const files = new Map<string, string>()
      await publish(files, first, one).catch((error: Error) => expect(error.message).toBe('killed'))
      await publish(files, second, two).catch((error: Error) => expect(error.message).toBe('killed'))
      expect(missedByReaders(Object.fromEntries(files)), `${one}, ${two}`).toEqual([])
    }
  }
})

test('a plan never changes or removes foreign files', () => {
  const state = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('1', '2'))
  fc.assert(
    fc.property(state, state, fc.subarray(['a', 'b', 'c', 'd']), (wanted, there, ours) => {
      const files = Object.entries(wanted).map(([path, mark]) => ({ path, size: 1, mark }))
      const owned = new Set(ours)
      const plan = planPublish(files, { marks: new Map(Object.entries(there)), owned })
      for (const path of [...plan.changed.map((file) => file.path), ...plan.removed]) expect(owned.has(path)).toBe(true)
      const planned = [...plan.added, ...plan.changed, ...plan.kept].map(({ path }) => path)
      expect([...planned, ...plan.foreign].sort()).toEqual(Object.keys(wanted).sort())
    }),
  )
})

test('a plan can remove more files than a call takes arguments', () => {
  const paths = Array.from({ length: 150_000 }, (_, index) => `sessions/${index}.html`)
  const plan = planPublish([], { marks: new Map(paths.map((path) => [path, '1'])), owned: new Set(paths) })
  expect(plan.removed).toHaveLength(paths.length)
})
