/** Preamble and turns. */
import type { RootContent } from 'mdast'
import type { Preamble, Turn } from '../../../model/trast.ts'
import { formatAmount, formatDuration, formatInstant } from '../../../util/time.ts'
import { contextText, statusWord } from '../../words.ts'
import { factLine, heading, type Inline, mono, paragraph, quote, strong } from '../build.ts'
import type { Handle, State } from '../state.ts'

/** What stands before the first turn. */
export const preamble: Handle<Preamble> = (node, state) => {
  const children = state.all(node.children)
  if (children.length === 0 || node.data?.continued) return children
  return [heading(2, 'Before the first turn'), ...children]
}

/** Heading 2 with a line of facts; a turn that goes on from the slice before has neither. */
export const turn: Handle<Turn> = (node, state) => {
  const children = state.at({ cwd: node.cwd ?? state.cwd }).all(node.children)
  if (node.data?.continued) return children
  return [heading(2, title(node, state)), ...factLine(facts(node, state)), ...children, ...failure(node)]
}

function title(node: Turn, state: State): string {
  const notes = [node.kind === 'user' ? '' : node.kind, state.mark].filter((note) => note !== '')
  return `Turn ${node.number}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`
}

function facts(node: Turn, state: State): Inline[] {
  const { at, model, effort, durationMs, usage, cwd } = node
  return [
    at === undefined ? '' : formatInstant(at, state.context.timeZone),
    model === undefined ? '' : `${model}${effort === undefined ? '' : ` (${effort})`}`,
    durationMs === undefined ? '' : formatDuration(durationMs),
    usage === undefined ? '' : formatAmount(usage.total, 'token'),
    contextText(node),
    cwd === undefined || cwd === state.cwd ? '' : mono(cwd),
    statusWord(node.status),
  ]
}

/** The error that ended the turn, unless a node of the turn tells it. */
function failure(node: Turn): RootContent[] {
  const { error } = node
  const told = node.children.some((child) => child.type === 'error' && child.message === error)
  return error === undefined || told ? [] : [quote([paragraph(strong('Error'), `: ${error}`)])]
}
