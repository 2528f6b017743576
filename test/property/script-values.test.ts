/** What the reader of scripts knows about an expression is what Node computes for it. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: scripts are texts here.
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readScript } from '../../src/rollout/script/read-script-fs.ts'
import { plainOf } from '../../src/rollout/script/value.ts'

const plain = fc.constantFrom(
  ...["''", "'a'", "'aXbXa'", "'X'", "' b\\t'", "'10'", "'0x1f'", "'2'", "'\\t'", "'é1'"],
  ...['0', '1', '2', '3', '10', '-1', '2.5', '-0.4', 'NaN', 'Infinity', 'true', 'false', 'null', 'undefined'],
)
const list = fc
  .array(fc.oneof(plain, fc.array(fc.oneof(plain, fc.constant("['deep', [1]]")), { maxLength: 3 }).map(listOf)), {
    maxLength: 4,
  })
  .map(listOf)
const fields = fc
  .array(fc.tuple(fc.constantFrom('b', 'a', '10', '2', 'length'), fc.oneof(plain, list)), { maxLength: 4 })
  .map((entries) => `{ ${entries.map(([key, value]) => `${key}: ${value}`).join(', ')} }`)
const value = fc.oneof(plain, list, fields)
const callback = fc.constantFrom(
  ...['(x) => x', '(x, i) => `${x}:${i}`', '(x, i, all) => all.length', '(x) => [x, [x]]', '(x) => ({ x })'],
  ...['(x, y) => `${x}${y}`', '(x, y, i) => `${x}${y}${i}`', '(x) => x === 1', '(x) => { return }'],
  ...['Number', 'String', 'Boolean', 'parseInt', 'Math.max', 'Math.floor', 'JSON.stringify', 'Array.isArray'],
)

function listOf(items: readonly string[]): string {
  return `[${items.join(', ')}]`
}

const given = (max: number) => fc.array(plain, { maxLength: max }).map((args) => args.join(', '))
const named = (names: string) => fc.constantFrom(...names.split(' '))

const textMethods = named(
  `trim trimEnd trimStart toLowerCase toUpperCase toString slice substring charAt at includes startsWith endsWith indexOf
  lastIndexOf concat repeat padStart padEnd replace replaceAll split`.replace(/\s+/g, ' '),
)
const texts = fc
  .tuple(fc.constantFrom("'aXbXa'", "''", "' X '", "'10'"), textMethods, given(3))
  .map(([self, name, args]) => `${self}.${name}(${args})`)
const lists = fc
  .tuple(list, named('push unshift pop shift slice concat reverse at includes indexOf join flat'), given(2))
  .map(([self, name, args]) => `${self}.${name}(${args})`)
const walks = fc
  .tuple(list, named('map forEach flatMap filter reduce'), callback, fc.oneof(fc.constant(''), plain))
  .map(([self, name, callee, initial]) => `${self}.${name}(${callee}${initial === '' ? '' : `, ${initial}`})`)
const steps = fc.tuple(list, named('entries keys values')).map(([self, name]) => `[...${self}.${name}()]`)
const json = fc
  .tuple(value, fc.constantFrom('null', 'undefined', '1', "['a']", '(key, item) => 1', "'a'"), plain)
  .map(([item, replacer, indent]) => `JSON.stringify(${item}, ${replacer}, ${indent})`)
const globals = fc
  .tuple(
    named('Number parseInt parseFloat Boolean String Math.min Math.max Math.floor Math.ceil Math.round Array.isArray'),
    fc.array(fc.oneof(plain, list), { maxLength: 3 }),
  )
  .map(([name, args]) => `${name}(${args.join(', ')})`)
const objects = fc.tuple(named('keys values entries'), fields).map(([name, of]) => `Object.${name}(${of})`)
const made = fc
  .tuple(fc.oneof(list, fields), fc.oneof(fc.constant(''), callback))
  .map(([from, callee]) => `Array.from(${from}${callee === '' ? '' : `, ${callee}`})`)
const operators = fc
  .tuple(plain, named('+ - * / % ** === !== == != < > <= >= && || ??'), plain)
  .map(([left, operator, right]) => `(${left}) ${operator} (${right})`)
const members = fc.tuple(fc.oneof(list, fields, plain), plain).map(([of, name]) => `(${of})?.[${name}]`)
const expression = fc.oneof(texts, lists, walks, steps, json, globals, objects, made, operators, members)

/** What the reader knows about a value, or `undefined` if it knows nothing. */
function readValue(code: string): { value: unknown } | undefined {
  const { args } = readScript(`tools.take(${code})`).calls[0] ?? { args: [] }
  const { value: read, complete } = plainOf(args[0])
  return complete ? { value: read } : undefined
}

/** What Node computes, as values of this realm. A script that throws makes no calls. */
function runValue(code: string): { value: unknown } | undefined {
  try {
    return { value: runInNewContext(`structured(${code})`, { structured: structuredClone }) }
  } catch {
    return undefined
  }
}

describe('the value of an expression in a script, if it is known', () => {
  it('is the one that Node computes', () => {
    let known = 0
    fc.assert(
      fc.property(expression, (code) => {
        const [read, ran] = [readValue(code), runValue(code)]
        if (read === undefined || ran === undefined) return
        known++
        expect([code, read.value]).toStrictEqual([code, ran.value])
      }),
      { numRuns: 6000 },
    )
    expect(known).toBeGreaterThan(2000)
  })
})
