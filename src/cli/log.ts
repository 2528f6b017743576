/** Diagnostics as lines for people. */

import { type Diagnostic, formatDiagnostic, type Level } from '../diagnostics/codes.ts'
import { countLevel, countRules, sortDiagnostics } from '../site/report.ts'
import { defined } from '../util/own.ts'
import { printable } from '../util/printable.ts'
import { asCalled } from './called-as-fs.ts'
import { hasColour, type World } from './world.ts'

/** Writes diagnostics for people; `report` is the file that contains all of them. */
export async function logDiagnostics(world: World, diagnostics: readonly Diagnostic[], report?: string): Promise<void> {
  const { verbosity, stderr, env } = world
  const colour = hasColour(stderr, env)
  const lines = logLines(diagnostics, { verbosity, colour, ...defined({ report }) })
  if (lines.length > 0) await world.stderr.write(`${asCalled(lines.join('\n'), world)}\n`)
}

const perRule = 20

/** How diagnostics are written. */
interface LogStyle {
  /** `verbose` writes all of them; `quiet` writes no notes at all. */
  verbosity?: World['verbosity']
  colour?: boolean
  /** The file that contains all of them, if there is one. */
  report?: string
}

const colours: Readonly<Record<Level, number>> = { fatal: 31, warning: 33, info: 36 }

/**
 * One line `file:line rule-id message` for each error and warning, at most 20 per rule, followed by the number of the others;
 * notes (level `info`) are only counted. The last line is a summary. Control characters are removed, except those for colours.
 */
export function logLines(
  diagnostics: readonly Diagnostic[],
  { verbosity = 'normal', colour = false, report }: LogStyle = {},
): string[] {
  const isVerbose = verbosity === 'verbose'
  const max = isVerbose ? Number.POSITIVE_INFINITY : perRule
  const where = report === undefined ? '' : ` (see ${report})`
  const seen = new Map<string, number>()
  const lines: string[] = []
  const listed = diagnostics.filter(({ level }) => isVerbose || level !== 'info')
  for (const item of sortDiagnostics(listed)) {
    const count = (seen.get(item.ruleId) ?? 0) + 1
    seen.set(item.ruleId, count)
    if (count <= max) lines.push(colour ? coloured(item) : printable(formatDiagnostic(item)))
  }
  for (const [ruleId, count] of seen) {
    if (count > max) lines.push(`${ruleId} … and ${count - max} more${where}`)
  }
  const sum = summary(verbosity === 'quiet' ? diagnostics.filter(({ level }) => level !== 'info') : diagnostics)
  return sum === undefined ? lines : [...lines, sum]
}

/** The same line with its rule id in the colour of its level. */
function coloured(item: Diagnostic): string {
  const line = formatDiagnostic(item)
  const start = line.length - `${item.ruleId} ${item.message}`.length
  const [before, after] = [line.slice(0, start), line.slice(start + item.ruleId.length)]
  return `${printable(before)}\x1b[${colours[item.level]}m${item.ruleId}\x1b[39m${printable(after)}`
}

function summary(diagnostics: readonly Diagnostic[]): string | undefined {
  const parts = [part(diagnostics, 'fatal', 'error'), part(diagnostics, 'warning', 'warning'), notes(diagnostics)]
  const text = parts.filter((item) => item !== undefined).join(', ')
  return text === '' ? undefined : text
}

function part(diagnostics: readonly Diagnostic[], level: Level, noun: string): string | undefined {
  const count = countLevel(diagnostics, level)
  if (count === 0) return undefined
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Notes counted by rule: there may be thousands, and each rule is worth mentioning only once. */
function notes(diagnostics: readonly Diagnostic[]): string | undefined {
  const items = diagnostics.filter((item) => item.level === 'info')
  const head = part(items, 'info', 'note')
  if (head === undefined) return undefined
  const rules = Object.entries(countRules(items)).map(([ruleId, count]) => `${ruleId} ${count}`)
  return `${head} (${rules.join(', ')})`
}
