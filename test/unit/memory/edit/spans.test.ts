import { expect, test } from 'vitest'
import { elementCuts, elementSpans } from '../../../../src/features/memory/edit/spans.ts'

const keys = ['payload', 'list']

function elements(text: string): string[] | undefined {
  const bytes = Buffer.from(text)
  return elementSpans(bytes, keys)?.map(({ start, end }) => bytes.toString('utf8', start, end))
}

function without(text: string, indices: number[]): string {
  const bytes = Buffer.from(text)
  let kept = ''
  let from = 0
  for (const { start, end } of elementCuts(elementSpans(bytes, keys) ?? [], indices)) {
    kept += bytes.toString('utf8', from, start)
    from = end
  }
  return kept + bytes.toString('utf8', from)
}

test('elements are found, whatever is in and around them', () => {
  expect(
    elements('{"a":[1,{"list":[9]}],"payload":{"x":"}],\\"","list":[ {"b":"],\\\\"} , [1,2],"ä,", 1.0 ]}}'),
  ).toEqual(['{"b":"],\\\\"}', '[1,2]', '"ä,"', '1.0'])
  expect(elements('{"payload":{"list":[ ]}}')).toEqual([])
})

test.each(['{"payload":{"lists":[1]}}', '{"payload":[1]}', '[1]', '{"payload":{"list":{"a":1}}}', '{}'])(
  '%s has no such array',
  (text) => {
    expect(elements(text)).toBeUndefined()
  },
)

test.each([
  [[0], '{"payload":{"list":[ 2.0, "3" ],"z":1e2}}'],
  [[1], '{"payload":{"list":[ 1, "3" ],"z":1e2}}'],
  [[2], '{"payload":{"list":[ 1, 2.0 ],"z":1e2}}'],
  [[0, 1], '{"payload":{"list":[ "3" ],"z":1e2}}'],
  [[1, 2], '{"payload":{"list":[ 1 ],"z":1e2}}'],
  [[0, 2], '{"payload":{"list":[ 2.0 ],"z":1e2}}'],
  [[0, 1, 2], '{"payload":{"list":[  ],"z":1e2}}'],
])('everything except the elements %j stays as it was written', (indices, expected) => {
  expect(without('{"payload":{"list":[ 1, 2.0, "3" ],"z":1e2}}', indices)).toBe(expected)
})
