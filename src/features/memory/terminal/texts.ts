/** The texts that `context`, `prune` and `restore` print for people. */

import { cutToWidth, layOut, type Table } from '../../../util/columns.ts'
import { sumBy } from '../../../util/groups.ts'
import { printable } from '../../../util/printable.ts'
import { formatAmount, formatBytes, formatCount } from '../../../util/time.ts'
import type { CompactionFacts, ContextResult, ContextTokens, MemoryChange, MemoryItem } from '../context.ts'
import { type Amount, isChange, type PlannedItem, type PlannedState } from '../edit/plan.ts'
import { type CategoryTotals, categoriesIn, categoryNames, sumOf } from '../history/categories.ts'
import type { PruneResult } from '../prune.ts'
import type { BackupReport, RestoreOptions, RestoreResult } from '../restore.ts'

/** Length of the bar in characters. */
const barLength = 40

/** Lines of head, items, totals and the last compaction. With a `width`, the lines fit it. */
export function contextText(result: ContextResult, width?: number): Table {
  const { memory, totals, tokens, change } = result
  if (change !== undefined) return changeText(result, change, width)
  const items = layOut(itemColumns(memory.items), width)
  const sums = layOut(totalColumns(totals, memory.compaction), width)
  const lines = [
    ...cutAll(headLines(result), width),
    '',
    ...(memory.items.length === 0 ? ['The memory is empty.'] : items.lines),
    ...markLines(memory.items),
    '',
    ...sums.lines,
    ...compactionLines(memory.compaction),
    '',
    ...tokenLines(tokens),
  ]
  return { lines, leftOut: items.leftOut }
}

/** What was removed from the memory, then what was added, each in the order of the memory. */
function changeText(result: ContextResult, { since, removed, added }: MemoryChange, width?: number): Table {
  const rows = [...removed.map((item) => ({ item, mark: '-' })), ...added.map((item) => ({ item, mark: '+' }))]
  const [mark, ...columns] = itemColumns(rows.map(({ item }) => item))
  const marks = { title: '', cells: rows.map(({ mark: sign }) => sign), rank: 0 }
  const table = layOut(mark === undefined ? [] : [marks, mark, ...columns], width)
  const tokensOf = (items: readonly MemoryItem[]): number => sumBy(items, ({ tokens }) => tokens)
  const sum = (items: readonly MemoryItem[]): string =>
    `${formatAmount(items.length, 'item')} of ${formatAmount(tokensOf(items), 'token')}`
  const head = [...headLines(result), `Since turn ${since}: ${sum(removed)} gone, ${sum(added)} new.`]
  return { lines: [...cutAll(head, width), ...(rows.length === 0 ? [] : ['', ...table.lines])], leftOut: table.leftOut }
}

function cutAll(lines: readonly string[], width = Number.POSITIVE_INFINITY): string[] {
  return lines.map((line) => cutToWidth(line, width))
}

function headLines({ title, turns, memory }: ContextResult): string[] {
  const moment =
    memory.turn === turns ? `after all ${formatAmount(turns, 'turn')}` : `after turn ${memory.turn} of ${turns}`
  const about = [
    memory.threadId,
    turns === 0 ? 'no turn yet' : moment,
    ...(memory.model === undefined ? [] : [printable(memory.model)]),
  ]
  // Named because builds differ in how they read the same records.
  const codex = memory.codex === undefined ? [] : [`read as Codex ${printable(memory.codex)} does`]
  return [printable(title), [...about, ...codex].join(' · ')]
}

function itemColumns(items: readonly MemoryItem[]): Parameters<typeof layOut>[0] {
  const cells = (text: (item: MemoryItem) => string): string[] => items.map(text)
  return [
    { title: '#', cells: cells(({ index }) => String(index)), align: 'right', rank: 0 },
    ...(items.some((item) => markOf(item) !== '') ? [{ title: '', cells: cells(markOf), rank: 1 }] : []),
    { title: 'Category', cells: cells(({ category }) => category), rank: 2 },
    { title: 'Tokens', cells: cells(({ tokens }) => formatCount(tokens)), align: 'right', rank: 3 },
    { title: 'Turn', cells: cells(({ turn }) => String(turn ?? '')), align: 'right', rank: 5 },
    { title: 'Preview', cells: cells(({ preview }) => printable(preview)), minWidth: 16, maxWidth: 100, rank: 4 },
  ]
}

function markOf({ synthetic, included, replaced }: MemoryItem): string {
  if (!included) return '-'
  if (replaced !== undefined) return '~'
  return synthetic ? '+' : ''
}

function markLines(items: readonly MemoryItem[]): string[] {
  const excluded = items.filter(({ included }) => !included).length
  const dropped = items.filter(({ included, outOfWindow }) => included && outOfWindow).length
  return [
    ...(excluded === 0
      ? []
      : [`- ${formatAmount(excluded, 'item')} excluded by \`prune\`: not sent, and not counted in the sums below.`]),
    ...(dropped === 0
      ? []
      : ['Reasoning is sent again, but the model drops that of finished turns: it takes no tokens of the window.']),
  ]
}

/** Totals by category, and what the last compaction removed. */
function totalColumns(totals: CategoryTotals, compaction: CompactionFacts | undefined): Parameters<typeof layOut>[0] {
  const dropped = compaction?.dropped ?? {}
  const rows = categoriesIn(totals, dropped)
  const cells = (sums: CategoryTotals, what: 'items' | 'tokens'): string[] =>
    rows.map((category) => formatCount(sums[category]?.[what] ?? 0))
  return [
    { title: 'In all', cells: rows.map((category) => categoryNames[category].many), rank: 0 },
    { title: 'Items', cells: cells(totals, 'items'), align: 'right', rank: 1 },
    { title: 'Tokens', cells: cells(totals, 'tokens'), align: 'right', rank: 2 },
    ...(compaction === undefined
      ? []
      : [
          { title: 'Dropped items', cells: cells(dropped, 'items'), align: 'right' as const, rank: 3 },
          { title: 'Dropped tokens', cells: cells(dropped, 'tokens'), align: 'right' as const, rank: 4 },
        ]),
  ]
}

function compactionLines(compaction: CompactionFacts | undefined): string[] {
  if (compaction === undefined) return []
  const { turn, kept } = compaction
  const keptTokens = sumOf(kept).tokens
  const where = turn === undefined ? 'before the first turn' : `in turn ${turn}`
  return [`Dropped by the last compaction, ${where}, which kept ${formatCount(keptTokens)} tokens.`]
}

function tokenLines({ estimated, calibration, total, window, share }: ContextTokens): string[] {
  const lines = [`Items: about ${formatCount(estimated)} tokens, estimated by the length of texts.`]
  if (calibration !== undefined) {
    const { factor, fixed } = calibration
    const rest = fixed < 0 ? `less ${formatCount(-fixed)}` : `plus ${formatCount(fixed)} for instructions and tools`
    const how = `times ${factor} and ${rest}, by the recorded counts`
    lines.push(`Next request: about ${formatCount(total)} tokens, ${how}.`)
  }
  if (window !== undefined && share !== undefined) lines.push(windowLine(window, share))
  return lines
}

function windowLine(window: number, share: number): string {
  const filled = Math.min(barLength, Math.round(share * barLength))
  const bar = `[${'#'.repeat(filled)}${'.'.repeat(barLength - filled)}]`
  return `${bar} ${Math.round(share * 100)} % of a window of ${formatCount(window)} tokens`
}

// Texts of a planned prune, for people.

const words: Readonly<Record<PlannedState, string>> = {
  included: '',
  excluded: 'excluded',
  replaced: 'replaced',
  exclude: 'exclude',
  replace: 'replace',
  include: 'include',
  delete: 'delete',
}

/** Lines of the plan: the items that change, or all items if none does; what they save; notes. */
export function planLines({ plan, file }: PruneResult, width?: number): string[] {
  const shown = plan.changes ? plan.items.filter(({ state }) => isChange(state)) : plan.items
  const table = shown.length === 0 ? [] : ['', ...tableLines(shown, width)]
  const hint = shown.some(({ along }) => along) ? ['+ goes along with the other half of its pair.'] : []
  return [printable(file), ...table, '', ...hint, ...plan.notes.map(printable), sums({ plan })]
}

function tableLines(items: readonly PlannedItem[], width?: number): string[] {
  const column = (text: (item: PlannedItem) => string): string[] => items.map((item) => printable(text(item)))
  const { lines } = layOut(
    [
      { title: '#', cells: column(({ item }) => String(item.index)), align: 'right', rank: 0 },
      { title: 'Change', cells: column(({ state, along }) => words[state] + (along ? ' +' : '')), rank: 1 },
      { title: 'Category', cells: column(({ item }) => item.category), rank: 3 },
      { title: 'Tokens', cells: column(({ item }) => formatCount(item.tokens)), align: 'right', rank: 2 },
      { title: 'Turn', cells: column(({ item }) => String(item.turn ?? '')), align: 'right', rank: 5 },
      { title: 'Text', cells: column(({ item }) => item.preview), minWidth: 20, maxWidth: 80, rank: 4 },
    ],
    width,
  )
  return lines
}

function sums({ plan: { before, after, changes } }: Pick<PruneResult, 'plan'>): string {
  if (!changes) return `The model remembers ${amountText(before)}.`
  return `The model remembers ${amountText(before)}; then ${amountText(after)}: ${savedText(before, after)}.`
}

/** `12 items, about 3,400 tokens` */
export function amountText({ items, tokens }: Amount): string {
  return `${formatAmount(items, 'item')}, about ${formatAmount(tokens, 'token')}`
}

/** How many tokens fewer or more the model remembers afterwards. */
export function savedText(before: Amount, after: Amount): string {
  const saved = before.tokens - after.tokens
  return saved < 0 ? `${formatCount(-saved)} more` : `${formatCount(saved)} fewer`
}

// Texts of a restore, for people.

/** Lines of a restore: the rollout, the listed or restored backups, what was done, notes. */
export function restoreLines(result: RestoreResult, options: RestoreOptions): string[] {
  const { file, memory, backups, notes } = result
  const head = `${printable(file)}: ${amountText(memory)}`
  return [head, ...backups.map(backupLine), ...closingLines(result, options), ...notes.map(printable)]
}

function closingLines({ backups, kept, undone, moved }: RestoreResult, { listBackups }: RestoreOptions): string[] {
  if (moved !== undefined) return movedLines(moved)
  if (listBackups) return backups.length === 0 ? ['There is no backup of it.'] : []
  const [chosen] = backups
  if (kept === undefined) return ['Nothing to restore: the rollout has everything in its backups.']
  const held = `The previous rollout is in \`${printable(kept)}\`.`
  if (undone !== undefined) return [`Undid the last ${undone.kind}: ${lineChange(undone.lines)}. ${held}`]
  if (chosen === undefined) return [held]
  return [`Restored \`${printable(chosen.path)}\`: ${lineChange(chosen.lines)}. ${held}`]
}

function movedLines(moved: NonNullable<RestoreResult['moved']>): string[] {
  if (moved.length === 0) return ['There is no backup that an old Codex may resume.']
  return moved.map(({ from, to }) => `Moved \`${printable(from)}\` to \`${printable(to)}\`.`)
}

/** How many lines of the rollout changed. */
function lineChange({ onlyHere, onlyThere, edited }: BackupReport['lines']): string {
  const parts = [
    ...(onlyThere > 0 ? [`${formatAmount(onlyThere, 'line')} came back`] : []),
    ...(onlyHere > 0 ? [`${formatAmount(onlyHere, 'line')} went`] : []),
    ...(edited > 0 ? [`${formatAmount(edited, 'line')} changed`] : []),
  ]
  return parts.length === 0 ? 'no line changed' : parts.join(', ')
}

function backupLine({ name, bytes, memory, lines: { onlyHere, onlyThere, edited }, fault }: BackupReport): string {
  if (fault !== undefined) return printable(fault)
  const lines = [
    ...(onlyThere > 0 ? [`${formatAmount(onlyThere, 'line')} that the rollout lacks`] : []),
    ...(onlyHere > 0 ? [`lacks ${formatAmount(onlyHere, 'line')} of the rollout`] : []),
    ...(edited > 0 ? [`other items in ${formatAmount(edited, 'line')}`] : []),
  ]
  const difference = lines.length === 0 ? 'the same lines' : lines.join(', ')
  return `${printable(name)} (${formatBytes(bytes)}): ${amountText(memory)}; ${difference}`
}
