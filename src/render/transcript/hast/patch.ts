/** Patches: one fold per file, with numbered and coloured lines in which changed words are marked. Also plans. */

import type { ElementContent } from 'hast'
import type { FileChange, Hunk, Output, Patch, Plan, PlanStep, Text } from '../../../transcript/trast.ts'
import { append, groupBy } from '../../../util/groups.ts'
import { pathBelow } from '../../../util/paths.ts'
import { h } from '../../hast.ts'
import { appliedWords, editWord, operationWord, wasApplied } from '../../labels.ts'
import { isTrouble, statusWord } from '../../phrases.ts'
import { literal } from '../../visible-text.ts'
import { type Highlight, languageOfPath, type Token, tokenLines } from '../highlight.ts'
import { changedWords, type DiffLine, diffLines, gutter, gutterWidths, type Range } from './diff.ts'
import {
  callMark,
  copied,
  fold,
  isCollapsed,
  item,
  justificationOf,
  lineCounts,
  markedToHast,
  scriptFold,
  withCut,
} from './parts.ts'
import { withCode } from './prose.ts'
import type { State } from './state.ts'

/** A patch; one that was not applied says so before its files. */
export function patch(node: Patch, state: State): ElementContent[] {
  const failed = isTrouble(node.status)
  const children: ElementContent[] = []
  const applied = wasApplied(node)
  const fix = state.fixes.get(node.id)
  if (failed) {
    const made =
      fix === undefined
        ? []
        : [' · ', h('a', { href: state.link(fix.id) }, `fixed by a later ${fix.type === 'patch' ? 'edit' : 'command'}`)]
    children.push(
      h('p', { className: ['verdict'] }, [
        h('b', {}, `Patch ${statusWord(node.status)}, ${appliedWords(applied)}`),
        ...made,
      ]),
    )
  }
  const asked = justificationOf(node)
  if (asked !== undefined) children.push(asked)
  if (node.children.length === 0) children.push(fold({ what: editWord('Edited', applied), mark: callMark(node) }, []))
  const inside = applied === true ? state : state.at({ applied })
  for (const child of node.children) {
    const shown = inside.all([child])
    if (child.type === 'fileChange' || shown.length === 0) append(children, shown)
    else
      children.push(
        fold({ what: partName(child), quiet: true, collapsed: isCollapsed(node) }, [
          h('div', { className: ['term'] }, shown),
        ]),
      )
  }
  return [item(node, { kind: 'patch', failed, fixed: fix !== undefined }, state, children)]
}

/** The name of a part of a patch that is not a file: what the tool said, the patch as it was written, or a script. */
function partName(part: Output | Text): string {
  if (part.type === 'output') return 'Patch output'
  return part.lang === 'diff' ? 'Patch as written' : 'Script'
}

/** One file of a patch: what was done to it, how many lines were added and removed, the lines. */
export function fileChange(node: FileChange, state: State): ElementContent[] {
  const hunks = node.children.map((hunk) => ({ hunk, lines: diffLines({ ...wholeFile(node), ...hunk }) }))
  const names = [node.path, node.movedTo].filter((path) => path !== undefined)
  const gist = names.map((path) => pathBelow(path, state.cwd)).join(' → ')
  const what = operationWord(node, state.applied)
  const style = {
    widths: gutterWidths(hunks.flatMap(({ lines }) => lines)),
    language: languageOfPath(node.movedTo ?? node.path),
  }
  const diff = hunks.flatMap(({ hunk, lines }, index) => [...hunkHead(hunk, index), ...rows(hunk, lines, style, state)])
  const children = diff.length === 0 ? [] : [diffBlock(diff)]
  const head = { what, gist, hint: names.join(' → '), mark: lineCounts(node), collapsed: isCollapsed(node) }
  return [fold({ id: node.id, ...head }, children)]
}

/** First line numbers for a patch without any: the only hunk of a new or deleted file is all of it and begins at 1. */
function wholeFile({ operation, children }: FileChange): { oldStart?: number; newStart?: number } {
  if (children.length !== 1) return {}
  if (operation === 'add') return { newStart: 1 }
  return operation === 'delete' ? { oldStart: 1 } : {}
}

function diffBlock(diff: ElementContent[]): ElementContent {
  const block = h('pre', { tabIndex: 0, ...copied('diff') }, h('code', {}, diff))
  return h('div', { className: ['diff', ...heightClass(diff.length)] }, block)
}

/** Lines of a diff that is laid out at once; the style sheet has a height for each of the larger numbers. */
const [smallDiff, ...heightSteps] = [12, 24, 48, 96, 192, 384, 768] as const

/** The class with which a browser reserves height for a diff that it has not drawn yet. */
function heightClass(lines: number): string[] {
  if (lines <= smallDiff) return []
  return [`to-${heightSteps.find((step) => lines <= step) ?? heightSteps.at(-1)}`]
}

/** A hunk outside a file; only a plugin makes one. */
export function hunk(node: Hunk, state: State): ElementContent[] {
  const lines = diffLines(node)
  const style = { widths: gutterWidths(lines), language: undefined }
  return [diffBlock([...hunkHead(node), ...rows(node, lines, style, state)])]
}

/** What the patch says about the location of a hunk; if it says nothing, a gap between hunks. */
function hunkHead(node: Hunk, index = 0): ElementContent[] {
  const header = node.header?.replace(/^@@\s*/, '').trim() ?? ''
  if (header === '' && index === 0) return []
  return [h('span', { className: ['hunk'] }, literal(header === '' ? '\u22EF\n' : `@@ ${header}\n`))]
}

/** How the lines of a file are shown. */
interface DiffStyle {
  widths: { old: number; new: number }
  language: string | undefined
}

const noMarks: readonly Range[] = []

const tags: Readonly<Record<DiffLine['kind'], string>> = { add: 'ins', del: 'del', same: 'span', note: 'span' }

/** One element per line; its margin is an attribute, so that copied text contains only code. */
function rows(node: Hunk, lines: readonly DiffLine[], style: DiffStyle, state: State): ElementContent[] {
  const colours = colouredLines(lines, (code) => state.colour(code, style.language))
  const marks = changedWords(lines)
  const shown = lines.map((line, index): ElementContent => {
    const tokens = colours.get(index) ?? [{ text: line.text }]
    const children = markedToHast(tokens, marks.get(index) ?? noMarks)
    children.push({ type: 'text', value: '\n' })
    // Built by hand: a page may have thousands of lines.
    return { type: 'element', tagName: tags[line.kind], properties: { dataG: gutter(line, style.widths) }, children }
  })
  return node.omitted === undefined ? shown : [...shown, ...withCut({ ...node, value: '' }, state, () => [])]
}

// Colours of the lines of a diff: each side of a hunk is highlighted as the code that it is.

/** Delimiters of strings and comments that may extend over several lines. */
const overLines = /\/\*|\*\/|`|"""|'''|<!--|-->|<<|\{-|--\[\[/

/**
 * Tokens by index of their line, for the lines that have any. Context and added lines are highlighted as one text, and so are
 * context and removed lines. But if there are added lines and no string or comment can extend over several lines, removed
 * lines are highlighted alone, which costs about a third less.
 */
export function colouredLines(
  lines: readonly DiffLine[],
  colour: (code: string) => ReturnType<Highlight>,
): Map<number, Token[]> {
  const result = new Map<number, Token[]>()
  const isSimple = lines.some(({ kind }) => kind === 'add') && !lines.some(({ text }) => overLines.test(text))
  for (const kind of ['del', 'add'] as const) {
    if (!lines.some((line) => line.kind === kind)) continue
    const alone = kind === 'del' && isSimple
    const isOnSide = (line: DiffLine): boolean => line.kind === kind || (line.kind === 'same' && !alone)
    const side = lines.filter(isOnSide)
    const tokens = colour(side.map(({ text }) => text).join('\n'))
    if (tokens === undefined) continue
    const byLine = tokenLines(tokens)
    let next = 0
    for (const [index, line] of lines.entries()) {
      const tokens = isOnSide(line) ? byLine[next++] : undefined
      if (tokens !== undefined) result.set(index, tokens)
    }
  }
  return result
}

// Plans: a checklist that shows what changed, or the text of plan mode.

const states: Readonly<Record<PlanStep['status'], { mark: string; word: string; className: string }>> = {
  completed: { mark: '\u2713', word: 'done', className: 'done' },
  inProgress: { mark: '\u2192', word: 'in progress', className: 'now' },
  pending: { mark: '\u25CB', word: 'to do', className: 'next' },
}

/** A plan with how much of it is done, and what changed since the previous plan on the page. */
export function plan(node: Plan, state: State): ElementContent[] {
  const steps = node.children.filter(isShownStep)
  const notes = node.children.filter((child) => child.type !== 'planStep')
  const done = steps.filter((step) => step.status === 'completed').length
  const gist = steps.length === 0 ? '' : `${done} of ${steps.length} done`
  const { changes, removed } = planChanges(state.memory.plan, steps)
  if (steps.length > 0) state.memory.plan = steps
  const rows = [...steps.map((step) => stepRow(step, changes.get(step))), ...removed.map(removedRow)]
  const list = rows.length === 0 ? [] : [h('ol', { className: ['plan'] }, rows)]
  const text = notes.length === 0 ? [] : [h('div', { className: ['inside'] }, state.all(notes))]
  const head = { what: 'Plan', gist, open: steps.length === 0, collapsed: isCollapsed(node) }
  return [item(node, { kind: 'plan' }, state, [fold(head, [...text, ...list, ...scriptFold(node, state)])])]
}

function isShownStep(node: Plan['children'][number]): node is PlanStep {
  return node.type === 'planStep' && node.data?.visibility !== 'hidden'
}

/** A step on its own, as a plugin may place it. */
export function planStep(node: PlanStep, _state: State): ElementContent[] {
  return [stepRow(node)]
}

const changeWords: Readonly<Record<PlanChange, string>> = {
  done: 'just done',
  started: 'started',
  reopened: 'to do again',
  added: 'added',
}

/** A step with its state as a symbol, a class and a word for screen readers. */
function stepRow(node: PlanStep, change?: PlanChange): ElementContent {
  const { mark, word, className } = states[node.status]
  return h('li', { className: [className] }, [
    h('span', { className: ['box'], role: 'img', ariaLabel: word }, mark),
    h('span', {}, withCode(node.value)),
    change === undefined ? undefined : h('em', {}, changeWords[change]),
  ])
}

function removedRow(node: PlanStep): ElementContent {
  return h('li', { className: ['gone'] }, [
    h('span', { className: ['box'], role: 'img', ariaLabel: 'removed' }, '\u2212'),
    h('del', {}, withCode(node.value)),
    h('em', {}, 'removed'),
  ])
}

// What changed from one plan to the next.

/** What happened to a step. */
type PlanChange = 'done' | 'started' | 'reopened' | 'added'

/** Steps that differ between two plans. */
interface PlanChanges {
  /** Changes by step of the new plan; an unchanged step is absent. */
  changes: Map<PlanStep, PlanChange>
  /** Steps of the old plan that the new one no longer has, in order. */
  removed: PlanStep[]
}

const byStatus: Readonly<Record<PlanStep['status'], PlanChange>> = {
  completed: 'done',
  inProgress: 'started',
  pending: 'reopened',
}

/**
 * Compares two checklists by the text of their steps; repeated texts are matched in order. Reports nothing if there is no
 * earlier checklist, or if no step is common to both, because that is a different plan.
 */
export function planChanges(before: readonly PlanStep[] | undefined, after: readonly PlanStep[]): PlanChanges {
  const changes = new Map<PlanStep, PlanChange>()
  const unmatched = groupBy(before ?? [], ({ value }) => value)
  let common = 0
  for (const step of after) {
    const old = unmatched.get(step.value)?.shift()
    if (old === undefined) changes.set(step, 'added')
    else {
      common += 1
      if (old.status !== step.status) changes.set(step, byStatus[step.status])
    }
  }
  if (common === 0) return { changes: new Map(), removed: [] }
  const missing = new Set([...unmatched.values()].flat())
  return { changes, removed: (before ?? []).filter((step) => missing.has(step)) }
}
