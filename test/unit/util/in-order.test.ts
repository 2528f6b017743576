/** Work on several items at once: every result is taken, in the order of the items. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inOrder } from '../../../src/util/event-loop.ts'

async function* given<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}

/** Waits for this many turns of the event loop. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}

test('results keep the order of the items, however long each takes and however many workers run', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(5), { maxLength: 100 }), fc.integer({ min: 1, max: 4 }), async (items, count) => {
      const taken: number[] = []
      let [busy, most] = [0, 0]
      const workers = Array.from({ length: count }, () => async (item: number) => {
        most = Math.max(most, ++busy)
        await turns(item)
        busy--
        return item
      })
      await inOrder(given(items), workers, async (item) => {
        await turns(item % 2)
        taken.push(item)
      })
      expect(taken).toEqual(items)
      expect(most).toBeLessThanOrEqual(count)
    }),
  )
})

test('a result is taken before the next item is available', async () => {
  const taken: string[] = []
  async function* items(): AsyncGenerator<string> {
    yield 'first'
    await turns(5)
    taken.push('looked')
    yield 'second'
  }
  await inOrder(items(), [async (item) => item], async (item) => void taken.push(item))
  expect(taken).toEqual(['first', 'looked', 'second'])
})

test('workers that are added later work, too', async () => {
  const workers: ((item: number) => Promise<string>)[] = [async (item) => `one ${item}`]
  async function* items(): AsyncGenerator<number> {
    yield 1
    workers.push(async (item) => `two ${item}`)
    yield 2
  }
  const taken: string[] = []
  const slow = workers[0]
  workers[0] = async (item) => {
    await turns(5)
    return (await slow?.(item)) ?? ''
  }
  await inOrder(items(), workers, async (item) => void taken.push(item))
  expect(taken).toEqual(['one 1', 'two 2'])
})

test.each(['worker', 'taker', 'source'])('an error of a %s ends the work', async (who) => {
  const started: number[] = []
  async function* items(): AsyncGenerator<number> {
    for (let item = 0; item < 20; item++) {
      if (who === 'source' && item === 3) throw new Error('no more')
      yield item
    }
  }
  const work = async (item: number): Promise<number> => {
    started.push(item)
    await turns(1)
    if (who === 'worker' && item === 3) throw new Error('no more')
    return item
  }
  const take = async (item: number): Promise<void> => {
    if (who === 'taker' && item === 3) throw new Error('no more')
  }
  await expect(inOrder(items(), [work, (item) => work(item)], take)).rejects.toThrow('no more')
  expect(started.length).toBeLessThan(12)
})
