import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../src/diagnostics/errors.ts'
import { bytePatterns } from '../../../src/features/terminal-search/byte-patterns.ts'
import { dropFound } from '../../../src/features/terminal-search/bytes.ts'
import { composedTexts } from '../../../src/features/terminal-search/composed.ts'
import { turnMatcher } from '../../../src/features/terminal-search/match.ts'
import { parseQuery } from '../../../src/features/terminal-search/query.ts'
import { bufferSource } from '../../../src/rollout/read/source.ts'
import type { FlowContent } from '../../../src/transcript/trast.ts'
import { assistant as answer, command, group, injected, output, session, turn, user } from '../../helpers/tree.ts'

function found(args: string[], ...turns: FlowContent[][]): (number | undefined)[] {
  const matcher = turnMatcher(parseQuery(args), 0)
  matcher.take(session(turns.map((children, index) => turn(children, { number: index + 1 }))), 1)
  return matcher.finish().map(({ number }) => number)
}

const ran = (script: string, printed: string): FlowContent => command(script, [output(printed)])

describe('a question', () => {
  const turns = [
    [user('Why is the connection\nrefused?'), answer('Redis is down.')],
    [user('Run the tests'), ran('npm test', 'Error: CONNECTION REFUSED by café 4.2.1')],
    [user('refused was the connection'), answer('Carts and a cart')],
  ]

  it.each<[string[], number[]]>([
    [
      ['connection', 'refused'],
      [1, 2, 3],
    ],
    [['connection refused'], [1, 2]],
    [['"connection refused" -redis'], [2]],
    [
      ['redis', 'OR', 'carts'],
      [1, 3],
    ],
    [['+cart'], [3]],
    [['+tes'], []],
    [['kind:output', 'refused'], [2]],
    [['kind:answers', 'cart'], [3]],
    [['CAFE\u0301'], [2]],
    [['4.2.1'], [2]],
    [['4x2'], []],
    [['refused', 'nowhere'], []],
    [
      ['refused', '-kind:output'],
      [1, 3],
    ],
    [['-npm'], []],
    [['-"npm"'], [1, 3]],
    [['-kind:prompt -kind:answer'], [2]],
    [['refused', 'kind:output', '-kind:output'], []],
    [['kind:output', '-kind:output'], []],
    [['refused', 'kind:output', 'kind:prompt', '-kind:prompt'], [2]],
    [['--', 'npm'], []],
  ])('%j finds the turns %j', (args, numbers) => {
    expect(found(args, ...turns)).toEqual(numbers)
  })

  it.each([
    ['open', [undefined, 1]],
    ['collapsed', [1]],
  ] as const)('finds copied turns that no other session has, before the first turn: %s', (visibility, numbers) => {
    const copied = turn([user('Oil the gate')], { number: 1, data: { inherited: true } })
    const history = group('inherited', 'Copied', [copied], { data: { visibility, inherited: true } })
    const matcher = turnMatcher(parseQuery(['gate']), 0)
    matcher.take(session([history, turn([user('Paint the gate')], { number: 1 })]), 1)
    expect(matcher.finish().map(({ number }) => number)).toEqual(numbers)
  })

  it.each<[string, number[]]>([
    ['+認証', [1, 3]],
    ['+認証の流れ', [1]],
    ['+証v', []],
    ['+로그', []],
    ['+로그인', [2]],
  ])('%s finds whole words, also in scripts without spaces', (asked, numbers) => {
    expect(found([asked], [user('この認証の流れは')], [user('로그인 화면')], [user('認証v2')])).toEqual(numbers)
  })

  it.each<[string, number[]]>([
    ['+क', []],
    ['+कथा', [1]],
    ['+ש', []],
    ['+ash', [3]],
    ['+oak', [4]],
  ])('%s counts combining marks as part of a letter, but not variation selectors', (asked, numbers) => {
    expect(found([asked], [user('कथा।')], [user('שְׁגִיאָה')], [user('⚠️ash')], [user('oak1️⃣ oak⚠️')])).toEqual(numbers)
  })

  it('may be a regular expression', () => {
    const matcher = turnMatcher(parseQuery(['redis.*down|npm', 't[e]st'], { regex: true }), 0)
    matcher.take(session(turns.map((children, index) => turn(children, { number: index + 1 }))), 1)
    expect(matcher.finish().map(({ number }) => number)).toEqual([1, 2])
  })

  it.each<[string, number[]]>([
    ['^refused', [1, 3]],
    ['connection$', [1, 3]],
    ['^tests|^$', []],
  ])('may be a regular expression with anchors for lines: %s', (asked, numbers) => {
    const matcher = turnMatcher(parseQuery([asked], { regex: true }), 0)
    matcher.take(session(turns.map((children, index) => turn(children, { number: index + 1 }))), 1)
    expect(matcher.finish().map(({ number }) => number)).toEqual(numbers)
  })

  it.each<[string, number[]]>([
    ['is:failed', [2]],
    ['is:interrupted', [3]],
    ['is:unfinished', [4]],
    ['is:running', [4]],
    ['is:finished', [1, 2]],
    ['-is:finished', [3, 4]],
    ['model:small', [1]],
    ['model:small model:LARGE', [1, 2]],
    ['-model:small', [2, 3, 4]],
  ])('%s finds turns in that state, or of that model', (asked, numbers) => {
    const matcher = turnMatcher(parseQuery([`gate ${asked}`]), 0)
    const failed = command('false', [output('no gate')], { status: 'failed' })
    const children = [user('gate')]
    matcher.take(
      session([
        turn(children, { number: 1, status: 'completed', model: 'small-1' }),
        turn([...children, failed], { number: 2, status: 'completed', model: 'large-1' }),
        turn(children, { number: 3, status: 'interrupted' }),
        turn(children, { number: 4, status: 'unfinished' }),
      ]),
      1,
    )
    expect(matcher.finish().map(({ number }) => number)).toEqual(numbers)
  })

  it.each<[string, [number, string, string][]]>([
    ['model:small', [[1, 'prompt', 'Mend the gate']]],
    [
      'is:finished',
      [
        [1, 'prompt', 'Mend the gate'],
        [2, 'command', 'ls'],
      ],
    ],
    ['is:finished -hinge', [[2, 'command', 'ls']]],
    [
      'kind:command',
      [
        [1, 'command', 'oil'],
        [2, 'command', 'ls'],
        [2, 'command', 'cat gate'],
      ],
    ],
    ['kind:prompt -hinge', [[1, 'prompt', 'Mend the gate']]],
  ])('%s alone finds turns by their prompt, their first text, or the texts of the requested kinds', (asked, texts) => {
    const matcher = turnMatcher(parseQuery([asked]), 0)
    const children = [injected('environment', 'x'), user('\n\nMend the gate\nnow'), ran('oil\nhinge', 'hinge')]
    const found = [
      turn(children, { number: 1, status: 'completed', model: 'small-1' }),
      turn([ran('ls', ''), ran('cat gate', '')], { number: 2, status: 'completed' }),
    ]
    matcher.take(session(found), 1)
    const lines = matcher
      .finish()
      .flatMap(({ number, texts }) => texts.flatMap((text) => text.lines.map((line) => [number, text.kind, line.text])))
    expect(lines).toEqual(texts)
  })

  it.each<[string, boolean]>([
    ['tag:Lat', true],
    ['tag:★ -tag:soon', true],
    ['tag:late tag:soon', true],
    ['tag:soon', false],
    ['-tag:★', false],
  ])('%s tests the tags of the session: %s', (asked, passes) => {
    const state = { person: '', tags: ['★', 'Later'], isOf: () => false }
    expect(parseQuery([`gate ${asked}`]).session.every((test) => test(state))).toBe(passes)
  })

  it('distinguishes commentary from the answer', () => {
    const [aside, last] = [answer('I look at the gate.', { phase: 'commentary' }), answer('The gate is shut.')]
    expect(found(['kind:commentary', 'gate'], [aside], [last])).toEqual([1])
    expect(found(['kind:answer', 'gate'], [aside], [last])).toEqual([2])
  })

  it('matches a turn as a whole, also if a page ends within it', () => {
    const matcher = turnMatcher(parseQuery(['first', 'second']), 0)
    matcher.take(session([turn([user('first')], { number: 7 })]), 1)
    matcher.take(session([turn([answer('second')], { number: 7 })]), 2)
    expect(matcher.finish()).toMatchObject([{ number: 7, texts: [{ page: 1 }, { page: 2 }] }])
  })

  it('matches prose as pages show it, without marks of Markdown, and other texts literally', () => {
    const turns = [[answer('Is the **rate**limit `on` or _off_?')], [ran('ls the **rate**limit', '')]]
    expect(found(['the ratelimit on'], ...turns)).toEqual([1])
    expect(found(['the **rate**'], ...turns)).toEqual([1, 2])
  })

  it.each([
    ['感受[却关](https://example.org/a_b "x y")很好', '感受却关很好'],
    ['see **[the guide](guide.md)** now', 'the guide now'],
    ['it is _really_ late', 'is really late'],
    ['a ![picture](p.png) of it', 'a picture of'],
    ['call file\\_name', 'file_name'],
    ['set a[0] **to** one', 'a[0] to one'],
    ['in [the guide](C:/a(1)/guide.md) now', 'the guide now'],
    ['Two are left:\n\n- the *gate*\n- the hinge', 'left: the gate the hinge'],
    ['# Gates\n\n1. Mend\n   > it', 'gates mend it'],
    ['Run:\n\n```sh\nnpm test\n```\n\nThen rest.', 'run: npm test then rest'],
  ])('finds in %j what a page shows of it: %j', (body, asked) => {
    expect(found([asked], [answer(body)])).toEqual([1])
    const open = new Set(bytePatterns(parseQuery([asked]), []))
    dropFound(bufferSource(Buffer.from(JSON.stringify({ text: body }))), open)
    expect([...open]).toEqual([])
  })

  it('matches a long text as a page shows it, and refuses one that is too long', () => {
    const words = Array.from({ length: 900 }, (_, at) => `gate${at}.ts (oil ${at})`)
    const marks = new Map([
      [1, '**$&**\n\n- '],
      [20, '[$&](a.md)'],
    ])
    const marked = words.map((word, at) => word.replace(/.+/, marks.get(at) ?? '$&'))
    const asked = words.join(' ').slice(0, 9900)
    expect(found([`"${asked}"`], [answer(marked.join(' '))], [answer('gate0.ts (oil 0)')])).toEqual([1])
    expect(found([`"${asked.replace('oil 9)', 'oil 8)')}"`], [answer(marked.join(' '))])).toEqual([])
    expect(() => parseQuery([`"${'()'.repeat(5001)}"`])).toThrow('at most 10000 characters')
  })

  it('does not take characters within a line for marks at the start of a block', () => {
    for (const body of ['a gate - the hinge', 'a gate # the hinge', 'a gate 1. the hinge'])
      expect(found(['gate the hinge'], [answer(body)])).toEqual([])
  })

  it.each([0, 1 << 17, (1 << 17) - 20, (1 << 18) + 5])(
    'reads a script that composes words, %i bytes from the start',
    (before) => {
      const line = JSON.stringify({
        payload: { name: 'exec', input: `tools.exec_command({ cmd: \`cat page_\${3 * 13}\` })` },
      })
      const source = bufferSource(Buffer.from(`${'x'.repeat(before)}\n${line}\n${'y'.repeat(1 << 18)}\n`))
      const scripts = dropFound(source, new Set(bytePatterns(parseQuery(['page_39']), [])))
      expect([...composedTexts(source, scripts, ['page_39'])]).toEqual(['[{"cmd":"cat page_39"}]'])
      expect([...composedTexts(source, scripts, ['zebra'])]).toEqual([])
    },
  )

  it('skips scripts that compose nothing, and texts that look like one', () => {
    const script = { name: 'exec', input: "tools.exec_command({ cmd: 'ls' })" }
    for (const line of [
      script,
      { name: 'other', input: `\`\${n}\`` },
      { text: `"name":"exec" \${n}` },
      { source: 'exec' },
    ]) {
      const source = bufferSource(Buffer.from(`${JSON.stringify({ payload: line })}\n`))
      expect(dropFound(source, new Set(bytePatterns(parseQuery(['page_39']), [])))).toEqual([])
    }
  })

  it.each([
    ["don't stop", 'don’t stop'],
    ['don’t', "don't"],
    ['read-only', 'read‑only'],
    ['2024–2026', '2024-2026'],
    ['“of two”', 'one of two'],
    ['--no-verify', '−−no‑verify'],
  ])('treats look-alike characters as equal: %s', (asked, written) => {
    expect(found([asked], [answer(`So ${written}.`)], [answer('So dont of three')])).toEqual([1])
    const open = new Set(bytePatterns(parseQuery([asked]), []))
    expect(dropFound(bufferSource(Buffer.from(JSON.stringify({ text: written }))), open)).toEqual([])
    expect([...open]).toEqual([])
  })

  it('treats `_` within a word as a letter', () => {
    expect(found(['filename'], [answer('call file_name')])).toEqual([])
  })

  it('does not find words in redaction marks, unless they are asked for', () => {
    const marked = [[answer('The key is [redacted:api-key].')]]
    expect(found(['api-key'], ...marked)).toEqual([])
    expect(found(['redacted:api-key'], ...marked)).toEqual([1])
  })

  it.each([
    [[]],
    [['OR', 'x']],
    [['x', 'OR']],
    [['kind:nothing', 'x']],
    [['is:red', 'x']],
    [['is:constructor', 'x']],
    [['-is:__proto__', 'x']],
    [['kind:constructor', 'x']],
    [['x', '-after:7d']],
  ])('is refused as a question: %j', (args) => {
    expect(() => parseQuery(args)).toThrow(UsageError)
  })

  it('is refused if it is not a valid regular expression', () => {
    expect(() => parseQuery(['('], { regex: true })).toThrow(/`\(` is not a valid regular expression: /)
  })

  it('is refused if it is a regular expression that is too long for the engine', () => {
    const refusal = () => parseQuery(['a'.repeat(60_000)], { regex: true })
    expect(refusal).toThrow(UsageError)
    expect(refusal).toThrow(`\`${'a'.repeat(200)}…\` is not a valid regular expression: it is too long.`)
  })
})

describe('lines of a result', () => {
  it('are those with hits and their neighbours, each once', () => {
    const matcher = turnMatcher(parseQuery(['b']), 1)
    matcher.take(session([turn([answer('a1\nxbx b\nb\nc1\nd1\ne1\nb2')], { number: 1 })]), 1)
    const [{ texts: [place] = [] } = { texts: [] }] = matcher.finish()
    expect(place?.lines.map(({ number, hits }) => [number, hits.length])).toEqual([
      [1, 0],
      [2, 2],
      [3, 1],
      [4, 0],
      [6, 0],
      [7, 1],
    ])
  })

  it('contain each their part of a hit that spans two lines', () => {
    const matcher = turnMatcher(parseQuery(['one two']), 0)
    matcher.take(session([turn([answer('is one\ntwo is')], { number: 1 })]), 1)
    expect(matcher.finish()[0]?.texts[0]?.lines).toEqual([
      { number: 1, text: 'is one', hits: [{ start: 3, end: 6 }] },
      { number: 2, text: 'two is', hits: [{ start: 0, end: 3 }] },
    ])
  })
})
