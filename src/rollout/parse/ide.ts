/** Messages of IDE clients: a context preamble, then the request (rollout-format 5.4, rule 4). */

const request = /^## My request for Codex:[ \t]*$/m
const preambles =
  /^\s*(?:# Context from my IDE setup:|# Files mentioned by the user:|## Prior conversation with Codex:|# Review findings:|## Code review guidelines:|## Referenced ChatGPT conversation:|## My request for Codex:)/

/** Splits a typed text; `preamble + request` equals the whole. The preamble is empty without a marker. */
export function splitIdePreamble(text: string): { preamble: string; request: string } {
  const match = preambles.test(text) ? request.exec(text) : null
  if (match === null) return { preamble: '', request: text }
  const end = match.index + match[0].length
  const gap = /^\r?\n+/.exec(text.slice(end))?.[0].length ?? 0
  return { preamble: text.slice(0, end + gap), request: text.slice(end + gap) }
}

/** The text that titles, outlines and search snippets use. */
export function requestText(text: string): string {
  return splitIdePreamble(text).request.trim()
}
