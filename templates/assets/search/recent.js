// The last questions in this browser with an answer that was opened. In a locked site and on a standalone page,
// `search/no-recent.js` replaces this part.
import { keep, recall } from '../page/keep.js'

const name = 'asked'
const maxKept = 8

/** The last questions, newest first. */
export function recentQuestions() {
  try {
    const kept = JSON.parse(recall(name) ?? '[]')
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string').slice(0, maxKept) : []
  } catch {
    return []
  }
}

/** Stores a question as the newest one. */
export function rememberQuestion(text) {
  if (text === '') return
  keep(name, JSON.stringify([text, ...recentQuestions().filter((one) => one !== text)].slice(0, maxKept)))
}

/** Removes all stored questions. */
export function forgetQuestions() {
  keep(name, null)
}
