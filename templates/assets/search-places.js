// From a page that the index found to places in it: items with a line of their text, hits marked.
import { answers, isUnspaced, plain } from './search-query.js'

/** Stands around words that are in the index but not in the text: see `search/entry-text.ts`. */
const hiddenMark = '~^~'

/** Kinds by the heading of an item, and how much a kind counts where two items answer equally well. */
const kinds = { h2: 'prompt', h3: 'answer', h4: 'command', h5: 'edit', h6: 'error', p: 'part' }
const ranks = ['prompt', 'answer', 'error', 'edit', 'command', 'part']

/** UTF-16 units of a line of text. */
const lineLength = 180

/**
 * Places of a page that answer a query, the best first: `id` of the item, `kind`, `heading`, `quoted`, the number of
 * phrases that it holds, and `excerpt`, a list of `[text, marked]`. A page that was found by its title alone has none.
 */
export function placesOf({ content, anchors }, { words, phrases }, locations) {
  const tokens = content.split(/[^\S\uFEFF]+/u)
  const hits = new Set(locations)
  const starts = anchors.filter(({ element }) => element in kinds).sort((a, b) => a.location - b.location)
  const places = starts.flatMap((anchor, index) => {
    const end = starts[index + 1]?.location ?? tokens.length
    const block = readBlock({ tokens, hits, words }, anchor.location, end)
    if (block.found.length === 0) return []
    const answered = words.filter((word) => block.found.some((found) => answers(found, word))).length
    const kind = kinds[anchor.element]
    // The index ends each heading like a sentence; a command or a path that is all of an item ends as it was.
    const text = block.text === `${anchor.text}.` ? anchor.text : block.text
    const excerpt = excerptOf({ ...block, text }, phrases)
    return [{ id: anchor.id, kind, heading: anchor.text, answered, quoted: quotes(text, phrases), excerpt }]
  })
  return places.sort(
    (a, b) => b.quoted - a.quoted || b.answered - a.answered || ranks.indexOf(a.kind) - ranks.indexOf(b.kind),
  )
}

/** The beginning of a page's text, for a hit in its title. */
export function beginningOf({ content }) {
  const tokens = content.split(/[^\S\uFEFF]+/u).slice(0, lineLength)
  return excerptOf(readBlock({ tokens, ...unasked }, 0, tokens.length))
}

/** Whether a page holds all phrases, whatever stands in capitals there. */
export function holds({ content }, phrases) {
  const { text } = readBlock({ tokens: content.split(/[^\S\uFEFF]+/u), ...unasked }, 0, Number.POSITIVE_INFINITY)
  return quotes(text, phrases) === phrases.length
}

/** How many of the phrases a text holds. */
function quotes(text, phrases) {
  const lower = text.toLowerCase()
  return phrases.filter((phrase) => lower.includes(phrase.toLowerCase().replace(/\s+/gu, ' '))).length
}

const unasked = { hits: new Set(), words: [] }

/** The shown text between two places of a page, where its hits are, and every word that was hit. */
function readBlock({ tokens, hits, words }, from, to) {
  const { shown, hidden } = sorted(tokens, from, Math.min(to, tokens.length))
  const behind = hidden.filter((at) => hits.has(at)).map((at) => tokens[at])
  const found = [...behind]
  const marks = []
  let text = ''
  for (const at of shown) {
    const token = tokens[at]
    if (text !== '') text += ' '
    if (hits.has(at)) {
      found.push(token)
      // A run without blanks is a whole sentence; its pairs tell where the hit is.
      if (!isUnspaced(token)) marks.push(markOf(token, words, text.length))
    }
    text += token
  }
  for (const token of behind) {
    const [start, end] = markOf(token, words, 0)
    marks.push(...occurrences(text, [token]).map(([at]) => [at + start, at + end]))
  }
  return { text, found, marks }
}

/** Which words between two places are shown, and which are hidden between marks. */
function sorted(tokens, from, to) {
  const found = { shown: [], hidden: [] }
  let kind = 'shown'
  for (let at = from; at < to; at++) {
    if (tokens[at] === hiddenMark) kind = kind === 'shown' ? 'hidden' : 'shown'
    else found[kind].push(at)
  }
  return found
}

/** The part of a word that answers one of those that were asked for; else all of it but the punctuation around. */
function markOf(token, words, start) {
  const parts = [...token.matchAll(/[\p{L}\p{N}\p{M}\p{Pc}]+/gu)].map(({ 0: part, index }) => [
    index,
    index + part.length,
  ])
  const asked = parts.find(([from, to]) => words.some((word) => plain(token.slice(from, to)).includes(word)))
  const [from, to] = asked ?? [parts[0]?.[0] ?? 0, parts.at(-1)?.[1] ?? token.length]
  return [start + from, start + to]
}

/** Where some words stand in a text. */
function occurrences(text, words) {
  const lower = text.toLowerCase()
  return words.flatMap((word) => {
    const found = []
    const asked = word.toLowerCase()
    for (let at = lower.indexOf(asked); at >= 0; at = lower.indexOf(asked, at + asked.length)) {
      found.push([at, at + asked.length])
    }
    return found
  })
}

/** The line of a text that holds most hits, or a phrase, as a list of `[text, marked]`. */
function excerptOf({ text, marks }, phrases = []) {
  const all = joined([...marks, ...occurrences(text, phrases)])
  const start = lineStart(text, all)
  const end = lineEnd(text, start)
  const parts = start > 0 ? [['… ', false]] : []
  let at = start
  for (const [from, to] of all) {
    if (to <= start || from >= end) continue
    if (from > at) parts.push([text.slice(at, from), false])
    parts.push([text.slice(Math.max(from, start), Math.min(to, end)), true])
    at = to
  }
  if (at < end) parts.push([text.slice(at, end), false])
  return end < text.length ? [...parts, [' …', false]] : parts
}

/** Marks in order, those that touch or overlap as one. */
function joined(marks) {
  const result = []
  for (const [from, to] of [...marks].sort((a, b) => a[0] - b[0])) {
    const last = result.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else result.push([from, to])
  }
  return result
}

/** Where a line begins that shows as many marks as possible, a little before the first of them. */
function lineStart(text, marks) {
  let best = 0
  let most = 0
  for (const [from] of marks) {
    const count = marks.filter(([start, end]) => start >= from && end <= from + lineLength).length
    if (count <= most) continue
    most = count
    best = from
  }
  if (best + 60 < lineLength || text.length <= lineLength) return 0
  const start = Math.min(best - 40, text.length - lineLength)
  const blank = text.indexOf(' ', start)
  return blank >= 0 && blank < best ? blank + 1 : start
}

function lineEnd(text, start) {
  const end = start + lineLength
  if (end >= text.length) return text.length
  const blank = text.lastIndexOf(' ', end)
  return blank > start + lineLength / 2 ? blank : end
}

/** Whether a page that was found holds a word, or a longer one, where its hits are or in what the index knows about it. */
export function holdsWord({ content, meta }, word, locations) {
  const tokens = content.split(/[^\S\uFEFF]+/u)
  const about = Object.values(meta).flatMap((value) => value.split(/\s+/u))
  return [...locations.map((at) => tokens[at] ?? ''), ...about].some((token) => plain(token).includes(word))
}
