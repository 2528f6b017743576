/** Where code in a typed text begins and ends. */
import { expect, test } from 'vitest'
import { readTyped } from '../../../src/render/transcript/prose/typed.ts'

/** Blocks of a typed text: code after `$`, prose as it was typed. */
function blocksOf(text: string): string[] {
  return readTyped(text).map((block) =>
    block.kind === 'fence' ? `$${block.info} ${block.value}` : block.parts.map(({ source }) => source).join(''),
  )
}

test.each<[what: string, typed: string, blocks: string[]]>([
  ['a line of backticks', '```\na\n```\nMend it.', ['$ a', 'Mend it.']],
  ['backticks after the last line of code', '```\n{\n  a }```\nMend it.', ['$ {\n  a }', 'Mend it.']],
  ['backticks and spaces after the code', 'Mend\n```js\na``` \nnow', ['Mend', '$js a', 'now']],
  ['backticks after the code, twice', '```\na```\nx\n\n```sh\nb```\ny', ['$ a', 'x', '$sh b', 'y']],
  ['a line of backticks, even if a line of code ends with some', '```\na```\nb\n```\nx', ['$ a```\nb', 'x']],
  ['backticks as many as its first ones', '````\na```\nb````\nx', ['$ a```\nb', 'x']],
  ['the end of the text', '```\na\nsee ```b```\nc', ['$ a\nsee ```b```\nc']],
])('a fence ends at %s', (_, typed, blocks) => expect(blocksOf(typed)).toEqual(blocks))

test('a text with very many fences that close late is read to its end', () => {
  const many = 'Mend\n```js\na```\n'.repeat(2000)
  const blocks = blocksOf(many)
  expect(blocks.slice(0, 3)).toEqual(['Mend', '$js a', 'Mend'])
  expect(blocks.join('').match(/Mend/g)).toHaveLength(2000)
})

test.each<[what: string, typed: string, blocks: string[]]>([
  ['with nothing in it', 'Mend\n```js\n```\nnow', ['Mend\n```js\n```\nnow']],
  ['with blank lines in it', 'Mend\n```\n \n\n```\nnow', ['Mend\n```', '```\nnow']],
  ['that begins with the last line', 'Mend\n```', ['Mend\n```']],
])('a fence %s is text, not an empty block', (_, typed, blocks) => expect(blocksOf(typed)).toEqual(blocks))
