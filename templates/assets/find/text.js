// The words of items as a page shows them, and where they stand in it. `search/find-text.ts` reads the same words of the
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

/** Elements that go on in the line of the text around them; all others stand apart. */
export const inline =
  'a,abbr,b,bdi,cite,code,em,i,kbd,mark,q,s,samp,small,span,strong,sub,sup,time,u,var,math,semantics,mrow,mi,mn,mo,ms,' +
  'mtext,msub,msup,msubsup,mfrac,msqrt,mroot,mstyle,mpadded,mover,munder,munderover'
const apart = `summary > *, :not(${inline})`

/** What is no word of the session: times, headings of items for screen readers, buttons, the source of a drawn formula. */
const notWords = '.at, .hide, .tools, .show-all, annotation, .item > header'

/** The items of this page, in their order. */
export function itemsHere() {
  return [...document.querySelectorAll('.flow .item[id]')]
}

/** Kinds of an item, each once. */
export function kindsOf(item) {
  const marks = [...item.classList, ...(item.querySelector(':scope > .failed') ? ['failed'] : [])]
  return [...new Set(marks.flatMap((name) => (Object.hasOwn(kindOfClass, name) ? [kindOfClass[name]] : [])))]
}

/**
 * The words of an item with single blanks between them, without those of items inside it. `runs`, where it is given,
 * takes the place of each run of words: where it begins in the text, its text node, where it begins there.
 */
export function textOf(item, runs) {
  const filter = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return NodeFilter.FILTER_ACCEPT
    return node.matches(`${notWords}, .item[id]`) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP
  }
  const walker = document.createTreeWalker(item, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, filter)
  let text = ''
  let last
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const block = node.parentElement.closest(apart)
    if (block !== last && text !== '' && !text.endsWith(' ')) text += ' '
    last = block
    for (const { 0: run, index } of node.data.matchAll(/\s+|\S+/g)) {
      const isBlank = run.trim() === ''
      if (isBlank && (text === '' || text.endsWith(' '))) continue
      runs?.push([text.length, node, index])
      text += isBlank ? ' ' : run
    }
  }
  return text.trimEnd()
}

/** A pattern for what a reader typed: as it is, but for case, blanks, signs that are alike, and how letters with marks are written. */
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

/** The ranges of an item of this page that stand for spans `[from, to]` of its words. */
export function rangesAt(item, spansIn) {
  const runs = []
  const text = textOf(item, runs)
  const place = (at) => {
    const [from, node, start] = runs.findLast(([begin]) => begin <= at)
    return [node, Math.min(start + at - from, node.length)]
  }
  return spansIn(text).map(([from, to]) => {
    const range = document.createRange()
    range.setStart(...place(from))
    const [node, offset] = place(to - 1)
    range.setEnd(node, Math.min(offset + 1, node.length))
    return range
  })
}
