/** Title and facts of a transcript. */

import type { List, ListItem, RootContent } from 'mdast'
import type { Session } from '../../../transcript/trast.ts'
import { formatInstant } from '../../../util/time.ts'
import type { RenderContext } from '../context.ts'
import { heading, type Inline, mono, paragraph, threadLink, webLink } from './build.ts'

/**
 * Heading 1, what the last answer says first, and a list of what is known before the first item is read. Models, state and
 * numbers, which only the last item settles, stand at the foot.
 */
export function headBlocks(session: Session, context: RenderContext): RootContent[] {
  const title = session.title.trim() === '' ? 'Untitled session' : session.title
  const { subtitle = '' } = context
  return [heading(1, title), ...(subtitle === '' ? [] : [paragraph(subtitle)]), factList(facts(session, context))]
}

/** `- **label**: value` rows; a row without a value is left out. */
export function factList(rows: [label: string, value: Inline[]][]): List {
  const children = rows
    .filter(([, value]) => value.some((part) => part !== ''))
    .map(([label, value]): ListItem => {
      return { type: 'listItem', spread: false, children: [paragraph(`${label}: `, ...value)] }
    })
  return { type: 'list', ordered: false, spread: false, children }
}

function facts(session: Session, context: RenderContext): [string, Inline[]][] {
  const { git = {}, client, lineage, startedAt, endedAt } = session
  const instant = (at: string | undefined) => (at === undefined ? '' : formatInstant(at, context.timeZone))
  return [
    ['Session', [mono(session.threadId)]],
    ['Starred', [session.star ? 'yes' : '']],
    ['Tags', [(session.tags ?? []).join(', ')]],
    ['Started', [instant(startedAt)]],
    ['Last activity', [instant(endedAt)]],
    ['Time zone', [startedAt === undefined && endedAt === undefined ? '' : context.timeZone]],
    ['Folder', [mono(session.cwd ?? '')]],
    ['Repository', git.remote === undefined ? [] : webLink(git.remote, git.remote)],
    ['Branch', [mono(git.branch ?? '')]],
    ['Commit', [mono(git.commit ?? '')]],
    ['Codex', [[client.version, client.originator, client.source].filter((part) => part !== undefined).join(', ')]],
    ['Parent', lineage.parentId === undefined ? [] : threadLink(lineage.parentId, context)],
    ['Forked from', lineage.forkedFromId === undefined ? [] : threadLink(lineage.forkedFromId, context)],
    ['Archived', [session.archived ? 'yes' : '']],
  ]
}
