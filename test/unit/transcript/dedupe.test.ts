/** Every message appears once (rollout-format 5). */
import { describe, expect, it } from 'vitest'
import * as r from '../../helpers/records.ts'
import { all, dialogue, linesOf, only, run, runValues, textOf } from '../../helpers/slice.ts'

describe('a message of both logs', () => {
  it('is one node that keeps the lines of both, at the place of the first', async () => {
    const { tree } = await run([r.userItem('Hi'), r.userEvent('Hi'), r.answerEvent('Yes?'), r.answerItem('Yes?')])
    expect(dialogue(tree)).toEqual(['U Hi', 'A Yes?'])
    const [prompt, answer] = all(tree, 'message')
    expect(prompt).toMatchObject({ id: 'l1', at: r.instant(0) })
    expect(prompt && linesOf(prompt)).toEqual([1, 2])
    expect(answer && linesOf(answer)).toEqual([3, 4])
  })

  it('is found in a batch that was written at the end of the request', async () => {
    const { tree } = await run([
      r.userItem('Go'),
      r.userEvent('Go'),
      r.answerEvent('First'),
      r.answerEvent('Second'),
      ...r.command('c1', 'make'),
      r.answerItem('First'),
      r.answerItem('Second'),
    ])
    expect(dialogue(tree)).toEqual(['U Go', 'A First', 'A Second'])
  })

  it('is found in the reversed order that follows a review', async () => {
    const { tree } = await run([r.answerItem('Verdict'), r.answerEvent('Verdict')])
    expect(dialogue(tree)).toEqual(['A Verdict'])
  })

  it('keeps the phase, whichever record has it', async () => {
    const { tree } = await run([r.answerEvent('Done'), r.answerItem('Done', { phase: 'final_answer', id: 'msg_1' })])
    expect(only(tree, 'message')).toMatchObject({ phase: 'final_answer' })
    const other = await run([r.answerEvent('Done', { phase: 'final_answer' }), r.answerItem('Done')])
    expect(only(other.tree, 'message')).toMatchObject({ phase: 'final_answer' })
  })

  it('is compared without regard to line ends and trailing whitespace', async () => {
    const { tree } = await run([r.userItem('a\r\nb \n'), r.userEvent('a\nb')])
    expect(all(tree, 'message')).toHaveLength(1)
  })

  it('is found by its id even if the words differ', async () => {
    const { tree } = await run([
      r.started('t1'),
      r.completed('AgentMessage', { id: 'msg_1', content: [{ type: 'Text', text: 'as shown' }] }, 't1'),
      r.answerItem('as sent', { id: 'msg_1' }),
    ])
    expect(dialogue(tree)).toEqual(['A as shown'])
    expect(linesOf(only(tree, 'message'))).toEqual([2, 3])
  })

  it('matches an equal id rather than an older equal text', async () => {
    const { tree } = await run([
      r.started('t1'),
      r.completed('AgentMessage', { id: 'msg_1', content: [{ type: 'Text', text: 'Same' }] }, 't1'),
      r.completed('AgentMessage', { id: 'msg_2', content: [{ type: 'Text', text: 'Same' }] }, 't1'),
      r.answerItem('Same', { id: 'msg_2' }),
      r.answerItem('Same', { id: 'msg_1' }),
    ])
    expect(all(tree, 'message').map(linesOf)).toEqual([
      [2, 5],
      [3, 4],
    ])
  })
})

describe('an answer of several parts', () => {
  const answer = (...texts: string[]) =>
    r.item({ type: 'message', role: 'assistant', content: texts.map((text) => ({ type: 'output_text', text })) })
  const items = (...texts: string[]) =>
    r.completed('AgentMessage', { id: 'other', content: texts.map((text) => ({ type: 'Text', text })) })

  it.each([
    ['an event that joins them', [r.answerEvent('One.Two.'), answer('One.', 'Two.')], 1],
    ['an event that joins them by lines', [r.answerEvent('One.\n\nTwo.'), answer('One.', 'Two.')], 1],
    ['a later event that joins them', [answer('One.', 'Two.'), r.answerEvent('One. Two.')], 1],
    ['an item of the screen that joins them', [items('One.', 'Two.'), r.answerItem('One.\nTwo.')], 1],
    ['an event for each', [r.answerEvent('One.'), r.answerEvent('Two.'), answer('One.', 'Two.')], 2],
    ['a later event for each', [answer('One.', 'Two.'), r.answerEvent('One.'), r.answerEvent('Two.')], 1],
  ])('is shown once with %s', async (_, records, count) => {
    const { tree } = await run([r.userItem('Go'), ...records])
    const messages = all(tree, 'message').filter(({ role }) => role === 'assistant')
    expect(messages).toHaveLength(count)
    expect(messages.flatMap(linesOf).toSorted((a, b) => a - b)).toEqual(
      records.map((_record, index) => index + 2).toSorted((a, b) => a - b),
    )
    const said = messages.map(textOf).join(' ')
    for (const word of ['One', 'Two']) expect(said.split(word)).toHaveLength(2)
  })

  it('is shown twice if it was said twice', async () => {
    const said = [r.answerEvent('One.'), r.answerEvent('Two.'), answer('One.', 'Two.')]
    const { tree } = await run([r.userItem('Go'), ...said, ...said])
    expect(dialogue(tree)).toEqual(['U Go', 'A One.', 'A Two.', 'A One.', 'A Two.'])
  })
})

describe('a prompt of several parts', () => {
  const parts = (...texts: string[]) =>
    r.item({ type: 'message', role: 'user', content: texts.map((text) => ({ type: 'input_text', text })) })

  it.each([
    ['joined without a separator', 'One.Two.\nThree.'],
    ['with a line end between them', 'One.\nTwo.\nThree.'],
  ])('is one message with its event, %s', async (_name, message) => {
    for (const records of [
      [parts('One.', 'Two.\n', 'Three.'), r.userEvent(message)],
      [r.userEvent(message), parts('One.', 'Two.\n', 'Three.')],
    ]) {
      const { tree } = await run([...records, r.answerEvent('Done')])
      const [prompt, ...others] = all(tree, 'message').filter(({ role }) => role === 'user')
      expect(others).toEqual([])
      expect(prompt?.steering).toBeUndefined()
      expect(prompt === undefined ? '' : textOf(prompt)).toBe(message)
    }
  })
})

describe('the same words again', () => {
  it('become as many messages as each log contains', async () => {
    const { tree } = await run([
      r.userItem('Same words'),
      r.userEvent('Same words'),
      r.answerEvent('Same'),
      r.answerItem('Same'),
      r.userItem('Same words'),
      r.userEvent('Same words'),
      r.answerEvent('Same'),
      r.answerItem('Same'),
    ])
    expect(dialogue(tree)).toEqual(['U Same words', 'A Same', 'U Same words', 'A Same'])
    expect(all(tree, 'turn')).toHaveLength(2)
  })

  it('are never one message if they are in the same log', async () => {
    const { tree } = await run([r.answerEvent('Try'), r.answerEvent('Try'), r.answerItem('Try')])
    expect(dialogue(tree)).toEqual(['A Try', 'A Try'])
  })

  it('are paired oldest first within a turn', async () => {
    const { tree } = await run([r.answerEvent('a'), r.answerEvent('a'), r.answerItem('a'), r.answerItem('a')])
    expect(all(tree, 'message').map(linesOf)).toEqual([
      [1, 3],
      [2, 4],
    ])
  })

  it('are never paired across turns', async () => {
    const { tree } = await run([
      r.started('t1'),
      r.answerEvent('Same'),
      r.complete('t1'),
      r.started('t2'),
      r.answerItem('Same'),
      r.complete('t2'),
    ])
    expect(dialogue(tree)).toEqual(['A Same', 'A Same'])
  })
})

describe('the last answer that the end of a turn repeats', () => {
  const end = (turnId: string, text = 'Done.') => r.complete(turnId, { last_agent_message: text })
  const first = [r.started('t1'), r.userItem('One'), r.answerItem('Done.'), end('t1')]
  const second = [r.started('t2'), r.userItem('Two')]

  it('is no message of its own', async () => {
    const { tree } = await run([...first, ...second, r.answerItem('Done.'), end('t2')])
    expect(dialogue(tree)).toEqual(['U One', 'A Done.', 'U Two', 'A Done.'])
  })

  it('is a message if no other record of this turn has it, whatever earlier turns said', async () => {
    const { tree } = await run([...first, ...second, end('t2')])
    expect(dialogue(tree)).toEqual(['U One', 'A Done.', 'U Two', 'A Done.'])
  })

  it('is no message if the end of an earlier turn comes late', async () => {
    const { tree } = await run([...first.slice(0, -1), ...second, end('t1'), r.answerItem('Yes.'), end('t2', 'Yes.')])
    expect(dialogue(tree)).toEqual(['U One', 'A Done.', 'U Two', 'A Yes.'])
  })

  it.each([
    ['the page before has it', [...second, r.answerItem('Done.')], []],
    ['only earlier turns of that page have it', [...first, ...second], ['A Done.']],
  ])('after a page border is a message only if its turn lacks it: %s', async (_, before, expected) => {
    const { slice } = await run(before, { last: false })
    const { tree } = await run([end('t2')], { carry: slice.carry })
    expect(dialogue(tree)).toEqual(expected)
  })
})

/** Genuine messages that only one log has (rollout-format 5.1). */
describe('a message of one log only', () => {
  it('is shown in bare files', async () => {
    const { tree } = await runValues([
      { id: 'thread', timestamp: r.instant(0), instructions: null },
      r.userItem('Hi')['payload'],
      { record_type: 'state' },
      r.answerItem('Yes?')['payload'],
    ])
    expect(dialogue(tree)).toEqual(['U Hi', 'A Yes?'])
  })

  it('is shown if somebody steered a running turn', async () => {
    const { tree } = await run([
      r.started('t1'),
      r.userItem('Go'),
      r.userEvent('Go'),
      ...r.command('c1', 'make'),
      r.userItem('But quickly'),
      r.answerEvent('Done'),
      r.answerItem('Done'),
      r.complete('t1'),
    ])
    expect(dialogue(tree)).toEqual(['U Go', 'U But quickly', 'A Done'])
    expect(all(tree, 'turn')).toHaveLength(1)
    expect(all(tree, 'message').map(({ steering }) => steering)).toEqual([undefined, true, undefined])
  })

  it('is shown for each attempt of a stream that was interrupted', async () => {
    const { tree } = await run([
      r.userItem('Go'),
      r.userEvent('Go'),
      r.answerEvent('I am'),
      r.answerEvent('I am'),
      r.answerEvent('I am here'),
      r.answerItem('I am here'),
    ])
    expect(dialogue(tree)).toEqual(['U Go', 'A I am', 'A I am', 'A I am here'])
  })

  it('is shown if a client wrote the prompt only as an item', async () => {
    const { tree } = await run([r.started('t1'), r.userItem('Go'), r.answerItem('Yes'), r.complete('t1')])
    expect(dialogue(tree)).toEqual(['U Go', 'A Yes'])
  })

  it('is dropped if an assistant said nothing, and its line is counted', async () => {
    const { tree, slice } = await run([r.userItem('Go'), r.userEvent('Go'), r.answerEvent(''), r.answerItem('')])
    expect(dialogue(tree)).toEqual(['U Go'])
    expect(slice.lines).toMatchObject({ total: 4, shown: 1, folded: 1, damaged: 0 })
  })
})

describe('context that Codex injected', () => {
  it('has no event and is folded', async () => {
    const { tree } = await run([
      r.userItem('<environment_context>\n  <cwd>/p</cwd>\n</environment_context>'),
      r.userItem('Go'),
      r.userEvent('Go'),
    ])
    const [context, prompt] = all(tree, 'message')
    expect(context).toMatchObject({ origin: 'injected', label: 'Environment', data: { visibility: 'collapsed' } })
    expect(prompt).toMatchObject({ origin: 'typed' })
  })

  it('is separate from the prompt that shares its record', async () => {
    const content = [
      { type: 'input_text', text: '<environment_context>x</environment_context>' },
      { type: 'input_text', text: 'Go' },
    ]
    const { tree } = await run([r.item({ type: 'message', role: 'user', content }), r.userEvent('Go')])
    expect(all(tree, 'message').map((message) => [message.origin, textOf(message)])).toEqual([
      ['typed', 'Go'],
      ['injected', '<environment_context>x</environment_context>'],
    ])
  })
})

describe('a prompt with pictures', () => {
  const pictured = (text: string) => ({
    type: 'message',
    role: 'user',
    content: [
      { type: 'input_text', text: '<image name=[Image #1]>' },
      { type: 'input_image', image_url: r.pixelUrl },
      { type: 'input_text', text: '</image>' },
      { type: 'input_text', text },
    ],
  })

  it('has the words of the event, the bytes of the item and the path of the event', async () => {
    const { tree } = await run([
      r.item(pictured('Look')),
      r.userEvent('Look', { images: [], local_images: ['/p/a.png'] }),
    ])
    const message = only(tree, 'message')
    expect(textOf(message)).toBe('Look\n[image]')
    expect(only(tree, 'image')).toMatchObject({ url: '/p/a.png', mediaType: 'image/png', width: 1, origin: 'attached' })
  })

  it('has its pictures even if the event does not mention them', async () => {
    const { tree } = await run([r.item(pictured('Look')), r.userEvent('Look')])
    expect(textOf(only(tree, 'message'))).toBe('Look\n[image]')
  })

  it('has each picture once if both logs contain the bytes', async () => {
    const { tree } = await run([r.item(pictured('Look')), r.userEvent('Look', { images: [r.pixelUrl] })])
    expect(all(tree, 'image')).toHaveLength(1)
  })

  it('keeps the order in which its parts were typed', async () => {
    const { tree } = await run([
      r.started('t1'),
      r.item(pictured('and this')),
      r.completed(
        'UserMessage',
        {
          id: 'u1',
          content: [
            { type: 'text', text: 'and this' },
            { type: 'local_image', path: '/p/a.png' },
            { type: 'skill', name: 'review', path: '/p/skill.md' },
            { type: 'mention', name: 'file', path: '/p/file.ts' },
          ],
        },
        't1',
      ),
    ])
    expect(textOf(only(tree, 'message'))).toBe('and this\n[image]\n[reference]\n[reference]')
    expect(all(tree, 'reference').map(({ kind, target }) => [kind, target])).toEqual([
      ['skill', '/p/skill.md'],
      ['file', '/p/file.ts'],
    ])
  })
})

describe('what the screen did not show', () => {
  const plan = '<proposed_plan>\n1. Read\n2. Write\n</proposed_plan>\n'

  it('is removed from an answer with a plan', async () => {
    const { tree } = await run([
      r.started('t1'),
      r.completed('Plan', { id: 'p1', text: '1. Read\n2. Write\n' }, 't1'),
      r.completed('AgentMessage', { id: 'm1', content: [{ type: 'Text', text: 'Here.' }] }, 't1'),
      r.answerItem(`Here.\n\n${plan}`, { id: 'm1' }),
      r.complete('t1'),
    ])
    expect(dialogue(tree)).toEqual(['A Here.'])
    expect(only(tree, 'plan').children).toMatchObject([{ type: 'markdown', value: '1. Read\n2. Write\n' }])
  })

  it('leaves the plan once if nothing but a plan was said', async () => {
    const { tree, slice } = await run([
      r.started('t1'),
      r.completed('Plan', { id: 'p1', text: '1. Read\n2. Write\n' }, 't1'),
      r.answerItem(plan),
      r.complete('t1'),
    ])
    expect(dialogue(tree)).toEqual([])
    expect(linesOf(only(tree, 'plan'))).toEqual([2, 3])
    expect(slice.lines).toMatchObject({ total: 4, folded: 2 })
  })

  it('leaves the plan once if its item comes later, and if it was written again', async () => {
    const { tree } = await run([
      r.started('t1'),
      r.answerItem(plan),
      r.completed('Plan', { id: 'p1', text: '1. Read\n2. Write\n' }, 't1'),
      r.completed('Plan', { id: 'p1', text: '1. Read\n2. Think\n3. Write\n' }, 't1'),
      r.answerEvent('Well?'),
      r.answerItem('Well?'),
      r.complete('t1'),
    ])
    expect(dialogue(tree)).toEqual(['A Well?'])
    expect(only(tree, 'plan')).toMatchObject({ id: 'l2', children: [{ value: '1. Read\n2. Think\n3. Write\n' }] })
  })

  it('leaves the plan as an answer if no item contains it', async () => {
    const { tree } = await run([r.answerItem(plan)])
    expect(dialogue(tree)).toEqual(['A 1. Read\n2. Write'])
  })

  it('stays if the event contains the block, too', async () => {
    const { tree } = await run([r.answerEvent(`See\n${plan}`), r.answerItem(`See\n${plan}`)])
    expect(dialogue(tree)).toEqual([`A See\n${plan}`])
  })

  it('includes citations of memories', async () => {
    const { tree } = await run([
      r.answerEvent('As before.\n'),
      r.answerItem('As before.\n<oai-mem-citation>\n<ids>\nx\n</ids>\n</oai-mem-citation>'),
    ])
    expect(dialogue(tree)).toEqual(['A As before.\n'])
  })

  it('does not include tags within a line', async () => {
    const text = 'Write <proposed_plan>x</proposed_plan> around it.'
    const { tree } = await run([r.answerItem(text)])
    expect(dialogue(tree)).toEqual([`A ${text}`])
  })
})

describe('reasoning', () => {
  it.each([
    [
      'after the events that it joins',
      [r.reasoningEvent('One'), r.reasoningEvent('Two'), r.reasoningItem(['One\n\nTwo'])],
    ],
    [
      'before the events that it joins',
      [r.reasoningItem(['One\n\nTwo']), r.reasoningEvent('One'), r.reasoningEvent('Two')],
    ],
    ['after an event that joins its parts', [r.reasoningEvent('One\n\nTwo'), r.reasoningItem(['One', 'Two'])]],
  ])('is shown once %s', async (_, records) => {
    const { tree } = await run([r.userItem('Go'), ...records])
    const node = only(tree, 'reasoning')
    expect(linesOf(node)).toHaveLength(records.length)
    expect(JSON.stringify(node.children).match(/One|Two/g)).toEqual(['One', 'Two'])
  })

  const thoughts = async (records: r.Json[]) => {
    const { tree } = await run(records)
    return all(tree, 'reasoning').map(({ children }) => children.map(({ value }) => value))
  }

  it('of several events and one item is one node', async () => {
    expect(await thoughts([r.reasoningEvent('a'), r.reasoningEvent('b'), r.reasoningItem(['a', 'b'])])).toEqual([
      ['a', 'b'],
    ])
  })

  it('of a review is shown once although it is written twice, and elsewhere twice is two', async () => {
    const repeated = ['a', 'a', 'b', 'b', 'b', 'b'].map(r.reasoningEvent)
    const entered = r.event('entered_review_mode', { target: { type: 'uncommittedChanges' } })
    const exited = r.event('exited_review_mode', { review_output: null })
    const { tree } = await run([entered, r.started('t-1'), ...repeated, exited])
    const node = only(tree, 'reasoning')
    expect(node.children.map(({ value }) => value)).toEqual(['a', 'b', 'b'])
    expect(linesOf(node)).toHaveLength(repeated.length)
    expect(await thoughts([r.reasoningEvent('a'), r.reasoningEvent('a')])).toEqual([['a', 'a']])
  })

  it('is found in a batch after the answer', async () => {
    expect(
      await thoughts([
        r.reasoningEvent('a'),
        r.answerEvent('x'),
        r.reasoningItem(['a']),
        r.answerItem('x'),
        ...r.command('c', 'make'),
        r.reasoningEvent('b'),
        r.reasoningItem(['b']),
      ]),
    ).toEqual([['a'], ['b']])
  })

  it('has the parts that only one log has', async () => {
    expect(await thoughts([r.reasoningEvent('a'), r.reasoningItem(['a', 'b'])])).toEqual([['a', 'b']])
    expect(await thoughts([r.reasoningEvent('a'), r.reasoningEvent('b'), r.reasoningItem(['a'])])).toEqual([['a', 'b']])
  })

  it('has the last version of summaries that grow', async () => {
    const grown = (...summary_text: string[]) =>
      r.completed('Reasoning', { id: 'item-1', summary_text, raw_content: [] }, 't1')
    expect(
      await thoughts([r.started('t1'), grown('a'), grown('a', 'b'), r.reasoningItem(['a', 'b']), r.complete('t1')]),
    ).toEqual([['a', 'b']])
  })

  it('with equal words is as many nodes as each log contains', async () => {
    expect(
      await thoughts([
        r.reasoningEvent('a'),
        r.reasoningItem(['a']),
        ...r.command('c', 'x'),
        r.reasoningEvent('a'),
        r.reasoningItem(['a']),
      ]),
    ).toEqual([['a'], ['a']])
  })

  it('of which only ciphertext is on disk becomes a count', async () => {
    const { tree, slice } = await run([r.reasoningItem([], { encrypted_content: 'gAAAAsecret' })])
    expect(all(tree, 'reasoning')).toEqual([])
    expect(slice.lines.skipped).toEqual({ reasoning: 1 })
    expect(JSON.stringify(tree)).not.toContain('gAAAA')
  })
})

describe('a review', () => {
  const verdict = {
    review_output: {
      findings: [
        {
          title: 'Off by one',
          body: 'The loop ends early.',
          priority: 1,
          code_location: { absolute_file_path: '/p/a.ts', line_range: { start: 3, end: 5 } },
        },
      ],
      overall_correctness: 'patch is incorrect',
      overall_explanation: 'One mistake.',
    },
  }
  const records = [
    r.event('entered_review_mode', { target: { type: 'uncommittedChanges' }, user_facing_hint: 'current changes' }),
    r.userEvent('Review the changes'),
    r.userEvent('Review the changes'),
    r.userItem('<user_action>\n<context>review</context>\n</user_action>'),
    r.event('exited_review_mode', verdict),
    r.answerItem('One mistake.\n\n- Off by one'),
    r.answerEvent('One mistake.\n\n- Off by one'),
  ]

  it('is one entry of entering, prompt, verdict and echoes', async () => {
    const { tree } = await run(records)
    expect(dialogue(tree)).toEqual([])
    const notice = only(tree, 'notice')
    expect(notice).toMatchObject({ kind: 'review', facts: { before: 'current changes', after: 'patch is incorrect' } })
    expect(only(tree, 'finding')).toMatchObject({
      title: 'Off by one',
      priority: 1,
      path: '/p/a.ts',
      startLine: 3,
      endLine: 5,
    })
    expect(linesOf(notice)).toEqual([1, 2, 3, 5, 4, 6, 7])
    expect(only(tree, 'turn').kind).toBe('review')
  })

  it('shows its prompt once if that is its hint', async () => {
    const asked = r.event('entered_review_mode', { prompt: 'Review the changes' })
    const { tree } = await run([asked, ...records.slice(1)])
    const { facts, children } = only(tree, 'notice')
    expect(facts?.before).toBe('Review the changes')
    expect(children.map(({ type }) => type)).toEqual(['markdown', 'finding'])
  })

  it('is followed by ordinary turns', async () => {
    const { tree } = await run([
      ...records,
      r.userItem('Mend it'),
      r.userEvent('Mend it'),
      r.answerEvent('Done'),
      r.answerItem('Done'),
    ])
    expect(dialogue(tree)).toEqual(['U Mend it', 'A Done'])
    expect(all(tree, 'turn').map(({ kind }) => kind)).toEqual(['review', 'user'])
  })

  it('says so if it was interrupted', async () => {
    const { tree } = await run([
      r.event('entered_review_mode', { target: { type: 'custom', instructions: 'Look' } }),
      r.event('exited_review_mode', { review_output: null }),
    ])
    expect(only(tree, 'notice').facts).toEqual({ before: 'Look', after: 'review interrupted' })
  })

  it('ends with its turn if it was never left', async () => {
    const { tree } = await run([
      r.event('entered_review_mode', { target: { type: 'uncommittedChanges' } }),
      r.started('reviewer'),
      r.aborted('turn-x'),
      r.started('t2'),
      r.userItem('Next'),
      r.userEvent('Next'),
      r.complete('t2'),
    ])
    expect(dialogue(tree)).toEqual(['U Next'])
    expect(all(tree, 'turn').map(({ kind, status }) => [kind, status])).toEqual([
      ['review', 'interrupted'],
      ['user', 'completed'],
    ])
  })
})

describe('instructions in the head of a bare rollout', () => {
  const head = { id: 'a', timestamp: r.instant(0), instructions: '# Guide\n\n- Be brief.\n' }
  const message = (text: string): object => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
  const words = (tree: Parameters<typeof all>[0]): string[] => all(tree, 'message').map(textOf)

  it('are context before the first turn if nothing else contains them', async () => {
    const { tree } = await runValues([head, message('Go')])
    expect(words(tree)).toEqual(['# Guide\n\n- Be brief.\n', 'Go'])
    expect(all(tree, 'message')[0]).toMatchObject({ origin: 'injected', label: 'Instructions' })
  })

  it('are not shown again if a message contains them', async () => {
    const sent = '<user_instructions>\n\n# Guide\n\n- Be brief.\n\n</user_instructions>'
    const { tree } = await runValues([head, message(sent), message('Go')])
    expect(words(tree)).toEqual([sent, 'Go'])
    expect(all(tree, 'message').map(linesOf)).toEqual([[2, 1], [3]])
  })
})
