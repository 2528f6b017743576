// The words of items as a page shows them, and their positions in it. `search/find-text.ts` extracts the same words from the
// pages of a session as they are built, by the same tables.
import { literalSource } from '../search/signs.js'

/** Kinds by the classes of items. */
export const kindOfClass = {
  prompt: 'prompts',
  say: 'answers',
  command: 'commands',
  patch: 'edits',
  failed: 'failures',
  error: 'failures',
  thought: 'thoughts',
  tool: 'tools',
  search: 'tools',
  planned: 'tools',
  card: 'tools',
}

/** Inline elements, whose text continues the text around them; the text of all others is separate. */
export const inline =
  'a,abbr,b,bdi,cite,code,em,i,kbd,mark,q,s,samp,small,span,strong,sub,sup,time,u,var,math,semantics,mrow,mi,mn,mo,ms,' +
  'mtext,msub,msup,msubsup,mfrac,msqrt,mroot,mstyle,mpadded,mover,munder,munderover'
const apart = `summary > *, :not(${inline})`

/** What is not text of the session: times, headings of items for screen readers, buttons, the source of a drawn formula. */
const notWords = '.at, .hide, .tools, .show-all, annotation, .item > header'

/** The items of this page, in their order. */
export function itemsHere() {
  return [...document.querySelectorAll('.flow .item[id]')]
}

/** The kinds of an item, without duplicates. */
export function kindsOf(item) {
  const marks = [...item.classList, ...(item.querySelector(':scope > .failed') ? ['failed'] : [])]
  return [...new Set(marks.flatMap((name) => (Object.hasOwn(kindOfClass, name) ? [kindOfClass[name]] : [])))]
}

/**
 * The words of an item with single spaces between them, without those of items inside it. `runs`, if given, receives for each
 * word and space: its offset in the text, its text node, and its offset in that node.
 */
export function textOf(item, runs) {
  const filter = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return NodeFilter.FILTER_ACCEPT
    return node.matches(`${notWords}, .item[id]`) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP
  }
  const walker = document.createTreeWalker(item, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, filter)
  let text = ''
  // Not `text.endsWith(' ')`, which copies what was joined so far each time: a long item took a minute.
  let isSpaced = true
  let last
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const block = node.parentElement.closest(apart)
    if (block !== last && !isSpaced) text += ' '
    if (block !== last) isSpaced = true
    last = block
    for (const { 0: run, index } of node.data.matchAll(/\s+|\S+/g)) {
      const isBlank = run.trim() === ''
      if (isBlank && isSpaced) continue
      runs?.push([text.length, node, index])
      text += isBlank ? ' ' : run
      isSpaced = isBlank
    }
  }
  return text.trimEnd()
}

/**
 * A pattern that finds what a reader typed, regardless of case, whitespace, interchangeable signs, and whether letters and their
 * marks are one character. `undefined` if nothing is typed.
 */
export function patternOf(typed) {
  const text = typed.trim().replace(/\s+/g, ' ')
  if (text === '') return undefined
  return new RegExp([...new Set([text.normalize('NFC'), text.normalize('NFD')])].map(literalSource).join('|'), 'giu')
}

/** Where a pattern matches in an item of this page. */
export function rangesIn(item, pattern) {
  return rangesAt(item, (text) =>
    [...text.matchAll(pattern)].map(({ 0: found, index }) => [index, index + found.length]),
  )
}

/** The ranges in an item of this page for spans `[from, to]` of its words. */
export function rangesAt(item, spansIn) {
  const runs = []
  const text = textOf(item, runs)
  const pointAt = (at) => {
    let [low, high] = [0, runs.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (runs[middle][0] <= at) low = middle
      else high = middle - 1
    }
    const [from, node, start] = runs[low]
    return [node, Math.min(start + at - from, node.length)]
  }
  return spansIn(text).map(([from, to]) => {
    const range = document.createRange()
    range.setStart(...pointAt(from))
    const [node, offset] = pointAt(to - 1)
    range.setEnd(node, Math.min(offset + 1, node.length))
    return range
  })
}
