/**
 * What redaction remembers about texts must not keep them in memory: engines keep a whole text for a piece cut out of
 * it.
 */

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { kindOfName } from '../../../src/redact/values/names.ts'
import { privacyOf } from '../../../src/survey/privacy.ts'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** Bytes in use after garbage collection. */
function live(): number {
  collect()
  return process.memoryUsage().heapUsed
}

/** A text of a megabyte with this beginning. */
function longText(beginning: string): string {
  return Buffer.alloc(1_000_000, `${beginning} `.padEnd(500, 'words in a row ')).toString('latin1')
}

test('names that were judged do not keep their texts in memory', () => {
  const before = live()
  for (let index = 0; index < 64; index++) {
    const text = longText(`the_name_of_value_number_${index}`)
    expect(kindOfName(text.slice(0, text.indexOf(' ')))).toBeUndefined()
  }
  expect(live() - before).toBeLessThan(8_000_000)
})

test('secrets of a session do not keep their texts in memory, page after page', () => {
  const redactor = privacyOf({}, { homeDir: '/home/ada' })?.redactor()
  const before = live()
  for (let index = 0; index < 24; index++) {
    redactor?.beginPassage('page')
    expect(redactor?.text(longText(`DB_PASSWORD=kV9#${index}xqLw27pTzR`))).toContain('DB_PASSWORD=[redacted:')
    redactor?.beginPassage('around')
  }
  expect(redactor?.values().values.size).toBe(24)
  expect(live() - before).toBeLessThan(8_000_000)
})
