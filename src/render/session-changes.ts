/** Which files a session changed, over all of its pages. */
import type { FileTouch, SessionDetail } from '../model/summary.ts'
import type { PagePlace } from '../model/view.ts'
import { formatAmount, formatCount } from '../util/time.ts'
import { literalText } from './literal.ts'
import type { ChangesView } from './session-views.ts'

type RowView = ChangesView['rows'][number]

/** Files that are listed, and turns that each of them links to. */
const most = { files: 200, turns: 6 }

interface File {
  path: string
  /** Its name before this session moved it. */
  movedFrom: string | undefined
  touches: FileTouch[]
}

/** Applied changes by file, that of the latest change first; `undefined` where there are none. */
export function sessionChanges(
  { touches, omitted }: Pick<SessionDetail, 'touches' | 'omitted'>,
  href: (place: PagePlace) => string,
): ChangesView | undefined {
  const files = filesOf(touches.filter(({ failed }) => failed !== true))
  if (files.length === 0) return undefined
  const rest = [
    ...(files.length > most.files ? [`${formatAmount(files.length - most.files, 'file')} with earlier changes`] : []),
    ...(omitted.touches > 0 ? [formatAmount(omitted.touches, 'earlier change')] : []),
  ]
  return {
    ...counts(files.flatMap((file) => file.touches)),
    summary: formatAmount(files.length, 'file'),
    rows: files.slice(0, most.files).map((file) => rowOf(file, href)),
    rest: rest.length === 0 ? '' : `Not listed: ${rest.join(', ')}.`,
  }
}

function filesOf(touches: readonly FileTouch[]): File[] {
  const files = new Map<string, File>()
  for (const touch of touches) {
    const path = touch.movedTo ?? touch.path
    const file = files.get(touch.path) ?? { path, movedFrom: undefined, touches: [] }
    if (path !== touch.path) file.movedFrom ??= touch.path
    file.path = path
    file.touches.push(touch)
    // Out and in again: the order is that of the last changes.
    files.delete(touch.path)
    files.set(path, file)
  }
  return [...files.values()].reverse()
}

function counts(touches: readonly FileTouch[]): { added?: string; removed?: string } {
  const added = touches.reduce((sum, touch) => sum + touch.added, 0)
  const removed = touches.reduce((sum, touch) => sum + touch.removed, 0)
  return {
    ...(added === 0 ? {} : { added: `+${formatCount(added)}` }),
    ...(removed === 0 ? {} : { removed: `\u2212${formatCount(removed)}` }),
  }
}

function rowOf({ path, movedFrom, touches }: File, href: (place: PagePlace) => string): RowView {
  const note = noteOf(touches, movedFrom)
  const turns = new Map<number, RowView['turns'][number]>()
  for (const touch of touches) {
    if (!turns.has(touch.turn)) turns.set(touch.turn, { text: formatCount(touch.turn), href: href(touch) })
  }
  const links = [...turns.values()]
  const last = touches.at(-1)
  return {
    path: literalText(path),
    href: last === undefined ? '' : href(last),
    count: formatCount(touches.length),
    turns: links.slice(-most.turns),
    earlier: links.length > most.turns ? formatCount(links.length - most.turns) : '',
    ...counts(touches),
    ...(note === '' ? {} : { note }),
  }
}

/** What became of the file: how it came to be, and whether it is still there. */
function noteOf(touches: readonly FileTouch[], movedFrom: string | undefined): string {
  const notes = [
    touches[0]?.operation === 'add' ? 'new' : '',
    movedFrom === undefined ? '' : `was ${literalText(movedFrom)}`,
    touches.at(-1)?.operation === 'delete' ? 'deleted' : '',
  ]
  return notes.filter((note) => note !== '').join(', ')
}
