/** Random sites over random sites: afterwards the folder contains the new site and foreign files, and nothing else. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPathRegistry } from '../../src/site/output/paths.ts'
import { openStagingArea } from '../../src/site/output/staging-fs.ts'
import { readFolder, writeFolder } from '../helpers/folder.ts'

type Files = Record<string, string>

/** Only a few names, so that sites overlap and files meet folders. */
const path = fc
  .array(fc.constantFrom('a', 'b', 'c', 'index.html'), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join('/'))
const content = fc.constantFrom('', '1', '2', 'ä')

/** A set of files none of which is in the way of another. */
const site: fc.Arbitrary<Files> = fc.array(fc.tuple(path, content), { maxLength: 8 }).map((entries) => {
  const registry = createPathRegistry()
  const files: Files = {}
  for (const [name, text] of entries) {
    try {
      registry.add(name)
      files[name] = text
    } catch {
      // It is in the way of an earlier one.
    }
  }
  return files
})

/** Files of other people, with names that no build uses. */
const foreign: fc.Arbitrary<Files> = fc.dictionary(
  fc.constantFrom('CNAME', '.git/HEAD', 'mine/notes.txt', 'z/a', 'z/b/c'),
  fc.constantFrom('x', 'y'),
)

async function build(out: string, files: Files) {
  const stage = await openStagingArea(out)
  for (const [name, text] of Object.entries(files)) stage.put({ path: name, content: text })
  return stage.commit()
}

function withoutManifest({ 'manifest.json': _, ...files }: Files): Files {
  return files
}

test('a series of builds leaves exactly the last site and the foreign files', async () => {
  const chain = fc.array(site, { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(chain, foreign, async (sites, others) => {
      const out = mkdtempSync(join(tmpdir(), 'codex-export-test-'))
      try {
        await build(out, {})
        writeFolder(out, others)
        let before: Files = {}
        for (const files of sites) {
          const plan = await build(out, files)
          expect(withoutManifest(readFolder(out))).toEqual({ ...others, ...files })
          expect([...plan.written, ...plan.kept].sort()).toEqual(Object.keys(files).sort())
          expect(plan.kept.every((name) => before[name] === files[name])).toBe(true)
          expect(plan.removed.sort()).toEqual(
            Object.keys(before)
              .filter((name) => !(name in files))
              .sort(),
          )
          before = files
        }
        const bytes = readFolder(out)
        expect((await build(out, before)).written).toEqual([])
        expect(readFolder(out)).toEqual(bytes)
      } finally {
        rmSync(out, { recursive: true, force: true })
      }
    }),
    { numRuns: 60 },
  )
}, 90_000)

test('a kill at any change of a build leaves the site before or the site after', async () => {
  await fc.assert(
    fc.asyncProperty(site, site, foreign, fc.nat(60), async (old, next, others, change) => {
      const out = mkdtempSync(join(tmpdir(), 'codex-export-test-'))
      try {
        await build(out, old)
        writeFolder(out, others)
        const before = readFolder(out)
        let count = 0
        const beforeStep = (): void => {
          if (++count > change) throw new Error('killed')
        }
        try {
          const stage = await openStagingArea(out, { beforeStep })
          try {
            for (const [name, text] of Object.entries(next)) stage.put({ path: name, content: text })
            await stage.commit()
          } finally {
            await stage.abort()
          }
        } catch (error) {
          expect(error).toHaveProperty('message', 'killed')
        }
        await (await openStagingArea(out)).abort()
        const after = readFolder(out)
        if (after['manifest.json'] === before['manifest.json']) expect(after).toEqual(before)
        else expect(withoutManifest(after)).toEqual({ ...others, ...next })
      } finally {
        rmSync(out, { recursive: true, force: true })
      }
    }),
    { numRuns: 100 },
  )
}, 90_000)
