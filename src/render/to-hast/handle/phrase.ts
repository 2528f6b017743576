/** What stands inside messages and calls: Markdown, literal text, references. */
import type { ElementContent } from 'hast'
import { h } from 'hastscript'
import type { Markdown, Reference, Text } from '../../../model/trast.ts'
import { relativeLink, sessionPage } from '../../../model/urls.ts'
import { prettyJson } from '../../../util/json-pretty.ts'
import { languageOfTag } from '../../highlight/language.ts'
import { literal } from '../../literal.ts'
import { codeToHast } from '../code.ts'
import { block, code, withCut } from '../parts.ts'
import { body, prose } from '../prose.ts'
import type { State } from '../state.ts'

/** Markdown source as prose. */
export function markdown(node: Markdown, state: State): ElementContent[] {
  return withCut(node, state, (value) => [body(prose(value, { id: node.id }, state))])
}

/** Literal text in a `pre`, coloured where its language is told; JSON is laid out. */
export function text(node: Text, state: State): ElementContent[] {
  const { value, lang, omitted } = node
  if (value === '' && omitted === undefined) return []
  if (lang === undefined || omitted !== undefined) return [block('text', withCut(node, state, literal))]
  if (lang === 'json') return [block('output', literal(prettyJson(value) ?? value))]
  const tokens = state.colour(value, languageOfTag(lang))
  return [block('code', tokens === undefined ? literal(value) : codeToHast(tokens))]
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
