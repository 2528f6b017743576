// What a question is made of: words, phrases, operators. The search in the terminal reads it by these rules too:
// `features/terminal-search/query.ts` imports this part of the page script as it is.
import { mayBeDays } from './days.js'
import { withPlainQuotes } from './signs.js'

/** Names of operators. Those of `fields` give terms, the others filters. */
export const names = ['kind', 'project', 'model', 'person', 'tag', 'file', 'tool', 'before', 'after', 'is']
export const fields = ['file', 'tool']

/** Kinds of places that `kind:` asks for. */
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

/** What `is:` asks for, with the states of a turn, or of the last one of a session; `failed`: something in it has failed. */
export const states = {
  // What was typed is looked up here, and may be `constructor`.
  __proto__: null,
  failed: ['failed'],
  finished: ['completed'],
  interrupted: ['interrupted'],
  // Nothing tells a turn that goes on from one that was killed.
  unfinished: ['unfinished', 'running'],
  running: ['unfinished', 'running'],
}

const token = /[-+]?(?:[a-z]+:)?"[^"]*"?|\S+/gu
const tokenParts = new RegExp(`^([-+]?)(?:(${names.join('|')}):(?=.))?(.*)$`, 'su')
const asked = new RegExp(`"|(?:^|\\s)(?:OR\\s|\\+\\S|-(?!\\w(?:\\s|$))\\S|(?:${names.join('|')}):\\S)`)

/** Whether a text holds quotes or operators. */
export function hasOperators(text) {
  return asked.test(withPlainQuotes(text))
}

/** The words, phrases and operators of a text, each as it stands there, `at` its place. */
export function tokensOf(text) {
  return [...withPlainQuotes(text).matchAll(token)].map(({ 0: source, index }) => ({ source, at: index }))
}

/** Whether a token is left out: one letter is the option of a command, as in `sed -n`. */
export const excludes = (source) => /^-(?!\w$)[^-]/.test(source)

/** Whether a token is no operator, and stands without quotes. */
const isPlain = (source) => !source.includes('"') && operatorIn(source) === undefined

/**
 * A text with words to leave out as one that asks for its words in a row and leaves none out: what was pasted holds options,
 * such as `ls -la src`. Quotes and operators stay. `undefined` for other texts.
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

/** Marks of Markdown that no page shows: of links, of an item of a list, around words, and of formulas. */
const marks = [
  [/!?\[([^[\]]*)\]\((?:[^()\s]|\([^()\s]*\))*\)/g, '$1'],
  [/^(?:[-*+>#]+\s+)*(?:\d{1,3}[.)]\s+|\[[ x]\]\s+)?/i, ''],
  [/(?<![\w*])([*_])(?=\S)([^*_]+)(?<=\S)\1(?![\w*])/g, '$2'],
  [/\\[()[\]]/g, ' '],
]

/**
 * What a text is asked as, one after the other until an answer is found: `isPasted` as it stands, with words behind `-`; what begins
 * with that may be a line that an edit removed; without marks of Markdown.
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
 * Reads tokens. `field`: `text` or the name of an operator; `text`: what is looked for; `isExcluded`: by `-`, unless there are
 * only words with it; `isWhole`: by `+`, and `isQuoted`, by quotes that are closed, the words as they are; `isOpen`: the quotes may be typed on;
 * `isJoined`: by `OR` with the one before. Those without a text are left out.
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
  const how = { field, isWhole: false, isQuoted: false, isOpen: false }
  if (rest.startsWith('"')) {
    const isQuoted = rest.length > 1 && rest.endsWith('"')
    return { ...how, text: rest.replace(/^"|"$/g, '').trim(), isQuoted, isOpen: !isQuoted }
  }
  const isWhole = sign === '+' && rest !== ''
  return { ...how, text: isWhole || field !== 'text' ? rest : source, isWhole }
}

/** The name of the operator that a token is; nothing where it is none. */
export function operatorIn(source) {
  return tokenParts.exec(source)[2]
}

/** What is wrong with a question's operators, as a sentence; nothing where their values are known. */
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

/** The kind that an operator names, in any letter case and number; nothing where there is none. */
export function kindOf(text) {
  const name = text.toLowerCase()
  return kinds.find((kind) => name === kind || name === `${kind}s` || name === `${kind}es`)
}
