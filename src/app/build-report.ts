/** What a build tells of all that it read, in the site and to people. */
import type { Diagnostic } from '../diagnostics/codes.ts'
import { type BuildReport, buildReport } from '../diagnostics/report.ts'
import type { KindCounts } from '../diagnostics/unknown-kinds.ts'
import { publishAll } from '../model/presets.ts'
import type { Catalog } from '../model/rollout.ts'
import { defined } from '../util/defined.ts'
import type { CachedSession } from './build-cache.ts'
import type { BuildOptions } from './types.ts'

/** Lines of each session by kind, with what tells where they came from. */
export function kindCounts(sessions: readonly CachedSession[], { threads }: Catalog): KindCounts[] {
  const names = new Map(threads.map(({ id, segments }) => [id, segments[0]?.file.name]))
  return sessions.map(({ summary: { threadId, lines, version } }) =>
    defined({ lines, version, file: names.get(threadId) }),
  )
}

/** What a report is made of. */
export interface ReportInput {
  options: BuildOptions
  catalog: Catalog
  sessions: readonly CachedSession[]
  failed: number
  pages: number
  diagnostics: readonly Diagnostic[]
  homes: BuildReport['homes']
}

/** The text of `build-report.json`. */
export function reportText({ options, catalog, sessions, failed, pages, diagnostics, homes }: ReportInput): string {
  const report = buildReport({
    generator: options.look.generator,
    redacted: options.redact !== false,
    visibility: (options.publication ?? publishAll).visibility,
    sessions: sessions.length,
    homes,
    failed,
    pages,
    files: catalog.files,
    receipts: sessions.map(({ summary }) => summary.lines),
    diagnostics,
  })
  return `${JSON.stringify(report, undefined, 2)}\n`
}
