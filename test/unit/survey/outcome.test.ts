/**
 * What a scan says about the model: that of the last settings that name one, with as few settings parsed as possible.
 */
import { expect, it } from 'vitest'
import { type Outcome, outcome } from '../../../src/survey/outcome.ts'
import type { ThreadLine } from '../../../src/survey/thread-lines.ts'

const settings = (fields: object): object => ({ type: 'turn_context', payload: { cwd: '/w', ...fields } })

/** Lines of settings as a walk gives them: valid until the next one, unless they are copied. */
function take(scan: Outcome, records: readonly object[], parsed: number[] = []): void {
  for (const [index, record] of records.entries()) {
    let isValid = true
    const read = (isOwn: boolean) => () => {
      if (!isOwn && !isValid) throw new Error('The line is over.')
      parsed.push(index + 1)
      return { values: [record], faults: [] }
    }
    const end = JSON.stringify(record).length
    const line = (isOwn: boolean): ThreadLine => ({
      ...{ segment: 0, line: index + 1, start: 0, end, undone: false, values: read(isOwn) },
      copy: () => line(true),
    })
    scan.takeSettings(line(false))
    isValid = false
  }
}

const modelOf = (scan: Outcome) => scan.facts({ turns: 1, open: undefined, error: undefined }).model

it('the model of a scan is that of the last settings that name one', () => {
  const scan = outcome()
  const parsed: number[] = []
  take(scan, [settings({ model: 'old' }), settings({ model: 'new' }), settings({}), settings({ model: ' ' })], parsed)
  expect(modelOf(scan)).toBe('new')
  expect(parsed).toEqual([4, 3, 2])
})

it('the model of a scan is not one that was chosen but that no turn used', () => {
  const chosen = (model: string) => ({
    type: 'event_msg',
    payload: { type: 'thread_settings_applied', thread_settings: { model } },
  })
  const scan = outcome()
  take(scan, [chosen('used'), settings({ model: 'used' }), chosen('for the next turn')])
  expect(modelOf(scan)).toBe('used')
  const empty = outcome()
  take(empty, [chosen('first'), chosen('for the next turn')])
  expect(modelOf(empty)).toBe('for the next turn')
})

it('the model of a scan is not that of settings before others that were parsed for another reason', () => {
  const scan = outcome()
  take(scan, [settings({ model: 'waiting' })])
  scan.take({ kind: 'settings', from: 'turn_context', model: 'parsed' }, false, true)
  scan.take({ kind: 'settings', from: 'turn_context' }, false, true)
  expect(modelOf(scan)).toBe('parsed')
  take(scan, [settings({})])
  expect(modelOf(scan)).toBe('parsed')
})

it('a scan keeps only a few lines of settings at a time, and loses no model by that', () => {
  const scan = outcome()
  const parsed: number[] = []
  const long = { user_instructions: 'x'.repeat(100_000) }
  take(scan, [settings({ model: 'first' }), ...Array.from({ length: 9 }, () => settings(long))], parsed)
  // Three of these lines are more than may wait.
  expect(parsed).toEqual([4, 3, 2, 1, 7, 6, 5, 10, 9, 8])
  expect(modelOf(scan)).toBe('first')
})
