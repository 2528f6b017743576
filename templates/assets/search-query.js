// What a reader typed, as the index knows words. The same rules made its words: see `search/entry-text.ts`. Operators are
// those of the search in the terminal: see `features/terminal-search/query.ts`.

/** Runs of scripts that are written without blanks between words: the index holds them as pairs of characters. */
const unspaced = /([\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+)/u

/** Whether a text has characters of such a script. */
export function isUnspaced(text) {
  return unspaced.test(text) && /\p{L}/u.test(text)
}

const parts = /[\p{L}\p{M}\p{N}]+?(?=[^\p{L}\p{M}\p{N}]|$|(?<=[\p{Ll}\p{N}])\p{Lu}|(?<=\p{Lu})\p{Lu}\p{Ll})/gu
const before = { '-': '⁀', '--': '⁀⁀', '.': '⁔', '@': '︳', $: '︴', '#': '﹎' }
const behind = { '++': '﹍', '#': '﹏' }
const signed = /(?<![\p{L}\p{N}\p{Pc}.$@#-])(--?|[.@$#])(?=[\p{L}\p{N}])|(?<=[\p{L}\p{N}])(\+\+|#)(?![\p{L}\p{N}+#])/gu
const pictures = /\p{Extended_Pictographic}|(?!\$)\p{Sc}/gu

/** Words of the index that a word without blanks needs: pairs of its parts, the word with its sign, or itself. */
export function termsOf(typed) {
  return typed
    .normalize('NFC')
    .split(unspaced)
    .flatMap((part) => (isUnspaced(part) ? pairs(part) : compound(part)))
}

function compound(word) {
  const signs = new Map(
    [...word.matchAll(signed)].map(({ index, 0: sign, 1: first }) => [first ? index + sign.length : index, sign]),
  )
  const found = [...word.matchAll(parts)].map(({ 0: part, index }) => ({
    ...{ text: part.toLowerCase(), index, end: index + part.length },
  }))
  const words = found.flatMap(({ text, index, end }, at) => {
    const last = found[at - 1]
    const isNext = last?.end === index
    const sign = isNext ? undefined : before[signs.get(index)]
    const suffix = behind[signs.get(end)]
    const pair = last && (isNext ? last.text + text : `${last.text}‿${text}`)
    const own = found.length === 1 && !sign && !suffix ? text : undefined
    return [sign && sign + text, suffix && text + suffix, pair, own].filter(Boolean)
  })
  return [...[...word.matchAll(pictures)].map(([sign]) => `‿${sign.codePointAt(0).toString(16)}`), ...words]
}

/** Overlapping pairs of characters; a single one stands alone. */
function pairs(run) {
  const letters = [...run.replace(/[^\p{L}\p{N}]/gu, '')]
  return letters.length < 2 ? letters : letters.slice(1).map((letter, index) => letters[index] + letter)
}

/** Small letters without marks above and below them, as many as there were: what is found in them stands at its place. */
export function folded(text) {
  return text.replace(/[\u0080-\uFFFF]/g, (letter) => {
    const plain = letter.normalize('NFD')
    return plain.length > 1 && /^\p{L}\p{M}+$/u.test(plain) ? plain[0] : letter
  })
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/** A pattern for a text as it was typed, over folded text: blanks are alike, and so are signs within a word. */
function patternOf(text) {
  const loose = folded(text.normalize('NFC')).replace(/\s+/g, ' ')
  const source = [...loose.matchAll(/\s|[\p{L}\p{N}\p{M}]+|[^\p{L}\p{N}\p{M}\s]+/gu)].map(({ 0: run, index }) => {
    if (run === ' ') return '\\s+'
    const isInside = index > 0 && index + run.length < loose.length
    return isInside && /^[/\\_.:-]$/.test(run) && !/\d/.test(loose) ? '[/\\\\_.:-]' : escaped(run)
  })
  return new RegExp(source.join(''), 'giu')
}

/**
 * One thing that is looked for. `terms`: words of the index that its page must hold, `isWhole` each as it is; `isPhrase`:
 * several words in a row; `isInside`: it may stand inside a word; `isSure`: the index can tell, without a look at the text.
 */
export function termOf(text, { field = 'text', isWhole = false, isOpen = false, isInside = false } = {}) {
  const words = text.split(/\s+/u).filter(Boolean)
  const isPhrase = words.length > 1
  const terms = words.flatMap(termsOf)
  const whole = isWhole || (isPhrase && !isOpen)
  const isPlain = words.every(
    (word) => termsOf(word).length === 1 && /^\p{L}[\p{L}\p{N}]*$/u.test(word) && !isUnspaced(word),
  )
  return {
    ...{ text, field, isPhrase, isWhole, isInside, pattern: patternOf(text) },
    // The text of a page tells of several words whether they stand in a row.
    terms: terms.map((term, at) => ({ text: term, isWhole: !isPhrase && (isWhole || at < terms.length - 1) })),
    // Pagefind finds words in a row by itself, where each is one of its words, though not within compound ones.
    row: isPhrase && isPlain && whole ? words.join(' ').toLowerCase() : undefined,
    isSure: field === 'text' && !isPhrase && (terms.length < 2 || !/\p{N}/u.test(text)),
  }
}

const tokens = /[-+]?(?:[a-z]+:)?"[^"]*"?|\S+/gu
const tokenParts = /^([-+]?)(?:(kind|model|project|person|after|before|is|file|tool):(?=.))?(.*)$/su

/**
 * A query: a page holds at least one of each list of `all`, and none of `none`. `filters` pairs names with values that came
 * as operators, `kinds` are those of places.
 */
export function readQuery(text) {
  const query = { all: [], none: [], filters: {}, kinds: [] }
  const read = [...text.matchAll(tokens)].map(([token]) => token)
  const isPositive = (token) => !/^-[^-]/.test(token) && token !== 'OR'
  let isJoined = false
  for (const [at, token] of read.entries()) {
    const isOr = token === 'OR' && at > 0 && at < read.length - 1
    if (!isOr) addToken(query, token, { isJoined, isNegative: /^-[^-]/.test(token) && read.some(isPositive) })
    isJoined = isOr
  }
  return query
}

function addToken(query, token, { isJoined, isNegative }) {
  const { field, text, ...how } = readToken(isNegative ? token.slice(1) : token)
  if (text === '') return
  if (field === 'kind') query.kinds.push(text.toLowerCase().replace(/s$/, ''))
  else if (!['text', 'file', 'tool'].includes(field)) query.filters[field] = [...(query.filters[field] ?? []), text]
  else {
    const term = termOf(text, { field, ...how })
    if (term.terms.length === 0) return
    if (isNegative) query.none.push(term)
    else if (isJoined && query.all.length > 0) query.all.at(-1).push(term)
    else query.all.push([term])
  }
}

/** A token without its signs. Quotes and `+` ask for words as they are; quotes that are still open may be typed on. */
function readToken(token) {
  const [, sign, field = 'text', rest] = tokenParts.exec(token)
  if (rest.startsWith('"')) {
    const isClosed = rest.length > 1 && rest.endsWith('"')
    return { field, text: rest.replace(/^"|"$/g, '').trim(), isWhole: isClosed, isOpen: !isClosed }
  }
  const isAsked = sign === '+' && rest !== ''
  return { field, text: isAsked || field !== 'text' ? rest : token, isWhole: isAsked }
}

/** Where a text holds what a term looks for, as `[from, to]`. */
export function spansOf(text, { pattern, isWhole, isInside }, plain = folded(text)) {
  const spans = []
  for (const { index, 0: found } of plain.matchAll(pattern)) {
    const end = index + found.length
    if (found === '' || (!isInside && !begins(text, index)) || (isWhole && !ends(text, end))) continue
    spans.push([index, end])
  }
  return spans
}

const inWord = /[\p{L}\p{N}\p{M}]/u

/** Whether a word begins at a place, or a part of a compound one. */
function begins(text, at) {
  const [last, first] = [text[at - 1] ?? ' ', text[at]]
  if (!inWord.test(first) || !inWord.test(last) || isUnspaced(first)) return true
  return /\p{Lu}/u.test(first) && (/[\p{Ll}\p{N}]/u.test(last) || /\p{Ll}/u.test(text[at + 1] ?? ''))
}

function ends(text, at) {
  const [last, next] = [text[at - 1], text[at] ?? ' ']
  return !inWord.test(next) || !inWord.test(last) || isUnspaced(last) || (/\p{Ll}/u.test(last) && /\p{Lu}/u.test(next))
}
