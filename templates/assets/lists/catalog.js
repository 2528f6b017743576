// All sessions of the site as rows. The parts of the catalog are scripts, because those also load from a folder on disk.

import { runFile } from '../page/site-file.js'

/** Runs one script, which appends its part to a global list, and removes the part there; `src` is a path that the build wrote. */
async function loadPart(src) {
  await runFile(src)
  // No other script runs between the end of this one and here.
  return globalThis.codexCatalog.pop()
}

/** The first three values and the number of the others, as in the rows that the build writes. */
const briefly = (values) => (values.length > 3 ? [...values.slice(0, 3), `+${values.length - 3}`] : values)

/** The rows of a part; columns with recurring values contain indexes into its list of words. */
function rowsOf({ words, fields = [], ...columns }) {
  return columns.id.map((id, at) => {
    const word = (name) => words[columns[name][at]]
    const valuesOf = ({ values }) => words[values[at]].split('\n').filter(Boolean)
    return {
      id,
      title: columns.title[at],
      gist: columns.gist[at],
      lang: word('lang'),
      project: word('project'),
      name: word('name'),
      branch: word('branch'),
      models: word('models').split('\n').filter(Boolean),
      day: word('day'),
      month: word('day').replace(/-\d\d$/, ''),
      heading: word('heading'),
      person: word('person'),
      time: word('time'),
      duration: word('duration'),
      status: word('status'),
      state: word('state'),
      badge: word('badge'),
      tags: word('tags').split('\n').filter(Boolean),
      // Fields of plugins: all values by name, and those that rows show, each with its label.
      fields: Object.fromEntries(fields.map((field) => [field.name, valuesOf(field)])),
      shown: fields.flatMap((field) =>
        field.column ? briefly(valuesOf(field)).map((text) => [field.label, text]) : [],
      ),
      at: columns.at[at],
      active: columns.active[at],
      tokens: columns.tokens[at],
      added: columns.added[at],
      removed: columns.removed[at],
      left: columns.left[at],
      errors: columns.errors[at],
      trouble: columns.trouble[at] === 1,
      edits: columns.edits[at] === 1,
    }
  })
}

const known = new Map()

/** The rows of all parts, newest first. Loads each part once; rejects if one cannot be loaded. */
export async function loadCatalog(parts) {
  const loaded = await Promise.all(
    parts.map(async (src) => {
      const rows = known.get(src) ?? rowsOf(await loadPart(src))
      known.set(src, rows)
      return rows
    }),
  )
  return loaded.flat()
}
