import { describe, expect, it } from 'vitest'
import { detailCollector } from '../../../src/site/collect/detail.ts'
import type { SessionDetail } from '../../../src/transcript/summary.ts'
import type { FlowContent, Reference, Session, TopContent } from '../../../src/transcript/trast.ts'
import { facts } from '../../helpers/summary.ts'
import * as tree from '../../helpers/tree.ts'

const cwd = '/home/ada/engine'

/** The details of these pages. */
function detailOf(pages: TopContent[][], fields: Partial<Session> = {}, outline = facts().outline): SessionDetail {
  const collector = detailCollector(cwd, 'UTC')
  for (const [index, page] of pages.entries()) collector.take(tree.session(page), index + 1)
  return collector.finish({ ...tree.session([]), ...fields }, facts({ outline }))
}

const ofTurn = (...items: FlowContent[]): SessionDetail => detailOf([[tree.turn(items)]])
const edit = (path: string, fields: Parameters<typeof tree.fileChange>[2] = {}) =>
  tree.fileChange(path, [tree.hunk('-a\n+b\n+c')], fields)

describe('touched files', () => {
  const turn = (fields: Parameters<typeof tree.turn>[1] = {}) => tree.turn([tree.patch([edit('a.ts')])], fields)

  it.each([
    ['hidden', turn({ data: { visibility: 'hidden' } })],
    ['copied', turn({ data: { inherited: true } })],
  ])('omit what was %s', (_what, top) => {
    expect(detailOf([[turn()]]).touches).toHaveLength(1)
    expect(detailOf([[top]]).touches).toEqual([])
  })

  it('include what was rolled back, because the files stay changed', () => {
    expect(detailOf([[tree.group('rolledBack', 'Taken back', [turn()])]]).touches).toHaveLength(1)
  })
})

describe('the commits and pull requests of a session', () => {
  const reference = (kind: 'commit' | 'pullRequest', target: string): Reference => ({
    ...{ type: 'reference', id: `r-${target}`, kind, target, label: `About ${target}` },
  })
  const made = (id: string, ...children: Reference[]) => tree.command('git commit', children, { id })

  it('are each listed once, with the turn and command that made them', () => {
    const call = tree.toolCall('exec', '', [made('l7', reference('commit', 'b7'))], { id: 'l6' })
    const detail = detailOf([
      [tree.turn([made('l3', reference('commit', 'a1'), reference('pullRequest', 'https://x.example/1'))])],
      [tree.turn([call, made('l9', reference('commit', 'a1'))], { number: 2 })],
    ])
    expect(detail.made.map(({ target, turn, page, anchor }) => [target, turn, page, anchor])).toEqual([
      ['a1', 1, 1, 'l3'],
      ['https://x.example/1', 1, 1, 'l3'],
      ['b7', 2, 2, 'l7'],
    ])
    expect(detail.made[0]?.label).toBe('About a1')
  })

  it('have the remote of the head, or else the pushed one, without credentials', () => {
    const output = tree.output('remote: ok\nTo https://ada:pw@github.com/ada/garden.git\n   a..b  main -> main\n')
    const turns = [[tree.turn([tree.command('git push origin main', [output])])]]
    expect(detailOf(turns).remote).toBe('https://github.com/ada/garden.git')
    expect(detailOf(turns, { git: { remote: 'git@github.com:own/it.git' } }).remote).toBe('git@github.com:own/it.git')
    const failed = tree.command('git push', [output], { status: 'failed', exitCode: 1 })
    expect(detailOf([[tree.turn([failed])]]).remote).toBeUndefined()
  })
})

describe('the failures of a session', () => {
  it('have the command that fixed them in their turn, but none of another turn', () => {
    const failed = (id: string) => tree.command('npm test', [], { id, status: 'failed', exitCode: 1 })
    const worked = tree.command('npm test -- --once\necho done', [], { id: 'l7' })
    const { failures } = detailOf([
      [tree.turn([], { number: 1 })],
      [tree.turn([failed('l5'), worked], { number: 2 }), tree.turn([failed('l9')], { number: 3 })],
    ])
    expect(failures.map(({ anchor, fix }) => [anchor, fix])).toEqual([
      ['l5', { script: 'npm test -- --once', page: 2, anchor: 'l7' }],
      ['l9', undefined],
    ])
  })

  it('have the command of a later page that fixed them in their turn', () => {
    const failed = tree.command('npm test', [], { id: 'l5', status: 'failed', exitCode: 1 })
    const worked = tree.command('npm test', [], { id: 'l7' })
    const { failures } = detailOf([[tree.turn([failed])], [tree.turn([worked], { data: { continued: true } })]])
    expect(failures).toMatchObject([{ page: 1, anchor: 'l5', fix: { page: 2, anchor: 'l7' } }])
  })
})

describe('the files that a session touched', () => {
  it('are listed with their lines and the place of the patch', () => {
    tree.resetIds()
    const first = tree.turn([], { number: 1 })
    const patch = tree.patch([edit(`${cwd}/src/gear.ts`), edit('/etc/hosts', { operation: 'add' })], {
      id: 'l9',
      at: '2026-03-14T09:00:00.000Z',
    })
    const { touches } = detailOf([[first], [tree.turn([patch], { number: 2 })]])
    const place = { turn: 2, page: 2, anchor: 'l9', at: '2026-03-14T09:00:00.000Z', added: 2, removed: 1 }
    expect(touches).toEqual([
      { path: 'src/gear.ts', operation: 'update', ...place },
      { path: '/etc/hosts', operation: 'add', ...place },
    ])
  })

  it('have their new name if moved, and are marked if the patch failed', () => {
    const { touches } = ofTurn(
      tree.patch([edit(`${cwd}/a`, { operation: 'move', movedTo: `${cwd}/b` })]),
      tree.patch([edit(`${cwd}/c`)], { status: 'failed' }),
      tree.patch([edit(`${cwd}/d`)], { status: 'declined' }),
    )
    expect(touches.map(({ path, movedTo, failed }) => [path, movedTo, failed])).toEqual([
      ['a', 'b', undefined],
      ['c', undefined, true],
      ['d', undefined, true],
    ])
  })

  it('come with the prompts of their turns, and no others', () => {
    const entry = { anchor: 'l2', page: 1 }
    const { prompts } = detailOf(
      [[tree.turn([], { number: 1 }), tree.turn([tree.patch([edit(`${cwd}/a`)])], { number: 2 })]],
      {},
      [
        { ...entry, turn: 1, text: 'Look' },
        { ...entry, turn: 2, text: 'Mend it' },
      ],
    )
    expect(prompts).toEqual({ 2: 'Mend it' })
  })

  it('are the newest 2,000, with the number of the others', () => {
    const patches = Array.from({ length: 4100 }, (_, index) => tree.patch([edit(`${cwd}/${index}`)]))
    const { touches, omitted } = ofTurn(...patches)
    expect(touches).toHaveLength(2000)
    expect(touches.at(0)?.path).toBe('2100')
    expect(touches.at(-1)?.path).toBe('4099')
    expect(omitted.touches).toBe(2100)
  })
})

describe('the commands of a session', () => {
  it('are counted by program', () => {
    const { programs } = ofTurn(
      tree.command('cd /p && npm test', [], { durationMs: 1000 }),
      tree.command('npm ci', [], { status: 'failed', exitCode: 1, durationMs: 500 }),
      tree.command('constructor'),
      tree.command('', [], { argv: ['/bin/ls', '-l'] }),
      tree.command('', [], { argv: [] }),
    )
    expect(programs).toEqual({
      npm: { runs: 2, failed: 1, durationMs: 1500 },
      constructor: { runs: 1, failed: 0, durationMs: 0 },
      ls: { runs: 1, failed: 0, durationMs: 0 },
      unknown: { runs: 1, failed: 0, durationMs: 0 },
    })
  })

  it('are counted once if they continue on another page', () => {
    const { programs } = detailOf([
      [tree.turn([tree.command('make')])],
      [tree.turn([tree.command('make', [], { data: { continued: true }, status: 'failed', durationMs: 9 })])],
    ])
    expect(programs['make']).toEqual({ runs: 1, failed: 1, durationMs: 9 })
  })

  it('are listed with script, exit code and place if they failed', () => {
    const { failures } = ofTurn(
      tree.command('npm test\nnpm ci', [], { status: 'failed', exitCode: 2, id: 'l7', at: '2026-03-14T09:00:00.000Z' }),
      tree.command('x'.repeat(300), [], { status: 'failed' }),
      tree.command('make', [], { status: 'interrupted' }),
    )
    expect(failures).toHaveLength(2)
    expect(failures[0]).toEqual({
      program: 'npm',
      script: 'npm test',
      exitCode: 2,
      turn: 1,
      page: 1,
      anchor: 'l7',
      at: '2026-03-14T09:00:00.000Z',
    })
    expect(failures[1]?.script).toHaveLength(200)
  })

  it('are summed up beyond 200 programs', () => {
    const { programs, omitted } = ofTurn(
      ...Array.from({ length: 250 }, (_, index) => tree.command(`tool${index}`, [], { durationMs: 2 })),
    )
    expect(Object.keys(programs)).toHaveLength(200)
    expect(omitted.programs).toEqual({ runs: 50, failed: 0, durationMs: 100 })
  })

  it('that failed are the newest 200, with the number of the others', () => {
    const { failures, omitted } = ofTurn(
      ...Array.from({ length: 1000 }, (_, index) => tree.command(`make ${index}`, [], { status: 'failed' })),
    )
    expect([failures.length, failures[0]?.script, omitted.failures]).toEqual([200, 'make 800', 800])
  })
})

describe('the time of a session', () => {
  const times = (pages: TopContent[][], fields: Partial<Session> = {}) => detailOf(pages, fields).times

  it('is that of commands and tools as recorded, and of the model for the rest of each turn', () => {
    expect(
      times(
        [
          [
            tree.turn([tree.command('make', [], { durationMs: 400 }), tree.search(['x'], [], { durationMs: 100 })], {
              durationMs: 2000,
            }),
            // Parallel calls may add up to more than their turn.
            tree.turn([tree.command('make', [], { durationMs: 4000 })], { durationMs: 1000 }),
          ],
        ],
        { startedAt: '2026-03-14T09:00:00.000Z', endedAt: '2026-03-14T09:00:10.000Z' },
      ),
    ).toEqual({ model: 1500, commands: 4400, tools: 100, idle: 7000 })
  })

  it('counts a turn on two pages once, with the calls of both parts', () => {
    expect(
      times([
        [tree.turn([tree.command('a', [], { durationMs: 100 })], { durationMs: 1000 })],
        [tree.turn([tree.command('b', [], { durationMs: 200 })], { durationMs: 1000, data: { continued: true } })],
      ]),
    ).toEqual({ model: 700, commands: 300, tools: 0, idle: 0 })
  })

  it("counts a turn that is the user's own command as commands", () => {
    const own = tree.turn([tree.command('make', [])], { kind: 'shell', durationMs: 3000 })
    expect(times([[own, tree.turn([], { number: 2, durationMs: 1000 })]])).toMatchObject({
      model: 1000,
      commands: 3000,
    })
  })

  it('counts nested calls once', () => {
    const script = tree.toolCall('exec', '{}', [tree.command('make', [], { durationMs: 300 })], { durationMs: 1000 })
    expect(times([[tree.turn([script], { durationMs: 1500 })]])).toMatchObject({
      model: 500,
      commands: 300,
      tools: 700,
    })
  })

  it("is the model's while no call runs, and parallel calls interrupt it once", () => {
    const at = (second: number) => `2026-03-14T09:00:0${second}.000Z`
    const run = (second: number, durationMs: number) => tree.command('make', [], { at: at(second), durationMs })
    const parallel = [run(1, 3000), run(1, 2000), run(3, 2000)]
    expect(times([[tree.turn([...parallel, run(7, 1000)], { at: at(0), durationMs: 9000 })]])).toMatchObject({
      model: 4000,
      commands: 8000,
    })
    const script = tree.toolCall('exec', '{}', parallel, { at: at(1), durationMs: 4000 })
    expect(times([[tree.turn([script], { at: at(0), durationMs: 9000 })]])).toMatchObject({ model: 5000, tools: 0 })
  })

  it("is mixed and not the model's if calls were omitted", () => {
    const turns = [[tree.turn([tree.search(['x'], [], { durationMs: 100 })], { durationMs: 2000 })]]
    const timesWithout = (omitted: Record<string, number>) => times(turns, { stats: tree.stats({ omitted }) })
    expect(timesWithout({ commands: 1 })).toEqual({ model: 0, mixed: 1900, commands: 0, tools: 100, idle: 0 })
    expect(timesWithout({ reasoning: 3, turns: 1 })).toEqual({ model: 1900, commands: 0, tools: 100, idle: 0 })
  })

  it('is not counted as idle if turns were omitted', () => {
    const between = { startedAt: '2026-03-14T09:00:00.000Z', endedAt: '2026-03-14T09:00:10.000Z' }
    const idle = (omitted: Record<string, number>) =>
      times([[tree.turn([], { durationMs: 4000 })]], { ...between, stats: tree.stats({ omitted }) }).idle
    expect([idle({}), idle({ turns: 1 })]).toEqual([6000, 0])
  })

  it('excludes what was not recorded', () => {
    expect(
      times([[tree.turn([], { durationMs: 5000, data: { inferred: ['durationMs'] } }), tree.turn([])]], {
        startedAt: '2026-03-14T09:00:00.000Z',
        endedAt: '2026-03-14T10:00:00.000Z',
      }),
    ).toEqual({ model: 0, commands: 0, tools: 0, idle: 0 })
  })
})

describe('the tokens of a session', () => {
  it('are summed up by model', () => {
    const usage = { input: 8, cached: 1, output: 2, reasoning: 1, total: 10 }
    const byModel = { large: usage, small: { ...usage, total: 3 } }
    expect(detailOf([], { stats: tree.stats({ usage: byModel }) }).usage).toEqual(byModel)
  })
})

describe('the hours of a session', () => {
  it('are those in which its turns began, in the time zone of the site, also of turns that were rolled back', () => {
    const turn = (at: string, fields = {}) => tree.turn([], { at, ...fields })
    const { hours } = detailOf([
      [turn('2026-03-14T09:59:00.000Z'), turn('2026-03-15T09:01:00.000Z'), turn('2026-03-14T23:30:00.000Z')],
      [
        turn('2026-03-14T23:30:00.000Z', { data: { continued: true } }),
        tree.group('rolledBack', 'Taken back', [turn('2026-03-14T12:00:00.000Z')]),
      ],
    ])
    expect(hours.flatMap((count, hour) => (count === 0 ? [] : [[hour, count]]))).toEqual([
      [9, 2],
      [12, 1],
      [23, 1],
    ])
  })
})
