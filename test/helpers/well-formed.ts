/** Markdown as people and models write it. */
import fc from 'fast-check'

const word = fc.constantFrom('gate', 'hinge', 'paint', 'rust', 'Schlüssel', '鍵', 'oil', 'screw', 'a', 'door 🚪 frame')

const inline: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: word },
  word.map((text) => `*${text}*`),
  word.map((text) => `**${text}**`),
  word.map((text) => `***${text}***`),
  word.map((text) => `\`${text} <b>\``),
  word.map((text) => `~~${text}~~`),
  word.map((text) => `[${text}](https://example.org/a_b "title")`),
  word.map((text) => `![${text}](../picture.png)`),
  word.map((text) => `<kbd>${text}</kbd>`),
  fc.constantFrom('https://example.org/x', 'www.example.org', '<https://example.org>', 'me@example.org'),
  fc.constantFrom(
    '[^note]',
    '[known]',
    '[text][known]',
    '[known][]',
    '[unknown]',
    '&amp;',
    '\\*',
    '&#35;',
    '2 < 3',
    'a\\\nb',
  ),
)

const line = fc.array(inline, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(' '))
const lines = fc.array(line, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('\n'))

const indented = (block: string) => block.replace(/\n(?=.)/g, '\n  ')
const quoted = (block: string) => block.replace(/^/gm, '> ')

const leaf: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: lines },
  fc.tuple(fc.integer({ min: 1, max: 6 }), line).map(([depth, text]) => `${'#'.repeat(depth)} ${text}`),
  line.map((text) => `${text}\n===`),
  fc.tuple(fc.constantFrom('', 'ts', 'diff'), lines).map(([lang, text]) => `\`\`\`${lang}\n${text}\n\`\`\``),
  lines.map((text) => `~~~~\n${text}\n~~~~`),
  line.map((text) => `    indented ${text}`),
  fc.tuple(word, word).map(([a, b]) => `| ${a} | ${b} |\n|:--|--:|\n| ${b} | \`${a}\` |`),
  word.map((text) => `<details>\n<summary>${text}</summary>\n</details>`),
  fc.constantFrom('---', '[known]: https://example.org/known "known"', '[^other]: a note'),
)

const block: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: leaf },
  fc.constantFrom('[^note]: a note\n\n    and more', '<!-- note -->'),
  leaf.map(quoted),
  fc.array(leaf, { minLength: 1, maxLength: 3 }).map((items) => items.map((item) => `- ${indented(item)}`).join('\n')),
  fc
    .array(line, { minLength: 1, maxLength: 3 })
    .map((items) => items.map((item, at) => `${at + 1}. ${item}`).join('\n')),
  fc.array(line, { minLength: 1, maxLength: 3 }).map((items) => items.map((item) => `- [x] ${item}`).join('\n')),
  fc.tuple(line, line).map(([a, b]) => `- ${a}\n  - ${b}\n\n  more`),
)

/** A body of ordinary Markdown with every construct of GitHub's dialect. */
export const wellFormedMarkdown: fc.Arbitrary<string> = fc
  .array(block, { minLength: 1, maxLength: 6 })
  .map((blocks) => blocks.join('\n\n'))
