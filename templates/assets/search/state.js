// What is asked of the search, as the address of the search page writes it.

/** Filters that pick sessions; each takes several values, of which any will do. */
export const filterNames = ['project', 'tag', 'model', 'branch', 'label', 'state', 'errors', 'agent', 'from', 'to']

/** Kinds of places, by the index's word for them: those that can be chosen, and what one is called. */
export const kinds = {
  ...{ prompt: 'Prompts', answer: 'Answers', commentary: 'Commentary', thought: 'Thoughts', command: 'Commands' },
  ...{ edit: 'Edits', tool: 'Tools', plan: 'Plans', error: 'Errors' },
}

/** Nothing is asked yet. */
export function emptyState() {
  return { text: '', filters: {}, kinds: [], sort: '' }
}

/** Fields of plugins that an address names. */
const fieldNames = (query) => [...new Set(query.keys())].filter((name) => /^x-[a-z][a-z0-9-]*$/.test(name))

/** What an address asks; words that it should not have are passed over. */
export function readState(address) {
  const query = new URL(address).searchParams
  const names = [...filterNames, ...fieldNames(query)]
  const values = names.map((name) => [name, query.getAll(name).filter(Boolean)])
  const filters = Object.fromEntries(values.filter(([, given]) => given.length > 0))
  // Addresses of before knew months alone.
  const month = /^\d{4}-\d\d$/.exec(query.get('month') ?? '')?.[0]
  if (month) Object.assign(filters, { from: [`${month}-01`], to: [`${month}-31`] })
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
  const names = [...filterNames, ...fieldNames(url.searchParams), ...Object.keys(filters)]
  const fields = { q: text, ...Object.fromEntries(names.map((name) => [name, filters[name]])) }
  for (const [name, values] of Object.entries({ ...fields, kind: chosen.join(','), sort, month: '' })) {
    url.searchParams.delete(name)
    for (const value of [values ?? ''].flat()) if (value) url.searchParams.append(name, value)
  }
  url.hash = ''
  return url
}

/** Whether anything is asked that the index can answer. */
export function asksNothing({ text, filters }) {
  return /^[\s"+-]*$/.test(text) && Object.keys(filters).length === 0
}
