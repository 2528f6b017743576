/** Links from a session page to places of its own thread. */
import { placeLink, relativeLink, sessionPage } from '../model/urls.ts'
import type { PagePlace } from '../model/view.ts'

/** Gives the link to a place, from the page with a number; without its file where that is the page itself. */
export function placeHrefs(threadId: string, current: number): (place: PagePlace) => string {
  const path = sessionPage(threadId, current)
  return (place) => {
    return place.page === current ? `#${place.anchor}` : relativeLink(path, placeLink(threadId, place))
  }
}
