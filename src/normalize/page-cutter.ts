/**
 * Cuts a thread into pages by its records alone: turns, item count, record bytes (design: page borders).
 *
 * A border depends only on what stands before it, so that a page that was closed once is never cut again.
 */
import type { ByteRange, CutTurn, PagePlan } from '../model/summary.ts'

/** A line as the cutter sees it. */
export interface LinePlace {
  segment: number
  line: number
  start: number
  /** Behind the line's newline. */
  end: number
}

/** Weight at which a page ends with its turn: about 250 kB of HTML. */
const softWeight = 100_000
/** Weight at which a page ends within a turn, as soon as no call is open. */
const hardWeight = 200_000
/** Items and bytes that are in memory together at the most. */
const maxItems = 500
const maxBytes = 4 * 1024 * 1024

interface OpenPage extends PagePlan {
  weight: number
  items: number
  bytes: number
}

export interface PageCutter {
  /** Adds a line; `opensTurn` where a turn begins with it. Returns the 1-based page that takes it. */
  add: (place: LinePlace, size: { weight: number; opensTurn: boolean; callsOpen: number; callId?: string }) => number
  /** Tells how the turn ended that earlier borders cut. */
  turnEnded: (end: CutTurn) => void
  pages: () => PagePlan[]
}

/** A cutter before the first line. */
export function pageCutter(): PageCutter {
  const pages: OpenPage[] = [emptyPage(1)]
  const pageOfCall = new Map<string, OpenPage>()
  let cut: OpenPage[] = []
  return {
    add(place, { weight, opensTurn, callsOpen, callId }) {
      let page = pages.at(-1) ?? emptyPage(1)
      if (isFull(page, opensTurn, callsOpen)) {
        if (opensTurn) cut = []
        else cut.push(page)
        page = emptyPage(pages.length + 1)
        pages.push(page)
      } else if (opensTurn) cut = []
      page.weight += weight
      page.items += weight > 0 ? 1 : 0
      page.bytes += place.end - place.start
      extend(page.ranges, place)
      return takeCall(callId, { place, page, pageOfCall })
    },
    turnEnded(end) {
      for (const page of cut) page.cutTurn = end
    },
    pages: () => pages.map(({ weight: _weight, items: _items, bytes: _bytes, ...plan }) => plan),
  }
}

function emptyPage(number: number): OpenPage {
  return { number, ranges: [], late: [], taken: [], weight: 0, items: 0, bytes: 0 }
}

function isFull(page: OpenPage, opensTurn: boolean, callsOpen: number): boolean {
  if (page.ranges.length === 0) return false
  if (opensTurn) return page.weight >= softWeight || page.items >= maxItems / 2 || page.bytes >= maxBytes / 2
  const full = page.weight >= hardWeight || page.items >= maxItems || page.bytes >= maxBytes
  // An open call keeps its page open, up to twice the size.
  return (
    full &&
    (callsOpen === 0 || page.weight >= 2 * hardWeight || page.items >= 2 * maxItems || page.bytes >= 2 * maxBytes)
  )
}

function extend(ranges: ByteRange[], { segment, line, start, end }: LinePlace): void {
  const last = ranges.at(-1)
  if (last?.segment === segment && last.end === start) last.end = end
  else ranges.push({ segment, start, end, firstLine: line })
}

/** A record whose call stands on an earlier page is read with that page (rollout-format 4.3). */
function takeCall(
  callId: string | undefined,
  { place, page, pageOfCall }: { place: LinePlace; page: OpenPage; pageOfCall: Map<string, OpenPage> },
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
