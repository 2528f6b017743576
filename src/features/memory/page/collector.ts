/** Collects the data of the page about the model's memory, while the lines and slices of a thread pass. */

import { cutText } from '../../../render/phrases.ts'
import type { Segment, Thread } from '../../../rollout/discover/rollout.ts'
import { programOf } from '../../../rollout/shell/program.ts'
import { openThread, readInSteps, type ThreadLine } from '../../../survey/thread-lines.ts'
import type { ScanFacts } from '../../../transcript/summary.ts'
import type { Session, TrastNode } from '../../../transcript/trast.ts'
import type { PageAnchor } from '../../../transcript/urls.ts'
import { compareText } from '../../../util/compare.ts'
import { sumBy } from '../../../util/groups.ts'
import { defined } from '../../../util/own.ts'
import { pathBelow } from '../../../util/paths.ts'
import { joinTexts } from '../../../util/text.ts'
import { type Built, type MemoryBuilder, memoryBuilder, type Window } from '../history/builder.ts'
import {
  addTotals,
  type MemoryCategory,
  type MemoryFacts,
  type MemoryPoint,
  type MemoryShare,
  type MemoryShares,
  type RememberedItem,
  sumOf,
  totalsOf,
} from '../history/categories.ts'
import { droppedBy } from '../history/compaction.ts'
import type { Entry, SourceRef } from '../history/entry.ts'
import { type Calibration, calibrated, calibrationOf } from '../history/estimate.ts'
import type { MemoryItem, MemoryOutline, MemorySource } from '../history/history.ts'
import { rulesOf } from '../history/items.ts'
import { previewOf } from '../history/preview.ts'
import { isWanted, outlineOf, type Show, sumsInWindow, turnCounter } from '../history/read.ts'
import { type MemoryRecord, readRecord } from '../history/records.ts'

/** At most this many items are listed on a page. */
const maxItems = 400

/** At least this many of the newest items are kept until the end. */
const maxKept = 10_000

/** A session of one turn and at most this many items needs no such page: its own page shows all that is remembered. */
const fewItems = 20

/** What is known before the first line. */
interface CollectorInputs {
  thread: Thread
  facts: ScanFacts
  /** Files of other threads with which the thread begins, oldest first. */
  history: readonly Segment[]
  /** Redacts a text so that it may be shown. */
  show?: Show
  /** The page may contain the words of items. */
  previews: boolean
}

/** Collects in step with the rendering of the thread. */
interface MemoryCollector {
  /** Takes the lines of the files with which the thread begins. Call it first. */
  begin: (spoolDir: () => string) => Promise<void>
  /** Takes a line of the thread, in order. */
  line: (line: ThreadLine) => void
  /** Takes the finished tree of a page, in order. */
  slice: (tree: Session, page: number) => void
  /**
   * What was collected; `undefined` for a thread of one turn and few items, whose own page shows it all unless some were
   * pruned.
   */
  facts: (isPruned: boolean) => MemoryFacts | undefined
}

/** Returns a collector, before the first line. */
export function memoryCollector(inputs: CollectorInputs): MemoryCollector {
  const { thread, facts, history } = inputs
  const rules = rulesOf(thread.segments.at(-1)?.head.version)
  const describe = { keepItems: false, maxItems: maxKept, rules }
  const builder = memoryBuilder(describe, () => ({}))
  const course = memoryCourse(builder)
  const turnOf = turnCounter(facts)
  const places: Places = new Map()
  // Lines of the thread are parsed for its pages anyway, so all of them are read here.
  const take = (line: ThreadLine, segment: number, turn: number): void => {
    if (line.undone) return
    for (const value of line.values().values) {
      const record = readRecord(value)
      const source = { segment, line: line.line }
      if (record !== undefined) course.take(record, { source, ...(turn === 0 ? {} : { turn }) })
    }
  }
  return {
    async begin(spoolDir) {
      if (history.length === 0) return
      const readers = await openThread({ ...thread, segments: [...history] }, spoolDir)
      const takeWanted = (line: ThreadLine): void => {
        if (isWanted(line)) take(line, -1, 0)
      }
      try {
        for (const reader of readers) await readInSteps(reader, takeWanted)
      } finally {
        for (const reader of readers) reader.close()
      }
    },
    line: (line) => take(line, line.segment, turnOf([line.segment, line.line])),
    slice(tree, page) {
      const remembered = { window: builder.window(), compactions: course.compactions() }
      notePlaces(places, placesIn(tree), remembered, { page, cwd: tree.cwd })
      if (places.size > maxPlaces) forgetPlaces(places, remembered)
    },
    facts(isPruned) {
      const built = builder.built()
      const outline = outlineOf(built, { threadId: thread.id, turn: facts.turns, segments: [] }, inputs.show)
      const isSmall = facts.turns < 2 && outline.items.length <= fewItems && outline.compaction === undefined
      return isSmall && !isPruned ? undefined : memoryFacts({ built, outline }, course.points(), places, inputs)
    },
  }
}

/** Where the pages show an item, and which tool and files it belongs to. */
interface ItemPlace extends PageAnchor {
  /** The tool, or the program that a command ran. */
  tool?: string
  /** Files that it read or changed, relative to the folder of the session. */
  files?: readonly string[]
}

/** Places of items, by their lines. */
type Places = Map<number, ItemPlace>

/** With more places than this, those of forgotten items are removed. */
const maxPlaces = 4 * maxKept

/** A node that shows what is on a line, and the anchor that leads to it. */
interface ShownNode {
  node: TrastNode
  anchor: string
}

/** The nodes that a slice shows for each line: the outermost item to which it belongs. */
function placesIn(tree: Session): Map<number, ShownNode> {
  const found = new Map<number, ShownNode>()
  noteShown(tree, found)
  return found
}

function noteShown(node: TrastNode, found: Map<number, ShownNode>): void {
  if (isClosed(node)) {
    noteAll(node, node.id, found)
    return
  }
  if (!isFrame(node)) {
    if (node.data?.visibility === 'hidden') return
    note(node, node.id, found)
  }
  if ('children' in node) for (const child of node.children) noteShown(child, found)
}

/** Notes a node and all below it under one anchor. */
function noteAll(node: TrastNode, anchor: string, found: Map<number, ShownNode>): void {
  note(node, anchor, found)
  if ('children' in node) for (const child of node.children) noteAll(child, anchor, found)
}

function note(node: TrastNode, anchor: string, found: Map<number, ShownNode>): void {
  for (const { file = 0, line } of node.data?.sources ?? []) {
    const key = keyOf({ segment: file, line })
    if (!found.has(key)) found.set(key, { node, anchor })
  }
}

/** The tool and the files of a call and its output. */
function workOf(node: TrastNode, cwd: string | undefined): Pick<ItemPlace, 'tool' | 'files'> {
  const below = (paths: readonly (string | undefined)[]): string[] => [
    ...new Set(paths.flatMap((path) => (path === undefined ? [] : [pathBelow(path, cwd)]))),
  ]
  switch (node.type) {
    case 'command': {
      const read = node.actions.filter(({ kind }) => kind === 'read').map(({ path }) => path)
      return { tool: programOf(node) ?? 'shell', files: below(read) }
    }
    case 'patch':
      return { tool: 'edits', files: below(node.children.map((child) => ('path' in child ? child.path : undefined))) }
    case 'toolCall':
      return { tool: joinTexts([node.server, node.tool], '/') }
    case 'search':
      return { tool: 'web search' }
    default:
      return {}
  }
}

/** Whether a node is copied history that the page shows as a single line. */
function isClosed(node: TrastNode): boolean {
  return node.type === 'group' && node.kind === 'inherited' && node.data?.visibility !== 'open'
}

function isFrame({ type }: TrastNode): boolean {
  return type === 'session' || type === 'preamble' || type === 'turn' || type === 'group'
}

/** A line as a number: in the first file, which is the only one of most threads, its own number. */
function keyOf({ segment, line }: MemorySource): number {
  return segment * 2 ** 32 + line
}

/** What is remembered, or may be again after a rollback, and the compactions on the page. */
interface Remembered {
  window: Window
  compactions: readonly MemorySource[]
}

/** Calls `note` for the line of each of them. */
function eachLine({ window, compactions }: Remembered, note: (line: number) => void): void {
  for (let one: Window | undefined = window; one !== undefined; one = one.before)
    for (const { sources } of one.entries) if (sources[0] !== undefined) note(keyOf(sources[0]))
  for (const source of compactions) note(keyOf(source))
}

/** Notes where a page shows what is remembered. */
function notePlaces(
  places: Places,
  found: ReadonlyMap<number, ShownNode>,
  remembered: Remembered,
  { page, cwd }: { page: number; cwd: string | undefined },
): void {
  eachLine(remembered, (line) => {
    const shown = found.get(line)
    if (shown !== undefined) places.set(line, { page, anchor: shown.anchor, ...workOf(shown.node, cwd) })
  })
}

/** Removes all places except those of what is remembered. */
function forgetPlaces(places: Places, remembered: Remembered): void {
  const kept = new Set<number>()
  eachLine(remembered, (line) => kept.add(line))
  for (const line of places.keys()) if (!kept.has(line)) places.delete(line)
}

function memoryFacts(
  { built, outline }: { built: Built; outline: MemoryOutline },
  points: readonly CoursePoint[],
  places: Places,
  { facts: { turns }, show, previews }: CollectorInputs,
): MemoryFacts {
  const { items, older = {}, recorded, reasoningKept, window, compaction } = outline
  const totals = addTotals(older, totalsOf(items))
  const estimated = sumOf(totals).tokens
  const calibration: Calibration | undefined = recorded && calibrationOf(recorded, reasoningKept)
  const noted = (source: MemorySource | undefined): ItemPlace | undefined =>
    source === undefined ? undefined : places.get(keyOf(source))
  const placeOf = (source: MemorySource | undefined): PageAnchor | undefined => {
    const { page, anchor } = noted(source) ?? {}
    return page === undefined || anchor === undefined ? undefined : { page, anchor }
  }
  type Row = Omit<MemoryItem, 'index' | 'included'>
  const rowOf = ({ category, preview, tokens, turn, synthetic, outOfWindow, sources }: Row): RememberedItem => ({
    category,
    preview: previews ? preview : '',
    tokens,
    ...defined({ turn, synthetic, outOfWindow, place: placeOf(sources[0]) }),
  })
  return {
    points: points.map(
      ({ source, tokens, ...point }): MemoryPoint => ({
        ...point,
        tokens: sumsInWindow(tokens, reasoningKept),
        ...defined({ place: placeOf(source) }),
      }),
    ),
    turns,
    totals,
    items: items.slice(-maxItems).map(rowOf),
    moreItems: sumOf(totals).items - Math.min(items.length, maxItems),
    largest: items
      .filter(({ tokens }) => tokens > 0)
      .toSorted((a, b) => b.tokens - a.tokens)
      .slice(0, maxLargest)
      .map((item) => rowOf({ ...item, preview: withCall(item, items) })),
    byTool: shares(items, (item) => {
      const tool = noted(item.sources[0])?.tool
      return tool === undefined || !byTools.has(item.category) ? [] : [tool]
    }),
    byFile: shares(items, ({ sources }) => noted(sources[0])?.files ?? []),
    ...defined({
      window,
      next: calibration === undefined ? undefined : calibrated(estimated, calibration),
      dropped: compaction?.dropped,
      droppedItems: droppedItems(built.window, (entry) => rowOf({ ...entry, preview: previewOf(entry.text, show) })),
    }),
  }
}

/** At most this many of the largest items, and of tools and files, are listed on a page. */
const maxLargest = 20
const maxShares = 12

/** Longest description of a call before its output, in UTF-16 units. */
const maxCall = 80

/** The call and then its output, because outputs of one tool begin alike and say little without it. */
function withCall({ category, preview, pair }: MemoryItem, items: readonly MemoryItem[]): string {
  const call = category !== 'toolOutput' || pair === undefined ? undefined : items[pair - 1]
  return call === undefined ? preview : `${cutText(call.preview, maxCall)} → ${preview}`
}

/** Categories that are counted by tool. */
const byTools: ReadonlySet<MemoryCategory> = new Set(['toolCall', 'toolOutput', 'webSearch', 'image'])

/** Sums by name, largest first. An item with several names counts for each, with an equal share of its tokens. */
function shares(items: readonly MemoryItem[], namesOf: (item: MemoryItem) => readonly string[]): MemoryShares {
  const sums = new Map<string, MemoryShare>()
  for (const item of items) {
    const names = namesOf(item)
    for (const name of names) {
      const sum = sums.get(name) ?? { name, items: 0, tokens: 0 }
      sums.set(name, { name, items: sum.items + 1, tokens: sum.tokens + item.tokens / names.length })
    }
  }
  const bySize = [...sums.values()].sort((a, b) => b.tokens - a.tokens || compareText(a.name, b.name))
  const rest = bySize.slice(maxShares)
  return {
    listed: bySize.slice(0, maxShares).map((sum) => ({ ...sum, tokens: Math.round(sum.tokens) })),
    more: { names: rest.length, tokens: Math.round(sumBy(rest, ({ tokens }) => tokens)) },
  }
}

/** What the last compaction removed from the window before it; only the newest items if there were too many. */
function droppedItems(
  { before, entries, carried, compaction }: Window,
  rowOf: (entry: Entry) => RememberedItem,
): MemoryFacts['droppedItems'] {
  if (before === undefined || compaction === undefined) return undefined
  const dropped = droppedBy(before.entries, entries.slice(0, carried))
  const listed = dropped.slice(-maxItems)
  return { items: listed.map(rowOf), more: sumOf(compaction.dropped).items - listed.length }
}

// The growth and shrinking of a thread's memory from turn to turn.

/**
 * At most this many moments are kept. For a longer thread, every second end of a turn is dropped, and if too many remain,
 * the oldest moments.
 */
const maxPoints = 480

/** A moment and, if it is right after a compaction, the record of that compaction. */
interface CoursePoint extends MemoryPoint {
  source?: MemorySource
}

/** Takes records in order, passes them on to a builder, and notes how its sums change. */
interface Course {
  take: (record: MemoryRecord, place: SourceRef) => void
  /** The moments so far; the last one is the present. */
  points: () => CoursePoint[]
  /** The records of the compactions among them. */
  compactions: () => MemorySource[]
}

/** Returns a course that passes its records on to a builder. */
export function memoryCourse(builder: MemoryBuilder): Course {
  let points: CoursePoint[] = []
  let turn = 0
  let recorded: number | undefined
  const note = (moment: MemoryPoint['moment'], source?: MemorySource): CoursePoint => ({
    turn,
    moment,
    tokens: { ...builder.sums() },
    ...defined({ recorded, source }),
  })
  return {
    take(record, place) {
      const now = place.turn ?? turn
      // Before the first turn there may be nothing yet.
      if (now !== turn && (turn > 0 || Object.keys(builder.sums()).length > 0)) points.push(note('end'))
      turn = now
      if (record.kind === 'compaction') points.push(note('full'))
      builder.take(record, place)
      if (record.kind === 'compaction') {
        recorded = undefined
        points.push(note('compacted', place.source))
      }
      if (record.kind === 'tokens' && record.total !== undefined && record.total > 0) recorded = record.total
      if (points.length > maxPoints) points = thinned(points)
    },
    points: () => [...points, note('end')],
    compactions: () => points.flatMap(({ source }) => source ?? []),
  }
}

/** Drops about half of the moments, evenly. */
function thinned(points: readonly CoursePoint[]): CoursePoint[] {
  let ends = 0
  const kept = points.filter(({ moment }) => moment !== 'end' || ends++ % 2 === 1)
  // Compactions, of two moments each, all remain: if there are many, only the newest moments are kept.
  return kept.length > (maxPoints * 3) / 4 ? kept.slice(-maxPoints / 2) : kept
}
