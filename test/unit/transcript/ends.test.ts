/** How turns and commands ended, in the words that are shown (rollout-format 3.8, 6.1). */
import { describe, expect, it } from 'vitest'
import { renderBody } from '../../../src/render/transcript/html.ts'
import { renderMarkdown } from '../../../src/render/transcript/markdown.ts'
import type { Session } from '../../../src/transcript/trast.ts'
import * as r from '../../helpers/records.ts'
import { context, renderText } from '../../helpers/render.ts'
import { all, only, run } from '../../helpers/slice.ts'

const running = (text: string, session = 7): string =>
  `Chunk ID: a1\nWall time: 1.0000 seconds\nProcess running with session ID ${session}\nOutput:\n${text}`
const exited = (code: number, text: string): string =>
  `Chunk ID: a1\nWall time: 1.0000 seconds\nProcess exited with code ${code}\nOutput:\n${text}`

const shown = (tree: Session): string[] => {
  const using = context()
  return [renderBody(tree, using), renderMarkdown(tree, using), renderText(tree, using)]
}

describe('a command that was left running', () => {
  const unended = [
    r.started('t1'),
    r.userItem('Serve'),
    r.call('a', 'exec_command', { cmd: 'npm start' }),
    r.output('a', running('up')),
  ]

  it('has no recorded end, even if its turn ended', async () => {
    for (const end of [[], [r.complete('t1')]]) {
      const { tree } = await run([...unended, ...end])
      expect(only(tree, 'command')).toMatchObject({ status: 'running', outcome: 'noEnd' })
      for (const text of shown(tree)) {
        expect(text).toContain('no end recorded')
        expect(text).not.toContain('still running')
      }
    }
  })

  it('is still running only while its file is being written', async () => {
    const { tree } = await run(unended, { live: true })
    expect(only(tree, 'command').outcome).toBeUndefined()
    expect(only(tree, 'turn').status).toBe('running')
    for (const text of shown(tree)) expect(text).toContain('still running')
  })

  it('is only left running if a later page may record its end', async () => {
    const { tree } = await run(unended, { last: false })
    expect(only(tree, 'command').outcome).toBe('ranOn')
    for (const text of shown(tree)) expect(text).toContain('left running')
  })

  it('ends as a later poll says', async () => {
    const { tree } = await run([
      ...unended,
      r.call('b', 'write_stdin', { session_id: 7 }),
      r.output('b', exited(0, 'x')),
    ])
    expect(only(tree, 'command')).toMatchObject({ status: 'completed', exitCode: 0 })
    expect(only(tree, 'command').outcome).toBeUndefined()
  })
})

describe('a call without an end', () => {
  it('is unfinished if Codex said that its script is running', async () => {
    const { tree } = await run([
      r.started('t1'),
      r.customCall('a', 'exec', 'await wait()'),
      r.customOutput('a', 'Script running with cell ID 3\nWall time 1.0 seconds\nOutput:\n'),
    ])
    expect(only(tree, 'toolCall').status).toBe('unfinished')
  })
})

describe('commands of a script that prints nothing about them', () => {
  const script = (code: string, printed = 'ok') =>
    run([
      r.started('t1'),
      r.customCall('a', 'exec', code),
      r.customOutput('a', `Script completed\nWall time 1.0 seconds\nOutput:\n${printed}`),
      r.complete('t1'),
    ])

  const outcomes = (tree: Session) =>
    all(tree, 'command').map(({ script: line, outcome }) => `${line} ${outcome ?? 'ran'}`)
  const step = (name: string) => `await tools.exec_command({ cmd: ${JSON.stringify(name)} })`

  it.each([
    [
      'after a break',
      `for (const n of [1, 2, 3]) {\n const r = await tools.exec_command({ cmd: \`s\${n}\` })\n if (r.exit_code !== 0) break\n}\n${step('after')}`,
      ['s1 ran', 's2 maybe', 's3 maybe', 'after ran'],
    ],
    [
      'after a continue, in its round',
      `for (const n of [1, 2]) {\n const r = await tools.exec_command({ cmd: \`a\${n}\` })\n if (r.exit_code !== 0) continue\n await tools.exec_command({ cmd: \`b\${n}\` })\n}`,
      ['a1 ran', 'b1 maybe', 'a2 ran', 'b2 maybe'],
    ],
    [
      'in a case, but not after the switch',
      `const r = ${step('first')}\nswitch (r.exit_code) { case 0: ${step('good')}; break; default: ${step('bad')} }\n${step('last')}`,
      ['first ran', 'good maybe', 'bad maybe', 'last ran'],
    ],
  ])('may not have run %s', async (_, code, commands) => {
    const { tree } = await script(`${code}\ntext("ok")`)
    expect(outcomes(tree)).toEqual(commands)
    for (const text of shown(tree)) expect(text).toContain('may not have run')
  })
})

describe('how a command was ended', () => {
  it.each([
    [143, 'killed'],
    [137, 'killed'],
    [130, 'killed'],
    [-1073741510, 'killed'],
    [3221225786, 'killed'],
    [124, 'timed out'],
  ])('is shown with exit code %i', async (code, word) => {
    const { tree } = await run([r.call('a', 'exec_command', { cmd: 'npm test' }), r.output('a', exited(code, ''))])
    expect(only(tree, 'command').status).toBe('failed')
    for (const text of shown(tree)) expect(text).toContain(word)
  })
})

describe('a search that ended with 1', () => {
  const end = async (cmd: string, output: string) => {
    const { tree } = await run([r.call('a', 'exec_command', { cmd }), r.output('a', exited(1, output))])
    return { texts: shown(tree), status: only(tree, 'command').status }
  }

  it('has no match; of several searches, the last has none if the output may be hits of another', async () => {
    const one = await end('rg gate', '')
    const second = await end('rg gate a.ts; rg fence a.ts', '7: gate\n')
    const none = await end('rg gate a.ts; rg fence a.ts', '')
    const afterOther = await end('ls; rg fence', 'a.ts\n')
    expect([one, second, none, afterOther].map(({ status }) => status)).toEqual(Array(4).fill('completed'))
    for (const text of second.texts) expect(text).toContain('no match in the last search')
    for (const text of [one, none, afterOther].flatMap(({ texts }) => texts)) expect(text).toMatch(/no match(?! in)/)
  })
})

describe('a turn whose last record is an error', () => {
  const error = r.event('error', { message: 'no more tokens' })

  it.each([
    [
      'context for the model',
      [r.developerItem('<permissions>'), r.userItem('<environment_context>x</environment_context>')],
    ],
    ['counts', [r.event('token_count', { info: null })]],
    ['a goal', [r.event('thread_goal_updated', { goal: { status: 'active', objective: 'x' } })]],
    ['nothing', []],
  ])('failed, though Codex completed it and %s came after the error', async (_, after) => {
    const { tree } = await run([
      r.started('t1'),
      r.userItem('Go'),
      r.answerItem('I go'),
      error,
      ...after,
      r.complete('t1'),
    ])
    expect(only(tree, 'turn')).toMatchObject({ status: 'failed', error: 'no more tokens' })
  })

  it('is completed if the model answered after the error', async () => {
    const { tree } = await run([
      r.started('t1'),
      r.userItem('Go'),
      error,
      r.answerItem('Again: I go'),
      r.complete('t1'),
    ])
    expect(only(tree, 'turn').status).toBe('completed')
  })
})

describe('a turn that completed without an answer', () => {
  const silent = (turnId: string) => r.complete(turnId, { last_agent_message: null })
  const words = 'Ended without an answer'

  it.each([
    ['nothing was said', []],
    ['there is only a comment on the work', [r.answerItem('I look first.', { phase: 'commentary' })]],
    ['the answer is empty', [r.answerEvent(''), r.answerItem('')]],
  ])('says so in every format if %s', async (_, said) => {
    const { tree } = await run([r.started('t1'), r.userItem('Go'), ...said, silent('t1')])
    expect(only(tree, 'notice').kind).toBe('unanswered')
    for (const text of shown(tree)) expect(text).toContain(words)
  })

  const made = (result: string) => r.item({ type: 'image_generation_call', id: 'ig_1', status: 'completed', result })

  it.each([
    ['the turn holds an answer', [r.userItem('Go'), r.answerItem('Gone.')], silent('t1')],
    ['an error ended it', [r.userItem('Go')], r.complete('t1', { last_agent_message: null, error: { message: 'no' } })],
    ['an error is its last word', [r.userItem('Go'), r.event('error', { message: 'no' })], silent('t1')],
    ['the user alone ran a command', [r.userItem('<user_shell_command>ls</user_shell_command>')], silent('t1')],
    ['a picture was made', [r.userItem('Draw'), made('iVBORw0KGgo=')], silent('t1')],
  ])('does not say so if %s', async (_, said, end) => {
    const { tree } = await run([r.started('t1'), ...said, end])
    expect(all(tree, 'notice')).toEqual([])
  })

  it('says so if a picture was asked for and none was made', async () => {
    const { tree } = await run([r.started('t1'), r.userItem('Draw'), made(''), silent('t1')])
    expect(all(tree, 'notice').map(({ kind }) => kind)).toEqual(['unanswered'])
  })

  it.each([
    ['an answer', [r.answerItem('Gone.')], []],
    ['no answer', [], ['unanswered']],
  ])('takes into account that the part before a page border has %s', async (_, said, kinds) => {
    const { slice } = await run([r.started('t1'), r.userItem('Go'), ...said], { last: false })
    const { tree } = await run([r.reasoningItem(['Still here']), silent('t1')], { carry: slice.carry })
    expect(all(tree, 'notice').map(({ kind }) => kind)).toEqual(kinds)
  })
})

describe('a turn that was refused because the usage limit was reached', () => {
  const none = { primary: null, secondary: null, credits: { has_credits: false, unlimited: false, balance: '0' } }
  const window = { used_percent: 100, window_minutes: 300, resets_at: 1_784_272_362 }
  const limits = (rate_limits: object, info: object | null = null) => r.event('token_count', { info, rate_limits })
  const end = r.complete('t1', { last_agent_message: null })

  it.each([
    ['no window and no credits', none],
    ['the kind of limit', { ...none, primary: window, rate_limit_reached_type: 'rate_limit_reached' }],
  ])('says so in every format if the last token count has %s', async (_, outcomes) => {
    for (const info of [null, { last_token_usage: { total_tokens: 7 }, total_token_usage: { total_tokens: 7 } }]) {
      const { tree } = await run([
        r.started('t1'),
        r.userItem('Go'),
        ...r.command('a', 'ls'),
        limits(outcomes, info),
        end,
      ])
      for (const text of shown(tree))
        expect(text).toMatch(/Ended without an answer(?:\*\*|<\/b>|): the usage limit was reached/)
    }
  })

  it.each([
    ['a window is only full', [limits({ ...none, primary: window })]],
    ['credits are unlimited', [limits({ ...none, credits: { has_credits: false, unlimited: true } })]],
    ['nothing is known of credits', [limits({ primary: null, secondary: null, credits: null })]],
    ['something came after', [limits(none), r.reasoningItem(['Still here'])]],
  ])('gives no reason if %s', async (_, counts) => {
    const { tree } = await run([r.started('t1'), r.userItem('Go'), ...counts, end])
    expect(only(tree, 'notice')).toEqual(expect.not.objectContaining({ facts: expect.anything() }))
  })

  it('affects neither a later turn nor one that has an answer', async () => {
    const { tree } = await run([
      ...[r.started('t1'), r.userItem('Go'), limits(none), end],
      ...[r.started('t2'), r.userItem('Go'), r.complete('t2', { last_agent_message: null })],
      ...[r.started('t3'), r.userItem('Go'), r.answerItem('Gone.'), limits(none), r.complete('t3')],
    ])
    expect(all(tree, 'notice').map(({ facts }) => facts !== undefined)).toEqual([true, false])
  })
})

describe('a turn whose start and end are not recorded', () => {
  const ask = (text: string) => [r.userItem(text), r.userEvent(text)]
  const kinds = (tree: Session) =>
    all(tree, 'turn').map(({ children }) => children.flatMap((child) => (child.type === 'notice' ? [child.kind] : [])))

  it('says that nobody answered if the next turn begins or the file ends', async () => {
    const { tree } = await run([
      ...ask('Go'),
      ...ask('Go on'),
      r.answerItem('Gone.'),
      ...ask('Come'),
      ...r.command('a', 'ls'),
    ])
    expect(kinds(tree)).toEqual([['unanswered'], [], ['unanswered']])
    for (const text of shown(tree)) expect(text).toContain('Ended without an answer')
  })

  it('does not say so while its file is being written', async () => {
    const { tree } = await run(ask('Go'), { live: true })
    expect(kinds(tree)).toEqual([[]])
  })

  it.each([
    ['the user interrupted it', [...ask('Go'), r.event('turn_aborted', { reason: 'interrupted' })], ['abort']],
    ['an error is its last word', [...ask('Go'), r.event('error', { message: 'no' })], []],
    ['the user alone ran a command', [r.userItem('<user_shell_command>ls</user_shell_command>')], []],
  ])('does not say so if %s', async (_, records, marks) => {
    const { tree } = await run(records)
    expect(kinds(tree).flat()).toEqual(marks)
  })

  it.each([
    ['an answer', [r.answerItem('Gone.')], []],
    ['no answer', [], ['unanswered']],
  ])('takes into account that the part before a page border has %s', async (_, said, marks) => {
    const { slice, tree: before } = await run([...ask('Go'), ...said], { last: false })
    const { tree } = await run([r.reasoningItem(['Still here']), ...ask('Thanks'), r.answerItem('Bye.')], {
      carry: slice.carry,
    })
    expect(kinds(before).flat()).toEqual([])
    expect(kinds(tree)).toEqual([marks, []])
  })
})
