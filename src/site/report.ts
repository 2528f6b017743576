/** What a build reports about everything that it read, in the site and to people. */

import { type PublicPolicy, personalDefaults, personalOff, publicPolicy } from '../config/personal.ts'
import { publishAll, type Visibility } from '../config/publication.ts'
import { type Diagnostic, diagnostic, type Level } from '../diagnostics/codes.ts'
import type { LineCounts } from '../rollout/terms.ts'
import type { PrivacyOptions } from '../survey/privacy.ts'
import { compareText } from '../util/compare.ts'
import { countBy } from '../util/groups.ts'
import { defined } from '../util/own.ts'
import { jsonDocument } from '../util/printable.ts'
import { shortened } from '../util/text.ts'
import type { SiteSession } from './cache/build-cache.ts'
import type { BuildOptions } from './types.ts'

/** Lines of each session by kind, and where they came from. `files`: names of rollouts by thread id. */
export function kindCounts(sessions: readonly SiteSession[], files: ReadonlyMap<string, string>): KindCounts[] {
  return sessions.map(({ summary: { threadId, lines, version } }) =>
    defined({ lines, version, file: files.get(threadId) }),
  )
}

/** What a report is made from. */
interface ReportInput {
  options: BuildOptions
  /** Number of rollout files that were found. */
  files: number
  sessions: readonly SiteSession[]
  failed: number
  pages: number
  diagnostics: readonly Diagnostic[]
  homes: BuildReport['homes']
}

/** Which personal data is replaced under these options; with secrets, personal data stays too. */
export function reportedPolicy({ redact, personal = personalDefaults }: PrivacyOptions): PublicPolicy {
  return publicPolicy(redact === false ? personalOff : personal)
}

// `build-report.json`: what a build found, with the same bytes for the same input.

/** Content of `build-report.json`. It contains no clock reading and no absolute path. */
export interface BuildReport {
  schema: 'codex-export/build-report'
  version: 1
  generator: string
  /** Whether secrets were removed. A site without this mark is published only on explicit request. */
  redacted: boolean
  /** Which personal data was replaced. */
  personal: PublicPolicy
  /** How each kind of content is shown. */
  visibility: Visibility
  /** Number of sessions with a page. */
  sessions: number
  /** How many of them came from each home, in the order of the homes, without paths. */
  homes: { label?: string; sessions: number }[]
  /** Number of sessions without a page. */
  failed: number
  pages: number
  /** Number of rollout files that were found. */
  files: number
  /** Sum of the receipts of all sessions. */
  lines: LineCounts
  /** Number of diagnostics by rule id. */
  counts: Record<string, number>
  /** Sorted by file, line and rule. */
  diagnostics: Diagnostic[]
}

/** The text of `build-report.json`. */
export function reportText({ options, files, sessions, failed, pages, diagnostics, homes }: ReportInput): string {
  const report: BuildReport = {
    schema: 'codex-export/build-report',
    version: 1,
    generator: options.generator,
    redacted: options.redact !== false,
    personal: reportedPolicy(options),
    visibility: (options.publication ?? publishAll).visibility,
    sessions: sessions.length,
    homes,
    failed,
    pages,
    files,
    lines: addLines(sessions.map(({ summary }) => summary.lines)),
    counts: countRules(diagnostics),
    diagnostics: sortDiagnostics(diagnostics).map(inOrder),
  }
  return jsonDocument(report)
}

/** A copy sorted by file, line and rule; diagnostics without a location come first. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.toSorted(
    (a, b) =>
      compareText(a.file ?? '', b.file ?? '') ||
      (a.line ?? 0) - (b.line ?? 0) ||
      compareText(a.ruleId, b.ruleId) ||
      compareText(a.message, b.message),
  )
}

/** Number of diagnostics of each rule, rules in alphabetical order. */
export function countRules(diagnostics: readonly Diagnostic[]): Record<string, number> {
  return sorted(countBy(diagnostics, ({ ruleId }) => ruleId))
}

/** Number of diagnostics of one level. */
export function countLevel(diagnostics: readonly Diagnostic[], level: Level): number {
  return diagnostics.reduce((count, item) => (item.level === level ? count + 1 : count), 0)
}

/** The sum of receipts; kinds in alphabetical order. */
export function addLines(receipts: Iterable<LineCounts>): LineCounts {
  const sum = { total: 0, shown: 0, folded: 0, damaged: 0 }
  const skipped = new Map<string, number>()
  const unknown = new Map<string, number>()
  for (const lines of receipts) {
    sum.total += lines.total
    sum.shown += lines.shown
    sum.folded += lines.folded
    sum.damaged += lines.damaged
    addInto(skipped, lines.skipped)
    addInto(unknown, lines.unknown)
  }
  const { total, shown, folded, damaged } = sum
  return { total, shown, folded, skipped: sorted(skipped), unknown: sorted(unknown), damaged }
}

function addInto(counts: Map<string, number>, more: Readonly<Record<string, number>>): void {
  for (const [kind, count] of Object.entries(more)) counts.set(kind, (counts.get(kind) ?? 0) + count)
}

function sorted(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].sort(([a], [b]) => compareText(a, b)))
}

/** A diagnostic whose keys are in the same order, whoever made it. */
function inOrder({ ruleId, level, file, line, message }: Diagnostic): Diagnostic {
  return { ruleId, level, ...defined({ file, line }), message }
}

// Record kinds that this version does not know, reported once for all sessions.

/** What is needed from a session. */
export interface KindCounts {
  lines: Pick<LineCounts, 'unknown'>
  /** Codex version in the session's head. */
  version?: string
  /** Publishable name of the rollout. */
  file?: string
}

interface Seen {
  count: number
  versions: Set<string>
  file: string | undefined
}

/** A kind is a word; anything longer is not one and would only fill the screen. */
const maxKindLength = 80

/** One `unknown-kind` diagnostic per kind, in alphabetical order, at the first session that has it. */
export function unknownKinds(sessions: Iterable<KindCounts>): Diagnostic[] {
  const kinds = new Map<string, Seen>()
  for (const { lines, version, file } of sessions) {
    for (const [kind, count] of Object.entries(lines.unknown)) {
      const seen = kinds.get(kind) ?? { count: 0, versions: new Set(), file }
      seen.count += count
      if (version !== undefined) seen.versions.add(version)
      kinds.set(kind, seen)
    }
  }
  return [...kinds].sort(([a], [b]) => compareText(a, b)).map(([kind, seen]) => notice(kind, seen))
}

function notice(kind: string, { count, versions, file }: Seen): Diagnostic {
  const name = shortened(kind, maxKindLength)
  const writers = [...versions].sort().join(', ')
  const lines = count === 1 ? '1 line' : `${count} lines`
  return diagnostic(
    'unknown-kind',
    defined({ file }),
    `\`${name}\`: ${lines}, ${writers === '' ? 'of an unknown version of Codex' : `written by Codex ${writers}`}. ` +
      'Please report it in the issue tracker of codex-export: `codex-export check --unknown` prints a report to paste, ' +
      'and `codex-export scrub <file>` makes a copy of the session without its words that you can attach.',
  )
}
