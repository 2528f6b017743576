/** The pages of a session: links to them, what each begins with, and which lines each holds. */
import type { OutlineEntry, PagePlan } from '../model/summary.ts'
import { itemAnchor, relativeLink, sessionPage } from '../model/urls.ts'
import { entryText, promptsOfPage } from './outline-view.ts'
import type { SessionPage } from './session-page.ts'
import type { PagerView } from './session-views.ts'

/** Pages that a pager lists on either side of the current one, beside the first and the last. */
const pagerReach = 9

/** The pager of a page; with one page only it lists none. */
export function pagerView({ facts, session, page }: SessionPage): PagerView {
  const { threadId, lineage } = session
  const total = Math.max(1, facts.pages.length)
  const path = sessionPage(threadId, page)
  const link = (number: number) => ({
    number,
    href: relativeLink(path, sessionPage(threadId, number)),
    title: pageTitle(promptsOfPage(facts.outline, number)),
  })
  return {
    current: page,
    total,
    ...(page > 1 ? { first: link(1).href, previous: link(page - 1) } : {}),
    ...(page < total ? { next: link(page + 1) } : {}),
    all: total === 1 ? [] : pagesAround(page, total).map(link),
    // Links name the first page where they were made before there was another one.
    starts: total === 1 || page > 1 ? '' : pageStarts(facts.pages, lineage.segments),
  }
}

/** `Turns 4 to 9: the first prompt`; empty for a page on which no turn begins. */
function pageTitle(prompts: readonly OutlineEntry[]): string {
  const [first] = prompts
  const last = prompts.at(-1)
  if (first === undefined || last === undefined) return ''
  const turns = first.turn === last.turn ? `Turn ${first.turn}` : `Turns ${first.turn} to ${last.turn}`
  return first.text === '' ? turns : `${turns}: ${entryText(first)}`
}

function pagesAround(current: number, total: number): number[] {
  const start = Math.max(1, current - pagerReach)
  const end = Math.min(total, current + pagerReach)
  const near = Array.from({ length: end - start + 1 }, (_, index) => start + index)
  return [...(start > 1 ? [1] : []), ...near, ...(end < total ? [total] : [])]
}

/**
 * Anchors of the first line of each page, with a comma before that of each further segment and a space before each
 * further page: a script finds the page of any item with them.
 */
function pageStarts(pages: readonly PagePlan[], rollouts: readonly string[]): string {
  return pages.map((page) => segmentStarts(page, rollouts).join(',')).join(' ')
}

function segmentStarts({ ranges }: PagePlan, rollouts: readonly string[]): string[] {
  const firsts = ranges.filter((range, index) => ranges[index - 1]?.segment !== range.segment)
  return firsts.map(({ segment, firstLine }) => itemAnchor(firstLine, segment === 0 ? undefined : rollouts[segment]))
}
