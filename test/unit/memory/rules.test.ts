/** Where builds differ in what they remember: each case as genuine builds sent it. */
import { describe, expect, it } from 'vitest'
import type { ResponseItem } from '../../../src/features/memory/history/history.ts'
import type { MemoryRecord } from '../../../src/features/memory/history/records.ts'
import { assistant, developer, environment, instructions, remember, textsOf, user } from '../../helpers/remember.ts'

const turn = (name: string): ResponseItem[] => [user(`ask ${name}`), assistant(`answer ${name}`)]
const context = [developer('<permissions instructions>\nall\n</permissions instructions>'), environment('/a')]
const rollback = (turns: number): MemoryRecord => ({ kind: 'rollback', turns })
const summary = 'Another language model started to solve this problem: sum'
const compaction = (...carried: string[]): MemoryRecord => ({
  kind: 'compaction',
  summary,
  replacement: [...carried.map((name) => user(`ask ${name}`)), user(summary)],
})
const remembered = (records: readonly (ResponseItem | MemoryRecord)[], version?: string) =>
  textsOf(remember(records, version)).map((text) => /^[\w ]+|<[\w ]+/.exec(text)?.[0])

const [rules, folder] = ['<permissions instructions', '<environment_context']
const sum = 'Another language model started to solve this problem'

describe('a rollback of the first turn after a compaction', () => {
  const records = [...turn('a'), compaction('a'), ...context, ...turn('b'), rollback(1), ...context, user('ask c')]

  it('removes the context that was put before the turn', () => {
    for (const version of ['0.117.0', '0.130.0', '0.150.0', undefined])
      expect(remembered(records, version)).toEqual(['ask a', sum, rules, folder, 'ask c'])
  })

  it('leaves that context in builds before 0.117', () => {
    expect(remembered(records, '0.111.0')).toEqual(['ask a', sum, rules, folder, rules, folder, 'ask c'])
  })
})

describe('a rollback beyond a compaction', () => {
  const records = [
    ...context,
    ...[...turn('a'), ...turn('b'), ...turn('c'), compaction('a', 'b', 'c')],
    ...[...context, ...turn('d'), rollback(3), user('ask e')],
  ]

  it('shortens the compacted history message by message in builds before 0.113', () => {
    expect(remembered(records, '0.111.0')).toEqual(['ask a', 'ask b', 'ask e'])
  })

  it('forgets everything before the compaction in later builds with rollbacks', () => {
    for (const version of ['0.115.0', '0.130.0', '0.144.0', '0.150.0'])
      expect(remembered(records, version)).toEqual([rules, folder, 'ask e'])
  })

  it('works as if the compaction had not happened if the build is unknown', () => {
    expect(remembered(records)).toEqual([rules, folder, 'ask a', 'answer a', 'ask e'])
  })

  it('falls back on the compacted history if there was an older compaction', () => {
    const twice = [...turn('a'), compaction('a'), ...turn('b'), compaction('a', 'b'), ...turn('c'), rollback(2)]
    expect(remembered(twice, '0.130.0')).toEqual(['ask a', 'ask b'])
  })
})

describe('a turn of a rollback', () => {
  const review = user('<user_action>\n  <context>User initiated a review task.</context>\n</user_action>')
  const shell = user('<user_shell_command>\n<command>\nls\n</command>\n<result>\nok\n</result>\n</user_shell_command>')

  it('may be something that the user did in the program, such as a review', () => {
    const records = [...turn('a'), review, assistant('Reviewed.'), ...turn('b')]
    expect(remembered([...records, rollback(1)])).toEqual(['ask a', 'answer a', '<user_action', 'Reviewed'])
    expect(remembered([...records, rollback(2)])).toEqual(['ask a', 'answer a'])
  })

  it('includes a command of the user right before it', () => {
    const records = [...turn('a'), shell, ...turn('b'), rollback(1)]
    expect(remembered(records, '0.130.0')).toEqual(['ask a', 'answer a'])
    expect(remembered(records, '0.111.0')).toEqual(['ask a', 'answer a', '<user_shell_command'])
  })

  it('does not include developer messages that no tag marks as context', () => {
    const records = [...turn('a'), developer('Mind the gap.'), ...context, ...turn('b'), rollback(1)]
    expect(remembered(records)).toEqual(['ask a', 'answer a', 'Mind the gap'])
  })
})

describe('a compaction without a history of its own', () => {
  const picture = { type: 'input_image', image_url: 'data:image/png;base64,AAAA' }
  const text = (value: string) => ({ type: 'input_text', text: value })
  const compacted: MemoryRecord = { kind: 'compaction', summary }

  it('carries over the words of a prompt without the tags around its pictures', () => {
    const marks = [text('<image name=[Image #1]>'), picture, text('</image>')]
    const prompt = { type: 'message', role: 'user', content: [...marks, text('Look '), text('here.')] }
    expect(textsOf(remember([prompt, assistant('ok'), compacted], '0.93.0'))).toEqual(['Look here.', summary])
  })

  it('measures what it carries over in bytes, and cuts the oldest prompt in the middle', () => {
    const long = 'ü日'.repeat(10_000)
    const [first, second] = textsOf(remember([user(`1${long}`), user(`2${long}`), compacted], '0.61.0'))
    expect(second).toBe(`2${long}`)
    expect(first).toMatch(/^1(?:ü日)+ü?…\d+ tokens truncated…日?(?:ü日)+$/)
    expect(Buffer.byteLength(first ?? '')).toBeLessThan(4 * (20_000 - Math.ceil(50_001 / 4)) + 40)
  })

  it('keeps the whole block of context even if only the folder was sent since, and the newest folder', () => {
    const first = [instructions('be brief'), environment('/a')]
    const records = [...first, ...turn('a'), environment('/b'), ...turn('b'), compacted]
    const items = textsOf(remember(records, '0.98.0'))
    expect(items).toHaveLength(5)
    expect(items[1]).toContain('<cwd>/b</cwd>')
  })
})

it('a picture that the model made is sent as one of the user by builds from 0.105 to 0.112', () => {
  const made = { type: 'image_generation_call', status: 'completed', result: 'AAAA' }
  const itemIn = (version: string) => remember([user('draw'), made], version).items[1]
  expect(itemIn('0.111.0')).toMatchObject({
    category: 'image',
    item: { role: 'user', content: [{ type: 'input_image', image_url: 'data:image/png;base64,AAAA' }] },
  })
  expect(itemIn('0.130.0')?.item).toEqual(made)
})
