/**
 * Characters that reorder or hide text are replaced by their names in Markdown, wherever a session can contain them.
 */
import { expect, test } from 'vitest'
import { renderMarkdown } from '../../../src/render/transcript/markdown.ts'
import { withoutControlsInMarkdown } from '../../../src/render/visible-text.ts'
import { context } from '../../helpers/render.ts'
import * as tree from '../../helpers/tree.ts'

const hiding = ['\u202e', '\u2066', '\u2069', '\u200b', '\ufeff', '\u{e0041}']

test.each(hiding)('%j is named in prose, code, titles and paths', (sign) => {
  const text = `the ${sign}txt.exe`
  const source = renderMarkdown(
    tree.session(
      [
        tree.turn([
          tree.user(text),
          tree.assistant(`${text}\n\n\`\`\`\n${text}\n\`\`\`\n\n\`${text}\``),
          tree.errorNode(text),
          tree.reasoning(text),
        ]),
      ],
      { title: text, cwd: `/srv/${text}` },
    ),
    context(),
  )
  expect(source).not.toContain(sign)
  expect(source).toContain('txt.exe')
})

test('the name of a character does not begin a link', () => {
  expect(withoutControlsInMarkdown('\u202e(https://a.example)')).toBe('‹U+202E›(https://a.example)')
  expect(withoutControlsInMarkdown('a\tb\nc \u200f\u200d😀')).toBe('a\tb\nc \u200f\u200d😀')
})
