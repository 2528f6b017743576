/** What stands inside messages and calls: Markdown, literal text, references. */
import type { ElementContent } from 'hast'
import { h } from 'hastscript'
import type { Markdown, Reference, Text } from '../../../model/trast.ts'
import { relativeLink, sessionPage } from '../../../model/urls.ts'
import { literal } from '../../literal.ts'
import { block, code, withCut } from '../parts.ts'
import { body, prose } from '../prose.ts'
import type { State } from '../state.ts'

/** Markdown source as prose. */
export function markdown(node: Markdown, state: State): ElementContent[] {
  return withCut(node, state, (value) => [body(prose(value, { id: node.id }, state))])
}

/** Literal text in a `pre`; JSON on one line is laid out. */
export function text(node: Text, state: State): ElementContent[] {
  if (node.value === '' && node.omitted === undefined) return []
  const shown = node.lang === 'json' && node.omitted === undefined ? prettyJson(node.value) : node.value
  return [block(withCut({ ...node, value: shown }, state, literal))]
}

/** JSON text with two blanks a level; text that is no JSON as it is. */
export function prettyJson(value: string): string {
  try {
    return JSON.stringify(JSON.parse(value), null, 2)
  } catch {
    return value
  }
}

/** A pointer to something: a link where it leads to the web or to a page of this site, else its name. */
export function reference(node: Reference, state: State): ElementContent[] {
  const { target, label } = node
  const thread = node.kind === 'session' ? state.context.threads(target) : undefined
  if (thread?.built) return [h('a', { href: relativeLink(state.path, sessionPage(target)) }, label ?? thread.title)]
  if (/^https?:\/\//i.test(target))
    return [h('a', { href: target, rel: ['nofollow', 'noreferrer', 'noopener'] }, label ?? target)]
  if (label === undefined || label === target) return [code(target)]
  if (node.kind === 'commit') return [code(target), ...literal(` ${label}`)]
  return [h('span', { className: ['nolink'], title: target }, literal(label))]
}
