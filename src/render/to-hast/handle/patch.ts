/** Patches: one fold a file, lines with numbers. */
import type { ElementContent } from 'hast'
import { h } from 'hastscript'
import type { FileChange, Hunk, Patch } from '../../../model/trast.ts'
import { type DiffLine, diffLines, gutter, gutterWidths } from '../../diff.ts'
import { literal } from '../../literal.ts'
import { isTrouble, pathBelow, statusWord } from '../../words.ts'
import { callMark, fold, isCollapsed, item, joined, withCut } from '../parts.ts'
import type { State } from '../state.ts'

/** Longer diffs start closed: a page should be read, not scrolled. */
const longest = 80

const verbs: Readonly<Record<FileChange['operation'], string>> = {
  add: 'Added',
  update: 'Edited',
  delete: 'Deleted',
  move: 'Moved',
}

/** A patch; one that was not applied says so before its files. */
export function patch(node: Patch, state: State): ElementContent[] {
  const failed = isTrouble(node.status)
  const children: ElementContent[] = []
  if (failed)
    children.push(h('p', { className: ['verdict'] }, h('b', {}, `Patch ${statusWord(node.status)}, not applied`)))
  if (node.children.length === 0) children.push(fold({ what: 'Edited', mark: callMark(node), failed }, []))
  for (const child of node.children) {
    const shown = state.all([child])
    if (child.type === 'fileChange' || shown.length === 0) children.push(...shown)
    else
      children.push(
        fold({ what: 'Patch output', quiet: true, open: failed && !isCollapsed(node) }, [
          h('div', { className: ['term'] }, shown),
        ]),
      )
  }
  return [item(node, failed ? 'patch failed' : 'patch', state, children)]
}

/** One file of a patch: what was done to it, how many lines came and went, the lines. */
export function fileChange(node: FileChange, state: State): ElementContent[] {
  const hunks = node.children.map((hunk) => ({ hunk, lines: diffLines(hunk) }))
  const count = hunks.reduce((sum, { lines }) => sum + lines.length, 0)
  const names = [node.path, node.movedTo].filter((path) => path !== undefined)
  const gist = names.map((path) => pathBelow(path, state.cwd)).join(' → ')
  const verb = node.movedTo !== undefined && node.operation === 'update' ? 'Moved' : verbs[node.operation]
  const open = count > 0 && count <= longest && node.operation !== 'delete' && !isCollapsed(node)
  const widths = gutterWidths(hunks.flatMap(({ lines }) => lines))
  const diff = hunks.flatMap(({ hunk, lines }, index) => [
    ...hunkHead(hunk, index),
    ...rows(hunk, lines, widths, state),
  ])
  const children =
    diff.length === 0 ? [] : [h('div', { className: ['diff'] }, h('pre', { tabIndex: 0 }, h('code', {}, diff)))]
  return [fold({ what: verb, gist, hint: names.join(' → '), mark: counts(node), open }, children)]
}

function counts({ added, removed }: FileChange): ElementContent[] {
  const parts: ElementContent[][] = []
  if (added > 0) parts.push([h('b', { className: ['good'] }, `+${added}`)])
  if (removed > 0) parts.push([h('b', { className: ['bad'] }, `\u2212${removed}`)])
  return joined(parts, ' ')
}

/** A hunk outside of a file: never by this version, but a plugin may. */
export function hunk(node: Hunk, state: State): ElementContent[] {
  const lines = diffLines(node)
  return [h('pre', { tabIndex: 0 }, [...hunkHead(node), ...rows(node, lines, gutterWidths(lines), state)])]
}

/** What the patch says of a hunk's place; where it says nothing, a gap between hunks. */
function hunkHead(node: Hunk, index = 0): ElementContent[] {
  const header = node.header?.replace(/^@@\s*/, '').trim() ?? ''
  if (header === '' && index === 0) return []
  return [h('span', { className: ['hunk'] }, literal(header === '' ? '\u22EF\n' : `@@ ${header}\n`))]
}

const tags: Readonly<Record<DiffLine['kind'], string>> = { add: 'ins', del: 'del', same: 'span', note: 'span' }

/** One element a line; its margin is an attribute so that copied text holds code only. */
function rows(node: Hunk, lines: DiffLine[], widths: { old: number; new: number }, state: State): ElementContent[] {
  const shown = lines.map((line) => h(tags[line.kind], { dataG: gutter(line, widths) }, literal(`${line.text}\n`)))
  return node.omitted === undefined ? shown : [...shown, ...withCut({ ...node, value: '' }, state, () => [])]
}
