import { expect, test } from 'vitest'
import { redactor } from '../../../src/redact/redactor.ts'
import { firstWords, onOneLine, reviewName, titleOf } from '../../../src/transcript/texts.ts'
import { noise } from '../../helpers/planted.ts'

const words = (length: number): string => 'word '.repeat(30).slice(0, length).trimEnd()

test.each([
  ['Fix it', 'Fix it'],
  ['\n  Fix the tests of the whole cart\nand more', 'Fix the tests of the whole cart'],
  ['Goal:\nBuild the cart', 'Goal: Build the cart'],
  ['User Input\n\nBuild the cart', 'User Input Build the cart'],
  ['## User Input\n\n```text\nBuild the cart\n```\n\nYou **MUST** read it.', 'Build the cart'],
  ['## User Input\n\n```text\n\n```\n\nYou **MUST** read it first.', 'You MUST read it first.'],
  ['# Request:\n~~~\nBuild the whole cart of the shop\n~~~', 'Build the whole cart of the shop'],
  ['# Task\n```js\nconst total = 1\n```', 'Task const total = 1'],
  ['## Password\n```text\nopen the gate\n```', 'Password open the gate'],
  ['```ts\nconst total = sum(items)\n```', 'const total = sum(items)'],
  ['{\n  "total": 5\n}\nWhat is this for?', 'What is this for? "total": 5'],
  ['---\ntitle of the page\n---\nDo it', 'title of the page Do it'],
  ['<meta>\n<b>Where do the numbers come from?</b>', 'Where do the numbers come from?'],
  ['<b>Where</b> do the <i>numbers</i> come from?', '<b>Where</b> do the <i>numbers</i> come from?'],
  ['<ask><q>Where do the <i>numbers</i> come from?</q></ask>', 'Where do the <i>numbers</i> come from?'],
  ['<script>alert(2)</script> & more', '<script>alert(2)</script> & more'],
  ['/**\n * Adds the prices of all items\n */', 'Adds the prices of all items'],
  ['--[[------- Sum of items and of taxes -------]]', 'Sum of items and of taxes'],
  ['[cart(2).lua](w:/a/b(23\\)/x y.lua) adds up the wrong lines', 'cart(2).lua adds up the wrong lines'],
  ['# `sum` of **all** things that we sell', 'sum of all things that we sell'],
  ['カートの合計を直して', 'カートの合計を直して'],
  ['mend *.ts,*.js and **/*.md', 'mend *.ts,*.js and **/*.md'],
  ['fix __init__ of **“the gate”**', 'fix __init__ of “the gate”'],
  ['?', '?'],
  ['```\n```', '```'],
  [' \n\n', ''],
])('the title of %j is its first meaningful words', (text, title) => {
  expect(onOneLine(firstWords(text))).toBe(title)
})

test.each([
  [
    'private total(items: Item[]) {\n  return sum(items)\n}```\n\nwhy is the sum wrong',
    'why is the sum wrong private total(items: Item[]) {',
  ],
  [
    '```\n  //#region Sum\n  const sum = total(\n    items,\n  );\n  //#endregion```\n\nreturn two numbers here, not one\n',
    'return two numbers here, not one',
  ],
  [
    '---@class Cart:Base\n-- Cart --\nlocal Cart = {};\n\nfunction Cart:Sum(a)\n    self.sum = a\nend\n-- end\n给购物车加一个折扣，最多五折',
    '给购物车加一个折扣，最多五折',
  ],
  [
    '{"level":"error","message":"no such table (CARTS)"}\n\nwhat does this mean\n',
    'what does this mean {"level":"error","message":"no such table (CARTS)"}',
  ],
  [
    'import os\nfrom shop import cart\n\ndef total(items):\n    price = 1\n    return price\n\nPlease explain each of these lines.',
    'Please explain each of these lines.',
  ],
  [
    '```ts\nconst a = 1\n```\nMove this to a file of its own\n```ts\nconst b = 2\n```\nand this one too',
    'Move this to a file of its own',
  ],
  ['if (a) {\n  b()\n} else {\n  c()\n}\nend', 'if (a) { b() } else { c()'],
  ['const key =\n  word\nhunter2', 'const key = word hunter2'],
  ['If the sum (with tax) is wrong, mend it;\nthen run all of the tests', 'If the sum (with tax) is wrong, mend it;'],
  ['for each of the carts call sum(items)\nand print what it gives back', 'for each of the carts call sum(items)'],
  ['1. add a test for total(items);\nand run it three times', '1. add a test for total(items);'],
  ['--verbose is not read any more (see main.ts)\nput it right again', '--verbose is not read any more (see main.ts)'],
  [`const total = [\n${'  1,\n'.repeat(2000)}]\nadd a test for the empty cart`, 'add a test for the empty cart'],
])('a prompt that begins with pasted code is titled by what it says about the code: %#', (text, title) => {
  expect(onOneLine(firstWords(text))).toBe(title)
})

test.each([
  [
    '## User Input\n\n```text\n\n```\n\nYou **MUST** read it (if not empty).\n\n## Outline\n\nGoal: Find the gaps in the plan of the shop.',
    'Goal: Find the gaps in the plan of the shop.',
  ],
  [
    '\r\n## User Input\r\n\r\n```text\r\n$ARGUMENTS\r\n```\r\n\r\nYou **MUST** read it.\r\n\r\n## Outline\r\n\r\n1. **Setup**: Run `plan.sh` in the root of the shop.\r\n',
    'Setup: Run plan.sh in the root of the shop.',
  ],
  [
    '---\nname: plan\ndescription: "Plan the work on a part of the shop"\n---\n\n# Planner\nYou plan.',
    'Plan the work on a part of the shop',
  ],
  [
    '<meta>\ndescription: Write the plan of a part\narguments:\n   part: cart\n</meta>\n\n# Planner',
    'Write the plan of a part',
  ],
  ['<meta>\ndescription: >\n   Write the plan\n</meta>\n\n# Planner', 'description: > Write the plan'],
])('a slash command without arguments is titled by its purpose: %#', (text, title) => {
  expect(onOneLine(firstWords(text))).toBe(title)
})

test('a title is its own title', () => {
  const title = firstWords('{"level":"error"}\n\nwhat does this mean')
  expect(firstWords(title)).toBe(title)
})

test.each(['a ', 'a: ', 'x.', '``` ', 'f(', '"', '# ', '=', '1,\n', '```\n', 'description: '])(
  'a prompt that repeats %j gets its title in bounded time',
  (piece) => {
    expect(firstWords(`const a = {\n${piece.repeat(100_000)}\nmend it all`)).not.toBe('')
    expect(firstWords(piece.repeat(100_000))).not.toBe('')
  },
)

test('a title has at most 80 columns and ends with a whole word', () => {
  expect(firstWords(`${'word '.repeat(20)}`)).toBe(`${'word '.repeat(15)}word…`)
  expect(firstWords('a'.repeat(81))).toBe(`${'a'.repeat(79)}…`)
  expect(firstWords('a'.repeat(80))).toBe('a'.repeat(80))
  expect(firstWords('看'.repeat(41))).toBe(`${'看'.repeat(39)}…`)
  // A Latin word after Chinese characters is left out whole, too, unless it is half of the title.
  expect(firstWords(`${'看'.repeat(38)}virtualenv看`)).toBe(`${'看'.repeat(38)}…`)
  expect(firstWords(`${'看'.repeat(37)}venv看看`)).toBe(`${'看'.repeat(37)}venv…`)
  expect(firstWords(`看${'a'.repeat(90)}`)).toBe(`看${'a'.repeat(77)}…`)
})

test('a name has at most 118 columns, contains a letter or digit, and is no file name', () => {
  const fallback = 'No prompt · shop · 2026-03-01'
  expect(titleOf({ fallback, index: 'a'.repeat(200) }).title).toHaveLength(118)
  expect(titleOf({ fallback, index: '🙂', event: 'Mend the gate' })).toEqual({
    title: 'Mend the gate',
    titleFrom: 'event',
  })
  expect(titleOf({ fallback, index: 'rollout-2026-03-01T10-00-00-019ca8d7' }).title).toBe(fallback)
})

test('a thread without a prompt is named by its fallback, and never by a single symbol', () => {
  const fallback = 'No prompt · shop · 2026-03-01'
  expect(titleOf({ fallback })).toEqual({ title: fallback, titleFrom: 'file' })
  expect(titleOf({ fallback, prompt: '?' })).toEqual({ title: fallback, titleFrom: 'file' })
  expect(titleOf({ fallback, prompt: '5' }).title).toBe('5')
})

test.each([
  [
    'Review the current code changes (staged, unstaged, and untracked files) and provide',
    'Review of uncommitted changes',
  ],
  ["Review the code changes against the base branch 'main'. The merge base", 'Review of changes against main'],
  [
    'Review the code changes introduced by commit 1234567890abcdef ("Add tax"). Provide',
    'Review of 1234567890: Add tax',
  ],
  ['Look at the sums only', 'Look at the sums only'],
])('a reviewer is named by what it reviews: %j', (prompt, name) => {
  expect(reviewName(prompt)).toBe(name)
})

test('a password in an address is never shown in part, wherever the title is cut', () => {
  const password = noise(3, 24)
  for (let length = 20; length < 130; length++) {
    const shown = redactor().text(
      firstWords(`${words(length)} postgres://app:${password}@db.internal:5432/shop and on it goes`),
    )
    expect(shown).not.toContain(password.slice(0, 4))
  }
})

test('an address that is cut after its host is shown up to the cut', () => {
  expect(firstWords(`See https://example.org/${'a'.repeat(120)}`)).toBe(`See https://example.org/${'a'.repeat(55)}…`)
})

test.each(['=', '= ', '=== ', '-=', '<>'])('a line that repeats %j is read in bounded time', (piece) => {
  expect(firstWords(`Read this ${piece.repeat(20_000)} again`)).toContain('Read this')
})
