/** The story of a turn: what was said and decided, each run of work as one line, and the changed files before the answer. */

import type { Element, ElementContent, Root } from 'hast'
import type { Command, FlowContent, Notice, Turn } from '../../../transcript/trast.ts'
import { changesOf, isScriptCall, walk } from '../../../transcript/view.ts'
import { sumBy } from '../../../util/groups.ts'
import { pathBelow } from '../../../util/paths.ts'
import { beginningOf, joinTexts } from '../../../util/text.ts'
import { formatAmount, formatCount, formatDuration } from '../../../util/time.ts'
import { eachElement, h } from '../../hast.ts'
import { afterTitle, noticeWords, toolLabel } from '../../labels.ts'
import { packedScript } from '../../output.ts'
import { callWord, cutText, firstLine, scriptLine } from '../../phrases.ts'
import { literal } from '../../visible-text.ts'
import { type ChangedFile, changedFiles } from '../changed-files.ts'
import { isTimed, runTime, spanOf, storyParts, sumWork, type WorkItem, type WorkSum } from '../story.ts'
import { fold, itemClasses, joined, lineCounts } from './parts.ts'
import { rows } from './rows.ts'
import type { State } from './state.ts'

/** Hast of a turn's items and of the files that it changed. */
export function turnStory(node: Turn, state: State): ElementContent[] {
  const parts = storyParts(node.children)
  const changes = changedList(node, state)
  // The list of changed files comes before the answer, which says what was done, or before the notice that ends the turn.
  const last = parts.at(-1)
  const isEnd = last?.kind === 'item' && (last.item.type === 'notice' || isSaid(last.item))
  const foot = isEnd ? parts.length - 1 : parts.length
  // Context from machines and changed settings do not count as work.
  const runs = parts.filter((part) => part.kind === 'work' && isTimed(sumWork(part.items, state.fixes))).length
  const shown = parts.map((part, index) => {
    if (part.kind === 'item') return state.all([part.item])
    const sum = sumWork(part.items, state.fixes)
    const durationMs = runTime(sum, { parts, index }, node)
    return work(part.items, state, { durationMs, isListed: runs === 1 && changes.length > 0 })
  })
  shown.splice(foot, 0, changes)
  return shown.flat()
}

function isSaid(item: FlowContent): boolean {
  return item.type === 'message' && item.role === 'assistant'
}

/** What a run needs to know about its turn: how long it took, and whether a list of its files follows. */
interface WholeWork {
  durationMs?: number | undefined
  isListed?: boolean
}

/** Items and characters of a run up to which the story of several pages includes it. */
const small = { items: 12, characters: 8000 }

/**
 * A run of work as one line that opens into a row for each item; a single row needs no line. In the story of several pages,
 * the line of a longer run is a link to its work page, and context from machines is only on that page.
 */
export function work(items: readonly FlowContent[], state: State, whole: WholeWork = {}): ElementContent[] {
  const first = items[0]?.id
  if (first === undefined) return []
  const { half } = state.context
  // Both halves must agree: what the story links must be a line on the work page, even if it contains only a single row.
  const isLed = half !== undefined && !isSmall(items)
  const isElsewhere = isLed && half === 'story'
  const shown = isElsewhere ? [] : rows(items, state)
  if (!isLed && shown.length < 2) return shown
  const sum = sumWork(items, state.fixes)
  // A fold would contain nothing that its line does not say.
  if (sum.isContext || (sum.notices.length <= maxChanges && items.every(isPlain)))
    return isElsewhere ? state.all(sum.notices) : shown
  const line = lineOf(sum, whole)
  const id = `${first}-work`
  const did = isElsewhere
    ? h('a', { className: ['did'], href: state.link(id) }, h('span', {}, line))
    : h(
        'details',
        { id, className: ['did'] },
        h('summary', {}, h('span', {}, line)),
        h('div', { className: ['rows'] }, shown),
      )
  return [did, ...named(sum.unfixed, 'failed', state), ...named(sum.declined, 'declined', state)]
}

/** Whether a row is a single line with nothing to open, or context, which the story does not show. */
function isPlain(item: FlowContent): boolean {
  return item.type === 'notice' ? item.children.length === 0 : item.type === 'message' && item.role !== 'assistant'
}

function isSmall(items: readonly FlowContent[]): boolean {
  let count = 0
  let characters = 0
  for (const item of items) {
    walk(item, (node) => {
      count += 1
      if ('value' in node && typeof node.value === 'string') characters += node.value.length
      return count <= small.items * 4 && characters <= small.characters
    })
  }
  return items.length <= small.items && count <= small.items * 4 && characters <= small.characters
}

/**
 * `Worked 12 min · 31 commands (14 files read) · 1 command failed`; with changed files, unless a list of them follows that says
 * the same just below.
 */
function lineOf(sum: WorkSum, whole: WholeWork): ElementContent[] {
  const { notices, counts, changes, failed, declined, otherWork } = sum
  const durationMs = whole.durationMs ?? spanOf(sum)
  const did = [...counts, ...changes]
  if (!isTimed(sum)) return namedChanges(notices)
  const verb = did.length > 0 || otherWork === undefined ? 'Worked' : otherWork
  const time = durationMs < 1000 ? '' : ` ${formatDuration(durationMs)}`
  const named = whole.isListed && (counts.length > 0 || time !== '') ? counts : did
  const refused = declined.length === 0 ? [] : [`${formatCount(declined.length)} declined`]
  const amounts = [...[...named, ...refused].map((count) => h('span', {}, count)), ...failureAmounts(failed)]
  return joined([[h('b', {}, `${verb}${time}`)], ...amounts.map((amount) => [amount])], ' · ')
}

/** `3 failures, fixed`, or `5 commands failed, 2 fixed` and `1 edit failed`. */
function failureAmounts(failed: WorkSum['failed']): Element[] {
  const kinds = Object.entries(failed).filter(([, { count }]) => count > 0)
  const all = kinds.reduce((sum, [, { count }]) => sum + count, 0)
  if (all > 0 && kinds.every(([, { count, fixed }]) => fixed === count))
    return [h('span', {}, `${formatAmount(all, 'failure')}, fixed`)]
  return kinds.map(([what, { count, fixed }]) => {
    const came = fixed === 0 ? '' : `, ${fixed === count ? '' : `${formatCount(fixed)} `}fixed`
    return h('span', fixed < count ? { className: ['bad'] } : {}, `${formatAmount(count, what)} failed${came}`)
  })
}

/** Notices of one run that its line names. */
const maxChanges = 3

/** `Sandbox: read-only → workspace-write`: the notices of a run without work; `Other records` if it has none. */
function namedChanges(notices: readonly Notice[]): ElementContent[] {
  const words = notices.slice(0, maxChanges).map(noticeWords)
  if (words.length === 0) return [h('b', {}, 'Other records')]
  const lines = words.map(({ title, detail }) => [
    h('b', {}, literal(title)),
    ...(detail === '' ? [] : literal(`${afterTitle(title)}${firstLine(detail, 120)}`)),
  ])
  return [...joined(lines, ' · '), ...(notices.length > maxChanges ? literal(' · …') : [])]
}

/** Calls that the story names after one run, for each way in which they ended. */
const maxNamed = 3

/** The ways in which calls that the story names ended. */
const ends = {
  failed: {
    ...{ alone: 'Failed', row: ['still'], verb: { className: ['bad'] } },
    more: (count: number) => formatAmount(count, 'more failure'),
  },
  declined: {
    ...{ alone: 'Declined', row: ['still', 'declined'], verb: {} },
    more: (count: number) => `${formatCount(count)} more declined`,
  },
}

/** Calls that failed and were not fixed, or that were declined, named after the run; repeated attempts are named once. */
function named(items: readonly WorkItem[], end: keyof typeof ends, state: State): ElementContent[] {
  const { alone, row, verb, more } = ends[end]
  const tries = new Map<string, { last: WorkItem; count: number }>()
  for (const node of items) {
    const key = node.type === 'command' ? node.script : `${node.type} ${callLine(node)}`
    tries.set(key, { last: node, count: (tries.get(key)?.count ?? 0) + 1 })
  }
  const [shown, rest] = [[...tries.values()].slice(0, maxNamed), [...tries.values()].slice(maxNamed)]
  const lines = shown.map(({ last, count }) => {
    const word = last.type === 'command' ? alone : `${callName(last)} ${end}`
    return h('p', { className: row }, [
      h('b', verb, count === 1 ? word : `${word} ${formatCount(count)} times`),
      h('a', { href: state.link(last.id) }, h('code', {}, literal(callLine(last, state.cwd)))),
      last.type === 'command' && end === 'failed' ? howEnded(last) : undefined,
    ])
  })
  const [next] = rest
  if (next === undefined) return lines
  const words = `and ${more(sumBy(rest, ({ count }) => count))}`
  return [...lines, h('p', { className: ['still', 'rest'] }, h('a', { href: state.link(next.last.id) }, words))]
}

type OtherCall = Exclude<WorkItem, Command>

function callName(node: OtherCall): string {
  return node.type === 'toolCall' && isScriptCall(node) ? toolLabel(node) : callNames[node.type]
}

const callNames: Readonly<Record<OtherCall['type'], string>> = {
  toolCall: 'Tool call',
  patch: 'Edit',
  search: 'Search',
  agent: 'Sub-agent call',
}

/** UTF-16 units that are shown of a named call. */
const maxCall = 300

/** A script on one line; its first line alone is often only the beginning of a statement. */
function flatText(script: string): string {
  return cutText(
    beginningOf(script, 4 * maxCall)
      .replace(/\s+/g, ' ')
      .trim(),
    maxCall,
  )
}

/** What identifies a call, on one line. */
function callLine(node: WorkItem, cwd?: string): string {
  switch (node.type) {
    case 'command':
      return scriptLine(node.script, maxCall)
    case 'toolCall':
      return isScriptCall(node) ? flatText(node.input) || node.tool : firstLine(toolLabel(node), maxCall)
    case 'patch': {
      const paths = changesOf(node).map(({ path }) => pathBelow(path, cwd))
      return firstLine(paths.join(', ') || 'apply_patch', maxCall)
    }
    case 'search':
      return firstLine(node.queries.join(', ') || node.url || 'search', maxCall)
    case 'agent':
      return firstLine(`${node.action} ${node.name ?? node.role ?? ''}`.trimEnd(), maxCall)
  }
}

/** `exit 1`, `timed out`; `undefined` if it is only known that it failed. */
function howEnded(node: Command): ElementContent | undefined {
  if (node.outcome === undefined && node.exitCode !== undefined) return h('span', {}, `exit ${node.exitCode}`)
  const word = callWord(node)
  return word === 'failed' ? undefined : h('span', {}, word)
}

// The files that a turn changed.

/** Links to further changes of one file. */
const maxLinks = 12

/** A folded list of the changed files with their sums and links to each change. */
function changedList(node: Turn, state: State): ElementContent[] {
  const files = changedFiles(node.children, state.cwd)
  if (files.length === 0) return []
  const edited = files.filter(({ byCommand }) => !byCommand)
  const written = files.length - edited.length
  const sum = files.reduce(
    (total, { added, removed }) => ({ added: total.added + added, removed: total.removed + removed }),
    { added: 0, removed: 0 },
  )
  const head = {
    what: edited.length === 0 ? filesDone(written, 'written') : filesDone(edited.length, doneTo(edited)),
    gist: edited.length === 0 ? '' : [...lineCounts(sum), ...(written === 0 ? [] : literal(` · ${written} written`))],
  }
  const list = h(
    'ul',
    { className: ['files'] },
    files.map((file) => row(file, state)),
  )
  return [h('div', { id: `${node.id}-files`, className: itemClasses({ kind: 'changed' }) }, fold(head, [list]))]
}

function filesDone(count: number, done: string): string {
  return `${formatAmount(count, 'file')} ${done}`
}

function doneTo(files: readonly ChangedFile[]): string {
  if (files.every(({ isNew, isDeleted }) => isNew && !isDeleted)) return 'added'
  return files.every(({ isDeleted }) => isDeleted) ? 'deleted' : 'changed'
}

function row(file: ChangedFile, state: State): ElementContent {
  const { path, added, removed, anchors, byCommand } = file
  const [first = '', ...others] = anchors
  const shown = pathBelow(path, state.cwd)
  const note = noteOf(file, state)
  const more = others.slice(0, maxLinks).map((anchor, index) => {
    const title = `change ${index + 2} of ${shown}`
    return h('a', { className: ['nth'], href: state.link(anchor), ariaLabel: title }, String(index + 2))
  })
  const rest = others.length - more.length
  return h('li', {}, [
    h('a', { href: state.link(first) }, literal(shown)),
    note === '' ? undefined : h('small', {}, literal(note)),
    ...more,
    rest > 0 ? h('span', { className: ['nth'] }, `and ${rest} more`) : undefined,
    byCommand ? undefined : h('span', { className: ['mark'] }, lineCounts({ added, removed })),
  ])
}

/** What happened to the file itself, apart from its lines. */
function noteOf({ movedFrom, isNew, isDeleted, byCommand }: ChangedFile, state: State): string {
  const was = movedFrom === undefined ? '' : `was ${pathBelow(movedFrom, state.cwd)}`
  return joinTexts([isNew ? 'new' : '', was, isDeleted ? 'deleted' : '', byCommand ? 'by a command' : ''], ', ')
}

// The runs of work that the story of several pages links, as a script with which they open in the story.

/**
 * The runs of a work page that its story only links: keys for `writeBody`, which stores their HTML. `undefined` if the story
 * includes all of them.
 */
export function runsElsewhere(work: Root, story: Root): Map<Element, string[]> | undefined {
  const wanted = new Set<string>()
  eachElement(story, (element) => {
    const { href } = element.properties
    if (element.tagName === 'a' && isRun(element) && typeof href === 'string')
      wanted.add(href.slice(href.indexOf('#') + 1))
  })
  if (wanted.size === 0) return undefined
  const runs = new Map<Element, string[]>()
  eachElement(work, (element) => {
    if (!isRun(element)) return true
    if (wanted.has(idOf(element))) runs.set(element, [])
    // A run never contains another one, and most of a page is inside runs.
    return false
  })
  return runs
}

/** The script with the runs of a page, unchanged and separated by NUL, which our HTML never contains. */
export function workScript(runs: ReadonlyMap<Element, readonly string[]>): string[] {
  const html = [...runs.values()].flatMap((run, index) => (index === 0 ? run : ['\0', ...run]))
  return packedScript('codexWork', html)
}

function idOf({ properties }: Element): string {
  return String(properties['id'])
}

function isRun({ properties: { className } }: Element): boolean {
  return Array.isArray(className) && className.includes('did')
}
