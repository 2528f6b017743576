/** Prompts, answers, commentary and what was put into the conversation by machines. */
import type { ElementContent } from 'hast'
import { h } from 'hastscript'
import type { Message, PhraseContent } from '../../../model/trast.ts'
import { splitIdePreamble } from '../../../util/ide.ts'
import { literal } from '../../literal.ts'
import { type ItemKind, itemClasses } from '../kinds.ts'
import { block, copied, fold, isCollapsed, item, stamp, withCut } from '../parts.ts'
import { body, prose } from '../prose.ts'
import type { State } from '../state.ts'

/** A message by who speaks: the prompt and the answer stand out, commentary is quiet, injected text is folded. */
export function message(node: Message, state: State): ElementContent[] {
  const machine = node.origin !== 'typed' && !(node.origin === 'generated' && node.role === 'assistant')
  if (machine || isCollapsed(node)) return [folded(node, state)]
  if (node.role === 'user') return [headed(node, 'prompt', node.steering ? 'Prompt while working' : 'Prompt', state)]
  if (node.role !== 'assistant') return [folded(node, state)]
  if (node.phase === 'final_answer' || state.answer === node.id) return [headed(node, 'answer', 'Answer', state)]
  return [item(node, { kind: 'commentary' }, state, content(node, state))]
}

function headed(node: Message, kind: ItemKind, title: string, state: State): ElementContent {
  const level = Math.min(6, state.level)
  const inner = state.at({ level: level + 1 })
  return h('article', { id: node.id, className: itemClasses(kind) }, [
    h('header', {}, h(`h${level}`, {}, title), stamp(node, state)),
    content(node, inner),
  ])
}

function folded(node: Message, state: State): ElementContent {
  const from = [node.author, node.recipient].filter((name) => name !== undefined).join(' → ')
  const gist = [node.label, from].filter((part) => part !== undefined && part !== '').join(' · ')
  const fallback = node.origin === 'typed' || node.role === 'assistant' ? '' : node.role
  const head = { what: titleOf(node), gist: gist === '' ? fallback : gist, quiet: true }
  return item(node, { kind: 'context' }, state, [fold(head, content(node, state))])
}

function titleOf(node: Message): string {
  if (node.origin === 'agent') return 'Message between agents'
  if (node.origin === 'hook') return 'Hook'
  if (node.origin === 'typed') return node.role === 'user' ? 'Prompt' : 'Message'
  if (node.origin === 'generated') return 'Generated message'
  return 'Context'
}

/** The editor's own words before a prompt are folded; the request itself stands open. */
function request(value: string, id: string, state: State): ElementContent[] {
  const { preamble, request: typed } = splitIdePreamble(value)
  if (preamble === '') return prose(value, { id, breaks: true }, state)
  const context = fold({ what: 'Context from the editor', quiet: true }, [block('text', literal(preamble.trimEnd()))])
  return [context, ...prose(typed, { id, breaks: true }, state)]
}

/** A user's text keeps its line ends; injected context is literal, as the model got it; the rest is Markdown. */
function content(node: Message, state: State): ElementContent[] {
  return node.children.flatMap((child: PhraseContent) => {
    if (child.type !== 'markdown') return state.all([child])
    if (node.origin === 'injected')
      return [h('div', { className: ['prose', 'raw'], tabIndex: 0, ...copied('text') }, withCut(child, state, literal))]
    const isRequest = node.role === 'user' && child.omitted === undefined
    return isRequest ? [body(request(child.value, child.id, state))] : state.all([child])
  })
}
