/** What the reader of scripts says of statements is what Node does: in each run, whatever the tools answer. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: programs are texts here.
import { isDeepStrictEqual } from 'node:util'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readScript } from '../../src/rollout/script/read-script-fs.ts'
import { plainOf } from '../../src/rollout/script/value.ts'

// Programs. `tools.ask` answers as it likes, `tools.fail` may fail, `tools.some` gives any number of items.

/** A statement, made when it is known what may leave it: `loop`, `function`. */
type Statement = (inside: { loop: boolean; function: boolean }) => string

const literal = fc.constantFrom('1', '2', "'a'", "'b'", 'null')
const expression = fc.oneof(
  { weight: 3, arbitrary: literal },
  fc.constantFrom('x', 'v', 'l.length', 'l[0]', 'l[1]', 'o.a', 'o.b', "o['a']", 'l.at(-1)', '`${x}${o.a}`', 'x + 1'),
  fc.constantFrom('l.join()', '[...l]', '{ ...o }', 'Object.keys(o)', '[x, ...l, v]', 'p.a', 'f(x)', 'tools.ask()'),
)
const plain =
  (text: string): Statement =>
  () =>
    text
const changes = expression.chain((given) =>
  fc.constantFrom(
    ...[
      `x = ${given}`,
      `v = ${given}`,
      `l.push(${given})`,
      `l.unshift(${given})`,
      `l[0] = ${given}`,
      `l['1'] = ${given}`,
    ],
    ...[`o.a = ${given}`, `o.b = ${given}`, `o[x] = ${given}`, `l[x] = ${given}`, `p.a = ${given}`, `x ??= ${given}`],
    ...['l.pop()', 'l.shift()', 'l.length = 0', 'l.length = 1', 'l.reverse()', 'l.splice(0, 1)', 'x = l.pop()', 'x++'],
    ...[
      'delete o.a',
      'delete o[x]',
      'l = [1, 2]',
      'o = { a: 1 }',
      'p = o',
      'p = tools.ask() ? o : { a: 3 }',
      'l = [...l]',
    ],
    ...[`Object.assign(o, { b: ${given} })`, 'o = { ...o, c: x }', `l.map((y) => l.push(y))`, 'l.sort()', 'set(x)'],
    ...[
      'l.push(...tools.some())',
      'o = { ...o, ...tools.options() }',
      'l = l.concat(x)',
      'l = l.slice(1)',
      'x = undefined',
    ],
  ),
)
const leaving = fc.constantFrom(
  'break',
  'continue',
  'return x',
  'return',
  "throw 'e'",
  'tools.fail()',
  'break out',
  'continue out',
)

/** What leaves a place that it may not leave does nothing there. */
function allowed(text: string, inside: { loop: boolean; function: boolean }): string {
  if (/^(?:break|continue)/.test(text)) return inside.loop ? text : ''
  return text.startsWith('return') && !inside.function ? '' : text
}

const heads = [
  ...[
    'for (const y of l)',
    'for (const y of [...l])',
    'for (x of [1, 2])',
    'for (let i = 0; i < 2; i++)',
    'while (tools.ask())',
    'for (let i = 0; i < tools.some().length; i++)',
  ],
  ...[
    'for (const y of tools.some())',
    'for (const k in o)',
    'for (var v = 0; v < 2; v++)',
    'while (l.length)',
    'for (;;)',
  ],
]

const { block } = fc.letrec<{ statement: Statement; block: Statement }>((tie) => ({
  block: fc
    .array(tie('statement'), { maxLength: 4 })
    .map((statements) => (inside) => statements.map((statement) => statement(inside)).join('\n')),
  statement: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    { weight: 5, arbitrary: changes.map(plain) },
    { weight: 3, arbitrary: expression.map((given) => plain(`take(${given})`)) },
    {
      weight: 2,
      arbitrary: leaving.map(
        (text): Statement =>
          (inside) =>
            `if (tools.ask()) { ${allowed(text, inside)} }`,
      ),
    },
    leaving.map(
      (text): Statement =>
        (inside) =>
          `if (x === 1) { ${allowed(text, inside)} }`,
    ),
    branching(tie('block')),
    looping(tie('block')),
    trying(tie('block')),
    calling(tie('block')),
  ),
}))

function branching(inner: fc.Arbitrary<Statement>): fc.Arbitrary<Statement> {
  return fc
    .tuple(inner, inner, fc.constantFrom('tools.ask()', 'x', 'x === 1', 'o.a', '!v'))
    .chain(([one, other, test]) =>
      fc.constantFrom<Statement>(
        (inside) => `if (${test}) { ${one(inside)} } else { ${other(inside)} }`,
        (inside) => `if (${test}) { ${one(inside)} }`,
        (inside) => `switch (${test}) { case 1: ${one(inside)} break; case true: { ${other(inside)} } default: v = 1 }`,
        (inside) => `if (${test}) { ${one(inside)} var v = x; let x1 = 1; ${other(inside)} }`,
      ),
    )
}

function looping(inner: fc.Arbitrary<Statement>): fc.Arbitrary<Statement> {
  const body = { loop: true }
  return fc.tuple(inner, fc.constantFrom(...heads, 'do')).map(([block, head]) => (inside) => {
    const text = `{ ${block({ ...inside, ...body })} ${head === 'for (;;)' ? 'break' : ''} }`
    const loop = head === 'do' ? `do ${text} while (tools.ask())` : `${head} ${text}`
    return inside.loop ? loop : `out: ${loop}`
  })
}

function trying(inner: fc.Arbitrary<Statement>): fc.Arbitrary<Statement> {
  return fc.tuple(inner, inner, inner).chain(([one, other, last]) =>
    fc.constantFrom<Statement>(
      (inside) => `try { ${one(inside)} } catch (e) { ${other(inside)} }`,
      (inside) => `try { tools.fail(); ${one(inside)} } catch { ${other(inside)} }`,
      (inside) => `try { ${one(inside)} } finally { ${last({ ...inside, loop: false, function: false })} }`,
      (inside) =>
        `try { ${one(inside)} } catch { ${other(inside)} } finally { ${last({ ...inside, loop: false, function: false })} }`,
    ),
  )
}

function calling(inner: fc.Arbitrary<Statement>): fc.Arbitrary<Statement> {
  const body = { loop: false, function: true }
  return inner.chain((block) =>
    fc.constantFrom<Statement>(
      () => `x = (() => { ${block(body)} return 2 })()`,
      () => `(function () { var v; ${block(body)} })()`,
      () => `l.forEach((y) => { ${block(body)} })`,
      () => `tools.some().forEach((y) => { ${block(body)} })`,
      () => `take(tools.some().map((y) => { ${block(body)} return x }))`,
      () => `set = (y) => { ${block(body)} }`,
    ),
  )
}

const program = block.map((statements) => {
  const body = statements({ loop: false, function: false })
  let site = 0
  return `let x = 0, l = [1, 'b'], o = { a: 1, b: 2 }, p = o, set = () => { o.b = x }
    const f = (y) => { if (tools.ask()) return y; x = 5; return 6 }
    ${body}
    take(x); take(l); take(o); take(v); take(p); { var v }`.replace(/take\(/g, () => `tools.take(${site++}, `)
})

// What the reader says, and what a run does.

/** A call of `tools.take`: its place in the program, and its value if that is known. */
interface Taken {
  site: number
  certain: boolean
  value: { known: unknown } | undefined
}

/** What the reader says; `undefined` if the program is too much for it. */
function readTaken(code: string): Taken[] | undefined {
  const { calls, unread } = readScript(code)
  if (unread.length > 0) return undefined
  return calls.flatMap(({ tool, args, certain }): Taken[] => {
    if (tool !== 'take') return []
    const { value, complete } = plainOf(args[1])
    return [{ site: Number(args[0]), certain, value: complete ? { known: value } : undefined }]
  })
}

class TooLong extends Error {}

/** What a run takes if the tools answer by these numbers; `ended`: no error ended it. */
function runTaken(
  code: string,
  answers: readonly number[],
): { taken: { site: number; value: unknown }[]; ended: boolean } {
  const taken: { site: number; value: unknown }[] = []
  let asked = 0
  const next = (): number => {
    if (asked > 60) throw new TooLong()
    return answers[asked++ % answers.length] ?? 0
  }
  const tools = {
    take: (site: number, value: unknown) => {
      next()
      taken.push({ site, value: structuredClone(value) })
    },
    ask: () => [true, false, 1, 'b', undefined][next() % 5],
    some: () => Array.from({ length: next() % 3 }, () => next()),
    options: () => (next() % 2 === 0 ? {} : { a: 9 }),
    fail: () => {
      if (next() % 2 === 0) throw new Error('failed')
    },
  }
  try {
    // A loop without a call of a tool ends by the time limit.
    runInNewContext(`'use strict';${code}`, { tools }, { timeout: 40 })
    return { taken, ended: true }
  } catch {
    return { taken, ended: false }
  }
}

/** How a run differs from what the reader says; `undefined` if it does not. */
function differenceOf(read: readonly Taken[], { taken, ended }: ReturnType<typeof runTaken>): unknown {
  const open = new Set(read.filter(({ value }) => value === undefined).map(({ site }) => site))
  const isSaid = (site: number, value: unknown): boolean =>
    read.some((call) => call.site === site && isDeepStrictEqual(call.value?.known, value))
  const isTaken = (site: number, value: unknown): boolean =>
    taken.some((call) => call.site === site && isDeepStrictEqual(call.value, value))
  const unsaid = taken.find(({ site, value }) => !open.has(site) && !isSaid(site, value))
  if (unsaid !== undefined) return { unsaid, read: read.filter(({ site }) => site === unsaid.site) }
  if (!ended) return undefined
  return read.find(({ site, certain, value }) => certain && value !== undefined && !isTaken(site, value.known))
}

const answers = fc.array(fc.nat(29), { minLength: 1, maxLength: 20 })

describe('statements', () => {
  it('pass the values that the reader knows, and no others', () => {
    let known = 0
    fc.assert(
      fc.property(program, fc.array(answers, { minLength: 6, maxLength: 6 }), (code, runs) => {
        const read = readTaken(code)
        if (read === undefined) return
        known += read.filter(({ value }) => value !== undefined).length
        for (const run of runs)
          expect([code, run, differenceOf(read, runTaken(code, run))]).toEqual([code, run, undefined])
      }),
      { numRuns: 600 },
    )
    expect(known).toBeGreaterThan(1000)
  })
})
