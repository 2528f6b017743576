/**
 * Cuts a thread into pages by its records alone: turns, number of items, bytes of records.
 *
 * A border depends only on what comes before it, so a page that was once complete is never cut again.
 */

import type { ByteRange, CutTurn, PagePlan } from '../transcript/summary.ts'
import type { LineRef, TurnBefore } from './scan-line.ts'

/** Sizes at which a page ends within a turn; between two turns, it ends at half of them. */
export interface PageSizes {
  /** Twice the weight that makes about 250 kB of HTML. */
  weight: number
  /** Limits for what is in memory at once. */
  items: number
  bytes: number
  lines: number
}

const pageSizes: PageSizes = { weight: 200_000, items: 500, bytes: 4 * 1024 * 1024, lines: 5000 }

interface OpenPage extends PagePlan {
  weight: number
  calls: number
  items: number
  bytes: number
  lines: number
}

/** What decides on which page a line goes. */
export interface LineSize {
  weight: number
  /** The line is a prompt or an answer, which a story shows in full. */
  isSaid?: boolean
  /** Whether a turn begins with the line. */
  opensTurn: boolean
  /** The turn that ends as this one begins. */
  before?: TurnBefore | undefined
  /** The line is a call, before which no call is open, and begins something new. */
  isBetweenCalls?: boolean
  callId?: string | undefined
  /** Whether the line is a call itself, and not a record about one. */
  isCall?: boolean
}

/** Cuts while the lines of a thread are read. */
export interface PageCutter {
  /** Adds a line. Returns the 1-based number of its page. */
  add: (lineRef: LineRef, size: LineSize) => number
  /** Sets how the last turn ended, on the pages whose borders cut it. */
  turnEnded: (end: CutTurn) => void
  pages: () => PagePlan[]
}

/** A cutter that has seen no lines. */
export function pageCutter(sizes: PageSizes = pageSizes): PageCutter {
  const pages: OpenPage[] = [emptyPage(1)]
  const pageOfCall = new Map<string, OpenPage>()
  let cut: OpenPage[] = []
  const storyWeight = storyMeter()
  const closeTurn = (before: TurnBefore | undefined, completedPage: OpenPage | undefined): void => {
    if (before !== undefined) for (const page of cut) page.cutTurn = before.end
    if (before?.isOpen && completedPage !== undefined) completedPage.cutTurn = { ...before.end, isWhole: true }
    cut = []
  }
  const pageFor = ({ opensTurn, before, isBetweenCalls = false, callId = '' }: LineSize): OpenPage => {
    const last = pages.at(-1) ?? emptyPage(1)
    // Some builds write an event of a call before the call itself.
    const isLastFull = isFull(last, sizes, {
      opensTurn,
      isBetweenCalls: isBetweenCalls && !pageOfCall.has(callId),
    })
    if (opensTurn) closeTurn(before, isLastFull ? last : undefined)
    else if (isLastFull) cut.push(last)
    if (!isLastFull) return last
    const page = emptyPage(pages.length + 1)
    pages.push(page)
    return page
  }
  return {
    add(lineRef, size) {
      const { weight, isSaid, opensTurn, callId, isCall } = size
      const page = pageFor(size)
      page.storyWeight += storyWeight(isSaid ? 0 : weight, opensTurn) + (isSaid ? lineRef.end - lineRef.start : 0)
      page.weight += weight
      page.calls += isCall ? 1 : 0
      page.items += weight > 0 ? 1 : 0
      page.bytes += lineRef.end - lineRef.start
      page.lines += 1
      extend(page.ranges, lineRef)
      if (isCall && callId !== undefined) pageOfCall.set(callId, page)
      return takeCall(callId, { lineRef, page, pageOfCall })
    },
    turnEnded(end) {
      for (const page of cut) page.cutTurn = end
    },
    pages: () =>
      withoutTail(pages).map(
        ({ weight: _weight, calls: _calls, items: _items, bytes: _bytes, lines: _lines, ...plan }) => plan,
      ),
  }
}

/** Up to this many lines at the end of a thread need no page of their own if they show nothing. */
const maxTail = 20

/** Joins a last page that contains only the end of its turn to the page before it, until something follows. */
function withoutTail(pages: readonly OpenPage[]): readonly OpenPage[] {
  const [before, last] = pages.slice(-2)
  if (before === undefined || last === undefined || last.items + last.calls > 0 || last.lines > maxTail) return pages
  const merged = {
    ...before,
    storyWeight: before.storyWeight + last.storyWeight,
    ranges: before.ranges.map((range) => ({ ...range })),
    taken: [...before.taken, ...last.taken],
  }
  for (const { segment, start, end, firstLine } of last.ranges)
    extend(merged.ranges, { segment, line: firstLine, start, end })
  return [...pages.slice(0, -2), merged]
}

function emptyPage(number: number): OpenPage {
  return { number, ranges: [], late: [], taken: [], storyWeight: 0, weight: 0, calls: 0, items: 0, bytes: 0, lines: 0 }
}

/**
 * Whether a page ends before the next line. `isBetweenCalls`: the border separates neither a message from its twin
 * (rollout-format 4.2), nor a call from its output.
 */
function isFull(
  page: OpenPage,
  sizes: PageSizes,
  { opensTurn, isBetweenCalls }: { opensTurn: boolean; isBetweenCalls: boolean },
): boolean {
  if (page.ranges.length === 0) return false
  const reaches = (factor: number): boolean =>
    page.weight >= factor * sizes.weight ||
    page.items >= factor * sizes.items ||
    page.bytes >= factor * sizes.bytes ||
    page.lines >= factor * sizes.lines
  if (opensTurn) return reaches(1 / 2)
  // If it would, the page stays open up to twice the size.
  return isBetweenCalls ? reaches(1) : reaches(2)
}

function extend(ranges: ByteRange[], { segment, line, start, end }: LineRef): void {
  const last = ranges.at(-1)
  if (last?.segment === segment && last.end === start) last.end = end
  else ranges.push({ segment, start, end, firstLine: line })
}

/**
 * Returns the page of a record that belongs to a call: if the call is on an earlier page, the record is read with that page
 * (rollout-format 4.3). A call that reuses an id starts over on its own page (4.3, rule 5).
 */
function takeCall(
  callId: string | undefined,
  { lineRef, page, pageOfCall }: { lineRef: LineRef; page: OpenPage; pageOfCall: Map<string, OpenPage> },
): number {
  if (callId === undefined) return page.number
  const owner = pageOfCall.get(callId)
  if (owner === undefined) pageOfCall.set(callId, page)
  if (owner === undefined || owner === page) return page.number
  const { segment, line, start, end } = lineRef
  owner.late.push({ segment, start, end, firstLine: line })
  page.taken.push(`${segment}:${line}`)
  return owner.number
}

// Which pages of work each page of the story covers.

/** Weight of a turn's work up to which the story shows it in place. */
const maxStoryWork = 10_000

/** Returns a function that gives the weight in the story of each line of work. */
function storyMeter(): (weight: number, opensTurn: boolean) => number {
  let rest = maxStoryWork
  return (weight, opensTurn) => {
    if (opensTurn) rest = maxStoryWork
    const taken = Math.min(weight, rest)
    rest -= taken
    return taken
  }
}

/** Weight of one page of a story, at most about 100 kB with gzip; a single page of work may have more. */
const maxStoryWeight = 300_000

/**
 * The pages of work that each page of a story covers, as ranges of indices. A border depends only on the pages before it, so a
 * page of the story that was once complete is never cut again.
 */
export function storyRanges(pages: readonly Pick<PagePlan, 'storyWeight'>[]): { from: number; to: number }[] {
  const ranges: { from: number; to: number }[] = []
  let sum = 0
  for (const [index, { storyWeight }] of pages.entries()) {
    const last = ranges.at(-1)
    if (last === undefined || sum + storyWeight > maxStoryWeight) {
      ranges.push({ from: index, to: index + 1 })
      sum = storyWeight
    } else {
      last.to = index + 1
      sum += storyWeight
    }
  }
  return ranges
}
