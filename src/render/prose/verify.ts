/** Proves by parsing that a changed body is safe to stand in another document. */
import type { Nodes } from 'mdast'
import { headingFloor } from './collect.ts'
import { type Engine, parseMarkdown, referenceEngine } from './engine.ts'
import { fenceSplices } from './fences.ts'
import { labelPrefix } from './labels.ts'
import { isSafeUrl } from './schemes.ts'
import { walk } from './walk.ts'

const probe = 'end of the body'

/** Words that a link which runs something cannot do without, in every disguise that Markdown allows. */
const scheme = /(?:script|data|file|blob)\s*(?::|&|\\)/i
/** A task whose first line is blank: engines do not agree on what follows it. */
const blankTask = /\[[ x]\][ \t]*$/im

/** One of these stands in every link, definition and tag. */
const linkSign = /[\]<]/

/** Whether engines might read a body differently where that would do harm. */
export function isSuspicious(body: string): boolean {
  return (linkSign.test(body) && scheme.test(body)) || blankTask.test(body)
}

/**
 * Whether a body holds no HTML, picture, unsafe link, foreign label or heading of the frame's levels, and leaves
 * nothing open: a heading behind it is read as one. Of a suspicious body the reference engine must find so too.
 */
export function isPortable(body: string, id: string, engine: Engine): boolean {
  const engines = isSuspicious(body) ? [engine, referenceEngine] : [engine]
  return engines.every((one) => isPortableFor(body, id, one))
}

function isPortableFor(body: string, id: string, engine: Engine): boolean {
  const source = `${body}\n\n# ${probe}`
  const root = parseMarkdown(source, engine)
  const last = root.children.at(-1)
  if (last?.type !== 'heading' || last.depth !== 1) return false
  let fine = true
  walk(root, (node) => {
    if (node !== last && !isAllowed(node, labelPrefix(id), source)) fine = false
  })
  return fine
}

/**
 * Whether a body reads the same inside a blockquote. It may not where it holds tabs: behind the mark of the quote a
 * tab reaches to another column, and what it indents may turn into something else.
 */
export function isSameQuoted(body: string, engine: Engine): boolean {
  if (!body.includes('\t')) return true
  const [quote, ...rest] = parseMarkdown(body.replace(/^/gm, '> '), engine).children
  if (quote?.type !== 'blockquote' || rest.length > 0) return false
  return outline(quote.children) === outline(parseMarkdown(body, engine).children)
}

/** Types and texts in order. */
function outline(nodes: readonly Nodes[]): string {
  const parts: string[] = []
  for (const top of nodes) walk(top, (node) => parts.push(node.type, 'value' in node ? node.value : ''))
  return JSON.stringify(parts)
}

function isAllowed(node: Nodes, prefix: string, source: string): boolean {
  switch (node.type) {
    case 'html':
    case 'image':
    case 'imageReference':
      return false
    case 'heading':
      return node.depth > headingFloor
    case 'code':
      return fenceSplices(node, source).length === 0
    case 'link':
      return isSafeUrl(node.url)
    case 'definition':
      return isSafeUrl(node.url) && (node.label ?? '').startsWith(prefix)
    case 'footnoteDefinition':
    case 'footnoteReference':
    case 'linkReference':
      return (node.label ?? '').startsWith(prefix)
    default:
      return true
  }
}
