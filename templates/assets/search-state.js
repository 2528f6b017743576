// What is asked of the search, as the address of the search page writes it.

/** Filters that pick pages; each takes one value. */
export const filterNames = ['project', 'tag', 'model', 'branch', 'month', 'label', 'errors']

/** Kinds of places, by the index's word for them. */
export const kinds = { prompt: 'Prompts', answer: 'Answers', command: 'Commands', edit: 'Edits', error: 'Errors' }

/** Nothing is asked yet. */
export function emptyState() {
  return { text: '', filters: {}, kinds: [], sort: '' }
}

/** What an address asks; words that it should not have are passed over. */
export function readState(address) {
  const query = new URL(address).searchParams
  const filters = {}
  for (const name of filterNames) if (query.get(name)) filters[name] = query.get(name)
  const wanted = (query.get('kind') ?? '').split(',')
  return {
    text: query.get('q') ?? '',
    filters,
    kinds: Object.keys(kinds).filter((kind) => wanted.includes(kind)),
    sort: query.get('sort') === 'date' ? 'date' : '',
  }
}

/** An address that asks the same; other words of its query stay. */
export function writeState(address, { text, filters, kinds: chosen, sort }) {
  const url = new URL(address)
  const fields = { q: text, ...Object.fromEntries(filterNames.map((name) => [name, filters[name]])) }
  for (const [name, value] of Object.entries({ ...fields, kind: chosen.join(','), sort })) {
    if (value) url.searchParams.set(name, value)
    else url.searchParams.delete(name)
  }
  url.hash = ''
  return url
}

/** Whether anything is asked that the index can answer. */
export function asksNothing({ text, filters }) {
  return text.trim() === '' && Object.keys(filters).length === 0
}
