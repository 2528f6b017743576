/** `docs/config.md` from the option table. */
import { defaultText, envName, type Option, options, settingNames } from '../../src/config/schema.ts'

const head = `# Options

<!-- Written from src/config/schema.ts: change that table, then run \`npx vitest run --project unit -u\`. -->

Every option can be set in up to three places. The strongest comes first:

1. flags on the command line,
2. environment variables named \`CODEX_EXPORT_*\`; an empty one counts as not set,
3. the configuration file,
4. the default.

Relative paths on the command line and in variables start at the working folder, those in the configuration file at
that file's folder. \`~\` at the beginning of a path is your home folder. A variable that takes several paths separates
them by \`:\` (on Windows by \`;\`), one that takes several texts by \`,\`. A switch is \`true\` or \`false\` in a
variable; on the command line \`--no-\` before its name turns it off.

## The configuration file

\`build\`, \`serve\` and \`publish\` load \`site.config.ts\` (or \`.mts\`, \`.js\`, \`.mjs\`) of the working folder by themselves.
It is a program and runs with your rights, so commands that only read ask first on a terminal, and elsewhere want to be told:
\`--config FILE\` runs a file, \`--no-config\` none ([SECURITY.md](../SECURITY.md#code-of-a-folder)). TypeScript needs no
set-up, and \`codex-export\` can be imported even where the package was started by \`npx\` and is not installed:

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

Keys that the program does not know, and values that do not fit, end it with exit code 2 and a line that names the
file, the key, the value and what was expected.

## Prices

Codex records tokens and no cost. With a table of prices, which you look up yourself, sessions, projects and months tell
what they cost, always with the day of the prices:

\`\`\`ts
export default defineConfig({
  prices: {
    date: '2026-11-01',
    currency: 'USD',
    // A million tokens of fresh input, of input from the cache, of output.
    models: { 'gpt-5-codex': { input: 1.25, cached: 0.125, output: 10 } },
  },
})
\`\`\`

A price \`cacheWrite\` may stand beside them for input that was written to the cache; without it such input costs as any
other. Tokens of a model that the table lacks are told as not priced. [\`examples/prices.ts\`](../examples/prices.ts) is a
table to start from; no table is used unless the configuration names one.

## A public site

A site opens from a disk and names no address. Tell it the one under which it is public, and it gets what needs absolute
links: the Atom feed \`feed.xml\` with the fifty sessions of the latest activity, \`sitemap.xml\`, a canonical address and
the data for previews of links on every page. \`robots.txt\` then lets search engines in; without an address it keeps them
out. Leave \`siteUrl\` out where a site is not for everybody.

\`\`\`ts
export default defineConfig({
  siteUrl: 'https://example.org/sessions/',
  description: 'How the shop team works with Codex.',
})
\`\`\`

Previews show the title and the first words of a page; they have no picture.

## All options
`

/** The whole page. */
export function configDocs(): string {
  return [head, ...settingNames.map(section)].join('\n')
}

function section(name: keyof typeof options): string {
  const option: Option = options[name]
  const { flag, kind, config, commands, help } = option
  const value = kind.placeholder === '' ? '' : ` ${kind.placeholder}`
  const rows = [
    ['flag', flag === undefined ? '' : `\`--${flag}${value}\`${kind.many ? ', may be repeated' : ''}`],
    ['variable', envName(option) === undefined ? '' : `\`${envName(option)}\``],
    ['configuration file', config ? `\`${name}\`` : ''],
    ['value', kind.expected],
    ['default', defaultText(option) ?? (kind.placeholder === '' ? 'off' : 'none')],
    ['commands', commands.map((command) => `\`${command}\``).join(', ')],
  ]
  const table = rows
    .filter(([, text]) => text !== '')
    .map(([label, text]) => `| ${label} | ${text?.replaceAll('|', '\\|')} |`)
  const title = flag === undefined ? `\`${name}\`` : `\`--${flag}\`${name === 'format' ? ' of `show`' : ''}`
  return [`### ${title}`, '', help, '', '| | |', '|---|---|', ...table, ''].join('\n')
}
