/** Navigation within a session: its pages, and the files that it changed. */

import type { FileTouch, OutlineEntry, PagePlan, SessionDetail } from '../../../transcript/summary.ts'
import {
  itemAnchor,
  type PageAnchor,
  relativeLink,
  sessionPage,
  storyPage,
  workPage,
} from '../../../transcript/urls.ts'
import { sumBy } from '../../../util/groups.ts'
import { joinTexts } from '../../../util/text.ts'
import { formatAmount, formatCount } from '../../../util/time.ts'
import { signedLines } from '../../phrases.ts'
import { literalText } from '../../visible-text.ts'
import { chapterText, firstOfPage } from './chapters.ts'
import { pathOf, type SessionPage } from './session-page.ts'
import type { ChangesView, PagerView } from './views.ts'

/** The prompts of one page. */
function promptsOfPage(outline: readonly OutlineEntry[], page: number): readonly OutlineEntry[] {
  return outline.slice(firstOfPage(outline, page), firstOfPage(outline, page + 1))
}

// The pages of a session: links to them, what each begins with, and where its lines begin.

/** Pages that a pager lists on either side of the current one, in addition to the first and the last. */
const pagerReach = 9

/** The pager of a page; for a session of one page it lists none. */
export function pagerView(input: SessionPage): PagerView {
  const { facts, session, page, story } = input
  const { threadId, lineage } = session
  const total = Math.max(1, facts.pages.length)
  const path = pathOf(input)
  const copies = copiedPages(facts)
  const link = (number: number) => ({
    number,
    href: relativeLink(path, workPage(threadId, number, total)),
    title: number <= copies ? copyTitle : pageTitle(promptsOfPage(facts.outline, number)),
  })
  // From copied history, the next page is the first with the session's own turns: pages in between show only closed folds.
  const after =
    page < copies
      ? { ...link(copies + 1), title: `Page ${copies + 1}, where this session’s own turns begin` }
      : link(page + 1)
  // The first part also lists the work pages and where each begins, for links made when the session had a single page.
  if (story !== undefined) {
    const { part, starts } = story
    const other = (number: number) => ({ number, href: relativeLink(path, storyPage(threadId, number)), title: '' })
    return {
      current: 0,
      total,
      ...(part > 1 ? { previous: other(part - 1) } : {}),
      ...(part < starts.length ? { next: other(part + 1) } : {}),
      all: part > 1 ? [] : pagesAround(1, total).map(link),
      starts: part === 1 ? pageStarts(facts.pages, lineage.segments) : '',
    }
  }
  return {
    current: page,
    total,
    ...(total > 1 ? { first: relativeLink(path, sessionPage(threadId)) } : {}),
    ...(page > 1 ? { previous: link(page - 1) } : {}),
    ...(page < total ? { next: after } : {}),
    all: total === 1 ? [] : pagesAround(page, total).map(link),
    starts: '',
  }
}

const copyTitle = 'Copied history'

/** Number of pages at the beginning that contain only history copied from another session; never counts the last page. */
function copiedPages({ pages, inherited }: SessionPage['facts']): number {
  if (inherited === undefined) return 0
  // A page ends where the next one begins.
  const own = pages.findIndex((_, index) => {
    const next = pages[index + 1]?.ranges[0]
    return next === undefined || next.segment > 0 || next.firstLine > inherited.to + 1
  })
  return Math.max(0, own)
}

/** `Turns 4 to 9: the first prompt`; empty for a page on which no turn begins. */
function pageTitle(prompts: readonly OutlineEntry[]): string {
  const [first] = prompts
  const last = prompts.at(-1)
  if (first === undefined || last === undefined) return ''
  const turns = first.turn === last.turn ? `Turn ${first.turn}` : `Turns ${first.turn} to ${last.turn}`
  return first.text === '' ? turns : `${turns}: ${chapterText(first)}`
}

function pagesAround(current: number, total: number): number[] {
  const start = Math.max(1, current - pagerReach)
  const end = Math.min(total, current + pagerReach)
  const near = Array.from({ length: end - start + 1 }, (_, index) => start + index)
  return [...(start > 1 ? [1] : []), ...near, ...(end < total ? [total] : [])]
}

/**
 * Anchors of the first line of each page, with which a script finds the page of any item. A page with several segments has
 * one for each, separated by commas; pages are separated by spaces.
 */
function pageStarts(pages: readonly PagePlan[], rollouts: readonly string[]): string {
  return pages.map((page) => segmentStarts(page, rollouts).join(',')).join(' ')
}

function segmentStarts({ ranges }: PagePlan, rollouts: readonly string[]): string[] {
  const firsts = ranges.filter((range, index) => ranges[index - 1]?.segment !== range.segment)
  return firsts.map(({ segment, firstLine }) => itemAnchor(firstLine, segment === 0 ? undefined : rollouts[segment]))
}

// Which files a session changed, over all of its pages.

type RowView = ChangesView['rows'][number]

/** Files that are listed, and turns that each of them links. */
const max = { files: 200, turns: 6 }

interface File {
  path: string
  /** Its name before this session moved it. */
  movedFrom: string | undefined
  /** The session created it. */
  isNew: boolean
  touches: FileTouch[]
}

/** Applied changes by file, the file with the latest change first; `undefined` if there are none. */
export function sessionChanges(
  { touches, omitted }: Pick<SessionDetail, 'touches' | 'omitted'>,
  href: (target: PageAnchor) => string,
): ChangesView | undefined {
  const files = filesOf(touches.filter(({ failed }) => failed !== true))
  if (files.length === 0) return undefined
  const rest = [
    ...(files.length > max.files ? [`${formatAmount(files.length - max.files, 'file')} with earlier changes`] : []),
    ...(omitted.touches > 0 ? [formatAmount(omitted.touches, 'earlier change')] : []),
  ]
  return {
    ...linesOf(files.flatMap((file) => file.touches)),
    summary: formatAmount(files.length, 'file'),
    rows: files.slice(0, max.files).map((file) => rowOf(file, href)),
    rest: rest.length === 0 ? '' : `Not listed: ${rest.join(', ')}.`,
  }
}

function filesOf(touches: readonly FileTouch[]): File[] {
  const files = new Map<string, File>()
  const order = new Map(touches.map((touch, index) => [touch, index]))
  for (const touch of touches) {
    const { path, movedTo = path, operation } = touch
    const file = files.get(path) ?? { path, movedFrom: undefined, isNew: operation === 'add', touches: [] }
    const replaced = movedTo === path ? undefined : files.get(movedTo)
    if (movedTo !== path) file.movedFrom ??= path
    if (file.movedFrom === movedTo) file.movedFrom = undefined
    file.path = movedTo
    file.touches.push(touch)
    if (replaced !== undefined) absorb(file, replaced, order)
    // Removing and adding it again keeps the files in the order of their last changes.
    files.delete(path)
    files.delete(movedTo)
    files.set(movedTo, file)
  }
  return [...files.values()].reverse()
}

/** Adds the changes of a replaced file to those of its successor, so that each path has one row and none is lost. */
function absorb(file: File, replaced: File, order: ReadonlyMap<FileTouch, number>): void {
  file.isNew &&= replaced.isNew
  const placeOf = (touch: FileTouch): number => order.get(touch) ?? 0
  file.touches = [...file.touches, ...replaced.touches].sort((a, b) => placeOf(a) - placeOf(b))
}

function linesOf(touches: readonly FileTouch[]): ReturnType<typeof signedLines> {
  return signedLines({ added: sumBy(touches, ({ added }) => added), removed: sumBy(touches, ({ removed }) => removed) })
}

function rowOf(file: File, href: (target: PageAnchor) => string): RowView {
  const { path, touches } = file
  const note = noteOf(file)
  const turns = new Map<number, RowView['turns'][number]>()
  for (const touch of touches) {
    if (!turns.has(touch.turn)) turns.set(touch.turn, { text: formatCount(touch.turn), href: href(touch) })
  }
  const links = [...turns.values()]
  const last = touches.at(-1)
  return {
    path: literalText(path),
    href: last === undefined ? '' : href(last),
    count: formatCount(touches.length),
    turns: links.slice(-max.turns),
    earlier: links.length > max.turns ? formatCount(links.length - max.turns) : '',
    ...linesOf(touches),
    ...(note === '' ? {} : { note }),
  }
}

/** Whether the file is new, its earlier name, and whether it was deleted. */
function noteOf({ touches, movedFrom, isNew }: File): string {
  const notes = [
    isNew ? 'new' : '',
    movedFrom === undefined ? '' : `was ${literalText(movedFrom)}`,
    touches.at(-1)?.operation === 'delete' ? 'deleted' : '',
  ]
  return joinTexts(notes, ', ')
}
