/** What the user was asked, and the decision. */
import type { ElementContent } from 'hast'
import { h } from 'hastscript'
import type { Approval, Question } from '../../../model/trast.ts'
import { literal } from '../../literal.ts'
import { shownAnswer, statusWord } from '../../words.ts'
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
  return [item(node, { kind: 'approval' }, state, [h('div', { role: 'note' }, head, state.all(node.children))])]
}

/** One question: its options with the chosen ones marked, or a free answer. A secret answer is not told. */
export function question(node: Question, state: State): ElementContent[] {
  const { header, options, answer, secret } = node
  const chosen = secret ? [] : chosenOf(answer, options)
  const isFree = answer !== undefined && chosen.length === 0
  const list = options.map((option) =>
    chosen.includes(option)
      ? h('li', { className: ['done'] }, literal(option), h('b', {}, ' (chosen)'))
      : h('li', {}, literal(option)),
  )
  return [
    h('div', { className: ['question'] }, [
      header === undefined ? undefined : h('p', {}, h('b', {}, literal(header))),
      state.all(node.children),
      list.length === 0 ? undefined : h('ul', {}, list),
      isFree ? h('p', {}, h('b', {}, 'Answer: '), literal(shownAnswer(node) ?? '')) : undefined,
    ]),
  ]
}

/** The options that an answer names: itself, or several that the record joined; none where it says more. */
function chosenOf(answer: string | undefined, options: readonly string[]): string[] {
  if (answer === undefined) return []
  if (options.includes(answer)) return [answer]
  const parts = answer.split('; ')
  return parts.every((part) => options.includes(part)) ? parts : []
}
