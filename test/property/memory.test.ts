/** What holds for the memory of any records. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ResponseItem } from '../../src/features/memory/history/history.ts'
import { type MemoryRecord, readRecord } from '../../src/features/memory/history/records.ts'
import { assistant, call, environment, output, remember, user } from '../helpers/remember.ts'

const id = fc.constantFrom('a', 'b', 'c', 'd')
const item: fc.Arbitrary<ResponseItem> = fc.oneof(
  fc.string().map(user),
  fc.string().map(assistant),
  fc.constant(environment('/a')),
  id.map((value) => call(value)),
  id.map((value) => output(value)),
  id.map((value) => ({ type: 'custom_tool_call', name: 'exec', call_id: value })),
  id.map((value) => ({ type: 'custom_tool_call_output', call_id: value, output: 'x' })),
)
const record: fc.Arbitrary<ResponseItem | MemoryRecord> = fc.oneof(
  { weight: 12, arbitrary: item },
  { weight: 1, arbitrary: fc.nat({ max: 5 }).map((turns): MemoryRecord => ({ kind: 'rollback', turns })) },
  { weight: 1, arbitrary: fc.constant<MemoryRecord>({ kind: 'compaction', summary: 'sum' }) },
  {
    weight: 1,
    arbitrary: fc
      .array(item, { maxLength: 6 })
      .map((replacement): MemoryRecord => ({ kind: 'compaction', summary: 'sum', replacement })),
  },
)
const records = fc.array(record, { maxLength: 60 })

it('every call in the memory has an output, and every output a call', () => {
  fc.assert(
    fc.property(records, (given) => {
      const { items } = remember(given)
      const key = (value: ResponseItem): string => `${String(value['type']).replace('_output', '')} ${value['call_id']}`
      const halves = items.map(({ item: value }) => value).filter((value) => 'call_id' in value)
      const isOutput = (value: ResponseItem): boolean => String(value['type']).endsWith('_output')
      const calls = new Set(halves.filter((value) => !isOutput(value)).map(key))
      const outputs = new Set(halves.filter(isOutput).map(key))
      expect(outputs).toEqual(calls)
    }),
  )
})

it('items are numbered from 1, name real lines, and pair calls with outputs', () => {
  fc.assert(
    fc.property(records, (given) => {
      const { items } = remember(given)
      for (const [place, { index, sources, synthetic, pair, category }] of items.entries()) {
        expect(index).toBe(place + 1)
        expect(sources).toHaveLength(synthetic ? 0 : 1)
        for (const { line } of sources) expect(line >= 1 && line <= given.length).toBe(true)
        if (pair === undefined) continue
        const other = items[pair - 1]
        expect([category, other?.category].sort()).toEqual(['toolCall', 'toolOutput'])
      }
    }),
  )
})

it('the memory is empty after a rollback of all turns if nothing was compacted', () => {
  fc.assert(
    fc.property(fc.array(item, { maxLength: 40 }), (given) => {
      const all = remember([user('first'), ...given, { kind: 'rollback', turns: 1000 }])
      expect(all.items).toEqual([])
    }),
  )
})

it('the memory begins with the replacement history of the last compaction', () => {
  fc.assert(
    fc.property(records, records, (before, after) => {
      const replaced: MemoryRecord = { kind: 'compaction', summary: 'sum', replacement: [user('kept')] }
      const { items } = remember([...before, replaced, ...after.filter((value) => !('kind' in value))])
      expect(items[0]?.preview).toBe('kept')
    }),
  )
})

it('any JSON is read without an error', () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.constantFrom('response_item', 'compacted', 'turn_context', 'event_msg'),
      (value, type) => {
        const read = [readRecord(value), readRecord({ type, payload: value })]
        const found = read.filter((entry) => entry !== undefined)
        expect(() => remember(found)).not.toThrow()
      },
    ),
  )
})
