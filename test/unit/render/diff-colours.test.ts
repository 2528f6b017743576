import { beforeAll, describe, expect, it } from 'vitest'
import { loadHighlight } from '../../../src/render/transcript/engines-fs.ts'
import { diffLines } from '../../../src/render/transcript/hast/diff.ts'
import { colouredLines } from '../../../src/render/transcript/hast/patch.ts'
import type { Highlight } from '../../../src/render/transcript/highlight.ts'
import { context, items } from '../../helpers/render.ts'
import { fileChange, hunk, patch } from '../../helpers/tree.ts'

let highlight: Highlight

beforeAll(async () => {
  highlight = await loadHighlight()
})

/** The code passed to the highlighter, and each line as tokens with their kinds. */
function colour(value: string) {
  const asked: string[] = []
  const lines = diffLines({ value })
  const colours = colouredLines(lines, (code) => {
    asked.push(code)
    return highlight(code, 'typescript')
  })
  const shown = lines.map(({ text }, index) =>
    (colours.get(index) ?? [{ text }]).map((token) => ('kind' in token ? `${token.kind}:${token.text}` : token.text)),
  )
  return { asked, shown }
}

describe('the colours of a diff', () => {
  it('are those of the code on each side', () => {
    expect(colour(' let a\n-let b\n+let c').shown).toEqual([
      ['hk:let', ' a'],
      ['hk:let', ' b'],
      ['hk:let', ' c'],
    ])
  })

  it('recognise a comment over several lines on its own side', () => {
    expect(colour(' /* a\n-let b */\n+c\n let d').shown).toEqual([['hc:/* a'], ['hc:let b */'], ['hc:c'], ['hc:let d']])
  })

  it('read removed lines alone if no token can span several lines', () => {
    expect(colour(' let a\n-let b\n+let c').asked).toEqual(['let b', 'let a\nlet c'])
    expect(colour(' `a`\n-let b\n+let c').asked).toEqual(['`a`\nlet b', '`a`\nlet c'])
  })

  it('include context lines next to removed lines only', () => {
    expect(colour(' let a\n-let b').shown).toEqual([
      ['hk:let', ' a'],
      ['hk:let', ' b'],
    ])
  })

  it('are kept under the marks of changed words', () => {
    const shown = items(
      [patch([fileChange('a.ts', [hunk('-let a = 1 + c\n+let a = "x" + c')])])],
      context({}, { highlight }),
    )
    expect(shown).toContain(
      '<del data-g="−"><span class="hk">let</span> a = <b><span class="hn">1</span></b> + c\n</del>',
    )
    expect(shown).toContain(
      '<ins data-g="+"><span class="hk">let</span> a = <b><span class="hs">"x"</span></b> + c\n</ins>',
    )
  })

  it('follow the new name of a file that was moved', () => {
    const moved = fileChange('a.txt', [hunk('+let a')], { operation: 'move', movedTo: 'a.ts' })
    expect(items([patch([moved])], context({}, { highlight }))).toContain('<span class="hk">let</span>')
  })
})
