// What a question consists of: words, phrases, operators. The search in the terminal reads questions by these rules too:
// `features/terminal-search/query.ts` imports this part of the page script unchanged.
import { mayBeDays } from './days.js'
import { withPlainQuotes } from './signs.js'

/** Names of operators. Those in `fields` become terms, the others filters. */
export const names = ['kind', 'project', 'model', 'person', 'tag', 'file', 'tool', 'before', 'after', 'is']
export const fields = ['file', 'tool']

/** The kinds of items that `kind:` accepts. */
export const kinds = [
  ...[
    'prompt',
    'answer',
    'commentary',
    'thought',
    'command',
    'output',
    'edit',
    'tool',
    'plan',
    'search',
    'agent',
    'question',
    'notice',
  ],
  ...['error', 'context'],
]

/** What `is:` accepts, each with the matching states of a turn or of a session's last turn; `failed`: something in it failed. */
export const states = {
  // Typed words are looked up here, and one may be `constructor`.
  __proto__: null,
  failed: ['failed'],
  finished: ['completed'],
  interrupted: ['interrupted'],
  // A turn that is still running looks the same as one that was killed.
  unfinished: ['unfinished', 'running'],
  running: ['unfinished', 'running'],
}

const token = /[-+]?(?:[a-z]+:)?"[^"]*"?|\S+/gu
const tokenParts = new RegExp(`^([-+]?)(?:(${names.join('|')}):(?=.))?(.*)$`, 'su')
const asked = new RegExp(`"|(?:^|\\s)(?:OR\\s|\\+\\S|-(?!\\w(?:\\s|$))\\S|(?:${names.join('|')}):\\S)`)

/** Whether a text contains quotes or operators. */
export function hasOperators(text) {
  return asked.test(withPlainQuotes(text))
}

/** The words, phrases and operators of a text: the `source` of each, and the offset `at` which it begins. */
export function tokensOf(text) {
  return [...withPlainQuotes(text).matchAll(token)].map(({ 0: source, index }) => ({ source, at: index }))
}

/** Whether a token excludes a word. A single letter after `-` does not: it is the option of a command, as in `sed -n`. */
export const excludes = (source) => /^-(?!\w$)[^-]/.test(source)

/** Whether a token is neither an operator nor in quotes. */
const isPlain = (source) => !source.includes('"') && operatorIn(source) === undefined

/**
 * A question that excludes words, rewritten to ask for all of its words in a row: a pasted text may contain options, as
 * `ls -la src` does. Quotes and operators stay. `undefined` for a question that excludes none.
 */
export function asPasted(text) {
  const sources = tokensOf(text).map(({ source }) => source)
  if (!readTokens(sources).some(({ field, isExcluded, isQuoted }) => isExcluded && field === 'text' && !isQuoted))
    return undefined
  const rows = []
  for (const [at, source] of sources.entries()) {
    if (at > 0 && isPlain(source) && isPlain(sources[at - 1])) rows.push(`${rows.pop()} ${source}`)
    else rows.push(source)
  }
  return rows.map((row) => (isPlain(row) ? `"${row}"` : row)).join(' ')
}

/** Markdown syntax that no page shows: of links, at the start of list items, around words, and of formulas. */
const marks = [
  [/!?\[([^[\]]*)\]\((?:[^()\s]|\([^()\s]*\))*\)/g, '$1'],
  [/^(?:[-*+>#]+\s+)*(?:\d{1,3}[.)]\s+|\[[ x]\]\s+)?/i, ''],
  [/(?<![\w*])([*_])(?=\S)([^*_]+)(?<=\S)\1(?![\w*])/g, '$2'],
  [/\\[()[\]]/g, ' '],
]

/**
 * The questions that a text may mean, to be asked in order until one has an answer: first, if it excludes words, the text
 * verbatim (`isPasted`); then as typed; without a leading `-`, which may mark a line that an edit removed; without Markdown.
 */
export function readingsOf(text) {
  const pasted = asPasted(text)
  const plain = marks
    .reduce((left, [mark, kept]) => left.replace(mark, kept), text)
    .replace(/\s+/g, ' ')
    .trim()
  return [
    ...(pasted ? [{ asked: pasted, isPasted: true }] : []),
    { asked: text },
    ...(pasted?.startsWith('"-') ? [{ asked: pasted.replace('-', ''), isPasted: true }] : []),
    ...(plain === text || plain === '' ? [] : [{ asked: plain }]),
  ]
}

/**
 * Reads tokens. `field`: `text` or the name of an operator; `text`: what to look for; `isExcluded`: by `-`, unless all words
 * have it; `isWholeWord`, by `+`, and `isQuoted`, by closed quotes: whole words only; `isOpen`: the quotes are not closed yet;
 * `isJoined`: by `OR` to the token before. Tokens without a text are omitted.
 */
export function readTokens(sources) {
  const isOr = (at) => sources[at] === 'OR' && at > 0 && at < sources.length - 1
  const isSelf = sources.every((source, at) => isOr(at) || (excludes(source) && isPlain(source)))
  return sources.flatMap((source, at) => {
    const isExcluded = excludes(source) && !isSelf
    const read = isOr(at) ? { text: '' } : readToken(isExcluded ? source.slice(1) : source)
    return read.text === '' ? [] : [{ ...read, isExcluded, isJoined: isOr(at - 1) }]
  })
}

function readToken(source) {
  const [, sign, field = 'text', rest] = tokenParts.exec(source)
  const how = { field, isWholeWord: false, isQuoted: false, isOpen: false }
  if (rest.startsWith('"')) {
    const isQuoted = rest.length > 1 && rest.endsWith('"')
    return { ...how, text: rest.replace(/^"|"$/g, '').trim(), isQuoted, isOpen: !isQuoted }
  }
  const isWholeWord = sign === '+' && rest !== ''
  return { ...how, text: isWholeWord || field !== 'text' ? rest : source, isWholeWord }
}

/** The name of the operator that a token is; `undefined` if it is not one. */
export function operatorIn(source) {
  return tokenParts.exec(source)[2]
}

/** A sentence about what is wrong with the operators of a question; `undefined` if all of their values are valid. */
export function faultOf(text) {
  for (const { field, text: value, isExcluded } of readTokens(tokensOf(text).map(({ source }) => source))) {
    if (field === 'kind' && !kindOf(value)) return `There is no kind “${value}”; there are ${kinds.join(', ')}.`
    if (field === 'is' && !states[value.toLowerCase()])
      return `There is no state “${value}”; there are ${Object.keys(states).join(', ')}.`
    if (field !== 'after' && field !== 'before') continue
    if (isExcluded) return `“-${field}:${value}” cannot be asked: leave the “-” out.`
    if (!mayBeDays(value)) return `“${value}” is no date; write 2026-03-01, 2026-03, yesterday, or 7d for a week ago.`
  }
  return undefined
}

/** The kind that the value of an operator names, in any letter case, singular or plural; `undefined` if there is none. */
export function kindOf(text) {
  const name = text.toLowerCase()
  return kinds.find((kind) => name === kind || name === `${kind}s` || name === `${kind}es`)
}
