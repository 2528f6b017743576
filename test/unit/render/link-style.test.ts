import { expect, it } from 'vitest'
import { linkStyle } from '../../../src/render/asset-parts.ts'

it('joins parts in order without comments and indentation', () => {
  const parts = ['/* One. */\n.a {\n  color: red;\n\n  /* why */\n  margin: 0\n    auto;\n}\n', '.b{}\n']
  expect(linkStyle(parts)).toBe('.a {\ncolor: red;\nmargin: 0\nauto;\n}\n.b{}\n')
})

it('does not change strings', () => {
  const strings = `.a::before{content:"/* no */ \\"\n  x"}.b::before{content:'/*'}`
  expect(linkStyle([`${strings}/* gone */.c{content:"*/"}`])).toBe(`${strings} .c{content:"*/"}\n`)
})

it('keeps words separate if only a comment separates them', () => {
  expect(linkStyle(['.a/* x *//* y */b{margin:0/**/1px}'])).toBe('.a b{margin:0 1px}\n')
})
