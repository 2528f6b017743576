/** Reads decisions about single sessions, from a configuration file or from a separate file. */

import { ConfigError } from '../diagnostics/errors.ts'
import { isObject } from '../util/json.ts'
import { type ContentKind, type Curation, contentKinds, type SessionCuration } from './publication.ts'
import { parseSelection, type Selection } from './selectors.ts'

/** Longest texts, in UTF-16 units; note and title are shown at the head of a page. */
const maxLength = { note: 20_000, title: 300, tag: 40 }
/** Most tags of one session. */
const maxTags = 20

/**
 * Reads decisions such as `{ sessions: { "<beginning of an id>": { exclude, title, note, hidden, star, tags } } }`. `where` names
 * the document in messages. Throws a `ConfigError` that names the invalid key, because ignoring an entry would publish what it is
 * meant to hold back.
 */
export function readCuration(value: unknown, where: string): Curation {
  const { sessions } = fieldsOf(value, ['sessions'], { where, path: '' })
  const entries = Object.entries(objectOf(sessions, { where, path: 'sessions' }))
  return Object.fromEntries(
    entries.map(([id, entry]) => [idOf(id, where), entryOf(entry, { where, path: `sessions["${id}"]` })]),
  )
}

/** Location of a value, for messages. */
interface ConfigPath {
  where: string
  path: string
}

function idOf(text: string, where: string): string {
  if (text.trim() === '' || /[\s\p{Cc}]/u.test(text))
    throw misfit({ where, path: `sessions["${text}"]` }, 'the start of a thread id as its key')
  return text
}

function entryOf(value: unknown, place: ConfigPath): SessionCuration {
  const { exclude, title, note, hidden, star, tags } = fieldsOf(
    value,
    ['exclude', 'title', 'note', 'hidden', 'star', 'tags'],
    place,
  )
  return {
    exclude: exclude === undefined ? [] : selectionsOf(exclude, at(place, 'exclude')),
    ...(title === undefined ? {} : { title: titleOf(title, at(place, 'title')) }),
    ...(note === undefined ? {} : { note: noteOf(note, at(place, 'note')) }),
    ...(hidden !== undefined && isTrue(hidden, at(place, 'hidden')) ? { hidden: true } : {}),
    ...(star !== undefined && isTrue(star, at(place, 'star')) ? { star: true } : {}),
    ...(tags === undefined ? {} : { tags: tagsOf(tags, at(place, 'tags')) }),
  }
}

function selectionsOf(value: unknown, place: ConfigPath): Selection[] {
  if (!Array.isArray(value)) throw misfit(place, 'a list such as ["turn:3", "l120-l188"]')
  return value.map((item: unknown, index) => selectionOf(item, { ...place, path: `${place.path}[${index}]` }))
}

const forms = '`turn:3`, `turn:3-5`, `l120`, `l120-l188` (anchors of the page) or `category:KIND`'

function selectionOf(value: unknown, place: ConfigPath): Selection {
  const selection = typeof value === 'string' ? parseSelection(value) : undefined
  if (selection === undefined || selection.by === 'item') throw misfit(place, forms)
  if (selection.by === 'category' && !contentKinds.includes(selection.category as ContentKind))
    // The cast is only for the lookup.
    throw misfit(place, `\`category:\` and one of ${contentKinds.join(', ')}`)
  return selection
}

function titleOf(value: unknown, place: ConfigPath): string {
  const text = typeof value === 'string' ? value.trim() : ''
  if (text === '' || text.length > maxLength.title || /\p{Cc}/u.test(text))
    throw misfit(place, `one line of text, at most ${maxLength.title} characters`)
  return text
}

function noteOf(value: unknown, place: ConfigPath): string {
  if (typeof value !== 'string' || value.trim() === '' || value.length > maxLength.note)
    throw misfit(place, `Markdown, at most ${maxLength.note} characters`)
  return value
}

function isTrue(value: unknown, place: ConfigPath): boolean {
  if (typeof value !== 'boolean') throw misfit(place, 'true or false')
  return value
}

/** Reads tags, which are text of one line and never Markdown. */
function tagsOf(value: unknown, place: ConfigPath): string[] {
  if (!Array.isArray(value) || value.length > maxTags) throw misfit(place, `a list of at most ${maxTags} tags`)
  const tags = value.map((tag: unknown, index) => {
    const text = typeof tag === 'string' ? tag.trim() : ''
    if (text === '' || text.length > maxLength.tag || /[\p{Cc}\p{Cf}]/u.test(text))
      throw misfit(
        { ...place, path: `${place.path}[${index}]` },
        `one line of text, at most ${maxLength.tag} characters`,
      )
    return text
  })
  return [...new Set(tags)]
}

function fieldsOf(value: unknown, known: readonly string[], place: ConfigPath): Record<string, unknown> {
  const fields = objectOf(value, place)
  const unknown = Object.keys(fields).find((key) => !known.includes(key))
  if (unknown === undefined) return fields
  const inside = place.path === '' ? '' : ` in \`${place.path}\``
  throw new ConfigError(
    `${place.where} has the unknown key \`${unknown}\`${inside}; known keys are ${known.join(', ')}.`,
  )
}

function objectOf(value: unknown, place: ConfigPath): Record<string, unknown> {
  if (!isObject(value)) throw misfit(place, 'an object')
  return value
}

function at(place: ConfigPath, key: string): ConfigPath {
  return { ...place, path: place.path === '' ? key : `${place.path}.${key}` }
}

function misfit({ where, path }: ConfigPath, expected: string): ConfigError {
  return new ConfigError(`${path === '' ? where : `\`${path}\` in ${where}`} does not fit; expected ${expected}.`)
}
