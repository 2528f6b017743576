/** Commands: the line that ran, what it printed, how it ended. */
import type { ElementContent } from 'hast'
import { h } from 'hastscript'
import type { Command, CommandAction, Input, Output } from '../../../model/trast.ts'
import { ansiToHast } from '../../ansi.ts'
import { referenceWord } from '../../labels.ts'
import { literal } from '../../literal.ts'
import { firstLine, isTrouble, pathBelow } from '../../words.ts'
import { block, callMark, copied, type Fold, fold, isCollapsed, item, withCut } from '../parts.ts'
import type { State } from '../state.ts'

/** A command as a terminal, open where it failed; one that only looked around is quiet. */
export function command(node: Command, state: State): ElementContent[] {
  const failed = isTrouble(node.status)
  const look = { kind: 'command', failed } as const
  const open = failed && !isCollapsed(node)
  return [
    item(node, look, state, [fold({ ...head(node, state), open }, [terminal(node, state)]), ...made(node, state)]),
  ]
}

function head(node: Command, state: State): Fold {
  const looked = node.actor === 'agent' ? lookedAt(node.actions, state) : undefined
  const script = firstLine(scriptOf(node), 300)
  const failed = isTrouble(node.status)
  if (looked !== undefined) {
    const gist = looked.gist === '' ? script : looked.gist
    return { what: looked.what, gist, hint: script, mark: failed ? callMark(node) : [], quiet: !failed }
  }
  return { what: node.actor === 'user' ? 'You ran' : 'Ran', gist: script, mark: callMark(node) }
}

type Look = CommandAction & { kind: 'read' | 'list' | 'search' }

const looks: Readonly<Record<Look['kind'], string>> = { read: 'Read', list: 'Listed', search: 'Searched' }

/** `Read a.ts, b.ts` for a command that only reads, lists or searches; `undefined` for any other. */
function lookedAt(actions: readonly CommandAction[], state: State): { what: string; gist: string } | undefined {
  const known = actions.filter((action): action is Look => action.kind !== 'other')
  const [first] = known
  if (first === undefined || known.length < actions.length) return undefined
  const same = known.every(({ kind }) => kind === first.kind)
  const told = known.map((look) => {
    const target = targetOf(look, state)
    return same ? target : `${looks[look.kind].toLowerCase()} ${target}`.trimEnd()
  })
  const gist = firstLine([...new Set(told)].filter((text) => text !== '').join(', '), 300)
  return { what: same ? looks[first.kind] : 'Explored', gist }
}

/** `“gate” in src`, or the path alone. */
function targetOf({ path, query }: Look, state: State): string {
  const place = path === undefined ? '' : pathBelow(path, state.cwd)
  if (query === undefined) return place
  return place === '' ? `“${query}”` : `“${query}” in ${place}`
}

function terminal(node: Command, state: State): ElementContent {
  const elsewhere = node.cwd !== undefined && node.cwd !== state.cwd
  return h('div', { className: ['term'] }, [
    elsewhere ? h('p', { className: ['where'] }, 'in ', h('code', {}, literal(node.cwd ?? ''))) : undefined,
    h('pre', { className: ['run'], ...copied('command') }, literal(scriptOf(node))),
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
  return [h('pre', { className: ['typed'], ...copied('command') }, withCut(node, state, literal))]
}

/** What a program printed, always as text. */
export function output(node: Output, state: State): ElementContent[] {
  if (node.value === '' && node.omitted === undefined) return []
  const shown = block(
    'output',
    withCut(node, state, (value) => ansiToHast(trimLines(value))),
  )
  if (isCollapsed(node))
    return [fold({ what: 'Output', gist: node.stream === 'stderr' ? 'stderr' : '', quiet: true }, [shown])]
  return node.stream === 'stderr' ? [h('p', { className: ['label'] }, 'stderr'), shown] : [shown]
}

/** Without the line ends around it, which only make room. */
function trimLines(value: string): string {
  return value.replace(/^(?:\r?\n)+|[\r\n]+$/g, '')
}
