// What is asked of the search, as the address of the search page states it.

/** Filters for sessions. Each may have several values, of which one must match. */
export const filterNames = ['project', 'tag', 'model', 'branch', 'label', 'state', 'errors', 'agent', 'from', 'to']

/** The kinds of items that can be chosen, by their names in the index, with their labels. */
export const kinds = {
  ...{ prompt: 'Prompts', answer: 'Answers', commentary: 'Commentary', thought: 'Thoughts', command: 'Commands' },
  ...{ edit: 'Edits', tool: 'Tools', plan: 'Plans', error: 'Errors' },
}

/** The state in which nothing is asked. */
export function emptyState() {
  return { text: '', filters: {}, kinds: [], sort: '' }
}

/** The fields of plugins that an address names. */
const fieldNames = (query) => [...new Set(query.keys())].filter((name) => /^x-[a-z][a-z0-9-]*$/.test(name))

/** What an address asks; unknown words are ignored. */
export function readState(address) {
  const query = new URL(address).searchParams
  const names = [...filterNames, ...fieldNames(query)]
  const values = names.map((name) => [name, query.getAll(name).filter(Boolean)])
  const filters = Object.fromEntries(values.filter(([, given]) => given.length > 0))
  // Earlier versions wrote only a month.
  const [month, year, number] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(query.get('month') ?? '') ?? []
  if (month) Object.assign(filters, { from: [`${month}-01`], to: [`${month}-${new Date(year, number, 0).getDate()}`] })
  const wanted = (query.get('kind') ?? '').split(',')
  return {
    text: query.get('q') ?? '',
    filters,
    kinds: Object.keys(kinds).filter((kind) => wanted.includes(kind)),
    sort: query.get('sort') === 'date' ? 'date' : '',
  }
}

/** The address with a query that asks for a state; other parameters stay. */
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

/** Whether nothing is asked that the index could answer. */
export function asksNothing({ text, filters }) {
  return /^[\s"+-]*$/.test(text) && Object.keys(filters).length === 0
}
