import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { kindOfName } from '../../../src/redact/values/names.ts'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** Bytes that live. */
function live(): number {
  collect()
  return process.memoryUsage().heapUsed
}

test('what is remembered of names does not hold the texts that they were cut from', () => {
  const before = live()
  for (let index = 0; index < 64; index++) {
    const text = Buffer.alloc(1_000_000, `the_name_of_value_number_${index} = `).toString('latin1')
    expect(kindOfName(text.slice(0, text.indexOf(' ')))).toBeUndefined()
  }
  expect(live() - before).toBeLessThan(8_000_000)
})
