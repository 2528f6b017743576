/** The outline of a session page: prompts of all pages, as far as they are near. */
import type { OutlineEntry } from '../model/summary.ts'
import { placeHrefs } from './place-href.ts'
import type { SessionPage } from './session-page.ts'
import type { OutlineView } from './views.ts'

/** Prompts of other pages that an outline holds on either side of its own: every page of a giant would list them all. */
const outlineReach = 100

/** Entries of the prompts of a page and of those around it. */
export function outlineView({ facts, session, page }: SessionPage): OutlineView[] {
  const first = facts.outline.findIndex((entry) => entry.page >= page)
  const last = facts.outline.findLastIndex((entry) => entry.page <= page)
  const start = Math.max(0, (first < 0 ? facts.outline.length : first) - outlineReach)
  const href = placeHrefs(session.threadId, page)
  return facts.outline.slice(start, last + 1 + outlineReach).map((entry) => {
    const here = entry.page === page
    return { text: entryText(entry), href: href(entry), here, ...(here ? {} : { page: entry.page }) }
  })
}

/** What an entry is called: the prompt, else its turn. */
export function entryText({ text, turn }: Pick<OutlineEntry, 'text' | 'turn'>): string {
  return text === '' ? `Turn ${turn}` : text
}
