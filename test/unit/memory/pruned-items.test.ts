import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { prunedItems } from '../../../src/features/memory/page/session-memory.ts'
import { rootFingerprints } from '../../../src/rollout/discover/thread-names-fs.ts'
import { walk } from '../../../src/rollout/discover/walk-fs.ts'
import { lostBuffers } from '../../helpers/buffers.ts'
import { buildHome } from '../../helpers/golden-homes.ts'
import { appendTo, jsonLines, type PruneHome, pruneHome, twoTurns } from '../../helpers/prune.ts'
import * as records from '../../helpers/records.ts'
import { useTempDir } from '../../helpers/temp.ts'

async function pruned({ home }: PruneHome): Promise<{ count: number; texts: string[] }> {
  const [file] = walk({ path: home, kind: 'home', label: '' }).files
  if (file === undefined) throw new Error('the home has a rollout')
  const { count, items } = await prunedItems(file, () => home)
  return { count, texts: items.map(({ category, text, sources }) => `${category} l${sources[0]?.line} ${text}`) }
}

test('what a rollout lacks of its backup is listed with the line before which it was', async () => {
  const session = pruneHome(useTempDir())
  expect(await pruned(session)).toEqual({ count: 0, texts: [] })
  await session.prune({ exclude: ['2'], delete: ['9'], inPlace: true })
  const both = { count: 2, texts: ['reasoning l7 Look for the oil first.', 'assistantMessage l16 Every morning.'] }
  expect(await pruned(session)).toEqual(both)
  appendTo(session.path, records.envelopes([records.userItem('More'), records.answerItem('Every morning.')], true))
  expect(await pruned(session)).toEqual(both)
  await session.prune({ exclude: ['8'], inPlace: true })
  expect((await pruned(session)).count).toBe(3)
  await session.restore({ force: true })
  expect((await pruned(session)).count).toBe(0)
})

test('a comparison with a backup leaves no buffer lent', async () => {
  const session = pruneHome(useTempDir())
  await session.prune({ exclude: ['2'], inPlace: true })
  expect(await lostBuffers(() => pruned(session))).toBe(0)
  writeFileSync(session.path, readFileSync(session.path, 'utf8').replace('can', 'cup'))
  expect(await lostBuffers(() => pruned(session))).toBe(0)
})

test('replaced outputs are listed until they are restored', async () => {
  const session = pruneHome(useTempDir())
  await session.prune({ replace: ['5'], replacement: '…', exclude: ['2'], inPlace: true })
  expect((await pruned(session)).texts).toEqual([
    'reasoning l7 Look for the oil first.',
    'toolOutput l10 Use the red can.',
  ])
  await session.restore()
  expect((await pruned(session)).count).toBe(0)
})

test('an output that was replaced by a longer text is listed, too', async () => {
  const legacy = twoTurns().map((record) => {
    const payload = { ...(record['payload'] as records.Json) }
    delete payload['history_mode']
    if (payload['type'] === 'function_call_output') payload['output'] = 'ok'
    return { ...record, payload }
  })
  const session = pruneHome(useTempDir(), jsonLines(records.envelopes(legacy)))
  await session.prune({ replace: ['4'], exclude: ['2'], inPlace: true })
  const both = ['reasoning l6 Look for the oil first.', 'toolOutput l7 ok']
  expect((await pruned(session)).texts).toEqual(both)
  await session.restore()
  expect((await pruned(session)).count).toBe(0)
  await session.prune({ replace: ['4'], inPlace: true })
  await session.restore()
  expect((await pruned(session)).count).toBe(0)
})

test('items that were cut out of a compaction are listed', async () => {
  const history = ['One', 'Two', 'Three'].map((text) => records.userItem(text)['payload'])
  const compacted = { type: 'compacted', payload: { message: 'Sum', replacement_history: history } }
  const session = pruneHome(useTempDir(), jsonLines(records.envelopes([...twoTurns(), compacted], true)))
  await session.prune({ exclude: ['1', '3'], inPlace: true })
  expect((await pruned(session)).texts).toEqual(['userMessage l17 One', 'userMessage l17 Three'])
})

test('a short session of one turn also says what was pruned', async () => {
  const folder = useTempDir()
  const lines = jsonLines(records.envelopes(twoTurns().slice(0, 12), true))
  const session = pruneHome(folder, lines)
  const whole = await buildHome(session.home, folder)
  expect(whole.sessions[0]?.html).not.toContain('context.html')
  await session.prune({ exclude: ['2'], inPlace: true })
  const { sessions } = await buildHome(session.home, folder)
  expect(sessions[0]?.html).toContain('<a href="context.html#pruned"><span>1 item pruned</span></a>')
  const page = readFileSync(join(folder, 'site/sessions', session.id, 'context.html'), 'utf8')
  expect(page.slice(page.indexOf('id="pruned"'))).toContain('Look for the oil first.')
})

test('a copy that another program left next to the rollout is no backup', async () => {
  const session = pruneHome(useTempDir())
  const lines = readFileSync(session.path, 'utf8').split('\n')
  writeFileSync(`${session.path}.bak`, lines.toSpliced(3, 0, jsonLines([records.started('other')]).trim()).join('\n'))
  expect((await pruned(session)).count).toBe(0)
  writeFileSync(`${session.path}.bak`, 'something else')
  expect((await pruned(session)).count).toBe(0)
})

test('a new, changed or removed backup makes a build look again', async () => {
  const session = pruneHome(useTempDir())
  const marks = () => rootFingerprints([{ path: session.home, kind: 'home', label: '' }])
  const bak = `${session.path}.bak`
  const without = marks()
  writeFileSync(bak, 'a copy')
  const added = marks()
  expect(added).not.toEqual(without)
  expect(marks()).toEqual(added)
  writeFileSync(bak, 'another copy')
  const changed = marks()
  expect([without, added]).not.toContainEqual(changed)
  rmSync(bak)
  expect(marks()).toEqual(without)
})

test('the pages of a session say how many items were pruned, and show them with the memory', async () => {
  const folder = useTempDir()
  const session = pruneHome(folder)
  await session.prune({ exclude: ['2'], delete: ['9'], inPlace: true })
  const { sessions, diagnostics } = await buildHome(session.home, folder)
  expect(diagnostics).toEqual([])
  expect(sessions).toHaveLength(1)
  expect(sessions[0]?.html).toContain('<a href="context.html#pruned"><span>2 items pruned</span></a>')
  const page = readFileSync(join(folder, 'site/sessions', session.id, 'context.html'), 'utf8')
  const part = page.slice(page.indexOf('id="pruned"'))
  expect(part).toContain('2 items pruned')
  expect(part).toMatch(/Look for the oil first\.[\s\S]*Every morning\./)

  await session.restore()
  const again = await buildHome(session.home, folder)
  expect(again.sessions[0]?.html).not.toContain('pruned')
})
