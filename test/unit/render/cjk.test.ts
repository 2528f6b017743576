/** Emphasis in Chinese, Japanese and Korean is read as it is meant, on pages and in Markdown by every renderer. */
import { expect, it } from 'vitest'
import { loadEngine } from '../../../src/render/transcript/engines-fs.ts'
import { referenceEngine } from '../../../src/render/transcript/prose/engine.ts'
import { portableBody } from '../../../src/render/transcript/prose/portable.ts'
import { searchText } from '../../../src/search/entry-text.ts'
import { renderers } from '../../helpers/markdown-renderers.ts'
import { context, items } from '../../helpers/render.ts'
import { shownText } from '../../helpers/shown-text.ts'
import { assistant } from '../../helpers/tree.ts'

const native = await loadEngine()
const page = (value: string, engine = native): string =>
  items([assistant(value, { id: 'l9', phase: 'final_answer' })], context({}, { engine }))

it.each([
  ['**“회의록”**을 보라', '<strong>“회의록”</strong>을 보라', '회의록'],
  ['이것은 **`gate`**입니다', '<strong><code>gate</code></strong>입니다', 'gate'],
  ['**重要：**请注意', '<strong>重要：</strong>请注意', '重要'],
  ['这是**“重点”**内容', '这是<strong>“重点”</strong>内容', '重点'],
  ['**終わり。**次へ', '<strong>終わり。</strong>次へ', '終わり'],
  ['- 그는 *(참고)*는 한다', '<em>(참고)</em>는', '참고'],
  ['一***“二”***三', '二', '二'],
  ['𠮷**“野”**家', '<strong>“野”</strong>家', '野'],
])('is emphasis for every engine and renderer: %j', async (value, html, word) => {
  for (const engine of [native, referenceEngine]) {
    expect(page(value, engine)).toContain(html)
    expect(searchText(value, engine)).not.toContain('*')
    expect(searchText(value, engine)).toContain(word)
    const twin = portableBody(value, { id: 'l9', engine }) ?? ''
    for (const { name, render } of renderers) {
      const { text, tags } = await shownText(render(twin))
      expect(text, name).not.toMatch(/[*&]/)
      expect(tags.has('strong') || tags.has('em'), name).toBe(true)
    }
  }
})

it('does not change text that CommonMark reads in the same way, or that has no emphasis', () => {
  for (const value of ['**중요**한 것', '2*3*4', '가 * “나” * 다', '`가**“나”**다`', '**bold** 가', 'src/**/*.가']) {
    expect(portableBody(value, { id: 'l9', engine: native })).toBe(value)
  }
})
