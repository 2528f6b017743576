/** What prose may become: the last word on elements and attributes of transcript text. */
import type { Schema } from 'hast-util-sanitize'

const inherited = ['ariaDescribedBy', 'ariaLabel'] as const

/**
 * Schema of hast-util-sanitize: no style, no class but those named here, no element that loads or runs anything.
 * Ids come from footnotes alone and carry the item's anchor already, so nothing is clobbered here.
 */
export const schema: Schema = {
  tagNames: [
    ...['a', 'blockquote', 'br', 'code', 'del', 'div', 'em', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'li', 'ol', 'p'],
    ...['pre', 'section', 'span', 'strong', 'sup', 'table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul'],
  ],
  attributes: {
    a: ['href', 'id', 'title', ['rel', 'nofollow', 'noreferrer', 'noopener'], ['className', 'back'], ...inherited],
    code: [['className', /^language-[\w+#.-]{1,40}$/]],
    div: [['className', 'wide'], 'tabIndex'],
    li: ['id'],
    ol: ['start'],
    p: ['id', ['className', 'raw', 'note-label']],
    pre: ['tabIndex', ['dataCopy', 'code'], ['dataWrap', true]],
    section: [['className', 'footnotes']],
    span: ['title', 'role', 'ariaLabel', ['className', 'nolink', 'task', 'done', 'ctl']],
    td: [['className', 'center', 'right']],
    th: [['className', 'center', 'right']],
  },
  // Absent keys would be those of the package's default schema.
  clobber: [],
  required: {},
  protocols: { href: ['http', 'https', 'mailto'] },
  strip: ['script', 'style'],
}
