/** Commands: the line that ran, what it printed, how it ended. */
import type { ElementContent } from 'hast'
import { h } from 'hastscript'
import type { Command, Input, Output } from '../../../model/trast.ts'
import { ansiToHast } from '../../ansi.ts'
import { referenceWord } from '../../labels.ts'
import { literal } from '../../literal.ts'
import { firstLine, isTrouble } from '../../words.ts'
import { block, callMark, fold, isCollapsed, item, withCut } from '../parts.ts'
import type { State } from '../state.ts'

/** A command as a terminal, open where it failed. */
export function command(node: Command, state: State): ElementContent[] {
  const failed = isTrouble(node.status)
  const head = {
    what: node.actor === 'user' ? 'You ran' : 'Ran',
    gist: firstLine(scriptOf(node), 300),
    mark: callMark(node),
    failed,
    open: failed && !isCollapsed(node),
  }
  return [item(node, 'command', state, [fold(head, [terminal(node, state)]), ...made(node, state)])]
}

function terminal(node: Command, state: State): ElementContent {
  const elsewhere = node.cwd !== undefined && node.cwd !== state.cwd
  return h('div', { className: ['term'] }, [
    elsewhere ? h('p', { className: ['where'] }, 'in ', h('code', {}, literal(node.cwd ?? ''))) : undefined,
    block([h('span', { className: ['ps'] }, '$ '), h('kbd', {}, literal(scriptOf(node)))]),
    state.all(node.children.filter(({ type }) => type !== 'reference')),
  ])
}

/** Commits and pull requests that came of it, also to be seen while the terminal is folded. */
function made(node: Command, state: State): ElementContent[] {
  const items = node.children.flatMap((child) => {
    const shown = child.type === 'reference' ? state.all([child]) : []
    if (child.type !== 'reference' || shown.length === 0) return []
    return [h('li', {}, `${referenceWord(child.kind)} `, shown)]
  })
  return items.length === 0 ? [] : [h('ul', { className: ['made'] }, items)]
}

/** The script, or the words of the command where no shell was asked. */
function scriptOf(node: Command): string {
  return node.script === '' ? node.argv.join(' ') : node.script
}

/** What was typed into a running program. */
export function input(node: Input, state: State): ElementContent[] {
  return [block([h('span', { className: ['ps'] }, '> '), h('kbd', {}, withCut(node, state, literal))])]
}

/** What a program printed, always as text. */
export function output(node: Output, state: State): ElementContent[] {
  if (node.value === '' && node.omitted === undefined) return []
  const children = withCut(node, state, (value) => ansiToHast(trimLines(value)))
  const shown = node.stream === 'stderr' ? [h('span', { className: ['label'] }, 'stderr\n'), ...children] : children
  return [block(shown)]
}

/** Without the line ends around it, which only make room. */
function trimLines(value: string): string {
  return value.replace(/^(?:\r?\n)+|[\r\n]+$/g, '')
}
