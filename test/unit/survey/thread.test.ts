/** Threads from file to tree: scan, pages, segments, containers. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../src/diagnostics/errors.ts'
import { requiredFacts, scanThread } from '../../../src/survey/scan.ts'
import { openThread, readInSteps } from '../../../src/survey/thread-lines.ts'
import { transcribe, transcribeThread } from '../../../src/transcript.ts'
import { lostBuffers } from '../../helpers/buffers.ts'
import * as r from '../../helpers/records.ts'
import { threadId } from '../../helpers/rollout.ts'
import { all, dialogue, linesOf, only, receiptSum } from '../../helpers/slice.ts'
import { useTempDir } from '../../helpers/temp.ts'
import { eachLine, pagesOf, threadsAt, transcribePages } from '../../helpers/thread.ts'
import { zstdFrame } from '../../helpers/zstd.ts'

const own = threadId(1)
const other = threadId(2)
const stamp = '2026-03-14T09-00-00'

const said = (text: string): r.Json[] => [r.userItem(text), r.userEvent(text)]
const replied = (text: string): r.Json[] => [r.answerEvent(text), r.answerItem(text)]
const spoken = (role: string, words: string): r.Json => ({
  type: 'realtime_item',
  payload: { id: 'x', type: 'frame', channels: { voice_transcript: { role, text: words } } },
})
const text = (records: readonly r.Json[], ordinals = false): string =>
  r
    .envelopes(records, ordinals)
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('')

/** Writes a rollout of a thread into a folder and returns its path. */
function rollout(folder: string, records: readonly r.Json[], name = own): string {
  const path = join(folder, `rollout-${stamp}-${name}.jsonl`)
  writeFileSync(path, text(records))
  return path
}

describe('a scan', () => {
  it.each<[name: string, records: r.Json[], turns: number]>([
    ['what is said by voice', [spoken('user', 'Hello'), spoken('assistant', 'I hear you.')], 2],
    ['what a client adds between turns', [r.userItem('Added')], 1],
    ['prompts that a build without starts of turns writes', [...said('On'), ...replied('Done')], 2],
    ['a start that is written again', [r.started('t-2'), r.started('t-2'), ...said('On'), r.complete('t-2')], 2],
    ['a prompt whose event is written again', [...said('On'), r.userEvent('On')], 3],
  ])('counts turns like the tree: %s', async (_, records, turns) => {
    const first = [r.started('t-1'), ...said('Go'), ...replied('Gone'), r.complete('t-1')]
    const { facts, session } = await transcribePages(rollout(useTempDir(), [r.meta({ id: own }), ...first, ...records]))
    expect([facts.turns, session.stats.turns]).toEqual([turns, turns])
  })

  it('cuts pages before a call that has an output, also after a search of the web, which has none', async () => {
    const action = { type: 'search', query: 'engines' }
    const searched = [
      r.event('web_search_end', { call_id: 'ws_1', query: 'engines', action }),
      r.item({ type: 'web_search_call', status: 'completed', action }),
    ]
    const commands = ['c1', 'c2', 'c3', 'c4', 'c5'].flatMap((id) => r.command(id, `echo ${id}`))
    const lines = [r.meta({ id: own }), r.started('t-1'), ...said('Go'), ...searched, ...commands, ...searched]
    const sizes = { weight: 1e9, items: 4, bytes: 1e9, lines: 1e9 }
    const { facts, slices } = await transcribePages(rollout(useTempDir(), lines), sizes)
    const begins = facts.pages.slice(1).map(({ ranges }) => lines[(ranges[0]?.firstLine ?? 0) - 1]?.['payload'])
    expect(begins).toMatchObject(['c2', 'c4'].map((id) => ({ type: 'function_call', call_id: id })))
    expect(slices.flatMap((slice) => all(slice, 'search'))).toHaveLength(2)
  })

  it('keeps what a running command goes on to print on its page, also after another command', async () => {
    const ran = (id: string, text: string): r.Json => r.output(id, `Wall time: 1.0 seconds\nProcess ${text}\nOutput:\n`)
    const exec = (id: string): r.Json => r.call(id, 'exec_command', { cmd: `run ${id}` })
    const build = [
      ...[exec('c1'), ran('c1', 'running with session ID 7'), exec('c2'), ran('c2', 'exited with code 0')],
      ...[r.call('c3', 'write_stdin', { session_id: 7 }), ran('c3', 'exited with code 3')],
      ...[exec('c4'), ran('c4', 'exited with code 0')],
    ]
    const lines = [r.meta({ id: own }), r.started('t-1'), ...said('Go'), ...build]
    const { slices } = await transcribePages(rollout(useTempDir(), lines), {
      weight: 1e9,
      items: 1e9,
      bytes: 1e9,
      lines: 5,
    })
    expect(slices.map((slice) => all(slice, 'command').map(({ script, exitCode }) => [script, exitCode]))).toEqual([
      [['run c1', 3]],
      [
        ['run c2', 0],
        ['run c4', 0],
      ],
    ])
  })

  it('does not collect without limit on one page what a command goes on to print', async () => {
    const printed = 'x'.repeat(300_000)
    const polls = Array.from('abcdefghijkl').flatMap((id) => [
      r.call(id, 'write_stdin', { session_id: 7 }),
      r.output(id, `Wall time: 1.0 seconds\nProcess running with session ID 7\nOutput:\n${id}${printed}`),
      ...r.command(`${id}-next`, `echo ${id}`),
    ])
    const begin = [
      r.call('c1', 'exec_command', { cmd: 'serve' }),
      r.output('c1', 'Wall time: 1.0 seconds\nProcess running with session ID 7\nOutput:\n'),
    ]
    const lines = [r.meta({ id: own }), r.started('t-1'), ...said('Go'), ...begin, ...polls]
    const { slices } = await transcribePages(rollout(useTempDir(), lines), {
      weight: 1e9,
      items: 1e9,
      bytes: 1e9,
      lines: 5,
    })
    const lengths = slices.map((slice) => all(slice, 'output').reduce((sum, { value }) => sum + value.length, 0))
    expect(lengths.filter((length) => length > 300_000).length).toBeGreaterThan(1)
    expect(Math.max(...lengths)).toBeLessThan(1_600_000)
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeGreaterThan(12 * 300_000)
  })

  it('gives a prompt the place that it has on the page if the build records no starts of turns', async () => {
    const first = [r.started('t-1'), ...said('Go'), ...replied('Gone'), r.complete('t-1')]
    const lines = [r.meta({ id: own }), ...first, ...said('On'), ...replied('Done'), r.complete('t-1'), ...said('On')]
    const { facts, slices } = await transcribePages(rollout(useTempDir(), lines))
    const prompts = slices.flatMap((slice) => all(slice, 'message')).filter(({ role }) => role === 'user')
    expect(facts.outline.map(({ anchor, turn }) => [anchor, turn])).toEqual(prompts.map(({ id }, at) => [id, at + 1]))
    expect(prompts.map(({ id }) => id)).toEqual(['l3', 'l8', 'l13'])
  })

  const context = [
    r.developerItem('Be brief'),
    r.userItem('<environment_context>x</environment_context>'),
    r.userItem('# AGENTS.md instructions for /srv\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>'),
  ]
  const shown = (words: string, id: string): r.Json =>
    r.completed('UserMessage', { id: `item-${words}`, content: [{ type: 'text', text: words }] }, id)
  const answered = (words: string, id: string): r.Json[] => [
    r.answerItem(words),
    r.completed('AgentMessage', { id: `item-${words}`, content: [{ type: 'Text', text: words }] }, id),
  ]
  const noWords = { last_agent_message: null }
  it.each<[name: string, records: r.Json[]]>([
    [
      'after the end of a turn',
      [r.started('t-1'), ...said('a'), ...replied('b'), r.complete('t-1')].concat(
        [...context, r.started('t-2'), ...said('c'), ...replied('d'), r.complete('t-2')],
        [...context, r.event('token_count', { info: null }), r.started('t-3'), ...said('e'), r.complete('t-3')],
      ),
    ],
    [
      'after a turn without an end',
      [...said('a'), ...replied('b'), ...context, ...said('c'), ...replied('d'), ...context, ...said('e')],
    ],
    [
      'after a turn that was aborted',
      [
        ...said('a'),
        ...replied('b'),
        r.aborted(),
        ...context,
        ...said('c'),
        ...replied('d'),
        r.aborted(),
        ...context,
      ].concat(said('e')),
    ],
    [
      'before the end of a turn that a migration wrote after the next prompt',
      [r.userItem('a'), r.started('rollout-1'), shown('a', 'rollout-1'), ...answered('b', 'rollout-1')].concat(
        [...context, r.userItem('c'), r.complete('rollout-1', noWords), r.started('rollout-6')],
        [shown('c', 'rollout-6'), ...answered('d', 'rollout-6'), ...context, r.userItem('e')],
        [r.complete('rollout-6', noWords), r.started('rollout-11'), shown('e', 'rollout-11')],
      ),
    ],
  ])('leaves context to the turn that it was written for, on the page of that turn: %s', async (_, records) => {
    const path = rollout(useTempDir(), [r.meta({ id: own }), ...records])
    const turnsOf = async (limit: number): Promise<[page: number, turn: string, messages: number][]> => {
      const sizes = { weight: 1e9, items: 1e9, bytes: 1e9, lines: limit }
      const { slices } = await transcribePages(path, sizes)
      return slices.flatMap(({ children }, page) =>
        children.flatMap((child): [number, string, number][] => {
          const name = child.type === 'turn' ? `turn ${child.number}` : child.type
          return [[page + 1, name, all(child, 'message').length]]
        }),
      )
    }
    const turns = [2, 5, 4].map((messages, index): [string, number] => [`turn ${index + 1}`, messages])
    expect(await turnsOf(1e9)).toEqual(turns.map((turn) => [1, ...turn]))
    expect(await turnsOf(10)).toEqual(turns.map((turn, index) => [index + 1, ...turn]))
  })

  it('ends a turn on its own page even if a migration wrote the end after the next prompt', async () => {
    const end = { last_agent_message: null, duration_ms: 5000 }
    const records = [r.userItem('a'), r.started('rollout-1'), shown('a', 'rollout-1'), ...answered('b', 'rollout-1')]
      .concat([...context, r.userItem('c'), r.complete('rollout-1', end), r.started('rollout-6')])
      .concat([shown('c', 'rollout-6'), ...answered('d', 'rollout-6'), ...context, r.userItem('e')])
      .concat([r.complete('rollout-6', end), r.started('rollout-11'), shown('e', 'rollout-11')])
    const path = rollout(useTempDir(), [r.meta({ id: own }), ...records])
    for (const lines of [1e9, 10]) {
      const { slices } = await transcribePages(path, { weight: 1e9, items: 1e9, bytes: 1e9, lines })
      const turns = slices.flatMap(({ children }) => children.filter((child) => child.type === 'turn'))
      expect(
        turns.map(({ number, status, durationMs, data }) => [number, status, durationMs, data?.continues]),
      ).toEqual([
        [1, 'completed', 5000, undefined],
        [2, 'completed', 5000, undefined],
        [3, 'unfinished', undefined, undefined],
      ])
      expect(slices).toHaveLength(lines === 10 ? 3 : 1)
      const { total, ...parts } = slices.at(-1)?.stats.lines ?? { total: 0 }
      const counts = Object.values(parts).filter((count) => typeof count === 'number')
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(total)
    }
  })

  describe('a turn that page borders cut', () => {
    const spent = (total: number): r.Json =>
      r.event('token_count', {
        info: {
          total_token_usage: { input_tokens: total, output_tokens: 0, total_tokens: total },
          last_token_usage: { input_tokens: 100, output_tokens: 0, total_tokens: 100 },
          model_context_window: 1000,
        },
      })
    const work = [...'abcdefghijkl'].flatMap((id, index) => [...r.command(id, 'ls'), spent(100 * (index + 1))])
    const partsOf = async (records: r.Json[]) => {
      const path = rollout(useTempDir(), [r.meta({ id: own }), ...records])
      const { slices } = await transcribePages(path, { weight: 1e9, items: 1e9, bytes: 1e9, lines: 9 })
      const parts = slices.flatMap(({ children }) => children.filter((child) => child.type === 'turn'))
      return parts.map(({ number, status, durationMs, usage, contextTokens, data = {} }) => {
        const seams = [data.continued ? 'continued' : '', data.continues ? 'continues' : '']
        return [number, status, durationMs, usage?.total, contextTokens, seams.join(' ').trim()]
      })
    }

    /** Three commands each. */
    const middle = Array.from({ length: 3 }, () => [1, 'completed', 6000, 300, 100, 'continued continues'])

    it('shows in its first part its whole duration, cost and end, and in later parts their own', async () => {
      const end = r.complete('t-1', { duration_ms: 90_000 })
      const records = [r.started('t-1'), ...said('Go'), ...work, ...replied('Gone'), spent(1300), end]
      expect(await partsOf(records)).toEqual([
        [1, 'completed', 90_000, 1300, 100, 'continues'],
        ...middle,
        [1, 'completed', 6000, 200, 100, 'continued'],
      ])
    })

    it('has all of its time and tokens even if no record begins or ends it', async () => {
      const records = [...said('Go'), ...work, ...replied('Gone'), spent(1300), ...said('On'), ...replied('Done')]
      expect(await partsOf(records)).toEqual([
        [1, 'completed', 39_000, 1300, 100, 'continues'],
        ...middle,
        [1, 'completed', 4000, 200, 100, 'continued'],
        [2, 'completed', 2000, undefined, undefined, ''],
      ])
    })
  })

  it.each<[name: string, first: r.Json[], status: string, notices: string[]]>([
    ['completed', [...said('Go'), ...replied('Gone')], 'completed', []],
    ['got no answer', said('Go'), 'completed', ['unanswered']],
    ['was not ended', [r.started('t-1'), ...said('Go')], 'unfinished', []],
  ])(
    'does not continue a turn beyond a page that ends with it if no record says so: it %s',
    async (_, first, status, notices) => {
      const rest = [r.started('t-2'), ...said('On'), ...replied('Done'), r.complete('t-2')]
      const records = [r.meta({ id: own }), ...first, ...r.command('a', 'ls'), ...r.command('b', 'ls'), ...rest]
      const path = rollout(useTempDir(), records)
      const { slices } = await transcribePages(path, { weight: 1e9, items: 1e9, bytes: 1e9, lines: 12 })
      expect(slices).toHaveLength(2)
      const [turn] = slices[0]?.children.filter((child) => child.type === 'turn') ?? []
      expect([turn?.status, turn?.data?.continues]).toEqual([status, undefined])
      expect(turn && all(turn, 'notice').map(({ kind }) => kind)).toEqual(notices)
    },
  )

  it.each([
    ['complete', r.complete],
    ['aborted', r.aborted],
  ])('does not end a turn by the late end of one before it, though a page ends between them: %s', async (_, end) => {
    const work = Array.from('abcdefgh').flatMap((id) => r.command(id, 'ls'))
    const rest = [...work, end('t-1'), ...r.command('x', 'ls')]
    const first = [r.started('t-1'), ...said('Go'), r.started('t-2'), ...said('On')]
    const later = [...replied('Done'), r.complete('t-2'), r.started('t-3'), ...said('More'), end('t-1')]
    const records = [r.meta({ id: own }), ...first, ...rest, ...later, ...replied('There'), r.complete('t-3')]
    const path = rollout(useTempDir(), records)
    const { slices, facts, session } = await transcribePages(path, { weight: 1e9, items: 1e9, bytes: 1e9, lines: 9 })
    expect(slices.length).toBeGreaterThan(1)
    const shown = slices.flatMap(({ children }) =>
      children.flatMap((child) => (child.type === 'turn' ? [`${child.number} ${child.status}`] : [])),
    )
    expect(shown[0]).toBe('1 unfinished')
    expect(new Set(shown.slice(1))).toEqual(new Set(['2 completed', '3 completed']))
    expect(slices.flatMap((slice) => all(slice, 'notice')).map(({ kind }) => kind)).toEqual([])
    expect([facts.turns, session.stats.turns]).toEqual([3, 3])
    expect(receiptSum(session.stats.lines)).toBe(records.length)
  })

  it('leaves a compaction on the page before, and the context after it on the page of its turn', async () => {
    const compacted = { type: 'compacted', payload: { message: 'So far.' } }
    const records = [...said('a'), ...replied('b'), compacted, ...context, ...said('c'), ...replied('d')]
    const path = rollout(useTempDir(), [r.meta({ id: own }), ...records])
    const { slices } = await transcribePages(path, { weight: 1e9, items: 1e9, bytes: 1e9, lines: 10 })
    const [first, second] = slices
    expect([first, second].map((page) => page && all(page, 'notice').map(({ kind }) => kind))).toEqual([
      ['compaction'],
      [],
    ])
    expect(second?.children.map((child) => child.type === 'turn' && [child.number, child.data?.continued])).toEqual([
      [2, undefined],
    ])
    expect(second && all(second, 'message')).toHaveLength(5)
  })

  it.each<[name: string, source: r.Json, requests: number | undefined]>([
    ['an approval review', { subagent: { other: 'guardian' } }, 2],
    ['an internal thread', { internal: 'memory_consolidation' }, 2],
    ['a summary', { subagent: 'compact' }, 2],
    ['a review', { subagent: 'review' }, undefined],
    ['a sub-agent', { subagent: { thread_spawn: { parent_thread_id: other } } }, undefined],
  ])('counts prompts of Codex itself as requests: %s', async (_, source, requests) => {
    const records = [r.meta({ id: own, source }), ...said('Go'), ...replied('Gone'), ...said('On'), ...replied('Done')]
    const { facts, slices } = await transcribePages(rollout(useTempDir(), records))
    const typed = { prompts: 2, firstPrompt: 'Go', lastPrompt: 'On' }
    expect(facts).toMatchObject(requests === undefined ? typed : { prompts: 0, requests })
    expect('firstPrompt' in facts || 'lastPrompt' in facts).toBe(requests === undefined)
    expect(facts.outline.map(({ text }) => text)).toEqual(['Go', 'On'])
    const [asked] = slices.flatMap((slice) => all(slice, 'message'))
    expect(asked).toMatchObject({ role: 'user', origin: requests === undefined ? 'typed' : 'codex' })
  })

  it('takes its title from what was reviewed if nothing but `/review` was typed', async () => {
    const ask =
      'Review the current code changes (staged, unstaged, and untracked files) and provide prioritized findings.'
    const records = [
      r.event('entered_review_mode', { target: { type: 'uncommittedChanges' }, user_facing_hint: 'current changes' }),
      r.started('t-1'),
      r.userEvent(ask),
      r.userEvent(ask),
      r.event('exited_review_mode', { review_output: null }),
    ]
    const { facts } = await transcribePages(rollout(useTempDir(), [r.meta({ id: own }), ...records]))
    expect(facts.title).toBe('Review of uncommitted changes')
  })

  it('takes its subtitle from the last answer that counts', async () => {
    const gate = [...said('Mend the gate'), ...replied('The gate swings without a sound now. More.')]
    const factsOf = async (...more: r.Json[]) =>
      (await transcribePages(rollout(useTempDir(), [r.meta({ id: own }), ...gate, ...more]))).facts
    const subtitleOf = async (...more: r.Json[]) => (await factsOf(...more)).subtitle
    expect(await factsOf()).toMatchObject({ subtitle: 'The gate swings without a sound now.', subtitleTurn: 1 })
    const fence = [...said('Paint the fence'), ...replied('The fence is green on both sides.')]
    expect(await factsOf(...fence)).toMatchObject({ subtitle: 'The fence is green on both sides.', subtitleTurn: 2 })
    expect(await subtitleOf(...fence, r.event('thread_rolled_back', { num_turns: 1 }))).toMatch(/^The gate/)
    expect(await subtitleOf(...said('Paint'), ...replied('{"colour": "green on both sides"}'))).toMatch(/^The gate/)
    const looking = r.answerItem('I will look at the fence first.', { phase: 'commentary' })
    expect(await subtitleOf(...said('Paint'), looking)).toMatch(/^The gate/)
    expect(
      await subtitleOf(...said('Say so'), ...replied('Mend the gate'), ...replied('Mend the gate, mend it')),
    ).toBeUndefined()
  })

  it('finds title, prompts, turns and times', async () => {
    const path = rollout(useTempDir(), [
      r.meta({ id: own, timestamp: r.instant(0), cwd: '/p', git: { branch: 'main' }, cli_version: '0.99.0' }),
      r.userItem('<environment_context>x</environment_context>'),
      ...said('\n  Mend the gate\nplease'),
      ...replied('Done'),
      ...said('Thanks'),
    ])
    const { facts } = await transcribePages(path)
    expect(facts).toMatchObject({
      threadId: own,
      title: 'Mend the gate\nplease',
      titleFrom: 'prompt',
      startedAt: r.instant(0),
      endedAt: r.instant(7),
      cwds: ['/p'],
      branch: 'main',
      version: '0.99.0',
      turns: 2,
      prompts: 2,
      firstPrompt: 'Mend the gate\nplease',
      lastPrompt: 'Thanks',
      lines: 8,
      rolledBack: [],
    })
    expect(facts.outline.map(({ anchor, page, turn, text: words }) => [anchor, page, turn, words])).toEqual([
      ['l3', 1, 1, 'Mend the gate\nplease'],
      ['l7', 1, 2, 'Thanks'],
    ])
  })

  it('takes the name from an event, and no garbled time', async () => {
    const path = join(useTempDir(), `rollout-${stamp}-${own}.jsonl`)
    const lines = text([
      r.meta({ id: own }),
      ...said('Hi'),
      r.event('thread_name_updated', { thread_name: 'The gate' }),
    ])
    writeFileSync(
      path,
      `${lines}{"timestamp":"zzzz-zz-zzTzz:zz","type":"event_msg","payload":{"type":"token_count"}}\n`,
    )
    const { facts } = await transcribePages(path)
    expect(facts).toMatchObject({ title: 'The gate', titleFrom: 'event', endedAt: r.instant(3) })
  })

  it('falls back to the day of the file', async () => {
    const { facts } = await transcribePages(rollout(useTempDir(), [r.meta({ id: own })]))
    expect(facts).toMatchObject({ title: `No prompt · ${stamp.slice(0, 10)}`, titleFrom: 'file', turns: 0, prompts: 0 })
  })

  it('calls a prompt of pictures `Image`', async () => {
    const picture = r.item({ type: 'message', role: 'user', content: [{ type: 'input_image', image_url: r.pixelUrl }] })
    const { facts } = await transcribePages(rollout(useTempDir(), [r.meta({ id: own }), picture, ...said('And now?')]))
    expect(facts.outline.map((entry) => entry.text)).toEqual(['Image', 'And now?'])
    expect(facts.title).toBe('And now?')
  })

  it('counts the turns that rollbacks removed among the remaining ones', async () => {
    const back = (turns: number): r.Json => r.event('thread_rolled_back', { num_turns: turns })
    const path = rollout(useTempDir(), [
      r.meta({ id: own }),
      ...said('a'),
      ...said('b'),
      back(1),
      ...said('c'),
      back(0),
      back(2),
      ...said('d'),
      back(9),
      ...said('e'),
    ])
    const { facts, slices } = await transcribePages(path)
    expect(facts.rolledBack).toEqual([1, 2, 3, 4])
    const [tree] = slices
    expect(tree && all(tree, 'group').flatMap(dialogue)).toEqual(['U a', 'U b', 'U c', 'U d'])
  })

  it('reports a missing file', async () => {
    const [thread] = await threadsAt(rollout(useTempDir(), [r.meta({ id: own })]))
    if (thread === undefined) throw new Error('no thread')
    const moved = {
      ...thread,
      segments: thread.segments.map((part) => ({ ...part, file: { ...part.file, path: `${part.file.path}x` } })),
    }
    const scan = await scanThread(moved, { spoolDir: useTempDir })
    expect(scan.facts).toBeUndefined()
    expect(scan.diagnostics).toMatchObject([{ level: 'fatal' }])
    await expect(transcribeThread(moved, { spoolDir: useTempDir })).rejects.toThrow(UsageError)
  })

  it('does not call a fault of the program one of the file', async () => {
    const [thread] = await threadsAt(rollout(useTempDir(), [r.meta({ id: own }), ...said('Hi')]))
    if (thread === undefined) throw new Error('no thread')
    const pageSizes = {
      ...{ items: 9, bytes: 9, lines: 9 },
      get weight(): number {
        throw new TypeError('weight is not a function')
      },
    }
    const scan = await scanThread(thread, { spoolDir: useTempDir, pageSizes })
    expect(scan).toMatchObject({ diagnostics: [{ ruleId: 'page-failed', file: expect.stringContaining(own) }] })
    expect(scan.diagnostics[0]?.message).toContain('weight is not a function')
    expect(() => requiredFacts(thread, scan)).toThrow(Error)
    expect(() => requiredFacts(thread, scan)).not.toThrow(UsageError)
  })

  it('stops with the signal', async () => {
    const [thread] = await threadsAt(rollout(useTempDir(), [r.meta({ id: own })]))
    if (thread === undefined) throw new Error('no thread')
    const reason = new Error('stopped')
    await expect(scanThread(thread, { spoolDir: useTempDir, signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })
})

describe('copied history', () => {
  const parent = [r.meta({ id: other }), ...said('a'), ...replied('b')]

  it('ends at the first turn that is not older than the thread', async () => {
    const late = '0198c0df-0000-7000-8000-00000000000a'
    const early = '0198c0d0-0000-7000-8000-00000000000b'
    const path = rollout(
      useTempDir(),
      [
        r.meta({ id: own, forked_from_id: other }),
        r.meta({ id: other }),
        r.started(early),
        ...said('a'),
        r.complete(early),
        r.started(late),
        ...said('c'),
        r.complete(late),
      ].map((record) => record),
    )
    const { facts, slices } = await transcribePages(path)
    expect(facts.inherited).toMatchObject({ from: 2, threadId: other })
    expect(facts).toMatchObject({ turns: 1, firstPrompt: 'c' })
    const [tree] = slices
    expect(tree && dialogue(only(tree, 'group'))).toEqual(['U a'])
  })

  it('ends at a pause if nothing else shows its end', async () => {
    const path = join(useTempDir(), `rollout-${stamp}-${own}.jsonl`)
    const copied = [r.meta({ id: own, forked_from_id: other }), ...parent].map((record) => ({
      timestamp: r.instant(0),
      ...record,
    }))
    const rest = [...said('c'), ...replied('d')].map((record) => ({ timestamp: r.instant(60), ...record }))
    writeFileSync(path, [...copied, ...rest].map((record) => `${JSON.stringify(record)}\n`).join(''))
    const { facts, slices, session } = await transcribePages(path)
    expect(facts.inherited).toMatchObject({ from: 2, to: 7, guessed: true, threadId: other })
    expect(facts).toMatchObject({ turns: 1, prompts: 1, title: 'c' })
    const [tree] = slices
    expect(tree && dialogue(only(tree, 'group'))).toEqual(['U a', 'A b'])
    expect(session.stats).toMatchObject({ turns: 1, messages: 2 })
  })

  it("keeps its own rolled-back turns, and the fork's own turns keep their numbers", async () => {
    const path = join(useTempDir(), `rollout-${stamp}-${own}.jsonl`)
    const copied = [
      r.meta({ id: own, forked_from_id: other }),
      ...parent,
      ...said('gone'),
      r.event('thread_rolled_back', { num_turns: 1 }),
    ]
    const lines = [
      ...copied.map((record) => ({ timestamp: r.instant(0), ...record })),
      ...[...said('c'), ...said('d')].map((record) => ({ timestamp: r.instant(60), ...record })),
    ]
    writeFileSync(path, lines.map((record) => `${JSON.stringify(record)}\n`).join(''))
    const { facts, slices } = await transcribePages(path)
    expect(facts.rolledBack).toEqual([])
    expect(facts.inherited?.rolledBack).toEqual([2])
    const [tree] = slices
    expect(tree && all(tree, 'group').map(({ kind, children }) => [kind, children.length])).toEqual([
      ['inherited', 2],
      ['rolledBack', 1],
    ])
    expect(tree?.children.filter(({ type }) => type === 'turn').flatMap(dialogue)).toEqual(['U c', 'U d'])
  })

  const early = ['a', 'b', 'c'].map((end) => `0198c0d0-0000-7000-8000-00000000000${end}`)
  const late = '0198c0df-0000-7000-8000-00000000000d'
  const work = (name: string): r.Json[] => [
    r.reasoningEvent(`About ${name}`),
    r.reasoningItem([`About ${name}`]),
    ...['1', '2', '3', '4'].flatMap((number) => r.command(`${name}-${number}`, `echo ${number}`)),
  ]
  const settings = (turnId: string | undefined, cwd: string): r.Json =>
    r.turnContext({ turn_id: turnId, cwd, model: 'm' })
  it.each<[name: string, copied: r.Json[]]>([
    [
      'of which none ended',
      [...early.flatMap((id) => [r.started(id), settings(id, `/work/${id}`), ...said(id), ...work(id)])],
    ],
    [
      'that ended in different ways',
      early.flatMap((id, index) => [
        ...[r.started(id), settings(id, `/work/${id}`), ...said(id), ...work(id)],
        index === 1 ? r.aborted(id) : r.complete(id),
      ]),
    ],
    [
      'whose starts are not recorded',
      ['x', 'y'].flatMap((name) => [settings(undefined, '/work'), ...said(name), ...work(name)]),
    ],
    ['the last of which ends late', [r.started(early[0] ?? ''), ...said('a'), ...work('a'), r.answerItem('done')]],
  ])('is the same on small pages as on one: turns %s', async (_, copied) => {
    const fork = [r.meta({ id: own, forked_from_id: other }), r.meta({ id: other }), ...copied]
    const next = [r.started(late), ...said('Go on'), ...work('own'), r.complete(early[0] ?? ''), r.complete(late)]
    const path = rollout(useTempDir(), [...fork, ...next])
    const shown = async (items: number) => {
      const { slices } = await transcribePages(path, { weight: 1e9, items, bytes: 1e9, lines: 1e9 })
      const turns = slices.flatMap((slice) =>
        slice.children.flatMap((child) => {
          const isCopy = child.type === 'group' && child.kind === 'inherited'
          return (isCopy ? child.children : [child]).map((turn) => ({ isCopy, turn }))
        }),
      )
      const parts = turns.map(({ isCopy, turn }) => {
        if (turn.type !== 'turn') return [isCopy, turn.type]
        const { number, status, cwd, model, children } = turn
        return [isCopy, number, status, cwd, model, ...children.map(({ type, id }) => `${type} ${id}`)]
      })
      // The parts of a turn that continues are one.
      const joined = new Map<string, unknown[]>()
      for (const [isCopy, number, status, cwd, model, ...items] of parts) {
        const key = JSON.stringify([isCopy, number, status, cwd, model])
        joined.set(key, [...(joined.get(key) ?? []), ...items])
      }
      return { pages: slices.length, turns: [...joined] }
    }
    const [one, many] = [await shown(1e9), await shown(3)]
    expect(one.pages).toBe(1)
    expect(many.pages).toBeGreaterThan(3)
    expect(many.turns).toEqual(one.turns)
  })

  it('is absent if the file contains no head of another thread', async () => {
    const records = [r.meta({ id: own, forked_from_id: other, subagent_history_start_ordinal: 99 }), ...said('a')]
    const { facts } = await transcribePages(rollout(useTempDir(), records))
    expect(facts).toMatchObject({ turns: 1, prompts: 1 })
    expect(facts.inherited).toBeUndefined()
  })

  it('ends at the ordinal that the head names', async () => {
    const path = join(useTempDir(), `rollout-${stamp}-${own}.jsonl`)
    const records = [
      r.meta({
        id: own,
        forked_from_id: other,
        subagent_history_start_ordinal: 4,
        history_mode: 'paginated',
        source: { subagent: { thread_spawn: { parent_thread_id: other, depth: 1 } } },
      }),
      r.meta({ id: other }),
      ...said('a'),
      r.userItem('Own task'),
    ]
    writeFileSync(path, text(records, true))
    const { facts } = await transcribePages(path)
    expect(facts.inherited).toMatchObject({ from: 2, to: 5, guessed: false })
    expect(facts.outline.map((entry) => entry.text)).toEqual(['Own task'])
  })
})

describe('a thread in other containers', () => {
  const records = [r.meta({ id: own }), ...said('Hi'), ...replied('Hello')]

  it('is the same if it is compressed', async () => {
    const folder = useTempDir()
    const path = join(folder, `rollout-${stamp}-${own}.jsonl.zst`)
    writeFileSync(path, zstdFrame(Buffer.from(text(records))))
    const { session, diagnostics } = await transcribe(path)
    expect(dialogue(session)).toEqual(['U Hi', 'A Hello'])
    expect(diagnostics).toEqual([])
  })

  it('may be one document of the first builds', async () => {
    const path = join(useTempDir(), `rollout-2025-04-20-${own}.json`)
    const items = [
      { role: 'user', content: [{ type: 'input_text', text: 'Hi' }], type: 'message' },
      { type: 'function_call', name: 'shell', call_id: 'c', arguments: '{"command":["ls"]}' },
      {
        type: 'function_call_output',
        call_id: 'c',
        output: '{"output":"a","metadata":{"exit_code":0,"duration_seconds":0.1}}',
      },
      null,
    ]
    writeFileSync(
      path,
      JSON.stringify({ session: { timestamp: r.instant(0), id: own, instructions: '' }, items }, null, 2),
    )
    const { session } = await transcribe(path)
    expect(session).toMatchObject({ threadId: own, startedAt: r.instant(0) })
    expect(only(session, 'command')).toMatchObject({ id: 'l2', script: 'ls', exitCode: 0 })
    expect(linesOf(only(session, 'command'))).toEqual([2, 3])
    expect(session.stats.lines).toMatchObject({ total: 4 })
    expect(receiptSum(session.stats.lines)).toBe(4)
  })

  it('may be a document, in which an item that is nested too deeply counts as damaged', async () => {
    const path = join(useTempDir(), `rollout-2025-04-20-${own}.json`)
    const deep = `{"type":"x","a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    const item = '{"role":"user","content":[{"type":"input_text","text":"Hi"}],"type":"message"}'
    const head = `{"session":{"timestamp":"${r.instant(0)}","id":"${own}","instructions":""}`
    writeFileSync(path, `${head},"items":[${deep},${item}]}`)
    const { session, diagnostics } = await transcribe(path)
    expect(dialogue(session)).toEqual(['U Hi'])
    expect(session.stats.lines).toMatchObject({ total: 2, damaged: 1 })
    expect(diagnostics).toMatchObject([{ ruleId: 'deep-json', line: 1 }])
  })

  it('is read up to the byte where a later segment begins, and the rest is undone', async () => {
    const folder = join(useTempDir(), 'sessions')
    mkdirSync(folder)
    const kept = [r.meta({ id: own, history_mode: 'paginated' }), ...said('a'), ...replied('b')]
    const older = text([...kept, ...said('c')], true)
    const later = [
      r.meta({
        id: own,
        history_mode: 'paginated',
        history_base: {
          thread_id: own,
          end_ordinal_exclusive: kept.length,
          end_byte_offset: Buffer.byteLength(text(kept, true)),
        },
      }),
      ...said('d'),
    ]
    writeFileSync(join(folder, `rollout-${stamp}-${own}.jsonl`), older)
    writeFileSync(join(folder, `rollout-${stamp}-${own}_${other}.jsonl`), text(later, true))
    const [thread] = await threadsAt(join(folder, '..'))
    if (thread === undefined) throw new Error('no thread')
    const { facts, slices, session } = await pagesOf(thread, folder)
    const live = slices.flatMap(({ children }) => children.filter(({ type }) => type === 'turn')).flatMap(dialogue)
    expect(live).toEqual(['U a', 'A b', 'U d'])
    expect(session.lineage.segments).toEqual([own, other])
    expect(session.stats.lines.total).toBe(10)
    expect(receiptSum(session.stats.lines)).toBe(10)
    expect(facts.outline.at(-1)).toMatchObject({ anchor: '00000002-l2', text: 'd' })
    expect(slices.flatMap((slice) => all(slice, 'message')).at(-1)?.id).toBe('00000002-l2')
  })
})

describe('lines of a thread', () => {
  it('have positions that lead back to them', async () => {
    const path = rollout(useTempDir(), [r.meta({ id: own }), ...said('Hi')])
    const [thread] = await threadsAt(path)
    if (thread === undefined) throw new Error('no thread')
    const [reader] = await openThread(thread, useTempDir)
    if (reader === undefined) throw new Error('no reader')
    const lines: { line: number; start: number; end: number; text: string }[] = []
    eachLine(reader, ({ line, start, end, bytes }) => lines.push({ line, start, end, text: bytes?.toString() ?? '' }))
    const [, second] = lines
    if (second === undefined) throw new Error('no line')
    const again: typeof lines = []
    const range = { start: second.start, end: second.end, firstLine: second.line }
    eachLine(
      reader,
      ({ line, start, end, bytes }) => again.push({ line, start, end, text: bytes?.toString() ?? '' }),
      range,
    )
    reader.close()
    expect(again).toEqual([second])
    expect(lines.map(({ line }) => line)).toEqual([1, 2, 3])
  })

  it('leave no buffer lent if the reader throws or is stopped', async () => {
    const lines = Array.from({ length: 1500 }, () => r.userItem('Hi'))
    const [thread] = await threadsAt(rollout(useTempDir(), [r.meta({ id: own }), ...lines]))
    if (thread === undefined) throw new Error('no thread')
    const [reader] = await openThread(thread, useTempDir)
    if (reader === undefined) throw new Error('no reader')
    const stop = new Error('stop')
    const throwing = () => {
      throw stop
    }
    const aborter = new AbortController()
    const lost = await lostBuffers(async () => {
      await expect(readInSteps(reader, throwing)).rejects.toBe(stop)
      await expect(readInSteps(reader, () => aborter.abort(stop), aborter)).rejects.toBe(stop)
    })
    reader.close()
    expect(lost).toBe(0)
  })

  it('are missing in an empty file, which is reported', async () => {
    const path = join(useTempDir(), `rollout-${stamp}-${own}.jsonl`)
    writeFileSync(path, '')
    await expect(transcribe(path)).rejects.toThrow(UsageError)
    await expect(transcribe(path)).rejects.toThrow('A rollout contains no records.')
  })
})

describe('plugins of the user', () => {
  it('see the whole tree before limits, and their messages become diagnostics', async () => {
    const path = rollout(useTempDir(), [r.meta({ id: own }), ...said('Hi')])
    const seen: string[] = []
    const plugin =
      () => (tree: { type: string }, file: { message: (reason: string) => void; info: (reason: string) => void }) => {
        seen.push(...dialogue(tree as never))
        file.message('odd')
        file.info('by the way')
      }
    const { diagnostics } = await transcribe(path, { plugins: [plugin as never] })
    expect(seen).toEqual(['U Hi'])
    expect(diagnostics.map(({ ruleId, level, message }) => [ruleId, level, message])).toEqual([
      ['plugin-message', 'warning', 'odd'],
      ['plugin-message', 'info', 'by the way'],
    ])
  })
})
