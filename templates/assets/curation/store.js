// Stars, tags and notes of the reader by thread id, as a curation file has them. They stay in this browser; where that
// keeps nothing, until the page is left.
import { keep, recall } from '../page/keep.js'

const name = 'curation'
/** What a build takes: tags of one session, characters of a tag. */
const max = { tags: 20, tag: 40 }

/** Anything may stand in the storage: other pages of this host write to it too. */
function sound({ star, tags, note }) {
  const words = Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string' && tag !== '') : []
  return {
    ...(star === true ? { star } : {}),
    ...(words.length > 0 ? { tags: words } : {}),
    ...(typeof note === 'string' && note.trim() !== '' ? { note } : {}),
  }
}

function read() {
  try {
    return new Map(Object.entries(JSON.parse(recall(name) ?? '{}')).map(([id, each]) => [id, sound(each)]))
  } catch {
    return new Map()
  }
}

let all = read()

/** How many sessions have a star, tags or a note. */
export function countDecisions() {
  return all.size
}

/** `star`, `tags` and `note` of a session, as far as there are any. */
export function decisionOf(id) {
  return all.get(id) ?? {}
}

/** What rows and filters show of a session: `★` for a star, then its tags. */
export function wordsOf(id) {
  const { star, tags = [] } = decisionOf(id)
  return star ? ['★', ...tags] : tags
}

/** All such words. */
export function allWords() {
  return [...new Set([...all.keys()].flatMap(wordsOf))].sort()
}

/** Tags of a text with commas between them, as a build takes them. */
export function tagsIn(text) {
  const tags = text.split(',').map((tag) =>
    tag
      .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
      .trim()
      .slice(0, max.tag)
      .trim(),
  )
  return [...new Set(tags.filter((tag) => tag !== ''))].slice(0, max.tags)
}

/** Whether this browser keeps anything for the next visit. */
export function canKeep() {
  keep('probe', name)
  const isKept = recall('probe') === name
  keep('probe', null)
  return isKept
}

/** Keeps what the reader decided of a session; gives whether this browser keeps it for the next visit. */
export function decide(id, decision) {
  // What other tabs wrote meanwhile stays.
  if (recall(name) !== null) all = new Map([...all, ...read()])
  all.delete(id)
  const next = sound(decision)
  if (Object.keys(next).length > 0) all.set(id, next)
  const text = all.size === 0 ? null : JSON.stringify(Object.fromEntries(all))
  keep(name, text)
  return text === null ? canKeep() : recall(name) === text
}

/** All decisions as a curation, together with those of a file: its other keys and sessions stay as they are. */
export function curationWith(file = {}) {
  const sessions = { ...file.sessions }
  for (const [id, decision] of all) {
    const key = Object.keys(sessions).find((start) => id.startsWith(start.toLowerCase())) ?? id
    sessions[key] = { ...sessions[key], ...decision }
  }
  return { ...file, sessions }
}
