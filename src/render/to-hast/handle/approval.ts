/** What the user was asked, and the decision. */
import type { ElementContent } from 'hast'
import { h } from 'hastscript'
import type { Approval, Question } from '../../../model/trast.ts'
import { literal } from '../../literal.ts'
import { statusWord } from '../../words.ts'
import { item } from '../parts.ts'
import type { State } from '../state.ts'

const titles: Readonly<Record<Approval['subject'], string>> = {
  command: 'Asked to run a command',
  patch: 'Asked to change files',
  permission: 'Asked for permission',
  question: 'Asked a question',
}

/** A question to the user with its answer. */
export function approval(node: Approval, state: State): ElementContent[] {
  const outcome = node.decision ?? statusWord(node.status)
  const head = h('p', {}, h('b', {}, titles[node.subject]), outcome === '' ? undefined : [': ', ...literal(outcome)])
  return [item(node, 'aside', state, [h('div', { role: 'note' }, head, state.all(node.children))])]
}

/** One question: its options with the chosen one marked, or a free answer. A secret answer is not told. */
export function question(node: Question, state: State): ElementContent[] {
  const { header, options, answer, secret } = node
  const isFree = answer !== undefined && (secret || !options.includes(answer))
  const free = isFree ? h('p', {}, h('b', {}, 'Answer: '), literal(secret ? '(secret)' : answer)) : undefined
  const list = options.map((option) => {
    const chosen = !secret && option === answer
    return h('li', { className: chosen ? ['done'] : [] }, literal(option), chosen ? h('b', {}, ' (chosen)') : undefined)
  })
  return [
    h('div', { className: ['question'] }, [
      header === undefined ? undefined : h('p', {}, h('b', {}, literal(header))),
      state.all(node.children),
      list.length === 0 ? undefined : h('ul', {}, list),
      free,
    ]),
  ]
}
