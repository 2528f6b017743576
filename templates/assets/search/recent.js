// The questions that this browser answered last: those whose answers were followed. In a locked site, and on a page that stands
// alone, `search/no-recent.js` takes the place of this part.
import { keep, recall } from '../page/keep.js'

const name = 'asked'
const maxKept = 8

/** The newest first. */
export function recentQuestions() {
  try {
    const kept = JSON.parse(recall(name) ?? '[]')
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string').slice(0, maxKept) : []
  } catch {
    return []
  }
}

/** Keeps a question as the newest one. */
export function rememberQuestion(text) {
  if (text === '') return
  keep(name, JSON.stringify([text, ...recentQuestions().filter((one) => one !== text)].slice(0, maxKept)))
}

/** Keeps none. */
export function forgetQuestions() {
  keep(name, null)
}
