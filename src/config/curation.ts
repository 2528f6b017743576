/** Reads decisions about single sessions, from a configuration file or a file of their own. */
import { ConfigError } from '../diagnostics/errors.ts'
import { type ContentKind, type Curation, contentKinds, type SessionCuration } from '../model/publication.ts'
import { parseSelection, type Selection } from '../model/selection.ts'

/** Bytes of a note, characters of a title: both stand in the head of a page. */
const longest = { note: 20_000, title: 300 }

/**
 * Decisions of `{ sessions: { "<beginning of an id>": { exclude, title, note, hidden } } }`. `where` names the document in
 * messages. Throws a `ConfigError` that names the key that does not fit: an entry that is not understood would publish
 * what it wants to keep back.
 */
export function readCuration(value: unknown, where: string): Curation {
  const { sessions } = fieldsOf(value, ['sessions'], { where, path: '' })
  const entries = Object.entries(objectOf(sessions, { where, path: 'sessions' }))
  return Object.fromEntries(
    entries.map(([id, entry]) => [idOf(id, where), entryOf(entry, { where, path: `sessions["${id}"]` })]),
  )
}

/** Where a value stands, for messages. */
interface Place {
  where: string
  path: string
}

function idOf(text: string, where: string): string {
  if (text.trim() === '' || /[\s\p{Cc}]/u.test(text))
    throw misfit({ where, path: `sessions["${text}"]` }, 'the beginning of a thread id as its key')
  return text
}

function entryOf(value: unknown, place: Place): SessionCuration {
  const { exclude, title, note, hidden } = fieldsOf(value, ['exclude', 'title', 'note', 'hidden'], place)
  return {
    exclude: exclude === undefined ? [] : selectionsOf(exclude, at(place, 'exclude')),
    ...(title === undefined ? {} : { title: titleOf(title, at(place, 'title')) }),
    ...(note === undefined ? {} : { note: noteOf(note, at(place, 'note')) }),
    ...(hidden === undefined ? {} : isHidden(hidden, at(place, 'hidden'))),
  }
}

function selectionsOf(value: unknown, place: Place): Selection[] {
  if (!Array.isArray(value)) throw misfit(place, 'a list such as ["turn:3", "l120-l188"]')
  return value.map((item: unknown, index) => selectionOf(item, { ...place, path: `${place.path}[${index}]` }))
}

const forms = '`turn:3`, `turn:3-5`, `l120`, `l120-l188` (anchors of the page) or `category:KIND`'

function selectionOf(value: unknown, place: Place): Selection {
  const selection = typeof value === 'string' ? parseSelection(value) : undefined
  if (selection === undefined || selection.by === 'item') throw misfit(place, forms)
  if (selection.by === 'category' && !contentKinds.includes(selection.category as ContentKind))
    // only looked for
    throw misfit(place, `\`category:\` and one of ${contentKinds.join(', ')}`)
  return selection
}

function titleOf(value: unknown, place: Place): string {
  const text = typeof value === 'string' ? value.trim() : ''
  if (text === '' || text.length > longest.title || /\p{Cc}/u.test(text))
    throw misfit(place, `one line of text, at most ${longest.title} characters`)
  return text
}

function noteOf(value: unknown, place: Place): string {
  if (typeof value !== 'string' || value.trim() === '' || value.length > longest.note)
    throw misfit(place, `Markdown, at most ${longest.note} characters`)
  return value
}

function isHidden(value: unknown, place: Place): { hidden?: true } {
  if (typeof value !== 'boolean') throw misfit(place, 'true or false')
  return value ? { hidden: true } : {}
}

function fieldsOf(value: unknown, known: readonly string[], place: Place): Record<string, unknown> {
  const fields = objectOf(value, place)
  const unknown = Object.keys(fields).find((key) => !known.includes(key))
  if (unknown === undefined) return fields
  const inside = place.path === '' ? '' : ` in \`${place.path}\``
  throw new ConfigError(
    `${place.where} holds the unknown key \`${unknown}\`${inside}; known keys are ${known.join(', ')}.`,
  )
}

function objectOf(value: unknown, place: Place): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw misfit(place, 'an object')
  return value as Record<string, unknown> // any object may be read by key
}

function at(place: Place, key: string): Place {
  return { ...place, path: place.path === '' ? key : `${place.path}.${key}` }
}

function misfit({ where, path }: Place, expected: string): ConfigError {
  return new ConfigError(`${path === '' ? where : `\`${path}\` in ${where}`} does not fit; expected ${expected}.`)
}
