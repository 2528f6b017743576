/** The view of the stats page. */

import type { WorkTimes } from '../../transcript/summary.ts'
import type { Usage } from '../../transcript/trast.ts'
import { failuresPath, programAnchor, relativeLink, statsPath } from '../../transcript/urls.ts'
import { compareText } from '../../util/compare.ts'
import { sumBy } from '../../util/groups.ts'
import { formatAmount, formatCount, formatDuration } from '../../util/time.ts'
import type { BarsView, BarView, PlotView, StatsView } from '../cross-session-views.ts'
import { formatCompact, mixedTime, percentText } from '../phrases.ts'
import { columnPlot, percent, type Series, type Steps, stepTitle, totalsOf } from '../plots.ts'
import type { SiteInfo } from '../site-info.ts'
import { type CommandsPart, commandCollector, joinedCommands, type ProgramFailures } from './command-runs.ts'
import { listsFailures } from './failures.ts'
import type { PageSource, PageType } from './page-type.ts'
import { pageView } from './page-view.ts'
import { cutBytes } from './rows.ts'
import {
  modelUsage,
  type NumbersCollector,
  type NumbersPart,
  numbersCollector,
  numbersOf,
  pricesView,
  totalsView,
  usageCollector,
  usageTables,
} from './stats-tables.ts'

/** Programs in the table of commands. */
const maxPrograms = 20
const nameBytes = 60

/** The stats page. */
export const statsPage: PageType = {
  open({ templates, sorted, site }): PageSource<StatsPart> {
    const [numbers, commands, usage] = [numbersCollector(sorted, site.timeZone), joinedCommands(0), usageCollector()]
    const fresh = () => ({ numbers: numbersOf(site.timeZone), commands: commandCollector(0), usage: modelUsage() })
    let own = fresh()
    return {
      begin() {
        own = fresh()
      },
      add(summary, detail) {
        own.numbers.add(summary, detail)
        own.commands.add(summary, detail)
        own.usage.add(detail.usage)
      },
      end: () => ({
        pages: [],
        part: { numbers: own.numbers.part, commands: own.commands.part(0), usage: own.usage.models },
      }),
      addPart({ slug, name }, part) {
        numbers.add(part.numbers)
        commands.add(part.commands)
        usage.add(slug, name, part.usage)
      },
      *pages() {
        const content = (): string => {
          const view = statsView(numbers, commands.programs(), site)
          const sums = {
            totals: totalsView(sorted, usage, site.prices),
            bars: [...usageTables(usage, site.prices), ...view.bars].filter(({ rows }) => rows.length > 0),
            prices: pricesView(usage.models, site.prices),
          }
          return templates.render('html/stats', { ...view, ...sums })
        }
        yield { path: statsPath, content }
      },
    }
  },
}

/** What the page needs from one project. */
interface StatsPart {
  numbers: NumbersPart
  commands: CommandsPart
  usage: Record<string, Usage>
}

/** The view for `html/stats.eta`. `programs` are sorted by number of failures. */
function statsView(
  collector: NumbersCollector,
  programs: readonly ProgramFailures[],
  site: SiteInfo,
): Omit<StatsView, 'totals' | 'prices'> {
  const total = totalOf(collector.sessions) + collector.undated + collector.distant
  return {
    ...pageView(statsPath, 'Stats', site, { description: 'Sessions, tokens, time and commands in numbers.' }),
    heading: 'Stats',
    summary:
      total === 0 ? '' : `${formatAmount(total, 'session')}, each counted when it began.${notDrawnText(collector)}`,
    empty: total === 0,
    plots: [
      sessionPlot(collector),
      tokenPlot(collector),
      failurePlot(collector),
      hourPlot(collector, site.timeZone),
    ].filter(({ bars }) => bars.length > 0),
    bars: [timeBars(collector.times), commandBars(programs)].filter(({ rows }) => rows.length > 0),
  }
}

/** ` Not drawn: 3 without a date, 1 far from the others in time.` */
function notDrawnText({ undated, distant }: NumbersCollector): string {
  const parts = [
    ...(undated === 0 ? [] : [`${formatCount(undated)} without a date`]),
    ...(distant === 0 ? [] : [`${formatCount(distant)} far from the others in time`]),
  ]
  return parts.length === 0 ? '' : ` Not drawn: ${parts.join(', ')}.`
}

function sessionPlot({ steps, sessions }: NumbersCollector): PlotView {
  const series: Series[] = [{ name: 'Sessions', tone: 's0', values: sessions }]
  return {
    id: 'sessions',
    heading: `Sessions by ${steps.unit}`,
    summary: `${formatAmount(totalOf(sessions), 'session')} ${spanText(steps)}${peakText(sessions, steps, formatCount)}.`,
    ...columnPlot({ steps, series, say: (value) => formatAmount(value, 'session'), mark: formatCount }),
    series: [],
    ...tableOf(steps, ['Sessions'], (step) => [formatCount(sessions[step] ?? 0)]),
  }
}

function tokenPlot({ steps, tokens }: NumbersCollector): PlotView {
  const series = stackOf(tokens)
  const sums = totalsOf(steps, series)
  return {
    id: 'tokens',
    heading: `Tokens by ${steps.unit} and model`,
    summary: `${formatCompact(totalOf(sums))} tokens ${spanText(steps)}${peakText(sums, steps, formatCompact)}.`,
    ...columnPlot({
      steps,
      series,
      say: (value, _, name) => `${formatCompact(value)} tokens by ${name}`,
      mark: formatCompact,
    }),
    series: series.map(({ tone, name, values }) => ({
      tone,
      name: cutBytes(name, nameBytes),
      total: formatCompact(totalOf(values)),
    })),
    ...tableOf(
      steps,
      series.map(({ name }) => cutBytes(name, nameBytes)),
      (step) => series.map(({ values }) => formatCount(values[step] ?? 0)),
    ),
  }
}

function failurePlot({ steps, runs, failed }: NumbersCollector): PlotView {
  const rates = runs.map((count, step) => (count === 0 ? 0 : (100 * (failed[step] ?? 0)) / count))
  const ofStep = (step: number) => `${formatCount(failed[step] ?? 0)} of ${formatAmount(runs[step] ?? 0, 'command')}`
  return {
    id: 'failed',
    heading: `Failed commands by ${steps.unit}`,
    summary: `${percentText(totalOf(failed), totalOf(runs))} of ${formatAmount(totalOf(runs), 'command')} failed ${spanText(steps)}.`,
    ...columnPlot({
      steps,
      series: [{ name: 'Failed', tone: 'bad', values: rates }],
      say: (_, step) => `${ofStep(step)} failed`,
      mark: (value) => `${value}\u00A0%`,
    }),
    series: [],
    ...tableOf(steps, ['Commands', 'Failed', 'Share'], (step) => {
      const [count, bad] = [runs[step] ?? 0, failed[step] ?? 0]
      return [formatCount(count), formatCount(bad), count === 0 ? '' : percentText(bad, count)]
    }),
  }
}

/** When people worked: turns by the hour of the day in which they began. */
function hourPlot({ hours }: NumbersCollector, timeZone: string): PlotView {
  const steps: Steps = {
    unit: 'hour',
    starts: hours.map((_, hour) => hourText(hour).slice(0, 2)),
    indexOf: () => undefined,
  }
  const total = totalOf(hours)
  const busiest = hours.indexOf(Math.max(...hours))
  return {
    id: 'hours',
    heading: 'Turns by time of day',
    summary: `${formatAmount(total, 'turn')} by the hour in which they began, in ${timeZone}; peak: ${formatCount(hours[busiest] ?? 0)} between ${hourText(busiest)} and ${hourText(busiest + 1)}.`,
    ...columnPlot({
      steps,
      series: [{ name: 'Turns', tone: 's0', values: hours }],
      say: (value) => formatAmount(value, 'turn'),
      mark: formatCount,
    }),
    series: [],
    columns: ['Hour', 'Turns'],
    rows: steps.starts.map((start, hour) => ({ name: `${start}:00`, cells: [formatCount(hours[hour] ?? 0)] })),
  }
}

function hourText(hour: number): string {
  return `${String(hour % 24).padStart(2, '0')}:00`
}

/** `in the week of 3 November 2026`, `from … to …`. */
function spanText({ starts, unit }: Steps): string {
  const [first, last] = [starts[0], starts.at(-1)].map((start) => lowered(start, unit))
  return first === last ? `in ${first}` : `from ${first} to ${last}`
}

function lowered(start: string | undefined, unit: Steps['unit']): string {
  const title = start === undefined ? '' : stepTitle(start, unit)
  return title.replace(/^Week/, 'the week')
}

/** `; peak: 14 in the week of 3 November 2026` */
function peakText(values: readonly number[], { starts, unit }: Steps, say: (value: number) => string): string {
  if (values.length < 2) return ''
  const highest = Math.max(...values)
  return `; peak: ${say(highest)} in ${lowered(starts[values.lastIndexOf(highest)], unit)}`
}

function tableOf(
  { starts, unit }: Steps,
  columns: string[],
  cells: (step: number) => string[],
): Pick<PlotView, 'columns' | 'rows'> {
  const rows = starts.map((start, step) => ({ name: stepTitle(start, unit), cells: cells(step) }))
  return { columns: [unit === 'week' ? 'Week' : 'Month', ...columns], rows: rows.reverse() }
}

function timeBars({ model, mixed = 0, commands, tools, idle }: WorkTimes): BarsView {
  const kinds: [name: string, ms: number][] = [
    ['Model', model],
    [mixedTime, mixed],
    ['Commands', commands],
    ['Other tools', tools],
  ]
  const total = model + mixed + commands + tools
  const highest = Math.max(model, mixed, commands, tools)
  return {
    id: 'time',
    heading: 'Time by kind of work',
    columns: ['Work', 'Time', 'Share'],
    // Kinds without time are left out, because old versions of Codex do not record how long a turn took.
    rows: kinds
      .filter(([, ms]) => ms > 0)
      .map(([name, ms]) => ({
        name,
        width: percent((100 * ms) / highest),
        cells: [formatDuration(ms), percentText(ms, total)],
      })),
    remark: [
      'As far as Codex recorded durations; calls that ran side by side add up.',
      ...(idle === 0 ? [] : [`Between turns, sessions waited ${formatDuration(idle)} in all.`]),
    ].join(' '),
  }
}

function commandBars(programs: readonly ProgramFailures[]): BarsView {
  const ranked = programs.map((program, rank) => ({ ...program, listed: listsFailures(program, rank) }))
  const shown = ranked.sort((a, b) => b.runs - a.runs).slice(0, maxPrograms)
  const highest = shown[0]?.runs ?? 1
  const rest = programs.length - shown.length
  return {
    id: 'commands',
    heading: 'Most-run commands',
    columns: ['Program', 'Runs', 'Failed', 'Time'],
    rows: shown.map((program) => commandBar(program, highest)),
    remark: rest === 0 ? '' : `The first ${maxPrograms} of ${formatCount(programs.length)} programs.`,
  }
}

function commandBar(
  { program, runs, failed, durationMs, listed }: ProgramFailures & { listed: boolean },
  highest: number,
): BarView {
  return {
    name: cutBytes(program, nameBytes),
    width: percent((100 * runs) / highest),
    ...(listed ? { href: `${relativeLink(statsPath, failuresPath)}#${programAnchor(program)}` } : {}),
    ...(failed === 0 ? {} : { bad: percent((100 * failed) / highest) }),
    cells: [
      formatCount(runs),
      failed === 0 ? '' : percentText(failed, runs),
      durationMs === 0 ? '' : formatDuration(durationMs),
    ],
  }
}

// Which series of a stack are shown by name.

/** Series of a stack; if there are more, the last one sums up the rest. */
const maxSeries = 8

/** Values by name as series, the largest first; those that are too many become `other`. Empty series are left out. */
export function stackOf(values: ReadonlyMap<string, readonly number[]>): Series[] {
  const sorted = [...values]
    .map(([name, row]) => ({ name, row, total: totalOf(row) }))
    .filter(({ total }) => total > 0)
    .sort((a, b) => b.total - a.total || compareText(a.name, b.name))
  const named = sorted.length > maxSeries ? sorted.slice(0, maxSeries - 1) : sorted
  const rest = sorted.slice(named.length)
  const rows = named.map(({ name, row }) => ({ name, values: row }))
  if (rest.length > 0) {
    const [first] = rest
    const sum = first?.row.map((_, step) => sumBy(rest, ({ row }) => row[step] ?? 0)) ?? []
    rows.push({ name: `${rest.length} other`, values: sum })
  }
  return rows.map((row, index) => ({ ...row, tone: `s${index}` }))
}

/** Sum of a row. */
function totalOf(row: readonly number[]): number {
  return row.reduce((sum, value) => sum + value, 0)
}
