import { beforeEach, describe, expect, it } from 'vitest'
import { renderMarkdown } from '../../../src/render/transcript/markdown.ts'
import { storyParts, sumWork } from '../../../src/render/transcript/story.ts'
import type { FlowContent } from '../../../src/transcript/trast.ts'
import { body, context, renderText } from '../../helpers/render.ts'
import { tagsNamed, tagsOfClass } from '../../helpers/tags.ts'
import {
  agent,
  approval,
  assistant,
  command,
  errorNode,
  fileChange,
  group,
  hunk,
  injected,
  notice,
  output,
  patch,
  plan,
  planStep,
  reasoning,
  resetIds,
  search,
  session,
  text,
  toolCall,
  turn,
  user,
} from '../../helpers/tree.ts'

beforeEach(resetIds)

const none = { count: 0, fixed: 0 }

const kinds = (items: FlowContent[]) =>
  storyParts(items).map((part) => (part.kind === 'item' ? part.item.type : part.items.map(({ type }) => type)))

describe('the story of a turn', () => {
  it('is what people said, decided and received, with the work between', () => {
    const items = [
      injected('AGENTS.md', 'rules'),
      user('Mend the gate'),
      reasoning('Look first'),
      command('ls'),
      approval(),
      command('npm test'),
      errorNode('Stream lost'),
      notice('compaction'),
      agent([], { action: 'spawn' }),
      agent([], { action: 'wait' }),
      plan([planStep('a')]),
      assistant('I look at it', { phase: 'commentary' }),
      assistant('Done', { phase: 'final_answer' }),
    ]
    expect(kinds(items)).toEqual([
      ['message'],
      'message',
      ['reasoning', 'command'],
      'approval',
      ['command'],
      'error',
      'notice',
      'agent',
      ['agent', 'plan', 'message'],
      'message',
    ])
  })

  it('ends with the last message of a turn that has no answer', () => {
    const said = assistant('I look at it', { phase: 'commentary' })
    expect(kinds([user('x'), command('ls'), said, command('npm test')])).toEqual([
      'message',
      ['command'],
      'message',
      ['command'],
    ])
  })

  it('includes commands of the user, and nothing that a plugin hides', () => {
    const typed = command('ls', [], { actor: 'user' })
    const hidden = errorNode('x', { data: { visibility: 'hidden' } })
    expect(kinds([typed, hidden])).toEqual(['command'])
  })
})

describe('a run of work', () => {
  const at = (second: number) => `2026-03-14T09:00:${String(second).padStart(2, '0')}.000Z`

  it('is summed up in numbers: each file once, scripts by what they did', () => {
    const read = (path: string) => command(`cat ${path}`, [], { actions: [{ kind: 'read', path }], at: at(1) })
    const items = [
      read('a'),
      read('a'),
      read('b'),
      command('rg x', [], { actions: [{ kind: 'search', query: 'x' }], at: at(1) }),
      search(['x']),
      search([], [], { action: 'open', url: 'https://a.example' }),
      search([], [], { action: 'find', url: 'https://a.example', pattern: 'x' }),
      toolCall('exec', '', [command('ls')]),
      toolCall('fetch', '{}'),
      patch([fileChange('c', [hunk('+x')])]),
      patch([fileChange('d', [hunk('+x')])], { status: 'failed' }),
      agent([], { action: 'wait' }),
      agent([], { action: 'finish' }),
      command('npm test', [], { at: at(10), durationMs: 5000 }),
    ]
    expect(sumWork(items, new Map())).toMatchObject({
      counts: [
        ...['6 commands (2 files read, 1 search)', '1 tool call', '2 web searches', '1 web page opened'],
        ...['1 sub-agent call', '1 sub-agent finished'],
      ],
      changes: ['1 file changed'],
      failed: { command: none, edit: { count: 1, fixed: 0 }, 'tool call': none },
      from: Date.parse(at(1)),
      to: Date.parse(at(15)),
      isContext: false,
    })
  })

  it('names what a command read that the page before counted', () => {
    const rest = command('cat a', [], { actions: [{ kind: 'read', path: 'a' }], data: { continued: true } })
    expect(sumWork([rest], new Map()).counts).toEqual(['1 file read'])
  })
})

describe('the failures of a run of work', () => {
  it('include scripts that failed after their calls, which count as tool calls', () => {
    const items = [toolCall('exec', '', [command('ls')], { status: 'failed' }), toolCall('exec', '', [command('ls')])]
    expect(sumWork(items, new Map())).toMatchObject({
      counts: ['2 commands', '1 tool call'],
      failed: { 'tool call': { count: 1, fixed: 0 } },
    })
  })

  it('exclude what was declined or interrupted, as the statistics do', () => {
    const of = (status: 'failed' | 'declined' | 'interrupted') => [
      command('make', [], { status }),
      toolCall('fetch', '{}', [], { status }),
      patch([], { status }),
      search(['x'], [], { status }),
      agent([], { status }),
    ]
    expect(sumWork(of('failed'), new Map()).failed).toEqual({
      command: { count: 1, fixed: 0 },
      edit: { count: 1, fixed: 0 },
      'tool call': { count: 3, fixed: 0 },
    })
    const declined = of('declined')
    expect(sumWork([...declined, ...of('interrupted')], new Map())).toMatchObject({
      failed: { command: none, edit: none, 'tool call': none },
      declined,
    })
  })

  it('count a command once that continues after a page border', () => {
    const again = command('make', [], { data: { continued: true } })
    expect(sumWork([command('make'), again], new Map()).counts).toEqual(['1 command'])
  })
})

/** Failures that a story names, the parts of each separated by a bar. */
function namedIn(html: string): string[] {
  return Array.from(html.matchAll(/<p class="still[^"]*">(.*?)<\/p>/gs), ([, inner = '']) =>
    inner
      .replace(/<[^>]+>/g, '|')
      .replaceAll('&#x3C;', '<')
      .split('|')
      .filter((text) => text !== '')
      .join(' | '),
  )
}

describe('the story on a page', () => {
  const worked = () => [
    user('Mend it', { id: 'p' }),
    command('npm test', [], { id: 'c1', status: 'failed', exitCode: 1 }),
    command('npm test', [], { id: 'c2' }),
    command('make x', [], { id: 'c3', status: 'failed', exitCode: 2 }),
    assistant('Done', { id: 'a', phase: 'final_answer' }),
  ]

  it('folds work into one line, names unfixed failures, and links what fixed the others', () => {
    const html = body([turn(worked())])
    expect(html).toContain(
      '<b>Worked</b> · <span>3 commands</span> · <span class="bad">2 commands failed, 1 fixed</span>',
    )
    expect(tagsOfClass(html, 'did').map(({ attributes }) => attributes)).toEqual([{ class: 'did', id: 'c1-work' }])
    expect(html).toMatch(/<p class="still"><b class="bad">Failed<\/b><a href="#c3"><code>make x<\/code><\/a>/)
    expect(html).not.toMatch(/class="still".*npm test/)
    expect(html).toMatch(
      /id="c1" class="item command fixed".*fixed by a later run.*Fixed by <a href="#c2">npm test<\/a>/s,
    )
  })

  it('says how long a failed command took, also if another one fixed it', () => {
    const failed = command('npm test', [], { id: 'c1', status: 'failed', exitCode: 1, durationMs: 10_200 })
    const html = body([turn([failed, command('npm test', [], { id: 'c2' })])])
    expect(html).toContain('failed, exit 1 · 10.2 s · fixed by a later run')
  })

  it('names every failed call, and distinguishes scripts that begin with the same line', () => {
    const script = (body: string, id: string) =>
      command(`python - <<'PY'\nimport sys\n${body}\nPY`, [], { id, status: 'failed', exitCode: 1 })
    const html = body([
      turn([
        user('Go'),
        script('one()', 's1'),
        script('two()', 's2'),
        script('one()', 's3'),
        toolCall('click', '{}', [], { id: 't', server: 'browser', status: 'failed' }),
        patch([fileChange('a.ts', [hunk('+x')])], { id: 'p', status: 'failed' }),
        command('ls'),
        assistant('Done'),
      ]),
    ])
    expect(html).toContain(
      '<span class="bad">3 commands failed</span> · <span class="bad">1 edit failed</span> · <span class="bad">1 tool call failed</span>',
    )
    expect(namedIn(html)).toEqual([
      "Failed 2 times | python - <<'PY' … one() | exit 1",
      "Failed | python - <<'PY' … two() | exit 1",
      'Tool call failed | browser/click',
      'and 1 more failure',
    ])
  })

  it('names a failed script of code mode by its text, in one line', () => {
    const script = (input: string) => toolCall('exec', input, [], { family: 'custom', status: 'failed' })
    const begin = 'const all = await Promise.all([\n'
    const html = body([
      turn([
        user('Go'),
        script(`${begin}  tools.exec_command({cmd: "make"}),\n]);`),
        script(`${begin}  tools.exec_command({cmd: "npm test"}),\n]);`),
        script(''),
        assistant('Done'),
      ]),
    ])
    expect(namedIn(html)).toEqual([
      'Script failed | const all = await Promise.all([ tools.exec_command({cmd: "make"}), ]);',
      'Script failed | const all = await Promise.all([ tools.exec_command({cmd: "npm test"}), ]);',
      'Script failed | exec',
    ])
  })

  it('names declined calls after their run next to failures, but not as failures', () => {
    const declined = { status: 'declined' } as const
    const html = body([
      turn([
        user('Go'),
        command('rm -rf out', [], declined),
        command('rm -rf out', [], { ...declined, id: 'l8' }),
        patch([fileChange('a.ts', [hunk('+x')])], declined),
        command('make', [], { status: 'failed', exitCode: 2 }),
        toolCall('browser/click', '{}', [], declined),
        search(['keys'], [], declined),
        agent([], { ...declined, action: 'wait' }),
        assistant('Done'),
      ]),
    ])
    expect(namedIn(html)).toEqual([
      'Failed | make | exit 2',
      'Declined 2 times | rm -rf out',
      'Edit declined | a.ts',
      'Tool call declined | browser/click',
      'and 2 more declined',
    ])
    expect(html).toContain('<p class="still declined"><b>Declined 2 times</b><a href="#l8">')
  })

  it('leaves changed files to their list if all the work of the turn is one line', () => {
    const edit = patch([fileChange('a.ts', [hunk('+x')])])
    const line = (...items: FlowContent[]) =>
      [...body([turn(items)]).matchAll(/<summary><span>(.*?)<\/span><\/summary>/g)].map(([, words]) => words)
    const refused = command('rm a.ts', [], { status: 'declined' })
    expect(line(user('Go'), edit, refused, assistant('Done'))).toEqual([
      '<b>Worked</b> · <span>1 command</span> · <span>1 declined</span>',
    ])
    expect(line(user('Go'), edit, edit, assistant('Done'))).toEqual(['<b>Worked</b> · <span>1 file changed</span>'])
    const [at, endedAt] = ['2026-03-14T09:00:00.000Z', '2026-03-14T09:00:07.400Z']
    const timed = body([
      turn([user('Go', { at }), edit, edit, assistant('Done', { at: endedAt })], { at, durationMs: 9000 }),
    ])
    expect(timed).toContain('<summary><span><b>Worked 7.4 s</b></span></summary>')
    expect(timed.match(/1 file changed/g)).toHaveLength(1)
    expect(line(injected('environment', 'x'), user('Go'), edit, refused, assistant('Done')).at(-1)).not.toContain(
      'changed',
    )
    const twice = line(user('Go'), edit, command('ls'), user('And b'), edit, command('ls'), assistant('Done'))
    expect(twice).toEqual(Array(2).fill('<b>Worked</b> · <span>1 command</span> · <span>1 file changed</span>'))
  })

  it('times its runs from neighbour to neighbour, so that they add up to the time of the turn', () => {
    const at = (second: number) => ({ at: `2026-03-14T09:00:${String(second).padStart(2, '0')}.000Z` })
    const ls = (second: number) => [command('ls', [], at(second)), command('cat a', [], at(second + 1))]
    const times = (items: FlowContent[], fields: Parameters<typeof turn>[1]) =>
      [...body([turn(items, { ...at(0), ...fields })]).matchAll(/<b>Worked ?([^<]*)<\/b>/g)].map(([, time]) => time)
    const steered = [user('Go', at(0)), ...ls(10), user('And b', at(20)), ...ls(25)]
    const ended = { endedAt: at(50).at, durationMs: 51_000 }
    expect(times([...steered, assistant('Done', { ...at(45), phase: 'final_answer' })], ended)).toEqual([
      '20 s',
      '25 s',
    ])
    expect(times(steered, ended)).toEqual(['20 s', '30 s'])
    expect(times([user('Go', at(0)), ...ls(10)], ended)).toEqual(['50 s'])
    // A run ends at the answer, even if the turn went on.
    expect(times([user('Go', at(0)), ...ls(10), assistant('Done', at(40))], ended)).toEqual(['40 s'])
    // Settings that changed before the prompt are not work.
    const changed = [injected('environment', 'x', at(0)), notice('settings', [], at(0))]
    expect(times([...changed, user('Go', at(0)), ...ls(10)], ended)).toEqual(['50 s'])
    // A page border cuts the turn, so that its end and duration are not those of this part.
    expect(times([user('Go', at(0)), ...ls(10)], { ...ended, data: { continues: true } })).toEqual(['11 s'])
    expect(times(ls(30), { ...ended, ...at(30), data: { continued: true } })).toEqual(['20 s'])
    expect([
      ...body([turn([command('ls'), command('cat a')], { endedAt: at(50).at })]).matchAll(/<b>Worked<.b>/g),
    ]).toHaveLength(1)
  })

  it('says in Markdown and text too what fixed a failure', () => {
    const failed = command('npm test', [], { id: 'c1', status: 'failed', exitCode: 1 })
    const unmade = patch([fileChange('a.ts', [hunk('+x')])], { status: 'failed' })
    const made = patch([fileChange('a.ts', [hunk('+x')])], { id: 'l9' })
    const shown = (...children: FlowContent[]): string[] => {
      const tree = session([turn(children)])
      return [renderMarkdown(tree, context()), renderText(tree, context())]
    }
    for (const text of shown(failed, command('npm test'))) expect(text).toContain('exit 1 · fixed by a later run')
    const [markdown, text] = shown(failed, command('npm test && ls'))
    expect(markdown).toContain('exit 1 · fixed by a later run · `npm test && ls`')
    expect(text).toContain('exit 1 · fixed by a later run: npm test && ls')
    for (const text of shown(unmade, made)) expect(text).toContain('not applied · failed · fixed by a later edit')
    for (const text of shown(failed, command('ls'))) expect(text).not.toContain('fixed')
  })

  it('does not name a failed edit that a later one made, and links it to that one', () => {
    const failed = patch([fileChange('a.ts', [hunk('+x')])], { status: 'failed' })
    const made = patch([fileChange('/shop/a.ts', [hunk('+x')])], { id: 'l9' })
    const other = patch([fileChange('b.ts', [hunk('+x')])], { status: 'failed' })
    const of = (...items: FlowContent[]): string => body([turn([user('Go'), ...items, assistant('Done')])])
    expect(of(failed, made)).toContain('<span>1 failure, fixed</span>')
    expect(of(failed, made)).not.toContain('Edit failed')
    expect(of(failed, made)).toContain('Patch failed, not applied</b> · <a href="#l9">fixed by a later edit</a>')
    expect(of(failed, made, other)).toContain('<span class="bad">2 edits failed, 1 fixed</span>')
    expect(of(failed, made, other)).toContain('Edit failed</b><a')
    expect(of(failed, made, command('make', [], { status: 'failed' }))).toMatch(
      /<span class="bad">1 command failed<\/span> · <span>1 edit failed, fixed<\/span>/,
    )
  })

  it('shows how a failure ended only if that is more than that it failed', () => {
    const failed = command('make x', [], { status: 'failed', exitCode: 3 })
    const { exitCode: _, ...unknown } = failed
    const ended = (node: typeof unknown): string => body([turn([user('Go'), node, command('ls'), assistant('Done')])])
    expect(ended(unknown)).toMatch(/class="still".*<code>make x<\/code><\/a><\/p>/)
    expect(ended(failed)).toContain('</a><span>exit 3</span></p>')
    expect(ended({ ...failed, outcome: 'timedOut' })).toContain('</a><span>timed out</span></p>')
  })

  it('shows the time of an answer only if it differs from that of the previous item in the story', () => {
    const at = (clock: string) => `2026-03-14T09:${clock}Z`
    const times = (answered: string): (string | undefined)[] => {
      const items = [
        user('Go', { at: at('26:01') }),
        command('ls', [], { at: at('27:00') }),
        assistant('Done', { at: at(answered), phase: 'final_answer' }),
      ]
      return tagsOfClass(body([turn(items)]), 'at').map(({ attributes }) => attributes['class'])
    }
    expect(times('26:59')).toEqual(['at', 'at', 'at same'])
    expect(times('27:30')).toEqual(['at', 'at', 'at'])
  })

  it.each([
    ['Thought', reasoning('Look')],
    ['Planned', plan([planStep('a')])],
    ['Commented', assistant('I look', { phase: 'commentary' })],
  ])('names a run without calls %s by its content', (word, item) => {
    const said = assistant('One moment', { phase: 'commentary' })
    const answer = assistant('Done', { phase: 'final_answer' })
    expect(body([turn([user('Go'), said, item, notice('settings'), answer])])).toContain(`<b>${word}</b>`)
  })

  it('shows changed settings as a line, not in a fold that would repeat it', () => {
    const html = body([turn([injected('environment', 'x'), notice('settings'), user('Go')])])
    expect(tagsOfClass(html, 'did')).toEqual([])
    expect(html).toContain('<p>Settings changed</p>')
  })

  it('shows changed settings once, also next to context that the story omits', () => {
    const long = injected('IDE context', 'x'.repeat(9000))
    const turns = [turn([long, notice('settings'), notice('model'), user('Go')])]
    const halves = [undefined, 'story', 'work'] as const
    const pages = halves.map((half) => body(turns, context({}, half === undefined ? {} : { half })))
    for (const html of pages) {
      expect(tagsOfClass(html, 'did')).toEqual([])
      expect(html.match(/<p>(?:Settings changed|Model)</g)).toHaveLength(2)
    }
    expect(pages.map((html) => html.includes('xxx'))).toEqual([true, false, true])
  })

  it('describes a run of nothing but changed settings by what changed', () => {
    const change = (before: string, after: string) => ({ ...notice('settings'), facts: { before, after } })
    const items = [
      change('Sandbox: read-only', 'Sandbox: workspace-write'),
      injected('environment', 'x'),
      change('Effort: low', `Effort: <b>${'x'.repeat(200)}`),
      ...Array.from({ length: 2 }, () => notice('settings')),
    ]
    expect(body([turn([...items, user('Go')])])).toContain(
      '<b>Sandbox</b>: read-only → workspace-write · <b>Effort</b>: low → &#x3C;b>xxx',
    )
  })

  it('names a command once that was tried repeatedly', () => {
    const tries = Array.from({ length: 5 }, () => command('make x', [], { status: 'failed', exitCode: 2 }))
    const html = body([turn([user('x'), ...tries])])
    expect(tagsOfClass(html, 'still')).toHaveLength(1)
    expect(html).toContain('Failed 5 times')
  })

  it('shows a single row unchanged and closed', () => {
    const html = body([turn([user('x'), command('make x', [], { status: 'failed' })])])
    expect(tagsOfClass(html, 'did')).toEqual([])
    expect(tagsNamed(html, 'details').map(({ attributes }) => attributes['open'])).toEqual([undefined])
  })

  it('of several pages contains small work, and links to the page of larger work', () => {
    const many = Array.from({ length: 40 }, (_, index) => command(`make ${index}`, [], { id: `m${index}` }))
    const story = context({}, { half: 'story', page: 3 })
    const html = body(
      [turn([user('x'), injected('Rules', 'y'), ...many, assistant('Done', { phase: 'final_answer' })])],
      story,
    )
    expect(tagsOfClass(html, 'did').map(({ name, attributes }) => [name, attributes['href']])).toEqual([
      ['a', expect.stringMatching(/^3\.html#.*-work$/)],
    ])
    expect(tagsOfClass(html, 'command')).toEqual([])
    const small = body([turn(worked())], story)
    expect(tagsOfClass(small, 'command')).toHaveLength(3)
    expect(small).toContain('href="3.html#c3"')
  })

  it('of several pages links only to lines that exist on the work page, also before a single row', () => {
    const polls = Array.from({ length: 40 }, (_, index) => toolCall('wait', `{"cell_id":"${index}"}`))
    const long = toolCall('read', '{}', [output('x'.repeat(9000))])
    for (const items of [polls, [long], [...polls, long]]) {
      const turns = [turn([user('x'), ...items, assistant('Done', { phase: 'final_answer' })])]
      const [led] = tagsOfClass(body(turns, context({}, { half: 'story' })), 'did')
      const id = String(led?.attributes['href']).split('#')[1]
      const work = body(turns, context({}, { half: 'work' }))
      expect(tagsOfClass(work, 'did').map(({ attributes }) => attributes['id'])).toEqual([id])
      expect(tagsOfClass(body(turns), 'did')).toHaveLength(items.length > 40 ? 1 : 0)
    }
  })

  it('folds a long run of commands after its first three; failures split runs, thoughts do not', () => {
    const runs = (count: number) => Array.from({ length: count }, (_, index) => command(`make ${index}`))
    const html = body([
      turn([
        ...[user('x'), ...runs(4), reasoning('Hm'), ...runs(4)],
        ...[command('npm test', [], { id: 'c1', status: 'failed' }), ...runs(5), assistant('Done')],
      ]),
    ])
    expect(tagsOfClass(html, 'repeated')).toHaveLength(1)
    expect(html).toContain('<span class="what">Ran</span><span class="gist">5 more commands</span>')
    expect(tagsOfClass(html, 'command')).toHaveLength(14)
  })

  it('distinguishes opened pages from searches if it folds a long run of both', () => {
    const find = () => search([], [], { action: 'find', url: 'https://a.example', pattern: 'x' })
    const open = () => search([], [], { action: 'open', url: 'https://a.example' })
    const foldedLine = (items: FlowContent[]) => {
      const html = body([turn([user('x'), ...items, assistant('Done')])])
      return /<span class="what">(\w+)<\/span><span class="gist">(\d+ more [^<]*)</.exec(html)?.slice(1)
    }
    const shown = [search(['x']), open(), search(['x'])]
    const lines = [
      [...shown, search(['x']), find(), open(), open()],
      [...shown, search(['x']), find(), find()],
      [...shown, open(), open(), open()],
    ].map(foldedLine)
    expect(lines).toEqual([
      ['Searched', '2 more web searches, 2 web pages opened'],
      ['Searched', '3 more web searches'],
      ['Opened', '3 more web pages'],
    ])
  })

  it('shows repeated waiting in one line, with readable names', () => {
    const wait = () => agent([], { action: 'wait', name: '/root/read_one' })
    const poll = toolCall('wait', '{"cell_id":"1"}')
    const html = body([turn([user('x'), wait(), wait(), poll, command('ls'), assistant('Done')])])
    expect(html).toContain('<span class="what">Waited</span><span class="gist">read one · 3 times</span>')
  })

  it('shows the task of an agent first', () => {
    const given = user('Read one file', { origin: 'agent', author: '/root', recipient: '/root/read_one' })
    const secret = { ...given, children: [text('[Encrypted message]')] }
    expect(kinds([given, command('ls')])).toEqual(['message', ['command']])
    expect(body([turn([given])])).toContain('<p>Read one file</p>')
    expect(body([turn([secret])])).toContain('[Encrypted message]')
  })

  it('shows a time where the minute changes, and has one tab stop for each row', () => {
    const times = ['09:00:01', '09:00:20', '09:01:02'].map((time) => `2026-03-14T${time}.000Z`)
    const html = body([turn(times.map((at) => command('ls', [], { at })))])
    expect(tagsOfClass(html, 'at').map(({ attributes }) => attributes['class'])).toEqual(['at', 'at same', 'at'])
    expect(tagsOfClass(html, 'at').every(({ attributes }) => attributes['tabindex'] === '-1')).toBe(true)
  })

  it('compares the time of a fold with what is before it, and that of the next item with the fold', () => {
    const at = (time: string) => ({ at: `2026-03-14T${time}.000Z` })
    const reads = [command('cat a', [], at('09:00:20')), command('cat b', [], at('09:01:01'))]
    const work = [command('ls', [], at('09:00:01')), group('exploration', 'Explored', reads, at('09:00:20'))]
    const html = body([turn([...work, command('make', [], at('09:01:02'))])])
    const shown = tagsOfClass(html, 'at').map(({ attributes }) => attributes['class'])
    expect(shown).toEqual(['at', 'at same', 'at same', 'at', 'at'])
  })

  it('shows no time of what comes before a prompt in the same minute', () => {
    const at = (time: string) => ({ at: `2026-03-14T${time}.000Z` })
    const changed = (time: string) => notice('note', [text('Model: a → b')], at(time))
    const html = body([
      turn([changed('09:00:01'), user('Mend the gate', at('09:00:02'))]),
      turn([changed('09:04:59'), user('Oil the gate', at('09:05:00'))], { number: 2 }),
    ])
    const shown = tagsOfClass(html, 'at').map(({ attributes }) => attributes['class'])
    expect(shown).toEqual(['at same', 'at', 'at', 'at'])
  })

  it('shows the time of a script before those of its calls', () => {
    const at = { at: '2026-03-14T09:00:01.000Z' }
    const html = body([turn([toolCall('exec', 'script', [command('make', [], at), command('ls', [], at)], at)])])
    expect(tagsOfClass(html, 'at').map(({ attributes }) => attributes['class'])).toEqual(['at', 'at same', 'at same'])
  })
})
