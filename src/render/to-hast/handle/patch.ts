/** Patches: one fold a file, lines with numbers, colours and marks of the words that changed. */
import type { ElementContent } from 'hast'
import { h } from 'hastscript'
import type { FileChange, Hunk, Output, Patch, Text } from '../../../model/trast.ts'
import { type DiffLine, diffLines, gutter, gutterWidths } from '../../diff.ts'
import { colouredLines } from '../../diff-colours.ts'
import { changedWords } from '../../diff-words.ts'
import { languageOfPath } from '../../highlight/language.ts'
import { operationWord } from '../../labels.ts'
import { literal } from '../../literal.ts'
import { isTrouble, pathBelow, statusWord } from '../../words.ts'
import { markedToHast } from '../code.ts'
import { callMark, copied, fold, isCollapsed, item, lineCounts, withCut } from '../parts.ts'
import type { State } from '../state.ts'

/** Longer diffs start closed: a page should be read, not scrolled. */
const longest = 80

/** A patch; one that was not applied says so before its files. */
export function patch(node: Patch, state: State): ElementContent[] {
  const failed = isTrouble(node.status)
  const children: ElementContent[] = []
  if (failed)
    children.push(h('p', { className: ['verdict'] }, h('b', {}, `Patch ${statusWord(node.status)}, not applied`)))
  if (node.children.length === 0) children.push(fold({ what: 'Edited', mark: callMark(node) }, []))
  for (const child of node.children) {
    const shown = state.all([child])
    if (child.type === 'fileChange' || shown.length === 0) children.push(...shown)
    else
      children.push(
        fold({ what: partName(child), quiet: true, open: failed && !isCollapsed(node) }, [
          h('div', { className: ['term'] }, shown),
        ]),
      )
  }
  return [item(node, { kind: 'patch', failed }, state, children)]
}

/** What a part of a patch is that is no file: what the tool said, the script around it, or a text that is no patch. */
function partName(part: Output | Text): string {
  if (part.type === 'output') return 'Patch output'
  return part.lang === 'diff' ? 'Patch as written' : 'Script'
}

/** One file of a patch: what was done to it, how many lines came and went, the lines. */
export function fileChange(node: FileChange, state: State): ElementContent[] {
  const hunks = node.children.map((hunk) => ({ hunk, lines: diffLines({ ...wholeFile(node), ...hunk }) }))
  const count = hunks.reduce((sum, { lines }) => sum + lines.length, 0)
  const names = [node.path, node.movedTo].filter((path) => path !== undefined)
  const gist = names.map((path) => pathBelow(path, state.cwd)).join(' → ')
  const what = node.movedTo !== undefined && node.operation === 'update' ? 'Moved' : operationWord(node)
  const open = count > 0 && count <= longest && node.operation !== 'delete' && !isCollapsed(node)
  const look = {
    widths: gutterWidths(hunks.flatMap(({ lines }) => lines)),
    language: languageOfPath(node.movedTo ?? node.path),
  }
  const diff = hunks.flatMap(({ hunk, lines }, index) => [...hunkHead(hunk, index), ...rows(hunk, lines, look, state)])
  const children = diff.length === 0 ? [] : [h('div', { className: ['diff'] }, diffBlock(diff))]
  return [fold({ id: node.id, what, gist, hint: names.join(' → '), mark: lineCounts(node), open }, children)]
}

/** The only hunk of a new or deleted file is all of it, so its lines count from 1 where the patch tells no numbers. */
function wholeFile({ operation, children }: FileChange): { oldStart?: number; newStart?: number } {
  if (children.length !== 1) return {}
  if (operation === 'add') return { newStart: 1 }
  return operation === 'delete' ? { oldStart: 1 } : {}
}

function diffBlock(diff: ElementContent[]): ElementContent {
  return h('pre', { tabIndex: 0, ...copied('diff') }, h('code', {}, diff))
}

/** A hunk outside of a file: never by this version, but a plugin may. */
export function hunk(node: Hunk, state: State): ElementContent[] {
  const lines = diffLines(node)
  const look = { widths: gutterWidths(lines), language: undefined }
  return [h('div', { className: ['diff'] }, diffBlock([...hunkHead(node), ...rows(node, lines, look, state)]))]
}

/** What the patch says of a hunk's place; where it says nothing, a gap between hunks. */
function hunkHead(node: Hunk, index = 0): ElementContent[] {
  const header = node.header?.replace(/^@@\s*/, '').trim() ?? ''
  if (header === '' && index === 0) return []
  return [h('span', { className: ['hunk'] }, literal(header === '' ? '\u22EF\n' : `@@ ${header}\n`))]
}

/** How the lines of a file are shown. */
interface DiffLook {
  widths: { old: number; new: number }
  language: string | undefined
}

const tags: Readonly<Record<DiffLine['kind'], string>> = { add: 'ins', del: 'del', same: 'span', note: 'span' }

/** One element a line; its margin is an attribute so that copied text holds code only. */
function rows(node: Hunk, lines: readonly DiffLine[], look: DiffLook, state: State): ElementContent[] {
  const colours = colouredLines(lines, (code) => state.colour(code, look.language))
  const marks = changedWords(lines)
  const shown = lines.map((line, index): ElementContent => {
    const tokens = colours.get(index) ?? [{ text: line.text }]
    const children = [...markedToHast(tokens, marks.get(index) ?? []), { type: 'text', value: '\n' } as const]
    // Built by hand: a page may have thousands of lines.
    return { type: 'element', tagName: tags[line.kind], properties: { dataG: gutter(line, look.widths) }, children }
  })
  return node.omitted === undefined ? shown : [...shown, ...withCut({ ...node, value: '' }, state, () => [])]
}
