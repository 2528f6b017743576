// The reader's stars, tags and notes by thread id, as in a curation file. They stay in this browser, or, if it stores nothing,
// only until the page is left.
import { keep, recall } from '../page/keep.js'

const name = 'curation'
/** Limits of a build: the number of tags of a session, and the length of a tag. */
const max = { tags: 20, tag: 40 }

/** The valid parts of a decision. The storage may contain anything, because other pages of this host write to it too. */
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
    const decisions = Object.entries(JSON.parse(recall(name) ?? '{}')).map(([id, each]) => [id, sound(each ?? {})])
    return new Map(decisions.filter(([, decision]) => Object.keys(decision).length > 0))
  } catch {
    return new Map()
  }
}

let all = read()
/** Whether the storage has all of these decisions. */
let isKept = true

/** Reads again what is stored; what could not be stored stays. */
export function readAgain() {
  if (isKept) all = read()
}

/** The number of sessions that have a star, tags or a note. */
export function countDecisions() {
  return all.size
}

/** The `star`, `tags` and `note` of a session, as far as it has any. */
export function decisionOf(id) {
  return all.get(id) ?? {}
}

/** What rows and filters show for a session: `★` for a star, then its tags. */
export function wordsOf(id) {
  const { star, tags = [] } = decisionOf(id)
  return star ? ['★', ...tags] : tags
}

/** The stars and tags of all sessions, sorted and without duplicates. */
export function allWords() {
  return [...new Set([...all.keys()].flatMap(wordsOf))].sort()
}

/** The tags in a text, separated by commas, within the limits of a build. */
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

/** Whether this browser stores anything for the next visit. */
export function canKeep() {
  keep('probe', name)
  const isStored = recall('probe') === name
  keep('probe', null)
  return isStored
}

/** Stores the reader's star, tags and note for a session. Returns whether this browser keeps them for the next visit. */
export function decide(id, decision) {
  // Other tabs may have changed and removed some in the meantime.
  readAgain()
  all.delete(id)
  const next = sound(decision)
  if (Object.keys(next).length > 0) all.set(id, next)
  const text = all.size === 0 ? null : JSON.stringify(Object.fromEntries(all))
  keep(name, text)
  isKept = text === null ? canKeep() : recall(name) === text
  return isKept
}

/** All decisions as a curation, merged into that of a file, whose other keys and sessions stay unchanged. */
export function curationWith(file = {}) {
  const sessions = { ...file.sessions }
  for (const [id, decision] of all) {
    const key = Object.keys(sessions).find((start) => id.startsWith(start.toLowerCase())) ?? id
    sessions[key] = { ...sessions[key], ...decision }
  }
  return { ...file, sessions }
}
