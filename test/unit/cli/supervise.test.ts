import { expect, test } from 'vitest'
import { barLine, supervise } from '../../../src/cli/supervise.ts'
import { Interrupted } from '../../../src/cli/world.ts'
import { diagnostic } from '../../../src/diagnostics/codes.ts'
import { UsageError } from '../../../src/diagnostics/errors.ts'
import type { Host } from '../../../src/site/types.ts'
import { fakeWorld } from '../../helpers/world.ts'

const damaged = diagnostic('damaged-line', { file: 'a.jsonl', line: 3 })

/** Work that continues until it is aborted. */
function untilAborted({ signal }: Host): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
}

test('the host has the clock, environment and home folder of the world', async () => {
  const world = fakeWorld([], { env: { NAME: 'value' }, homeDir: '/home/kim' })
  const seen = await supervise(world, async ({ env, homeDir, now }) => ({ env, homeDir, time: now() }))
  expect(seen).toEqual({ env: { NAME: 'value' }, homeDir: '/home/kim', time: world.now() })
  expect(world.err()).toBe('')
})

test('a crowded host limits the heap only if the world supports it', async () => {
  let bounded = 0
  const own = { ...fakeWorld([]), boundHeap: () => void bounded++ }
  for (const world of [own, fakeWorld([])]) await supervise(world, async ({ crowded }) => crowded?.())
  expect(bounded).toBe(1)
})

test('diagnostics are written after the work, with the name of the report', async () => {
  const world = fakeWorld([])
  const work = async ({ report, progress }: Host): Promise<string> => {
    for (let count = 0; count < 21; count++) report(damaged)
    progress.stage('Reading')
    return 'product'
  }
  expect(await supervise(world, work, { report: 'build-report.json' })).toBe('product')
  expect(world.err()).toMatch(/^Reading\na\.jsonl:3 damaged-line /)
  expect(world.err()).toContain('damaged-line … and 1 more (see build-report.json)\n21 warnings\n')
  expect(world.out()).toBe('')
})

test('a UsageError is not preceded by diagnostics, an unexpected error is', async () => {
  const failWith = (error: Error) => async (host: Host) => {
    host.report(damaged)
    throw error
  }
  const foreseen = fakeWorld([])
  await expect(supervise(foreseen, failWith(new UsageError('wrong')))).rejects.toThrow('wrong')
  expect(foreseen.err()).toBe('')
  const unforeseen = fakeWorld([])
  await expect(supervise(unforeseen, failWith(new TypeError('odd')))).rejects.toThrow(TypeError)
  expect(unforeseen.err()).toContain('a.jsonl:3 damaged-line')
})

test('the first Ctrl-C aborts the work, the second ends the process', async () => {
  const world = fakeWorld([])
  const run = supervise(world, untilAborted)
  world.interrupt()
  expect(world.err()).toBe('Stopping. Press Ctrl-C again to stop at once.\n')
  expect(world.exits).toEqual([])
  world.interrupt()
  expect(world.exits).toEqual([130])
  await expect(run).rejects.toThrow(Interrupted)
})

test('SIGTERM is distinguished from Ctrl-C', async () => {
  const world = fakeWorld([])
  const run = supervise(world, untilAborted)
  world.interrupt('SIGTERM')
  world.interrupt('SIGTERM')
  expect(world.exits).toEqual([143])
  await expect(run).rejects.toMatchObject({ name: 'Interrupted', signal: 'SIGTERM' })
})

test('a closed terminal ends the work once, even if it signals twice', async () => {
  const world = fakeWorld([])
  const run = supervise(world, untilAborted)
  world.interrupt('SIGHUP')
  world.interrupt('SIGHUP')
  expect(world.exits).toEqual([])
  await expect(run).rejects.toMatchObject({ name: 'Interrupted', signal: 'SIGHUP' })
})

test('an error caused by Ctrl-C counts as the interrupt, and is kept as its cause', async () => {
  const world = fakeWorld([])
  const closed = new Error('stream closed')
  const run = supervise(world, ({ signal }) => {
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(closed)))
  })
  world.interrupt()
  await expect(run).rejects.toMatchObject({ name: 'Interrupted', cause: closed })
})

test('work that succeeds despite Ctrl-C counts as done', async () => {
  const world = fakeWorld([])
  const run = supervise(
    world,
    ({ signal }) => new Promise<string>((resolve) => signal.addEventListener('abort', () => resolve('closed'))),
    { farewell: 'Stopped.' },
  )
  world.interrupt()
  expect(await run).toBe('closed')
  expect(world.err()).toBe('Stopped.\n')
})

test('after the work, Ctrl-C is not handled any more', async () => {
  const world = fakeWorld([])
  await supervise(world, async () => undefined)
  world.interrupt()
  expect(world.err()).toBe('')
  expect(world.exits).toEqual([])
})

test('a product printed during the work replaces the bar, which is drawn again below it', async () => {
  const drawn: string[] = []
  const world = fakeWorld([], {}, { columns: 80 })
  world.stdout.write = async (text) => {
    world.stdout.clear?.()
    drawn.push(String(text))
  }
  world.stderr.write = async (text) => void drawn.push(String(text))
  await supervise(world, async ({ progress }) => {
    progress.stage('Searching sessions', 3)
    world.pass(1100)
    progress.tick()
    await world.stdout.write('found\n')
    progress.tick()
  })
  const bar = (done: number): string => `\r\u001b[2K${barLine('Searching sessions', done, 3)}`
  expect(drawn).toEqual([bar(1), '\r\u001b[2K', 'found\n', bar(2), '\r\u001b[2K'])
  // Later products do not clear the bar.
  expect(world.stdout.clear).toBeUndefined()
})
