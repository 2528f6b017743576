/** Changes of files. */
import type { FileChange, Hunk, Patch } from '../../../model/trast.ts'
import { callFacts, hunkHeader, omissionLine, operationWord } from '../../labels.ts'
import { pathBelow } from '../../words.ts'
import { factLine, fence, type Inline, mono, paragraph, strong } from '../build.ts'
import { piecesOf } from '../cut.ts'
import type { Handle } from '../state.ts'

/** Each file with its diff, then how it ended. */
export const patch: Handle<Patch> = (node, state) => {
  const applied = node.status === 'failed' || node.status === 'declined' ? ['not applied'] : []
  return [...state.all(node.children), ...factLine([...applied, ...callFacts(node)])]
}

/** A line with operation, path and counts, then a fenced `diff`. */
export const fileChange: Handle<FileChange> = (node, state) => {
  const name = (path: string): Inline => mono(pathBelow(path, state.cwd))
  const moved: Inline[] = node.movedTo === undefined ? [] : [' → ', name(node.movedTo)]
  const counts = node.added + node.removed === 0 ? '' : ` · +${node.added} −${node.removed}`
  return [
    paragraph(strong(operationWord(node)), ' ', name(node.path), ...moved, counts),
    ...fence(node.children.map(hunkText).join('\n'), 'diff'),
  ]
}

/** A hunk that stands alone. */
export const hunk: Handle<Hunk> = (node) => fence(hunkText(node), 'diff')

function hunkText(node: Hunk): string {
  const { head, tail, omitted } = piecesOf(node)
  const lines = [hunkHeader(node), head.replace(/\n$/, '')]
  if (omitted !== undefined) lines.push(omissionLine(omitted))
  if (tail !== '') lines.push(tail.replace(/^\n|\n$/g, ''))
  return lines.join('\n')
}
