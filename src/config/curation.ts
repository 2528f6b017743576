/** Reads decisions about single sessions, from a configuration file or from a separate file. */

import { ConfigError } from '../diagnostics/errors.ts'
import { isObject } from '../util/json.ts'
import { defined } from '../util/own.ts'
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

function entryOf(value: unknown, location: ConfigPath): SessionCuration {
  const fields = fieldsOf(value, ['exclude', 'title', 'note', 'hidden', 'star', 'tags'], location)
  const read = <T>(key: string, parse: (value: unknown, location: ConfigPath) => T): T | undefined =>
    fields[key] === undefined ? undefined : parse(fields[key], at(location, key))
  return {
    exclude: read('exclude', selectionsOf) ?? [],
    ...defined({
      title: read('title', titleOf),
      note: read('note', noteOf),
      hidden: read('hidden', trueOrNothing),
      star: read('star', trueOrNothing),
      tags: read('tags', tagsOf),
    }),
  }
}

function selectionsOf(value: unknown, location: ConfigPath): Selection[] {
  if (!Array.isArray(value)) throw misfit(location, 'a list such as ["turn:3", "l120-l188"]')
  return value.map((item: unknown, index) => selectionOf(item, { ...location, path: `${location.path}[${index}]` }))
}

const forms = '`turn:3`, `turn:3-5`, `l120`, `l120-l188` (anchors of the page) or `category:KIND`'

function selectionOf(value: unknown, location: ConfigPath): Selection {
  const selection = typeof value === 'string' ? parseSelection(value) : undefined
  if (selection === undefined || selection.by === 'item') throw misfit(location, forms)
  if (selection.by === 'category' && !contentKinds.includes(selection.category as ContentKind))
    // The cast is only for the lookup.
    throw misfit(location, `\`category:\` and one of ${contentKinds.join(', ')}`)
  return selection
}

function titleOf(value: unknown, location: ConfigPath): string {
  const text = typeof value === 'string' ? value.trim() : ''
  if (text === '' || text.length > maxLength.title || /\p{Cc}/u.test(text))
    throw misfit(location, `one line of text, at most ${maxLength.title} characters`)
  return text
}

function noteOf(value: unknown, location: ConfigPath): string {
  if (typeof value !== 'string' || value.trim() === '' || value.length > maxLength.note)
    throw misfit(location, `Markdown, at most ${maxLength.note} characters`)
  return value
}

function trueOrNothing(value: unknown, location: ConfigPath): true | undefined {
  if (typeof value !== 'boolean') throw misfit(location, 'true or false')
  return value || undefined
}

/** Reads tags, which are text of one line and never Markdown. */
function tagsOf(value: unknown, location: ConfigPath): string[] {
  if (!Array.isArray(value) || value.length > maxTags) throw misfit(location, `a list of at most ${maxTags} tags`)
  const tags = value.map((tag: unknown, index) => {
    const text = typeof tag === 'string' ? tag.trim() : ''
    if (text === '' || text.length > maxLength.tag || /[\p{Cc}\p{Cf}]/u.test(text))
      throw misfit(
        { ...location, path: `${location.path}[${index}]` },
        `one line of text, at most ${maxLength.tag} characters`,
      )
    return text
  })
  return [...new Set(tags)]
}

function fieldsOf(value: unknown, allowed: readonly string[], location: ConfigPath): Record<string, unknown> {
  const fields = objectOf(value, location)
  const unknown = Object.keys(fields).find((key) => !allowed.includes(key))
  if (unknown === undefined) return fields
  const inside = location.path === '' ? '' : ` in \`${location.path}\``
  throw new ConfigError(
    `${location.where} has the unknown key \`${unknown}\`${inside}; known keys are ${allowed.join(', ')}.`,
  )
}

function objectOf(value: unknown, location: ConfigPath): Record<string, unknown> {
  if (!isObject(value)) throw misfit(location, 'an object')
  return value
}

function at(location: ConfigPath, key: string): ConfigPath {
  return { ...location, path: location.path === '' ? key : `${location.path}.${key}` }
}

function misfit({ where, path }: ConfigPath, expected: string): ConfigError {
  return new ConfigError(`${path === '' ? where : `\`${path}\` in ${where}`} does not fit; expected ${expected}.`)
}
