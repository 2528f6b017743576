import fc from 'fast-check'
import type { ElementContent, Root } from 'hast'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadEngine } from '../../../src/render/transcript/engines-fs.ts'
import { headingLevels, sanitizedProse } from '../../../src/render/transcript/hast/prose.ts'
import { usualProse } from '../../../src/render/transcript/hast/usual-prose.ts'
import { type Engine, referenceEngine } from '../../../src/render/transcript/prose/engine.ts'
import { readProse } from '../../../src/render/transcript/prose/read.ts'
import { serialize } from '../../../src/render/transcript/serialize.ts'
import { findItems } from '../../../src/search/find-text.ts'
import { hostileMarkdown } from '../../helpers/hostile.ts'
import { vectors } from '../../helpers/hostile-vectors.ts'

const engines: Engine[] = []
beforeAll(async () => void engines.push(await loadEngine(), referenceEngine))

const pieces = [
  ...[
    'word',
    'two words',
    ' ',
    '  ',
    '\n',
    '\n\n',
    '\t',
    '    ',
    '\\',
    '\r\n',
    '\u200b',
    '\u202e',
    '😀',
    'é',
    '\u0007',
  ],
  ...['# ', '## ', '### ', '###### ', '---', '***', '> ', '- ', '* ', '+ ', '1. ', '7) ', '- [ ] ', '- [x] '],
  ...['**', '*', '_', '__', '~~', '~', '`', '``', '```', '```ts', '```c++ linenos', '~~~', '```a&b', '  \n', '\\\n'],
  ...[
    '[a](https://a.example/x?y=1&z)',
    '[b](HTTP://B.example "t\'s")',
    '[c](src/c.ts:3)',
    '[d](#e)',
    '[e]()',
    '<f@g.example>',
  ],
  ...[
    '[h](mailto:i@j.example)',
    '[k](https://k.example/ü%20%zz)',
    'https://l.example.',
    'www.m.example',
    '![n](o.png)',
  ],
  ...[
    '<b>',
    '</b>',
    '<!-- c -->',
    '&amp;',
    '&lt;',
    ...[
      '| a | b |\n|---|:-:|\n| 1 | 2 |\n',
      '\n\n| **a** | `b` | |\n|:--|--:|---|\n| 1 |\n| 2 | [3](d) | 4 | 5 |\n',
      '\n|c|\n|-|\n',
    ],
    '[^1]',
    '[^1]: note\n',
    '[r]: s\n',
    '$x^2$',
  ],
]
const written = fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((parts) => parts.join(''))

/** Both results, as HTML and as the texts of an item. */
function bothWays(value: string, engine: Engine): { usual: unknown; whole: unknown } | undefined {
  const shown = (children: ElementContent[]): unknown => {
    const root: Root = { type: 'root', children }
    const item: ElementContent = {
      type: 'element',
      tagName: 'div',
      properties: { id: 'l1', className: ['item'] },
      children,
    }
    return { html: serialize(root), words: findItems({ type: 'root', children: [item] }) }
  }
  const usual = usualProse(readProse(value, engine), headingLevels(3))
  if (usual === undefined) return undefined
  const whole = sanitizedProse(readProse(value, engine), { id: 'l1' }, { level: 3, ids: new Set() })
  return { usual: shown(usual), whole: shown(whole) }
}

describe('common Markdown', () => {
  it('gives in one pass the same as the packages', () => {
    let count = 0
    fc.assert(
      fc.property(fc.oneof({ weight: 4, arbitrary: written }, hostileMarkdown), (value) => {
        for (const engine of engines) {
          const both = bothWays(value, engine)
          if (both === undefined) continue
          count += 1
          expect(both.usual).toEqual(both.whole)
        }
      }),
      { numRuns: 600 },
    )
    expect(count).toBeGreaterThan(300)
  })

  it.each(['| a |\n|---|\n| b |', '- | a | b |\n  |:-:|--:|\n  | 1 |', '> | *a* |\n> |---|\n\n|b|\n|-|'])(
    'includes tables: %j',
    (value) => {
      const both = bothWays(value, referenceEngine)
      expect(both).toBeDefined()
      expect(both?.usual).toEqual(both?.whole)
    },
  )

  it('gives the same for every attack that it handles', () => {
    const handled = engines.map((engine) => {
      const both = vectors.filter(({ length }) => length < 1500).flatMap((vector) => bothWays(vector, engine) ?? [])
      for (const { usual, whole } of both) expect(usual).toEqual(whole)
      return both.length
    })
    expect(Math.min(...handled)).toBeGreaterThan(100)
  })

  it.each(['- [x] done', '![a](b.png)', 'a[^1]\n\n[^1]: b', '<b>a</b>', '[a](#b)', '$x^2$'])(
    'leaves %j to the packages',
    (value) => {
      expect(bothWays(value, referenceEngine)).toBeUndefined()
    },
  )
})
