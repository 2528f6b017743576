/** Rollouts in which numbers and times are absurd, whatever the records are. */
import fc from 'fast-check'

/** Numbers as JSON writes them, and other values that look like one: each replaces a number of a record. */
const numbers = [
  ...['-1', '-5', '0', '-0', '0.5', '1e-7', '1e21', '1e300', '-1e300', '1e308', '-1e308', '1e400', '-1e400'],
  ...['9007199254740993', '123456789012345678901234567890', '8.64e15', '8.64e18', '2147483648', '4294967296'],
  ...['"NaN"', '"Infinity"', '"-Infinity"', '"1e999"', '"0x10"', '""', 'null', 'true', '[]', '{}', '[1e308]'],
  ...['{"secs":-5,"nanos":1e30}', '{"secs":1e300,"nanos":0}', '{"secs":1e308,"nanos":1e308}', '"1e308s"', '"1.2.3s"'],
]

/** Times that replace a time of a record. */
const times = [
  ...[
    '0000-00-00T00:00:00.000Z',
    '2026-02-31T09:00:00.000Z',
    '2026-13-45T99:99:99.999Z',
    '+275760-09-13T00:00:00.000Z',
  ],
  ...['+275761-01-01T00:00:00.000Z', '-271821-04-20T00:00:00.000Z', '9999-12-31T23:59:59.999Z', '1969-12-31T23:59:59Z'],
  ...['', 'now', '1e308', '2026-03-14', 'Sat Mar 14 2026', '0001-01-01T00:00:00Z', '2026-03-14T09:00:00+99:99'],
]

/** Numbers in the texts of outputs, diffs and addresses. */
const digits = ['99999999999999999999', '-1', '4294967297', '0', '1'.repeat(400), '0.0.0']

const isTime = /^\d{4}-\d\d-\d\dT/
const inText = /(?<=(?:code:?|time:?|Duration:|session ID|after|@@ -|\+|:) ?)\d+(?:\.\d+)?/g

/** Draws from a list. */
export type Draw = <T>(list: readonly T[]) => T

/** A JSON text in which one of `oneIn` numbers and times is replaced. */
export function absurdJson(value: unknown, draw: Draw, oneIn: number): string {
  const chance = Array.from({ length: oneIn }, (_, index) => index === 0)
  if (typeof value === 'number') return draw(chance) ? draw(numbers) : JSON.stringify(value)
  if (typeof value === 'string') {
    if (isTime.test(value)) return JSON.stringify(draw(chance) ? draw(times) : value)
    return JSON.stringify(value.replace(inText, (number) => (draw(chance) ? draw(digits) : number)))
  }
  if (Array.isArray(value)) return `[${value.map((item) => absurdJson(item, draw, oneIn)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}:${absurdJson(item, draw, oneIn)}`)
  return `{${fields.join(',')}}`
}

/** A function that draws, seeded by a property. */
export const draws: fc.Arbitrary<Draw> = fc.tuple(fc.integer({ min: 1, max: 2 ** 30 })).map(([seed]) => drawFrom(seed))

function drawFrom(seed: number): Draw {
  let state = seed
  return (list) => {
    // Xorshift: small, and the same on every machine.
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    // Lists to draw from are never empty.
    return list[(state >>> 0) % list.length] as (typeof list)[number]
  }
}
