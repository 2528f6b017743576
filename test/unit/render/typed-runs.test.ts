/** What a typed text shows in bold, with each letter where it was typed. */
import { expect, test } from 'vitest'
import { readTyped, typedRuns } from '../../../src/render/transcript/prose/typed.ts'

/** Bold runs of all paragraphs, as they were typed. */
function strongIn(text: string): string[] {
  return readTyped(text).flatMap((block) => {
    if (block.kind === 'fence') return []
    const runs = typedRuns(block.parts)
    const written = runs.flatMap(({ parts }) => parts.map(({ source }) => source)).join('')
    expect(written).toBe(block.parts.map(({ source }) => source).join(''))
    expect(runs.every((run, index) => run.strong !== runs[index - 1]?.strong)).toBe(true)
    return runs.filter(({ strong }) => strong).map(({ parts }) => parts.map(({ source }) => source).join(''))
  })
}

test.each<[typed: string, strong: string[]]>([
  ['# Plan\nPaint it.\n\n### Later\n', ['# Plan', '### Later']],
  ['Paint the **gate post** and the **hinge**.', ['**gate post**', '**hinge**']],
  ['1. **`src/gate.ts`** - mend it', ['**`src/gate.ts`**']],
  [
    '## Mend `gate.ts`, see https://example.com/gate, **now**\nThen paint.',
    ['## Mend `gate.ts`, see https://example.com/gate, **now**'],
  ],
  ['**First** and\n  ## second', ['**First**', '  ## second']],
  ['이 **경첩**을 고쳐 줘', ['**경첩**']],
  ['**a**', ['**a**']],
])('%j', (typed, strong) => expect(strongIn(typed)).toEqual(strong))

test.each([
  'src/**/*.ts and test/**/*.ts',
  '**/*.ts and **/*.js',
  '**/gate.ts,**/post.ts',
  '2**3 is less than 3**2',
  'def paint(*args, **kwargs, **more)',
  '** not this **, nor ****',
  '#123 is open, #gate too',
  '    # indented as code is',
  'C:\\gates\\**\\post and C:\\gates\\**\\hinge',
  '`**code**` and https://example.com/**a**',
  'one **line\nand** another',
  '```sh\n# a comment\n**x**\n```',
])('nothing is bold in %j', (typed) => expect(strongIn(typed)).toEqual([]))
