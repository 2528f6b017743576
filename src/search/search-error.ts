/** The search index could not be built: foreseen, told as `search-failed`, and no reason to lose the rest of the site. */
export class SearchError extends Error {
  override readonly name = 'SearchError'
}
