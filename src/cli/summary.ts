/** What `build` prints when it is done. */

import { join } from 'node:path'
import type { RemovalError } from '../diagnostics/errors.ts'
import type { BuildResult, Withdrawn } from '../site/types.ts'
import { jsonDocument } from '../util/printable.ts'
import { formatAmount, formatCount } from '../util/time.ts'
import { asCalled, shortPath } from './called-as-fs.ts'
import { repeatedFlags } from './parser.ts'
import type { CallSettings } from './settings.ts'

/** What the summary depends on besides the result. */
export type SummaryContext = Pick<CallSettings, 'settings' | 'origins' | 'configName'> & {
  /** The words with which the program was called. */
  program: string
  /** The arguments of the call. */
  args: readonly string[]
  cwd: string
  /** Flags of the call. */
  flags: Readonly<Record<string, unknown>>
}

/** Lines for people: what was built, what to open, how to read one's own sessions. Ends with a newline. */
export function buildSummary(result: BuildResult, context: SummaryContext): string {
  const { dryRun } = context.settings
  const lines = result.sessions === 0 && result.failed === 0 ? noSessions(result, context) : []
  if (lines.length > 0 && result.found === 0 && context.origins.homes === 'default') lines.push(...sampleSessions)
  lines.push(...withdrawnLines(result, dryRun), dryRun ? planned(result) : built(result, context))
  if (!dryRun) lines.push(...nextSteps(result, context))
  if (context.origins.homes === 'config') {
    lines.push(
      `The sessions came from \`homes\` in ${context.configName}. To read your own:`,
      `  ${context.program} build --codex-home ~/.codex`,
    )
  }
  return `${lines.join('\n')}\n`
}

/** Lines for people who have no sessions yet and want to see what a site looks like; the package itself contains no samples. */
const sampleSessions = [
  'To see a site without sessions of your own, clone the source of codex-export, which has sample sessions, and run:',
  '  npm install && npm run demo',
]

/** Lines that say where no sessions were found, or that none of those found passes the filters. */
export function noSessions(
  { places, found }: { places: readonly string[]; found: number },
  call: Pick<SummaryContext, 'program' | 'args'>,
): string[] {
  const where = places.map((place) => `  ${place}`)
  if (found === 0)
    return ['No sessions were found. Looked in:', ...where, 'Give the folder of your sessions with `--codex-home DIR`.']
  return [
    `No session passes the filters; ${formatAmount(found, 'session')} found in:`,
    ...where,
    asCalled(
      'Filters come from flags, a configuration file and CODEX_EXPORT_* variables. `codex-export list` shows projects and dates.',
      call,
    ),
  ]
}

/** The result as one JSON document for programs; only this output contains run times and absolute paths. */
export function buildJson({ diagnostics, ...result }: BuildResult, durationMs: number): string {
  const document = { schema: 'codex-export/build-result', version: 1, ...result, durationMs, diagnostics }
  return jsonDocument(document)
}

/** The same for a build that stopped because sessions vanished: what each home had and has. */
export function refusedJson({ losses, message }: RemovalError, durationMs: number): string {
  const document = { schema: 'codex-export/build-result', version: 1, refused: true, losses, message, durationMs }
  return jsonDocument(document)
}

const whyWithdrawn: Readonly<Record<Withdrawn['reason'], string>> = {
  deselected: 'filters, configuration or curation omit them',
  'home-removed': 'their home is not read any more',
  unreadable: 'their files cannot be read',
  vanished: 'their files are gone',
}

/** How many sessions are named per reason; `--json` lists all. */
const maxNamed = 20

function withdrawnLines({ withdrawn }: BuildResult, isPlan: boolean): string[] {
  return withdrawn.flatMap(({ reason, sessions }) => {
    const leave = sessions.length === 1 ? 'leaves' : 'leave'
    const verb = isPlan ? 'would leave' : leave
    const more = sessions.length - maxNamed
    return [
      `${formatAmount(sessions.length, 'session')} ${verb} the site: ${whyWithdrawn[reason]}.`,
      ...sessions.slice(0, maxNamed).map((name) => `  ${name}`),
      ...(more > 0 ? [`  and ${formatCount(more)} more; \`--json\` lists all`] : []),
    ]
  })
}

function planned({ sessions, written, kept, removed }: BuildResult): string {
  return `Would build ${formatAmount(sessions, 'session')}: ${files(written, kept, removed)}. Nothing was written.`
}

function built({ sessions, pages, failed, searched, written, kept, removed }: BuildResult, context: SummaryContext) {
  const search = context.settings.search ? `, ${formatAmount(searched, 'page')} in the search index` : ''
  const without = failed === 0 ? '' : ` No page for ${formatAmount(failed, 'session')}.`
  const what = `Built ${formatAmount(sessions, 'session')} on ${formatAmount(pages, 'page')}${search}`
  return `${what}: ${files(written, kept, removed)}.${without}`
}

function files(written: number, kept: number, removed: number): string {
  const parts = [`${formatAmount(written, 'file')} written`, `${formatCount(kept)} unchanged`]
  return [...parts, `${formatCount(removed)} removed`].join(', ')
}

function nextSteps({ out }: BuildResult, { settings, flags, cwd, program }: SummaryContext): string[] {
  // Without HTML there is no page to open or to serve.
  if (!settings.formats.includes('html')) return [`The texts are below ${join(shortPath(out, cwd), 'sessions')}.`]
  const open = `Open ${join(shortPath(out, cwd), 'index.html')}`
  if (!settings.search) return [open]
  // `serve` builds first, and other flags would build another site.
  const command = [`${program} serve`, ...repeatedFlags(flags, 'serve')].join(' ')
  return [`${open}, or serve it on this machine:`, `  ${command}`]
}
