import { expect, test } from 'vitest'
import type { Candidate } from '../../../src/cli/show/target.ts'
import { choose } from '../../../src/cli/show/target.ts'
import { UsageError } from '../../../src/diagnostics/errors.ts'
import { fakeWorld } from '../../helpers/world.ts'

const candidates: Candidate[] = [
  { id: 'gate', title: 'Mend the gate\u001b[31m', project: 'garden', startedAt: '2026-03-14T09:26:53.000Z' },
  { id: 'fence', title: `Paint ${'the fence '.repeat(40)}` },
]

/** Answers the question with these lines, and returns the result. */
async function ask(...answers: string[]) {
  const world = fakeWorld([], {}, { columns: 60, answers })
  const question = choose(world, new AbortController().signal, 'UTC')
  const result = await question?.('2 sessions fit:', candidates).catch((error: unknown) => error)
  return { result, said: world.err() }
}

test('the answer is the number of a line', async () => {
  expect((await ask('2')).result).toBe('fence')
  expect((await ask(' 1 ')).result).toBe('gate')
})

test('each session is one line that fits the terminal and contains no escape sequence', async () => {
  const { said } = await ask('1')
  const lines = said.split('\n')
  expect(lines[0]).toBe('2 sessions fit:')
  expect(lines[1]).toBe('  1  2026-03-14 09:26 · garden · Mend the gate\\x1b[31m')
  expect(lines[2]).toMatch(/^ {2}2 {2}Paint the fence .*…$/)
  expect(lines.filter((line) => line.length > 59)).toEqual([])
})

test('sessions are shown on a terminal that does not know its width', async () => {
  const world = fakeWorld([], {}, { columns: 0, answers: ['1'] })
  await choose(world, new AbortController().signal, 'UTC')?.('2 sessions fit:', candidates)
  expect(world.err()).toContain('Mend the gate')
})

test('a wrong answer is asked for again', async () => {
  const { result, said } = await ask('3', '0', 'gate', '1')
  expect(result).toBe('gate')
  expect(said.match(/is not one of these numbers/g)).toHaveLength(3)
})

test.each([[['']], [[]]])('no choice ends with an error: %j', async (answers: string[]) => {
  const { result } = await ask(...answers)
  expect(result).toBeInstanceOf(UsageError)
})
