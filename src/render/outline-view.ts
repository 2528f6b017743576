/** The outline of a session page: prompts of all pages, as far as they are near. */
import type { OutlineEntry } from '../model/summary.ts'
import { formatAmount } from '../util/time.ts'
import { placeHrefs } from './place-href.ts'
import type { SessionPage } from './session-page.ts'
import type { SessionView } from './views.ts'

/** Prompts of other pages that an outline holds on either side of its own: every page of a giant would list them all. */
const outlineReach = 100

/** Entries of the prompts of a page and of those around it, and how many there are before and behind. */
export function outlineView({
  facts: { outline, rolledBack },
  session,
  page,
}: SessionPage): Pick<SessionView, 'outline' | 'earlierPrompts' | 'laterPrompts'> {
  const start = Math.max(0, firstOfPage(outline, page) - outlineReach)
  const end = firstOfPage(outline, page + 1) + outlineReach
  const href = placeHrefs(session.threadId, page)
  const later = Math.max(0, outline.length - end)
  const gone = new Set(rolledBack)
  return {
    outline: outline.slice(start, end).map((entry) => {
      const here = entry.page === page
      return {
        text: entryText(entry),
        href: href(entry),
        here,
        ...(here ? {} : { page: entry.page }),
        ...(gone.has(entry.turn) ? { rolledBack: true } : {}),
      }
    }),
    earlierPrompts: start === 0 ? '' : formatAmount(start, 'earlier prompt'),
    laterPrompts: later === 0 ? '' : formatAmount(later, 'later prompt'),
  }
}

/** What an entry is called: the prompt, else its turn. */
export function entryText({ text, turn }: Pick<OutlineEntry, 'text' | 'turn'>): string {
  return text === '' ? `Turn ${turn}` : text
}

/** Prompts of one page. */
export function promptsOfPage(outline: readonly OutlineEntry[], page: number): readonly OutlineEntry[] {
  return outline.slice(firstOfPage(outline, page), firstOfPage(outline, page + 1))
}

/** Index of the first entry that stands on a page or behind it. Entries come in the order of pages: halving is enough. */
function firstOfPage(outline: readonly OutlineEntry[], page: number): number {
  let low = 0
  let high = outline.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((outline[middle]?.page ?? page) < page) low = middle + 1
    else high = middle
  }
  return low
}
