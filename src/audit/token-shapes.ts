/**
 * Shapes of well-known keys, written without the rules of redaction and without their machinery: what those miss by a
 * fault of their own is still found here. Plain patterns over a whole text, for the few kinds that hurt most.
 */

/** A part of a text that has the shape of a key, `end` exclusive. */
export interface Shape {
  start: number
  end: number
  rule: string
}

/** Rule, beginning, body. A body is bounded, so that a text full of beginnings stays quick. */
const rows: readonly (readonly [rule: string, head: string, body: string])[] = [
  ['anthropic-key', 'sk-ant-', '[\\w-]{20,256}'],
  ['openai-key', 'sk-(?:proj-|svcacct-|admin-)?', '[\\w-]{32,256}'],
  ['github-token', 'gh[pousr]_', '[A-Za-z0-9]{30,256}'],
  ['github-token', 'github_pat_', '\\w{36,256}'],
  ['gitlab-token', 'gl(?:pat|rt|dt|ptt)-', '[\\w-]{20,256}'],
  ['google-key', 'AIza', '[\\w-]{35,80}'],
  ['huggingface-token', 'hf_', '[A-Za-z0-9]{30,80}'],
  ['npm-token', 'npm_', '[A-Za-z0-9]{36,80}'],
  ['sendgrid-key', 'SG\\.', '[\\w-]{16,40}\\.[\\w-]{32,80}'],
  ['slack-token', 'xox[abceoprs]-', '[\\w-]{20,256}'],
  ['stripe-key', '[rs]k_live_', '[A-Za-z0-9]{16,128}'],
  ['aws-key-id', 'A(?:KI|SI)A', '[A-Z0-9]{16}(?![A-Za-z0-9])'],
  ['jwt', 'eyJ', '[\\w-]{10,2048}\\.eyJ[\\w-]{10,4096}\\.[\\w-]{10,2048}'],
  ['private-key', '-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----', '[\\s\\\\nr>|+]{0,40}[A-Za-z0-9+/=]{40,64}'],
]

const heads = rows.map(([, head, body], row) => `(?<r${row}>(?<![A-Za-z0-9_])${head}(?:${body}))`).join('|')
const asWritten = new RegExp(heads, 'g')
/** The words of a search index are in lower case. */
const inAnyCase = new RegExp(heads, 'gi')

/** The parts of a text that have the shape of a key; with `anyCase` also where case was lost. */
export function findShapes(text: string, anyCase = false): Shape[] {
  const found: Shape[] = []
  for (const { 0: match, index, groups = {} } of text.matchAll(anyCase ? inAnyCase : asWritten)) {
    const row = rows.findIndex((_, number) => groups[`r${number}`] !== undefined)
    const rule = rows[row]?.[0]
    if (rule !== undefined && isVaried(match)) found.push({ start: index, end: index + match.length, rule })
  }
  return found
}

/** Placeholders repeat a few letters, and names are words; keys do neither. */
function isVaried(match: string): boolean {
  const body = match.replace(/^.{4}/s, '')
  const isWords = body.split(/[-_.]/).every((part) => /^(?:[A-Za-z]*|\d{1,4})$/.test(part))
  return new Set(body).size >= 9 && !isWords
}
