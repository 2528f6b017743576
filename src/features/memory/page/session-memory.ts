/** The page about what the model remembers of a session, collected while the session is rendered. */

import { omitsAnything } from '../../../redact/curate/plan.ts'
import type { RolloutFile, Thread } from '../../../rollout/discover/rollout.ts'
import { asArray, asObject, asString } from '../../../rollout/parse/decode.ts'
import { sniff } from '../../../rollout/parse/entry.ts'
import { type Line, readLines, walkLines } from '../../../rollout/read/lines.ts'
import { openRollout } from '../../../rollout/read/open-fs.ts'
import { type ByteSource, throwOwnFault } from '../../../rollout/read/source.ts'
import { parseLine } from '../../../rollout/read/value.ts'
import type { PageCollector, SessionContext, SessionJob } from '../../../site/context.ts'
import { contextPage } from '../../../transcript/urls.ts'
import { defined } from '../../../util/own.ts'
import { defaultReplacement, isReplaceable, withOutput } from '../edit/record.ts'
import type { MemoryFacts } from '../history/categories.ts'
import { type Entry, entryOf } from '../history/entry.ts'
import type { ResponseItem } from '../history/history.ts'
import { previewOf } from '../history/preview.ts'
import type { Show } from '../history/read.ts'
import { readRecord } from '../history/records.ts'
import { memoryCollector } from './collector.ts'
import { contextView } from './view.ts'

/**
 * The collector of a session's memory. There is none if anything of the session is left out, because the page shows
 * everything that the file contains. The page has previews only if the user has no plugins, which might have removed
 * texts from the tree.
 */
export function sessionMemory(
  { thread, facts, plan, history = [], project, redactor }: SessionJob,
  { options, site, templates, reading: { spoolDir } }: SessionContext,
): PageCollector | undefined {
  const { formats, plugins } = options
  if (!formats.includes('html') || (plan !== undefined && omitsAnything(plan))) return undefined
  const words = { previews: plugins.length === 0, ...defined({ show: redactor?.text }) }
  const collector = memoryCollector({ thread, facts, history, ...words })
  return {
    begin: () => collector.begin(spoolDir),
    line: collector.line,
    slice: collector.slice,
    async finish(session) {
      const pruned = await prunedFacts(thread, { spoolDir, ...words })
      const collected = collector.facts(pruned !== undefined)
      if (collected === undefined) return { remembers: false, pruned: 0 }
      const memory: MemoryFacts = { ...collected, ...defined({ pruned }) }
      const view = contextView({ session, memory, project, pages: facts.pages.length, site })
      return {
        remembers: true,
        pruned: pruned === undefined ? 0 : pruned.items.length + pruned.more,
        file: { path: contextPage(session.threadId), content: templates.render('html/context', view) },
      }
    },
  }
}

// What was pruned from a rollout, according to its backups.

/** At most this many items are described; others are only counted. */
const maxItems = 400

/** How pruned items are described. */
export interface PrunedOptions {
  spoolDir: () => string
  /** The page may contain the words of items. */
  previews: boolean
  /** Redacts a text so that it may be shown. */
  show?: Show
}

/** What was pruned from the file in which a thread continues; `undefined` if nothing was. */
async function prunedFacts(thread: Thread, options: PrunedOptions): Promise<MemoryFacts['pruned']> {
  const { spoolDir, previews, show } = options
  const live = thread.segments.at(-1)
  if (live?.file.backups === undefined) return undefined
  const { items, count, tokens } = await prunedItems(live.file, spoolDir)
  if (count === 0) return undefined
  const rows = items.map((item) => ({
    category: item.category,
    preview: previews ? previewOf(item.text, show) : '',
    tokens: item.tokens,
  }))
  return { items: rows, more: count - rows.length, tokens }
}

/** What a backup has and its rollout lacks. */
export interface PrunedItems {
  /** In the order of the backup; `line` of a source is the line of the rollout before which the item was. */
  items: Entry[]
  /** Number of all items, also of those that are not in `items`, and their tokens. */
  count: number
  tokens: number
}

/**
 * The items that a backup has and the rollout lacks, according to the backup with most of them. A backup fits if the
 * rollout lacks nothing but items of it: copies that other programs make under such names say nothing about what the
 * model forgot. Throws only a fault of the program.
 */
export async function prunedItems(file: RolloutFile, spoolDir: () => string): Promise<PrunedItems> {
  let max: PrunedItems = { items: [], count: 0, tokens: 0 }
  for (const backup of file.backups ?? []) {
    const found = await compare(file, { ...file, path: backup.path, name: backup.path }, spoolDir)
    if (found !== undefined && found.count > max.count) max = found
  }
  return max
}

async function compare(
  file: RolloutFile,
  backup: RolloutFile,
  spoolDir: () => string,
): Promise<PrunedItems | undefined> {
  const sources: ByteSource[] = []
  try {
    for (const one of [file, backup]) sources.push(await openRollout(one, { spoolDir }))
    const [rollout, whole] = sources
    return rollout === undefined || whole === undefined ? undefined : missing(rollout, whole)
  } catch (error) {
    throwOwnFault(error)
    // The scan reports an unreadable rollout; an unreadable backup does not count.
    return undefined
  } finally {
    for (const source of sources) source.close()
  }
}

/** Compares both in one walk. A pruned rollout is its backup without some lines, perhaps followed by more. */
function missing(rollout: ByteSource, whole: ByteSource): PrunedItems | undefined {
  const walk = walkLines(rollout)
  // Lines of spaces can replace what is missing.
  const next = (): Line | undefined => {
    let line = walk.next()
    while (line !== undefined && isBlank(line)) line = walk.next()
    return line
  }
  const found: PrunedItems = { items: [], count: 0, tokens: 0 }
  let fits = true
  try {
    let current = next()
    readLines(whole, (line) => {
      if (isBlank(line)) return true
      const lost = lostItems(line, current)
      for (const item of lost?.items ?? []) add(item, current?.number ?? 0, found)
      if (lost === undefined) fits = false
      else if (lost.kept) current = next()
      return fits
    })
  } finally {
    walk.close()
  }
  return fits ? found : undefined
}

function add(item: Readonly<Record<string, unknown>>, line: number, found: PrunedItems): void {
  const entry = entryOf(item, { source: { segment: 0, line } }, { keepItems: false })
  found.count++
  found.tokens += entry.tokens
  if (found.items.length < maxItems) found.items.push(entry)
}

interface Lost {
  items: Readonly<Record<string, unknown>>[]
  /** The rollout has the line, complete or without some of its items. */
  kept: boolean
}

/** What the rollout lacks of a line of the backup; `undefined` for a line that no prune removes. */
function lostItems(line: Line, current: Line | undefined): Lost | undefined {
  if (current !== undefined && isSame(line, current)) return { items: [], kept: true }
  const kind = sniff(line.bytes)?.kind
  if (kind?.startsWith('compacted')) return current === undefined ? undefined : cutCompaction(line, current)
  if (kind === 'inter_agent_communication_metadata') return { items: [], kept: false }
  const item = itemOn(line)
  if (item === undefined) return undefined
  return { items: [item], kept: current !== undefined && isReplaced(item, itemOn(current)) }
}

function isBlank({ bytes }: Line): boolean {
  return bytes.every((byte) => byte === 0x20)
}

function isSame(a: Line, b: Line): boolean {
  return a.byteLength === b.byteLength && a.bytes.equals(b.bytes)
}

function itemOn(line: Line): ResponseItem | undefined {
  const record = readRecord(parseLine(line).values[0])
  return record?.kind === 'item' ? record.item : undefined
}

/** Whether `after` is `before` with a text instead of its output. */
function isReplaced(before: ResponseItem, after: ResponseItem | undefined): boolean {
  const text = asString(after?.['output'])
  if (text === undefined || !isReplaceable({ item: before })) return false
  return mayReplace(text, before['output']) && JSON.stringify(withOutput(before, text)) === JSON.stringify(after)
}

/**
 * Whether it is the rollout that has the text, and the backup the output: a restored rollout has a pruned backup. The
 * usual text shows it; any other one is the shorter of the two.
 */
function mayReplace(text: string, output: unknown): boolean {
  if (output === defaultReplacement) return false
  return text === defaultReplacement || JSON.stringify(text).length < JSON.stringify(output).length
}

/** The items that the rollout lacks of a compaction's history. */
function cutCompaction(line: Line, current: Line): Lost | undefined {
  const [before, after] = [line, current].map((one) => asObject(parseLine(one).values[0]))
  if (before?.['timestamp'] !== after?.['timestamp'] || after?.['type'] !== 'compacted') return undefined
  const [all, left] = [before, after].map((record) => asArray(asObject(record?.['payload'])?.['replacement_history']))
  let at = 0
  const items = (all ?? []).flatMap((value): ResponseItem[] => {
    const item = asObject(value) ?? {}
    const isKept = JSON.stringify(value) === JSON.stringify(left?.[at])
    if (isKept || isReplaced(item, asObject(left?.[at]))) at++
    return isKept ? [] : [item]
  })
  return { items, kept: true }
}
