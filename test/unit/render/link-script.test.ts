import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { linkScript } from '../../../src/render/asset-parts.ts'

/** Runs linked parts; returns what they passed to `note(…)`, and the names that became global. */
function run(parts: Record<string, string>): { noted: unknown[]; globals: string[] } {
  const noted: unknown[] = []
  const world = { note: (value: unknown) => noted.push(value) }
  runInNewContext(linkScript(Object.entries(parts).map(([name, source]) => ({ name, source }))), world)
  return { noted, globals: Object.keys(world).filter((name) => name !== 'note') }
}

describe('the parts of the page script', () => {
  it("run in order and receive each other's exports", () => {
    const { noted } = run({
      words: `export function greet(name) {\n  return 'Hello ' + name\n}\nexport const who = 'world'\n`,
      page: `import { greet, who } from './words.js'\n\nnote(greet(who))\n`,
    })
    expect(noted).toEqual(['Hello world'])
  })

  it('may import over several lines, under another name, and from a name with a hyphen', () => {
    const { noted } = run({
      'two-words': `export const one = 1\nexport class Box {}\nexport async function wait() {}\n`,
      page: `import {\n  Box,\n  one as first,\n  wait,\n} from './two-words.js'\n\nnote([first, typeof Box, typeof wait])\n`,
    })
    expect(noted).toEqual([[1, 'function', 'function']])
  })

  it('import by paths relative to their files, even if they replace others', () => {
    const script = linkScript([
      { name: 'page/make', source: 'export const made = 1\n' },
      {
        name: 'search/words',
        file: 'standalone/words',
        source: `import { made } from '../page/make.js'\nexport const word = made + 1\n`,
      },
      { name: 'search/box', source: `import { word } from './words.js'\nnote(word)\n` },
    ])
    const noted: unknown[] = []
    runInNewContext(script, { note: (value: unknown) => noted.push(value) })
    expect(noted).toEqual([2])
  })

  it('keep names private that they do not export, so that two parts may use the same name', () => {
    const { noted, globals } = run({
      one: `const list = [1]\nfunction show() {\n  return list\n}\nnote(show())\n`,
      two: `const list = [2]\nfunction show() {\n  return list\n}\nnote(show())\n`,
    })
    expect(noted).toEqual([[1], [2]])
    expect(globals).toEqual([])
  })

  it('are in strict mode', () => {
    expect(run({ page: 'note(this === undefined)\nnote((function () { return this })())\n' }).noted[1]).toBeUndefined()
    expect(() => run({ page: 'undeclared = 1\n' })).toThrow('undeclared is not defined')
  })

  it('lose lines with only a comment, and nothing else', () => {
    const source = `// A part.\n/** Two\n * lines. */\nconst address = 'x://y' // stays\n  // gone\nnote(address + '/* kept */')\n`
    const script = linkScript([{ name: 'page', source }])
    const bare = `const address = 'x://y' // stays\nnote(address + '/* kept */')\n`
    expect(script).toBe(linkScript([{ name: 'page', source: bare }]))
    expect(script).toContain(bare)
    expect(run({ page: source }).noted).toEqual(['x://y/* kept */'])
  })

  it('lose their indentation, but not within a string', () => {
    const plain = 'if (true) {\n    note(`a`)\n}\n'
    expect(linkScript([{ name: 'page', source: plain }])).toContain('\nnote(`a`)\n')
    const template = 'if (true) {\n    note(`a\n    b`)\n}\n'
    expect(run({ page: template }).noted).toEqual(['a\n    b'])
    const string = "if (true) {\n    note('a\\\n    b')\n}\n"
    expect(run({ page: string }).noted).toEqual(['a    b'])
  })

  it('may import at run time', () => {
    const source = `const load = () => import('./engine.js')\n`
    expect(linkScript([{ name: 'page', source }])).toContain(source)
  })

  it.each([
    ['another form of import', `import all from './words.js'`, 'cannot be linked: import all'],
    ['another form of export', `export default 1`, 'cannot be linked: export default 1'],
    ['a name that the linked script needs', `import { a } from './words.js'\nconst parts = a`, 'declares `parts`'],
    ['an export that could change', `export let count = 0`, 'cannot be linked: export let'],
    ['a part that comes later or never', `import { a } from './later.js'`, '`later.js`, which is not a part before it'],
    ['a name that is not exported', `import { b } from './words.js'`, 'imports `b`, which `words.js` does not export'],
  ])('are refused with %s', (_, source, message) => {
    const parts = [
      { name: 'words', source: 'export const a = 1\n' },
      { name: 'page', source },
    ]
    expect(() => linkScript(parts)).toThrow(message)
    expect(() => linkScript(parts)).toThrow('`page.js`')
  })
})
