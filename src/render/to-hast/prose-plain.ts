/** The fast path: bodies in which no character can mean anything to Markdown. */
import type { ElementContent } from 'hast'
import { h } from 'hastscript'

/**
 * Anything that CommonMark or GFM may act on: punctuation of inlines, entities, autolinks, line starts of blocks,
 * indentation, blanks at a line's end, controls, characters that hide. Broad on purpose: a doubtful body takes the slow path.
 */
const significant =
  /[\\`*_{}[\]<>#|~&@\0-\x09\x0B-\x1F\x7F]|:\/\/|www\.|xmpp:|mailto:|^[ \t\-+=:]|^\d{1,9}[.)]|[ \t]$|^\u00A0|[\x80-\x9F\u200B\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\uDB40]/im

/** Paragraphs of a body without any significant character, else `undefined`. `breaks` keeps line ends. */
export function plainParagraphs(value: string, breaks: boolean): ElementContent[] | undefined {
  if (value.length > 20_000 || significant.test(value)) return undefined
  return value
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => h('p', {}, breaks ? withBreaks(paragraph) : paragraph.replace(/^\n|\n$/g, '')))
}

function withBreaks(paragraph: string): ElementContent[] {
  const lines = paragraph.replace(/^\n|\n$/g, '').split('\n')
  return lines.flatMap((line, index) => (index === 0 ? textOf(line) : [h('br'), ...textOf(`\n${line}`)]))
}

function textOf(value: string): ElementContent[] {
  return [{ type: 'text', value }]
}
