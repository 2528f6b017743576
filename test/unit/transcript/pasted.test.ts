import { describe, expect, test } from 'vitest'
import { closesFence, pastedCode } from '../../../src/transcript/pasted.ts'

/** The pieces of code in a text. */
function piecesIn(text: string): string[] {
  const lines = text.split('\n')
  return pastedCode(lines).map(({ from, to }) => lines.slice(from, to + 1).join('\n'))
}

const code = [
  'function mend(gate) {',
  '  const hinges = gate.hinges',
  '',
  '  if (hinges.length === 0) {',
  '    return undefined',
  '  }',
  '  return hinges.map((hinge) => hinge.oil())',
  '}',
].join('\n')

describe('pasted code', () => {
  test('is one piece with its blank lines, before, behind and between words', () => {
    expect(piecesIn(code)).toEqual([code])
    expect(piecesIn(`Why does this fail?\n${code}`)).toEqual([code])
    expect(piecesIn(`${code}\n\nWhy does this fail at night?`)).toEqual([code])
    expect(piecesIn(`Here it is:\n\n${code}\nand this is the test of it\n${code}\nWhy?`)).toEqual([code, code])
  })

  test('has the comments, tags and single words between its lines', () => {
    const script = [
      'import os',
      'import sys',
      '',
      '# Load what is there',
      'config = load(os.path)',
      'if config:',
      '    sys.exit(1)',
    ].join('\n')
    expect(piecesIn(`${script}\n\nIt always ends there.`)).toEqual([script])
    const lua = ['local gate = {}', 'function gate:open()', '  self.count = 1', 'end', 'gate:open()'].join('\n')
    expect(piecesIn(lua)).toEqual([lua])
    const json = ['{', '  "gate": {', '    "hinges": 3', '  }', '}'].join('\n')
    expect(piecesIn(`The answer was\n${json}`)).toEqual([json])
  })

  test.each([
    ['words', 'Please mend the gate.\n  It hangs.\n  Use the oil (the new one);\n  then close it.\nThanks!'],
    ['a list', 'Do this:\n- call open();\n  - then close();\n- call oil();\n1. run();\n2. stop();'],
    ['a few lines of code', 'Use\nconst a = 1;\n  const b = 2;\ninstead.'],
    ['code without indentation', 'a = 1;\nb = 2;\nc = 3;\nd = 4;\ne = 5;'],
    ['code with a question below it, as indented', 'a = 1;\nb = 2;\nc = 3;\n    and why is that so'],
    ['settings', 'name: gate\n  colour: red\nhinges:\n  - left\n  - right'],
  ])('is not %s', (_, text) => {
    expect(piecesIn(text)).toEqual([])
  })

  test('is not what a fence contains, and does not extend over one', () => {
    expect(piecesIn(`\`\`\`\n${code}\n\`\`\``)).toEqual([])
    expect(piecesIn(`${code}\n\`\`\`\nmake\n\`\`\`\n(x)\n${code}`)).toEqual([code, code])
  })
})

test.each([
  ['```', true],
  ['} ```  ', true],
  ['}```', true],
  ['`````', true],
  ['}``', false],
  ['see ```a```', false],
  ['a``` b', false],
  ['~~~', false],
])('%j closes a fence of three backticks: %s', (line, closes) => expect(closesFence(line, '```')).toBe(closes))
