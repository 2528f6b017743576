/** Generates `docs/config.md` from the option table. */

import { defaultText, envName, type Option, options, settingNames } from '../../src/config/schema.ts'
import { groupBy } from '../../src/util/groups.ts'

const head = `# Options

<!-- Written from src/config/schema.ts: change that table, then run \`npx vitest run --project unit -u\`. -->

You can set an option in up to three places. The first of these that sets it wins; if none does, the default applies. Only
\`exclude\` and \`--omit\` are different: what they name in all places adds up.

1. flags on the command line,
2. environment variables named \`CODEX_EXPORT_*\` (an empty one counts as not set; a misspelt one, or one named after an
   option that has no variable, is refused),
3. the configuration file.

Relative paths on the command line and in variables are relative to the working folder; those in the configuration file are
relative to that file's folder. \`~\` at the start of a path is your home folder. In variables, separate several paths with \`:\` (on
Windows with \`;\`), several texts with \`,\`, and set a switch to \`true\`, \`yes\`, \`on\` or \`1\`, or to \`false\`, \`no\`, \`off\` or \`0\`.
On the command line, \`--no-\` before its name turns a switch off.

## The configuration file

\`build\`, \`merge\`, \`serve\`, \`publish\` and \`share\` load \`site.config.ts\` (or \`.mts\`, \`.js\`, \`.mjs\`) from the working folder.
Any other \`site.config.*\`, such as \`site.config.json\`, is refused, unless one of these files is next to it, which may
import it.
The file is a program and runs with your rights, so commands that only read ask first on a terminal. Without a terminal,
give \`--config FILE\` to run a file or \`--no-config\` to run none ([SECURITY.md](../SECURITY.md#code-of-a-folder)). TypeScript
needs no set-up, and you can import \`codex-export\` even if you started the package with \`npx\` and did not install it:

\`\`\`ts
import { defineConfig } from 'codex-export'

export default defineConfig({
  title: 'Sessions of the shop team',
  timeZone: 'Europe/Berlin',
  homes: [
    { path: '../logs/alice', label: 'Alice' },
    { path: '../logs/bob', label: 'Bob' },
  ],
  formats: ['html', 'md', 'json'],
})
\`\`\`

The \`label\` of a home says whose sessions it holds. Pages show it as *Person*: in each row of a list, in the details of a
session, and as a filter of the start page and of the search.

Unknown keys and invalid values end the program with exit code 2 and a line that names the file, the key, the value and
what was expected.

## Prices

Codex records tokens, but no cost. Sessions, projects, months and the page of numbers show what they cost at the list prices
of the API, always with the date of the prices. The built-in table has a price only if a dated source gives it; the page of
numbers names the sources, the share of tokens that have a price, and the models without one. Prices are those of requests of
ordinary length. They do not say what a subscription costs. To use your own prices, or to show no cost:

\`\`\`ts
export default defineConfig({
  prices: {
    date: '2026-11-01',
    currency: 'USD',
    // A million tokens of fresh input, of input from the cache, of output.
    models: { 'gpt-5-codex': { input: 1.25, cached: 0.125, output: 10 } },
  }, // or: prices: false
})
\`\`\`

Your table replaces the built-in one. A price may also have a \`source\` (an https address), a \`date\`, and
\`cacheWrite\`, the price of input that was written to the cache; without it, such input costs as much as any other. Tokens of
a model that is not in the table are shown as having no known price. [\`examples/prices.ts\`](../examples/prices.ts) is a table to start
from.

## A public site

A site needs no address. If you set its public address, it gets what needs absolute links: the Atom feed
\`feed.xml\` with the fifty most recently active sessions, \`sitemap.xml\`, and on every page a canonical address and link
previews. \`robots.txt\` then lets search engines in; without an address it keeps them out. Omit \`siteUrl\` if the site is
not for everybody.

\`\`\`ts
export default defineConfig({
  siteUrl: 'https://example.org/sessions/',
  description: 'How the shop team works with Codex.',
})
\`\`\`

Previews show the title and the first words of a page, without a picture.

## All options
`

/** The whole page. */
export function configDocs(): string {
  return [head, ...settingNames.map(section)].join('\n')
}

function section(name: keyof typeof options): string {
  const option: Option = options[name]
  const { flag, short, kind, config, commands, help, ownHelp = {} } = option
  const value = kind.placeholder === '' ? '' : ` ${kind.placeholder}`
  const rows = [
    [
      'flag',
      flag === undefined
        ? ''
        : `\`--${flag}${value}\`${short === undefined ? '' : ` or \`-${short}\``}${kind.many ? ', may be repeated' : ''}`,
    ],
    ['variable', envName(option) === undefined ? '' : `\`${envName(option)}\``],
    ['configuration file', config ? `\`${name}\`` : ''],
    ['value', kind.expected],
    [
      'default',
      [
        defaultText(option) ?? (kind.placeholder === '' ? 'off' : 'none'),
        ...ownTexts(ownHelp, 'defaultHelp', 'for'),
      ].join('; '),
    ],
    ['commands', commands.map((command) => `\`${command}\``).join(', ')],
  ]
  const table = rows
    .filter(([, text]) => text !== '')
    .map(([label, text]) => `| ${label} | ${text?.replaceAll('|', '\\|')} |`)
  const title = flag === undefined ? `\`${name}\`` : `\`--${flag}\`${name === 'format' ? ' of `show`' : ''}`
  return [
    `### ${title}`,
    '',
    [help, ...ownTexts(ownHelp, 'help', 'With')].join(' '),
    '',
    '| | |',
    '|---|---|',
    ...table,
    '',
  ].join('\n')
}

/** Texts that replace an option's text in single commands, grouped where they are the same. */
function ownTexts(ownHelp: NonNullable<Option['ownHelp']>, part: 'help' | 'defaultHelp', word: string): string[] {
  const said = Object.entries(ownHelp).flatMap(([command, { [part]: text }]) =>
    text === undefined ? [] : [{ command, text }],
  )
  const groups = [...groupBy(said, ({ text }) => text)]
  return groups.map(([text, own]) => `${word} ${own.map(({ command }) => `\`${command}\``).join(', ')}: ${text}`)
}
