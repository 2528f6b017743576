/**
 * Cuts a thread into pages by its records alone: turns, item count, record bytes.
 *
 * A border depends only on what stands before it, so that a page that was closed once is never cut again.
 */

import type { ByteRange, CutTurn, PagePlan } from '../transcript/summary.ts'
import type { LineRef, TurnBefore } from './scan-line.ts'

/** Sizes at which a page ends within a turn; with its turn it ends at half of them. */
export interface PageSizes {
  /** Twice the weight of about 250 kB of HTML. */
  weight: number
  /** Items, bytes and lines that are in memory together. */
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

/** What decides where a line goes. */
export interface LineSize {
  weight: number
  /** The line is a prompt or an answer, which a story tells whole. */
  isSaid?: boolean
  /** A turn begins with the line. */
  opensTurn: boolean
  /** The turn before the one that begins. */
  before?: TurnBefore | undefined
  callsOpen: number
  callId?: string | undefined
  /** The line is a call itself, not a record about one. */
  isCall?: boolean
}

/** Cuts while the lines of a thread go by. */
export interface PageCutter {
  /** Adds a line. Returns the 1-based page that takes it. */
  add: (place: LineRef, size: LineSize) => number
  /** Tells how the last turn ended, which earlier borders may have cut. */
  turnEnded: (end: CutTurn) => void
  pages: () => PagePlan[]
}

/** A cutter before the first line. */
export function pageCutter(sizes: PageSizes = pageSizes): PageCutter {
  const pages: OpenPage[] = [emptyPage(1)]
  const pageOfCall = new Map<string, OpenPage>()
  let cut: OpenPage[] = []
  const storyWeight = storyMeter()
  const turnOver = (before: TurnBefore | undefined, whole: OpenPage | undefined): void => {
    if (before !== undefined) for (const page of cut) page.cutTurn = before.end
    if (before?.isOpen && whole !== undefined) whole.cutTurn = { ...before.end, isWhole: true }
    cut = []
  }
  const pageFor = ({ opensTurn, before, callsOpen, isCall }: LineSize): OpenPage => {
    const last = pages.at(-1) ?? emptyPage(1)
    const isLastFull = isFull(last, sizes, { opensTurn, calm: callsOpen === 0 && isCall === true })
    if (opensTurn) turnOver(before, isLastFull ? last : undefined)
    else if (isLastFull) cut.push(last)
    if (!isLastFull) return last
    const page = emptyPage(pages.length + 1)
    pages.push(page)
    return page
  }
  return {
    add(place, size) {
      const { weight, isSaid, opensTurn, callId, isCall } = size
      const page = pageFor(size)
      page.storyWeight += storyWeight(isSaid ? 0 : weight, opensTurn) + (isSaid ? place.end - place.start : 0)
      page.weight += weight
      page.calls += isCall ? 1 : 0
      page.items += weight > 0 ? 1 : 0
      page.bytes += place.end - place.start
      page.lines += 1
      extend(page.ranges, place)
      if (isCall && callId !== undefined) pageOfCall.set(callId, page)
      return takeCall(callId, { place, page, pageOfCall })
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

/** Lines at the end of a thread that show nothing need no page of their own, up to this number. */
const maxTail = 20

/** A last page of nothing but the end of its turn goes to the page before, until something follows it. */
function withoutTail(pages: readonly OpenPage[]): readonly OpenPage[] {
  const [before, last] = pages.slice(-2)
  if (before === undefined || last === undefined || last.items + last.calls > 0 || last.lines > maxTail) return pages
  const whole = {
    ...before,
    storyWeight: before.storyWeight + last.storyWeight,
    ranges: before.ranges.map((range) => ({ ...range })),
    taken: [...before.taken, ...last.taken],
  }
  for (const { segment, start, end, firstLine } of last.ranges)
    extend(whole.ranges, { segment, line: firstLine, start, end })
  return [...pages.slice(0, -2), whole]
}

function emptyPage(number: number): OpenPage {
  return { number, ranges: [], late: [], taken: [], storyWeight: 0, weight: 0, calls: 0, items: 0, bytes: 0, lines: 0 }
}

/** `calm`: no call is open and one begins, so that no copy of a message is parted from its twin (rollout-format 4.2). */
function isFull(page: OpenPage, sizes: PageSizes, { opensTurn, calm }: { opensTurn: boolean; calm: boolean }): boolean {
  if (page.ranges.length === 0) return false
  const reaches = (factor: number): boolean =>
    page.weight >= factor * sizes.weight ||
    page.items >= factor * sizes.items ||
    page.bytes >= factor * sizes.bytes ||
    page.lines >= factor * sizes.lines
  if (opensTurn) return reaches(1 / 2)
  // What is not calm keeps its page open, up to twice the size.
  return calm ? reaches(1) : reaches(2)
}

function extend(ranges: ByteRange[], { segment, line, start, end }: LineRef): void {
  const last = ranges.at(-1)
  if (last?.segment === segment && last.end === start) last.end = end
  else ranges.push({ segment, start, end, firstLine: line })
}

/**
 * A record whose call stands on an earlier page is read with that page (rollout-format 4.3). A call that takes an id
 * again begins anew on its own page (4.3, rule 5).
 */
function takeCall(
  callId: string | undefined,
  { place, page, pageOfCall }: { place: LineRef; page: OpenPage; pageOfCall: Map<string, OpenPage> },
): number {
  if (callId === undefined) return page.number
  const owner = pageOfCall.get(callId)
  if (owner === undefined) pageOfCall.set(callId, page)
  if (owner === undefined || owner === page) return page.number
  const { segment, line, start, end } = place
  owner.late.push({ segment, start, end, firstLine: line })
  page.taken.push(`${segment}:${line}`)
  return owner.number
}

// Which pages of work a page of the story tells.

/** Weight of a turn's work from which on the story holds no more of it in place. */
const maxStoryWork = 10_000

/** Gives the weight of lines of work in the story. */
function storyMeter(): (weight: number, opensTurn: boolean) => number {
  let rest = maxStoryWork
  return (weight, opensTurn) => {
    if (opensTurn) rest = maxStoryWork
    const taken = Math.min(weight, rest)
    rest -= taken
    return taken
  }
}

/** Weight that one page of a story tells, but for a single page of work that has more: at most about 100 kB gzip. */
const maxStoryWeight = 300_000

/**
 * The pages of work that each page of a story tells, as ranges of indices. A border depends only on the pages before it,
 * so that a page of the story that was closed once is never cut again.
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
