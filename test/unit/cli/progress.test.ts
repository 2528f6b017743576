import { expect, test } from 'vitest'
import { barLine, showProgress } from '../../../src/cli/supervise.ts'
import { fakeWorld } from '../../helpers/world.ts'

test('without a terminal each stage is one line, without control characters', () => {
  const world = fakeWorld([])
  const progress = showProgress(world.stderr, world.now)
  progress.stage('Looking for sessions')
  progress.stage('Looking for sessions')
  progress.stage('Reading sessions', 5000)
  for (let count = 0; count < 5000; count++) progress.tick()
  progress.done('Read them all')
  progress.done()
  expect(world.err()).toBe('Looking for sessions\nReading sessions (5,000)\nRead them all\n')
})

test('on a terminal work shorter than a second shows nothing', () => {
  const world = fakeWorld([], {}, { columns: 80 })
  const progress = showProgress(world.stderr, world.now)
  progress.stage('Reading sessions', 3)
  world.pass(900)
  progress.tick(3)
  progress.done()
  expect(world.err()).toBe('')
})

test('on a terminal longer work draws a bar in place, and clears it at the end', () => {
  const world = fakeWorld([], {}, { columns: 80 })
  const progress = showProgress(world.stderr, world.now)
  progress.stage('Reading sessions', 4)
  world.pass(1100)
  progress.tick()
  progress.tick()
  world.pass(150)
  progress.tick()
  progress.done('Read 4 sessions')
  expect(world.err()).toBe(
    '\r\u001b[2KReading sessions [######------------------] 1/4' +
      '\r\u001b[2KReading sessions [##################------] 3/4' +
      '\r\u001b[2KRead 4 sessions\n',
  )
})

test('a bar never fills the last column, so that no terminal wraps it', () => {
  const world = fakeWorld([], {}, { columns: 20 })
  const progress = showProgress(world.stderr, world.now)
  world.pass(2000)
  progress.stage('Writing a very long stage name', 10)
  expect(world.err()).toBe('\r\u001b[2KWriting a very lon…')
})

test('if bytes are known, the bar shows their recent rate and the remaining time', () => {
  const world = fakeWorld([], {}, { columns: 100 })
  const progress = showProgress(world.stderr, world.now)
  progress.stage('Reading sessions', 4, 400_000_000)
  // Known from the last build: these bytes say nothing about the speed.
  progress.tick(2, 100_000_000)
  world.pass(1500)
  progress.tick(0, 3_000_000)
  world.pass(20_000)
  progress.tick(0, 100_000_000)
  world.pass(10_000)
  progress.tick(1, 50_000_000)
  expect(world.err().split('\r\u001b[2K').slice(1)).toEqual([
    'Reading sessions [######------------------] 2/4',
    'Reading sessions [############------------] 2/4, 5.0 MB/s, 40 s left',
    'Reading sessions [###############---------] 3/4, 5.0 MB/s, 30 s left',
  ])
})

test('a stage without a total counts, and one that exceeds its total stays full', () => {
  expect(barLine('Reading', 0, undefined)).toBe('Reading')
  expect(barLine('Reading', 1234, undefined)).toBe('Reading 1,234')
  expect(barLine('Reading', 0, 0)).toBe('Reading')
  expect(barLine('Reading', 6, 5)).toBe('Reading [########################] 6/5')
})
