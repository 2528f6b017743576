/** Options that do nothing, or the opposite of what they say, together with the others. */

import { UsageError } from '../diagnostics/errors.ts'
import type { Resolved } from './resolve.ts'
import { type Command, options, type SettingName, type Settings } from './schema.ts'

/** What options need to have an effect: in words behind "without", and whether it is there. */
type Need = readonly [
  names: readonly SettingName[],
  missing: string,
  isMet: (settings: Settings, argument: string | undefined) => boolean,
]

const watch: Need = [['poll'], '`--watch`', (settings) => settings.watch]
const markdown: Need = [['frontMatter'], 'the format `md`', ({ formats }) => formats.includes('md')]

/** By the command that takes them. */
const needs: Readonly<Partial<Record<Command, readonly Need[]>>> = {
  build: [watch, markdown, [['shards'], '`--shard`', ({ shard }) => shard !== undefined]],
  merge: [markdown],
  serve: [watch, markdown],
  share: [
    [['assumeYes'], '`--gist` or `--to`', ({ gist, to }) => gist || to !== undefined],
    [['endpoint', 'region', 'pathStyle'], '`--to s3://…`', ({ to }) => to?.startsWith('s3://') === true],
  ],
  publish: [
    [['endpoint', 'region', 'pathStyle'], 'the target `s3`', targets('s3')],
    [['history'], 'the target `git`', targets('git')],
    [['toBranch'], 'the target `git` or `github-pages`', targets('git', 'github-pages')],
    [['siteName', 'replace'], 'the target `github-pages`', targets('github-pages')],
    [['to'], 'the target `dir`, `git` or `s3`', targets('dir', 'git', 's3')],
  ],
  prune: [
    // Without items, a list on the terminal asks which outputs to replace.
    [['replacement'], '`--replace`', (settings) => settings.replaceItems.length > 0 || !namesItems(settings)],
  ],
  check: [
    [
      [
        ...(['homes', 'projects', 'since', 'until', 'ids', 'exclude', 'branches', 'archived', 'redact'] as const),
        ...(['preset', 'show', 'fold', 'omit', 'maxOutput', 'curation'] as const),
      ],
      'sessions to check: a site is read as it is',
      (_, site) => site === undefined,
    ],
  ],
}

function targets(...names: readonly string[]): Need[2] {
  return ({ publish }, argument) => names.includes(argument ?? publish?.target ?? '')
}

function namesItems({ interactive, excludeItems, excludeCategories, deleteItems }: Settings): boolean {
  return !interactive && excludeItems.length + excludeCategories.length + deleteItems.length > 0
}

/** What to say of each flag of a call that has no effect; `argument` is what stands behind the command. */
export function unusedFlags(command: Command, { settings, origins }: Resolved, argument: string | undefined): string[] {
  const unmet = (needs[command] ?? []).filter(([, , isMet]) => !isMet(settings, argument))
  return unmet.flatMap(([names, missing]) => {
    const given = names.filter((name) => origins[name] === 'flags')
    return given.map((name) => `\`--${options[name].flag}\` does nothing without ${missing}.`)
  })
}

/**
 * Throws a `UsageError` where the same place turns redaction off and asks for personal data to be replaced. Else what stands
 * closer to the call counts, as always.
 */
export function refuseContradictions(command: Command, { settings, origins }: Resolved): void {
  if (settings.redact || !options.redact.commands.includes(command)) return
  const wanted = settings.redactEmails ? 'redactEmails' : 'personal'
  const isWanted = settings.redactEmails || settings.personal.home
  if (isWanted && origins[wanted] === origins.redact)
    throw new UsageError(
      `\`--no-redact\` replaces nothing, which \`--${options[wanted].flag}\` asks for: leave one of them out.`,
    )
}
