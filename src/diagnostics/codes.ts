/** Every diagnostic of a build. `docs/diagnostics.md` explains each under its rule id. */

import { joinTexts } from '../util/text.ts'

/**
 * `fatal`: the session has no page, or something is missing from the site. `warning`: something was damaged or skipped. `info`:
 * worth knowing.
 */
export type Level = 'fatal' | 'warning' | 'info'

interface Rule {
  level: Level
  /** What happened, in one sentence without details. */
  summary: string
}

const table = {
  'absurd-value': {
    level: 'warning',
    summary: 'A record holds a number or a time that cannot be true; it was ignored.',
  },
  'bad-utf8': { level: 'warning', summary: 'A line holds bytes that are not UTF-8; they were replaced.' },
  'damaged-compression': {
    level: 'warning',
    summary: 'A compressed rollout is cut off or broken; the lines before that place were read.',
  },
  'damaged-line': { level: 'warning', summary: 'A line is not JSON; it is counted as damaged.' },
  'deep-json': { level: 'warning', summary: 'A record nests too deeply; it is counted as damaged.' },
  'directory-loop': { level: 'warning', summary: 'A link to a folder was not followed.' },
  'duplicate-thread': { level: 'info', summary: 'A thread was found twice; one copy was read.' },
  'empty-file': { level: 'warning', summary: 'A rollout contains no records.' },
  'incomplete-memory': { level: 'info', summary: 'The file does not contain everything that the model remembers.' },
  'item-failed': {
    level: 'fatal',
    summary: 'An item could not be rendered; a line in its place says so, and the rest of the page is complete.',
  },
  'kept-session': { level: 'info', summary: 'The rollout of a session is gone; its pages are kept.' },
  'lost-session': {
    level: 'warning',
    summary: 'The rollout of a session is gone, and its pages were removed: they may show what you no longer publish.',
  },
  'missing-detail': {
    level: 'warning',
    summary: 'Pages of files, failures and numbers lack a session, because a part of the cache is damaged.',
  },
  'missing-head': {
    level: 'warning',
    summary: 'A rollout has no readable session head; its id was taken from the file name.',
  },
  'missing-output': { level: 'info', summary: 'A call has no output; Codex sends `aborted` to the model instead.' },
  'missing-parent': { level: 'info', summary: 'A thread names a parent that was not found.' },
  'nul-bytes': { level: 'warning', summary: 'A line holds NUL bytes; they were ignored.' },
  'orphan-output': { level: 'info', summary: 'An output has no call in its thread.' },
  'outside-link': { level: 'warning', summary: 'A link to a file outside its folder was not followed.' },
  'oversized-document': { level: 'fatal', summary: 'A one-document session is larger than the limit.' },
  'oversized-line': { level: 'warning', summary: 'A line is longer than the limit; long values were omitted.' },
  'page-failed': { level: 'fatal', summary: 'A session could not be processed.' },
  'password-readable': { level: 'warning', summary: 'Other users of this machine can read the password file.' },
  'password-weak': { level: 'warning', summary: 'The password of the site is short.' },
  'plugin-failed': {
    level: 'fatal',
    summary: 'A plugin of the configuration file failed; its addition, or the session that it changes, is missing.',
  },
  'plugin-message': { level: 'info', summary: 'A plugin of the configuration file reported something.' },
  'resumable-backup': {
    level: 'warning',
    summary: 'A backup made by an earlier version is where Codex before 0.93 may resume it instead of its session.',
  },
  'run-together': { level: 'warning', summary: 'Two records were on one line; they were split.' },
  'search-failed': { level: 'fatal', summary: 'The search index could not be built.' },
  'torn-last-line': { level: 'warning', summary: 'The last line is cut off; the file is incomplete or being written.' },
  'unknown-curation': { level: 'warning', summary: 'The curation names a session that was not found.' },
  'unknown-kind': { level: 'warning', summary: 'Sessions contain records of a kind that this version does not know.' },
  'unknown-record': { level: 'info', summary: 'A record is of a kind that this version does not know.' },
  'unlisted-session': {
    level: 'warning',
    summary:
      'The rollout of a session is gone, and the cache does not know it; its pages stay, but no list or search index has them.',
  },
  'unreadable-file': { level: 'fatal', summary: 'A file could not be read.' },
  'unreadable-folder': { level: 'fatal', summary: 'A folder could not be read.' },
  'unreadable-index': { level: 'warning', summary: 'The list of thread names could not be read.' },
  'unused-option': { level: 'warning', summary: 'An option has no effect here.' },
  'unused-selection': { level: 'warning', summary: 'A selection of the curation matches nothing.' },
  'unused-theme-file': { level: 'warning', summary: 'A file of `templatesDir` has no effect.' },
  'vanished-file': { level: 'fatal', summary: 'A file vanished or shrank while it was read.' },
} as const

/** Id of a rule, also the heading in the docs. */
export type RuleId = keyof typeof table

/** The rules by id. */
export const rules: Readonly<Record<RuleId, Rule>> = table

/** One finding, as plain data. */
export interface Diagnostic {
  ruleId: RuleId
  level: Level
  /** Name of the input file that is safe to publish: never absolute. */
  file?: string
  /** 1-based. */
  line?: number
  message: string
}

/** Makes a diagnostic; `detail` follows the rule's summary. */
export function diagnostic(ruleId: RuleId, place: { file?: string; line?: number }, detail?: string): Diagnostic {
  const { level, summary } = rules[ruleId]
  return { ruleId, level, ...place, message: detail === undefined ? summary : `${summary} ${detail}` }
}

/** `file:line rule-id message`, as printed on stderr. */
export function formatDiagnostic(item: Diagnostic): string {
  const place = [item.file, item.line].filter((part) => part !== undefined).join(':')
  return joinTexts([place, item.ruleId, item.message], ' ')
}

// The diagnostics of a session, bounded: of a million damaged lines, the first ones and the number of the others say enough.

/** How many diagnostics of each rule are kept individually. */
const perRule = 1000

/** Collects the diagnostics of a session. */
export interface CappedDiagnostics {
  add(item: Diagnostic): void
  /** The diagnostics that were kept, and for each rule with more of them one that says how many. */
  list(): Diagnostic[]
}

/** An empty collection that keeps `max` diagnostics of each rule individually (default 1,000). */
export function cappedDiagnostics(max: number = perRule): CappedDiagnostics {
  const kept: Diagnostic[] = []
  const counts = new Map<RuleId, { count: number; file: string | undefined }>()
  return {
    add(item) {
      const seen = counts.get(item.ruleId) ?? { count: 0, file: item.file }
      counts.set(item.ruleId, { ...seen, count: seen.count + 1 })
      if (seen.count < max) kept.push(item)
    },
    list() {
      const more = [...counts].filter(([, { count }]) => count > max)
      return [...kept, ...more.map(([ruleId, { count, file }]) => rest(ruleId, count - max, file))]
    },
  }
}

function rest(ruleId: RuleId, count: number, file: string | undefined): Diagnostic {
  const detail = `${count} more of this kind in this session are not listed.`
  return diagnostic(ruleId, file === undefined ? {} : { file }, detail)
}
