/**
 * Asks a real Codex whether it goes on with what we wrote:
 *
 *     CODEX_BIN=path/to/codex npm run test:codex
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readHistory } from '../../src/features/memory/history/read.ts'
import { type PruneOptions, prune } from '../../src/features/memory/prune.ts'
import { restore } from '../../src/features/memory/restore.ts'
import type { Host } from '../../src/site/types.ts'
import { threadIndex } from '../../src/survey/lineage.ts'
import { pruneNothing, restoreNewest } from '../helpers/prune.ts'
import { quietHost } from '../helpers/surroundings.ts'
import { shareTempDir } from '../helpers/temp.ts'
import { threadsAt } from '../helpers/thread.ts'
import type { OpenCodex } from './app-server.ts'
import { type CodexHome, codexHome, threadOf } from './codex.ts'
import { command, type MockModel, type ModelItem, message, startModel, thought } from './mock-model.ts'

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

  /** A session of two turns with a thought and two commands; returns its rollout and thread id. */
  async function session(): Promise<{ path: string; id: string }> {
    const before = new Set(home.rollouts())
    model.say(
      [thought('First thought', 'hidden words of the first thought'), command('call_apple', 'echo apple')],
      [command('call_banana', 'echo banana')],
      [message('The answer is fruit.')],
    )
    await home.exec('Which words are there?')
    const path = home.rollouts().find((name) => !before.has(name)) ?? ''
    model.say([message('The second answer.')])
    await home.exec('And then?', threadOf(path))
    model.heard()
    home.age(path)
    return { path, id: threadOf(path) }
  }

  function pruned(path: string, change: Partial<PruneOptions>) {
    return prune({ homes: [], target: path, targetPath: path, ...pruneNothing, inPlace: true, ...change }, host)
  }

  /** What Codex sends for a further prompt on a thread. */
  async function resumed(id: string, prompt: string): Promise<ModelItem[]> {
    model.say([message('Fine.')])
    await home.exec(prompt, id)
    const [input = []] = model.heard()
    return input
  }

  /** The index of the item that contains a word. */
  async function indexOf(path: string, word: string): Promise<string> {
    const { plan } = await pruned(path, { inPlace: false })
    const index = plan.items.find(({ item }) => JSON.stringify(item.item).includes(word))?.item.index
    return String(index)
  }

  test('continues a pruned rollout and sends nothing of what was removed', async () => {
    const { path, id } = await session()
    await pruned(path, { exclude: [await indexOf(path, 'call_apple'), 'category:reasoning'] })
    const sent = JSON.stringify(await resumed(id, 'Third prompt'))
    expect(sent).not.toMatch(/call_apple|echo apple|First thought/)
    expect(sent).toMatch(/Which words are there.*echo banana.*The answer is fruit.*The second answer.*Third prompt/)
    // Its answer was appended to what we wrote, in the same file.
    expect(home.rollouts().filter((name) => name.includes(id))).toEqual([path])
    expect(readFileSync(path, 'utf8')).toContain('Third prompt')
  })

  test('sends included items again in their old places, with everything said since', async () => {
    const { path, id } = await session()
    const before = await resumed(id, 'Third prompt')
    home.age(path)
    await pruned(path, { exclude: [await indexOf(path, 'call_apple')] })
    expect(JSON.stringify(await resumed(id, 'Fourth prompt'))).not.toContain('call_apple')
    home.age(path)
    await pruned(path, { include: ['1-99'] })
    const after = await resumed(id, 'Fifth prompt')
    expect(after.slice(0, before.length)).toEqual(before)
    expect(JSON.stringify(after)).toMatch(/Third prompt.*Fourth prompt.*Fifth prompt/)
  })

  test('continues a restored rollout as if nothing had happened', async () => {
    const { path, id } = await session()
    const bytes = readFileSync(path)
    await pruned(path, { delete: [await indexOf(path, 'call_banana'), await indexOf(path, 'Which words')] })
    await restore({ homes: [], target: path, targetPath: path, ...restoreNewest }, host)
    expect(readFileSync(path)).toEqual(bytes)
    expect(JSON.stringify(await resumed(id, 'Third prompt'))).toMatch(
      /Which words.*call_apple.*call_banana.*Third prompt/,
    )
  })

  test('forgets an excluded item in the history of a compaction', async ({ skip }) => {
    const before = new Set(home.rollouts())
    model.say([message('The first answer.')])
    await home.exec('A prompt to be forgotten')
    const path = home.rollouts().find((name) => !before.has(name)) ?? ''
    const id = threadOf(path)
    home.configure(['model_auto_compact_token_limit = 1000'])
    // Late versions compact before the turn; early ones after its first request, and again until a request takes
    // less.
    model.cost(1240, 50)
    model.say([message('A summary of it all.')], [message('The second answer.')], [message('Another summary.')])
    await home.exec('A prompt to be kept', id)
    home.configure()
    model.cost()
    const compaction = readFileSync(path, 'utf8').match(/"type":"compacted".*/)?.[0] ?? ''
    expect(compaction).not.toBe('')
    skip(!compaction.includes('replacement_history'), 'this Codex writes compactions without a history of their own')
    expect(compaction).toContain('A summary of it all.')
    expect(compaction).toContain('A prompt to be forgotten')
    home.age(path)
    model.heard()
    const { plan } = await pruned(path, { exclude: [await indexOf(path, 'A prompt to be forgotten')] })
    expect(plan.items.find(({ state }) => state === 'exclude')?.item.sources[0]?.replacement).toBeDefined()
    const sent = JSON.stringify(await resumed(id, 'Third prompt'))
    expect(sent).not.toContain('A prompt to be forgotten')
    expect(sent).toMatch(/summary.*Third prompt/)
    home.age(path)
    await pruned(path, { include: ['1-99'] })
    expect(JSON.stringify(await resumed(id, 'Fourth prompt'))).toMatch(
      /A prompt to be forgotten.*Third prompt.*Fourth prompt/,
    )
  })

  test('lists turns added since a prune, and reverts to a turn before it', async ({ skip }) => {
    const { path, id } = await session()
    skip(!readFileSync(path, 'utf8').includes('"history_mode":"paginated"'), 'this Codex lists no turns by their bytes')
    await pruned(path, { exclude: [await indexOf(path, 'call_apple')], replace: [await indexOf(path, 'banana')] })
    const app = await home.open(id)
    try {
      model.say([message('The third answer.')])
      await app.say('Third prompt')
      const turns = await turnsOf(app)
      const prompts = turns.map(({ items }) => JSON.stringify(items[0]))
      expect(prompts.map((words) => /Which words|And then|Third prompt/.exec(words)?.[0])).toEqual([
        'Which words',
        'And then',
        'Third prompt',
      ])
      await app.call('thread/revert', { beforeTurnId: turns[1]?.id })
      model.heard()
      model.say([message('Another answer.')])
      await app.say('Fourth prompt')
      const sent = JSON.stringify(model.heard()[0])
      expect(sent).toMatch(/Which words are there.*The answer is fruit.*Fourth prompt/)
      expect(sent).not.toMatch(/call_apple|And then|The second answer|Third prompt/)
    } finally {
      await app.close()
    }
  })

  /** The turns that a Codex lists for its thread, oldest first. */
  async function turnsOf(app: OpenCodex): Promise<{ id: string; items: unknown[] }[]> {
    const order = { limit: 100, sortDirection: 'asc', itemsView: 'full' }
    const { data } = (await app.call('thread/turns/list', order)) as { data: { id: string; items: unknown[] }[] }
    return data
  }

  test('sends the same memory as we report', async () => {
    const { path, id } = await session()
    await pruned(path, { exclude: [await indexOf(path, 'call_apple')] })
    const threads = await threadsAt(home.path)
    const thread = threads.find((candidate) => candidate.id === id)
    if (thread === undefined) throw new Error('the session is in its home')
    const options = { spoolDir: () => folder, signal: host.signal }
    const { items } = await readHistory(thread, threadIndex(threads), options)
    const input = await resumed(id, 'Third prompt')
    const words = (item: ModelItem) =>
      JSON.stringify([item['type'], item['role'], item['call_id'], item['content'], item['output']])
    const said = items.map(({ item }) => words(item))
    // Codex puts its instructions before the memory, and the prompt after it.
    const start = input.findIndex((item) => words(item) === said[0])
    expect(input.slice(start, start + said.length).map(words)).toEqual(said)
  })

  test('continues a pruned copy as a separate thread, and the session is unchanged', async () => {
    const { path, id } = await session()
    const bytes = readFileSync(path)
    const exclude = [await indexOf(path, 'call_apple'), await indexOf(path, 'Which words')]
    const { written } = await pruned(path, { exclude, newThread: true, inPlace: false })
    const copy = written !== undefined && 'threadId' in written ? written : undefined
    if (copy === undefined) throw new Error('a thread was written')
    expect(readFileSync(path)).toEqual(bytes)
    const sent = JSON.stringify(await resumed(copy.threadId, 'Third prompt of the copy'))
    expect(sent).not.toMatch(/call_apple|Which words/)
    expect(sent).toMatch(/echo banana.*The answer is fruit.*The second answer.*Third prompt of the copy/)
    expect(readFileSync(copy.output, 'utf8')).toContain('Third prompt of the copy')
    expect(readFileSync(path)).toEqual(bytes)
    const whole = JSON.stringify(await resumed(id, 'Third prompt of the session'))
    expect(whole).toMatch(/Which words.*call_apple.*Third prompt of the session/)
    expect(whole).not.toContain('of the copy')
    // It continues a second time too, now known to the indexes of late versions.
    expect(JSON.stringify(await resumed(copy.threadId, 'Fourth prompt of the copy'))).toMatch(
      /Third prompt of the copy.*Fourth prompt of the copy/,
    )
  })

  test('sends a text in place of an output, in the session and in a new thread', async () => {
    const { path, id } = await session()
    const output = async (): Promise<string> => {
      const { plan } = await pruned(path, { inPlace: false })
      const call = plan.items.find(({ item }) => item.item['call_id'] === 'call_apple')
      return String(call?.item.pair)
    }
    const replace = { replace: [await output()], replacement: '[taken out]' }
    const { written } = await pruned(path, { ...replace, newThread: true, inPlace: false })
    if (written === undefined || !('threadId' in written)) throw new Error('a thread was written')
    await pruned(path, replace)
    for (const thread of [id, written.threadId]) {
      const sent = await resumed(thread, 'Third prompt')
      const pair = sent.filter((item) => item['call_id'] === 'call_apple')
      expect(pair.map((item) => item['type'])).toEqual(['function_call', 'function_call_output'])
      expect(JSON.stringify(pair[1]?.['output'])).toContain('[taken out]')
      expect(JSON.stringify(sent)).toMatch(/echo banana.*The second answer.*Third prompt/)
    }
    home.age(path)
    await pruned(path, { include: ['1-99'] })
    const sent = JSON.stringify(await resumed(id, 'Fourth prompt'))
    expect(sent).not.toContain('[taken out]')
    expect(sent).toMatch(/call_apple.*Third prompt.*Fourth prompt/)
  })
})
