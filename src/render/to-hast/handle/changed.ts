/** The foot of a turn that changed several files. */
import type { ElementContent } from 'hast'
import { h } from 'hastscript'
import type { Turn } from '../../../model/trast.ts'
import { formatAmount } from '../../../util/time.ts'
import { type ChangedFile, changedFiles } from '../../changed-files.ts'
import { literal } from '../../literal.ts'
import { pathBelow } from '../../words.ts'
import { itemClasses } from '../kinds.ts'
import { fold, lineCounts } from '../parts.ts'
import type { State } from '../state.ts'

/** More files are folded. */
const open = 12
/** Links to single changes of one file. */
const mostLinks = 12

/** A list of the files with their sums and links to each change; nothing where one patch changed one file. */
export function changedList(node: Turn, state: State): ElementContent[] {
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
  const more = others.slice(0, mostLinks).map((anchor, index) => {
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
