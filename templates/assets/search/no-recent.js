// Replaces `search/recent.js` where nothing may be stored: whoever can read the storage of this browser could read what was
// asked of a locked site, or of somebody's single page.

export function recentQuestions() {
  return []
}

export function rememberQuestion() {}

export function forgetQuestions() {}
