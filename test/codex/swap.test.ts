/**
 * What a real Codex, of any version since 0.61, does with backups, and what is refused while one has the session
 * open.
 */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { draftNames } from '../../src/features/memory/files/draft-fs.ts'
import { type PruneOptions, prune } from '../../src/features/memory/prune.ts'
import { type RestoreOptions, restore } from '../../src/features/memory/restore.ts'
import type { Host } from '../../src/site/types.ts'
import { pruneNothing, restoreNewest } from '../helpers/prune.ts'
import { quietHost } from '../helpers/surroundings.ts'
import { shareTempDir } from '../helpers/temp.ts'
import { type CodexHome, codexHome, threadOf } from './codex.ts'
import { type MockModel, message, startModel } from './mock-model.ts'

const bin = process.env['CODEX_BIN'] ?? ''

describe.skipIf(bin === '')('a real Codex', () => {
  const folder = shareTempDir()
  let model: MockModel
  let home: CodexHome
  let host: Host

  beforeAll(async () => {
    model = await startModel()
    home = codexHome(bin, folder, model.url)
    host = quietHost({ now: Date.now, env: { XDG_CACHE_HOME: join(folder, 'cache') }, homeDir: folder })
  })

  beforeEach(() => model.forget())

  afterAll(() => model.close())

  /** A session of two turns that was not changed for a day. */
  async function session(): Promise<{ path: string; id: string }> {
    const before = new Set(home.rollouts())
    model.say([message('Answer to apple.')], [message('Answer to banana.')])
    await home.exec('Prompt of apple')
    const path = home.rollouts().find((name) => !before.has(name)) ?? ''
    await home.exec('Prompt of banana', threadOf(path))
    home.age(path)
    return { path, id: threadOf(path) }
  }

  const where = (path: string) => ({ homes: [], target: path, targetPath: path })

  function pruned(path: string, change: Partial<PruneOptions>) {
    return prune({ ...where(path), ...pruneNothing, inPlace: true, ...change }, host)
  }

  function restored(path: string, change: Partial<RestoreOptions> = {}) {
    return restore({ ...where(path), ...restoreNewest, ...change }, host)
  }

  /** The number of the item that contains a word. */
  async function indexOf(path: string, word: string): Promise<string> {
    const { plan } = await pruned(path, { inPlace: false })
    return String(plan.items.find(({ item }) => JSON.stringify(item.item).includes(word))?.item.index)
  }

  /** Files in the home that contain a word, except logs and databases. */
  function holding(word: string): string[] {
    return readdirSync(home.path, { recursive: true, encoding: 'utf8' })
      .map((name) => join(home.path, name))
      .filter((path) => /\.(?:jsonl|bak|codex-export)$/.test(path) && !path.endsWith('history.jsonl'))
      .filter((path) => statSync(path).isFile() && readFileSync(path, 'utf8').includes(word))
  }

  // Which of two files an old version read was random.
  test.each(Array.from({ length: 10 }, (_, run) => run + 1))(
    'resumes the pruned rollout and never its backup, run %i of 10',
    async (run) => {
      const { path, id } = await session()
      const { written } = await pruned(path, { exclude: [await indexOf(path, 'Answer to apple')] })
      const backup = String(Object(written).backup)
      const kept = readFileSync(backup)
      // The names of drafts that a kill leaves, and of a backup next to a rollout in a folder that is not a home.
      const names = draftNames(path)
      const others = [names.path('new'), names.path('bak'), join(dirname(path), basename(backup))]
      names.release()
      for (const name of others) writeFileSync(name, kept)
      model.heard()
      model.say([message('Fine.')])
      await home.exec(`Prompt of cherry ${run}`, id)
      const sent = JSON.stringify(model.heard())
      expect(sent).toContain('Prompt of banana')
      expect(sent).not.toContain('Answer to apple')
      expect(holding(`Prompt of cherry ${run}`)).toEqual([path])
      for (const name of [backup, ...others]) expect(readFileSync(name)).toEqual(kept)
      for (const name of others) rmSync(name)
      home.age(path)
      await pruned(path, { include: ['1-99'] })
      expect(readFileSync(path, 'utf8')).toMatch(/Answer to apple[\s\S]*Prompt of cherry/)
    },
  )

  test('resumes what a restore or an undo brought back', async () => {
    const { path, id } = await session()
    const bytes = readFileSync(path)
    await pruned(path, { exclude: [await indexOf(path, 'Answer to apple')] })
    const less = readFileSync(path)
    await restored(path)
    expect(readFileSync(path)).toEqual(bytes)
    await restored(path, { undo: true })
    expect(readFileSync(path)).toEqual(less)
    model.say([message('Fine.')])
    await home.exec('Prompt of damson', id)
    expect(holding('Prompt of damson')).toEqual([path])
    home.age(path)
    await restored(path, { undo: true })
    const now = readFileSync(path)
    expect(now.subarray(0, bytes.length)).toEqual(bytes)
    expect(now.toString('utf8')).toContain('Prompt of damson')
  })

  test('that has the session open is named, and what is typed there later is kept', async () => {
    model.say([message('Answer to apple.')], [message('Answer to banana.')])
    const before = new Set(home.rollouts())
    const codex = await home.open()
    try {
      await codex.say('Prompt of apple')
      await codex.say('Prompt of banana')
      const path = home.rollouts().find((name) => !before.has(name)) ?? ''
      home.age(path)
      const index = await indexOf(path, 'Answer to apple')
      const bytes = readFileSync(path)
      const refusal = /`codex` \(process \d+\) has `rollout-[^`]+` open/
      await expect(pruned(path, { exclude: [index] })).rejects.toThrow(refusal)
      await expect(pruned(path, { exclude: [index], force: true, assumeClosed: true })).rejects.toThrow(refusal)
      expect(readFileSync(path)).toEqual(bytes)
      await codex.say('Prompt of elder')
      expect(holding('Prompt of elder')).toEqual([path])
      await codex.close()
      home.age(path)
      await pruned(path, { exclude: [index] })
      expect(readFileSync(path, 'utf8')).toContain('Prompt of elder')
    } finally {
      await codex.close()
    }
  })
})
