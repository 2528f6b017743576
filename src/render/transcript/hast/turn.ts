/** Turns: a request and all that was done about it. */

import type { ElementContent } from 'hast'
import { h } from 'hastscript'
import type {
  FileChange,
  FlowContent,
  Message,
  Node,
  Patch,
  Preamble,
  TrastNode,
  Turn,
} from '../../../transcript/trast.ts'
import { pathBelow } from '../../../util/paths.ts'
import { formatAmount, formatDuration } from '../../../util/time.ts'
import { contextText, formatCompact, isTrouble, statusWord } from '../../phrases.ts'
import { literal } from '../../visible-text.ts'
import { itemClasses } from './kinds.ts'
import { fold, isCollapsed, lineCounts, time } from './parts.ts'
import type { State } from './state.ts'

const kinds: Readonly<Record<Turn['kind'], string>> = {
  user: '',
  compaction: 'compaction',
  shell: 'shell',
  review: 'review',
  agent: 'from another agent',
  goal: 'goal',
}

/** A section with a heading that tells when, how long, by which model and how it ended. */
export function turn(node: Turn, state: State): ElementContent[] {
  const id = `${node.id}-h`
  const inner = state.at({ level: 3, cwd: node.cwd ?? state.cwd, answer: answerOf(node) })
  const name = `Turn ${node.number}${node.data?.continued ? ', continued' : ''}`
  const facts = factsOf(node)
  const word = isTrouble(node.status) ? statusWord(node.status) : ''
  return [
    h('section', { id: node.id, className: ['turn', ...sizeOf(node)], ariaLabelledBy: [id] }, [
      h('header', { className: ['stamp'] }, [
        h('h2', { id }, h('a', { href: `#${node.id}` }, name)),
        node.at === undefined ? undefined : time(node.at, state, 'minute'),
        facts.map((fact) => h('span', {}, fact)),
        word === '' ? undefined : h('b', { className: ['bad'] }, word),
      ]),
      turnItems(node.children, inner),
      errorOf(node),
      changedList(node, inner),
    ]),
  ]
}

/** How much room a browser sets aside for a turn that it has not drawn yet, by the number of items. */
function sizeOf({ children }: Turn): string[] {
  if (children.length > 60) return ['huge']
  return children.length > 15 ? ['long'] : []
}

function factsOf(node: Turn): string[] {
  const model = [node.model, node.effort].filter((part) => part !== undefined).join(' ')
  return [
    kinds[node.kind],
    node.durationMs === undefined || node.durationMs === 0 ? '' : formatDuration(node.durationMs),
    model,
    node.usage === undefined ? '' : `${formatCompact(node.usage.total)} tokens`,
    contextText(node),
  ].filter((fact) => fact !== '')
}

/** Older records do not say which message answers: it is then the last one of the assistant. */
function answerOf(node: Turn): string | undefined {
  const said = node.children.filter((child) => child.type === 'message' && child.role === 'assistant')
  if (said.some((child) => child.type === 'message' && child.phase !== undefined)) return undefined
  return node.status === 'completed' || node.status === 'unknown' ? said.at(-1)?.id : undefined
}

/** The error that ended the turn, unless it stands among its items already. */
function errorOf(node: Turn): ElementContent | undefined {
  const { error } = node
  if (error === undefined) return undefined
  if (node.children.some((child) => child.type === 'error' && child.message === error)) return undefined
  const words = h('p', { role: 'note' }, h('b', {}, 'Error: '), literal(error))
  return h('div', { id: `${node.id}-error`, className: itemClasses('error', true) }, words)
}

/** What stands before the first turn. */
export function preamble(node: Preamble, state: State): ElementContent[] {
  if (node.children.length === 0) return []
  const id = `${node.id}-before`
  return [
    h('section', { className: ['turn', 'before'], ariaLabelledBy: [id] }, [
      h('header', { className: ['stamp'] }, h('h2', { id }, 'Before the first turn')),
      turnItems(node.children, state.at({ level: 3 })),
    ]),
  ]
}

// The items of a turn, with runs of what machines put into the conversation as one line.

/** Hast of items in order. Two or more folded context messages in a row stand behind one line that names them. */
function turnItems(items: readonly FlowContent[], state: State): ElementContent[] {
  const shown: ElementContent[] = []
  let run: Message[] = []
  const close = (): void => {
    shown.push(...(run.length > 1 ? [contextRun(run, state)] : state.all(run)))
    run = []
  }
  for (const item of items) {
    if (isContext(item)) run.push(item)
    else {
      close()
      shown.push(...state.all([item]))
    }
  }
  close()
  return shown
}

function isContext(item: FlowContent): item is Message {
  return item.type === 'message' && item.origin === 'injected' && isCollapsed(item)
}

function contextRun(run: readonly Message[], state: State): ElementContent {
  const counts = new Map<string, number>()
  for (const { label = 'Other' } of run) counts.set(label, (counts.get(label) ?? 0) + 1)
  const gist = [...counts].map(([label, count]) => (count === 1 ? label : `${label} \u00D7 ${count}`)).join(', ')
  const inside = h('div', { className: ['nested'] }, state.all(run))
  const id = `${run[0]?.id ?? ''}-context`
  return h('div', { id, className: itemClasses('context') }, fold({ what: 'Context', gist, quiet: true }, [inside]))
}

// The foot of a turn that changed several files.

/** More files are folded. */
const open = 12
/** Links to single changes of one file. */
const maxLinks = 12

/** A list of the files with their sums and links to each change; nothing where one patch changed one file. */
function changedList(node: Turn, state: State): ElementContent[] {
  const { patches, files } = changedFiles(node.children)
  if (files.length < 2 && patches < 2) return []
  const sum = files.reduce(
    (total, { added, removed }) => ({ added: total.added + added, removed: total.removed + removed }),
    { added: 0, removed: 0 },
  )
  const head = {
    what: 'Files changed',
    gist: formatAmount(files.length, 'file'),
    mark: lineCounts(sum),
    quiet: true,
    open: files.length <= open,
  }
  const list = h(
    'ul',
    { className: ['files'] },
    files.map((file) => row(file, state)),
  )
  return [h('div', { id: `${node.id}-files`, className: itemClasses('changed') }, fold(head, [list]))]
}

function row({ path, added, removed, anchors }: ChangedFile, state: State): ElementContent {
  const [first = '', ...others] = anchors
  const shown = pathBelow(path, state.cwd)
  const more = others.slice(0, maxLinks).map((anchor, index) => {
    const title = `change ${index + 2} of ${shown}`
    return h('a', { className: ['nth'], href: `#${anchor}`, ariaLabel: title }, String(index + 2))
  })
  const rest = others.length - more.length
  return h('li', {}, [
    h('a', { href: `#${first}` }, literal(shown)),
    ...more,
    rest > 0 ? h('span', { className: ['nth'] }, `and ${rest} more`) : undefined,
    h('span', { className: ['mark'] }, lineCounts({ added, removed })),
  ])
}

// The files that a turn changed, summed up.

/** One file of the summary. */
interface ChangedFile {
  /** As recorded; the new name of a file that was moved. */
  path: string
  added: number
  removed: number
  /** Anchors of its changes, in order. */
  anchors: string[]
}

/** What the patches of a turn come to. */
export interface ChangedFiles {
  /** Applied patches that changed a file. */
  patches: number
  /** In the order of their first change. */
  files: ChangedFile[]
}

/** Files that the applied patches among some items changed, also of those that a group or a tool call holds. */
export function changedFiles(items: readonly TrastNode[]): ChangedFiles {
  const files: ChangedFile[] = []
  const byName = new Map<string, ChangedFile>()
  let patches = 0
  for (const patch of patchesOf(items)) {
    const changes = patch.children.filter((child): child is FileChange => child.type === 'fileChange')
    if (changes.length > 0) patches += 1
    for (const change of changes) {
      const name = change.movedTo ?? change.path
      const file = byName.get(change.path) ?? { path: name, added: 0, removed: 0, anchors: [] }
      if (file.anchors.length === 0) files.push(file)
      addChange(file, change)
      // A file that was moved goes on under its new name.
      byName.delete(change.path)
      byName.set(name, file)
    }
  }
  return { patches, files }
}

function addChange(file: ChangedFile, { id, path, movedTo = path, added, removed }: FileChange): void {
  file.path = movedTo
  file.added += added
  file.removed += removed
  file.anchors.push(id)
}

function* patchesOf(items: readonly TrastNode[]): Iterable<Patch> {
  for (const item of items) {
    if (isHidden(item)) continue
    if (item.type === 'patch' && item.status === 'completed') yield item
    else if (item.type === 'toolCall' || item.type === 'group') yield* patchesOf(item.children)
  }
}

function isHidden({ data }: Node): boolean {
  return data?.visibility === 'hidden' || data?.inherited === true
}
