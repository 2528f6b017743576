/** What `check --unknown` reports about a newer format, and what it never repeats. */
import { describe, expect, test } from 'vitest'
import { driftCollector, findUnknown, unknownJson, unknownText } from '../../../src/features/audit/unknown.ts'
import { planted } from '../../helpers/planted.ts'
import * as r from '../../helpers/records.ts'
import { writeHome } from '../../helpers/show.ts'
import { threadNumber } from '../../helpers/summary.ts'
import { everySession, quietHost } from '../../helpers/surroundings.ts'
import { shareTempDir } from '../../helpers/temp.ts'

const folder = shareTempDir()

function rowsOf(...records: r.Json[]) {
  const collector = driftCollector(() => true)
  for (const record of r.envelopes(records)) collector.add(record, '0.170.0')
  return collector.report().rows.map(({ count: _, versions: __, ...row }) => row)
}

describe('a record of a newer Codex', () => {
  test('is reported by its kind and the names of its fields', () => {
    expect(rowsOf(r.event('dream_began', { depth: 3, words: 'a secret dream' }))).toEqual([
      { what: 'record', record: 'event_msg/dream_began', field: 'type, depth, words' },
    ])
    expect(rowsOf({ type: 'dream', payload: { x: 1 } })).toEqual([{ what: 'record', record: 'dream', field: 'x' }])
    expect(rowsOf(r.completed('Dream', { id: 'd1' }))[0]).toMatchObject({
      what: 'record',
      record: 'event_msg/item_completed/Dream',
    })
    expect(rowsOf(r.item({ type: 'dream_call', id: 'd1' }))[0]).toMatchObject({ record: 'response_item/dream_call' })
  })

  test.each([
    ['of an event', r.event('error', { message: 'm', hue: 1 }), 'event_msg/error', 'hue', 'number'],
    ['of an item', r.userItem('Go', { mood: ['good'] }), 'response_item/message', 'mood', 'list'],
    [
      'of a part',
      r.item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'a', glow: true }] }),
      'response_item/message',
      'content.glow',
      'switch',
    ],
    ['of the settings', r.turnContext({ cwd: '/', aura: null }), 'turn_context', 'aura', 'null'],
    ['of a head', r.meta({ id: 'x', git: { tag: 'v1' } }), 'session_meta', 'git.tag', 'text'],
    [
      'of a finished item',
      r.completed('Plan', { id: 'p', text: 't', colour: {} }),
      'event_msg/item_completed/Plan',
      'item.colour',
      'object',
    ],
    [
      'of a change',
      r.completed('FileChange', {
        id: 'p',
        changes: { '/home/ada/a.ts': { type: 'add', content: '', encoding: 'x' } },
      }),
      'event_msg/item_completed/FileChange',
      'item.changes.encoding',
      'text',
    ],
    ['of a line', { ...r.userItem('Go'), mark: 1 }, 'response_item/message', '(line).mark', 'number'],
  ])('is reported by a new field %s', (_, record, kind, field, form) => {
    expect(rowsOf(record)).toEqual([{ what: 'field', record: kind, field, form }])
  })

  test.each([
    [r.item({ type: 'message', role: 'oracle', content: [] }), 'role', 'oracle'],
    [r.turnContext({ approval_policy: 'on-monday' }), 'approval_policy', 'on-monday'],
    [r.event('turn_aborted', { reason: 'bored' }), 'reason', 'bored'],
    [r.event('error', { message: '', codex_error_info: 'too_late' }), 'codex_error_info', 'too_late'],
    [r.completed('CommandExecution', { id: 'c', status: 'paused' }), 'item.status', 'paused'],
  ])('is reported by a new value of a closed set: %#', (record, field, value) => {
    expect(rowsOf(record)).toMatchObject([{ what: 'value', field, value }])
  })

  test('is reported if a field has another type than before', () => {
    expect(rowsOf(r.event('agent_message', { message: { text: 'quokka' } }))).toEqual([
      { what: 'form', record: 'event_msg/agent_message', field: 'message', form: 'object' },
    ])
  })

  test('is counted once for each record, with the versions that wrote it', () => {
    const collector = driftCollector(() => true)
    const parts = ['a', 'b'].map((text) => ({ type: 'input_text', text, glow: 1 }))
    const [record] = r.envelopes([r.item({ type: 'message', role: 'user', content: parts })])
    for (const version of ['0.171.0', '0.170.0', '0.170.0', undefined, 'ada@example.org'])
      collector.add(record, version)
    expect(collector.report().rows).toMatchObject([{ count: 5, versions: ['0.170.0', '0.171.0', 'unknown'] }])
  })
})

describe('unknown names in a record', () => {
  const secret = planted(1).find(({ kind }) => kind === 'GitHub personal')?.text ?? ''

  test.each([
    '/home/ada/secret',
    'ada@example.org',
    'a name with words',
    '| x | `y` <script>',
    'x'.repeat(65),
    'deadbeefdeadbeef',
    'order_20260314',
    secret,
    '\u202Eevil',
    '',
  ])('are replaced by their length if they cannot be names of a format: %j', (name) => {
    const rows = rowsOf(r.event('error', { message: 'm', [name]: 1 }), { type: name || 'x y', payload: {} })
    const counted = rows.map((row) => ({ ...row, count: 1, versions: [] }))
    const text = unknownText({ sessions: 1, failed: 0, records: 2, rows: counted, omitted: 0, places: [], found: 0 })
    if (name !== '') expect(text).not.toContain(name)
    expect(text).toMatch(/\(\d+ characters?\)/)
  })

  test('are not listed if there are too many of them', () => {
    const data = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`client${'abcdefghij'[index % 10]}${'klmn'[index >> 3] ?? 'z'}`, 1]),
    )
    const rows = rowsOf(r.event('error', { message: 'm', ...data }))
    expect(rows).toEqual([{ what: 'form', record: 'event_msg/error', field: '', form: 'object with many other names' }])
  })

  test('are limited in number', () => {
    const collector = driftCollector(() => true)
    const letters = 'abcdefghijklmnopqrstuvwxyz'
    for (let at = 0; at < 17_576; at++) {
      const name = [at / 676, at / 26, at].map((part) => letters[Math.floor(part) % 26]).join('')
      collector.add({ timestamp: '', type: 'event_msg', payload: { type: 'error', message: '', [name]: 1 } }, '0.1.0')
    }
    const { rows, omitted } = collector.report()
    expect(rows).toHaveLength(200)
    expect(omitted).toBeGreaterThan(1000)
  })
})

describe('the report of unknown records', () => {
  test('is Markdown to paste, and contains no word of the sessions', async () => {
    const path = writeHome(folder, {
      [threadNumber(1)]: [
        r.meta({ id: threadNumber(1), timestamp: r.instant(0), cwd: '/home/ada/shop', cli_version: '0.170.0' }),
        r.userItem('quokkaprompt'),
        r.event('dream_began', { words: 'quokkadream' }),
        r.event('error', { message: 'quokkaerror', [`home_${'ada'}`]: 1, hue: 'quokkahue' }),
      ],
    })
    const report = await findUnknown({ ...everySession, homes: [{ path }] }, quietHost())
    const text = unknownText(report)
    expect(text).toContain('| record | `event_msg/dream_began` | with `type, words` | 1 | 0.170.0 |')
    expect(text).toContain('| field | `event_msg/error` | `hue`: text | 1 | 0.170.0 |')
    expect(`${text}${unknownJson(report)}`).not.toContain('quokka')
    expect(JSON.parse(unknownJson(report))).toMatchObject({ schema: 'codex-export/unknown-result', records: 4 })
  })

  test('says so if everything is known', async () => {
    const path = writeHome(`${folder}/known`, {
      [threadNumber(1)]: [
        r.meta({ id: threadNumber(1), timestamp: r.instant(0) }),
        r.userItem('Go'),
        r.answerItem('I go'),
      ],
    })
    const report = await findUnknown({ ...everySession, homes: [{ path }] }, quietHost())
    expect(report.rows).toEqual([])
    expect(unknownText(report)).toMatch(/knows every kind, field and value of 3 records in 1 session\.\n$/)
  })
})
