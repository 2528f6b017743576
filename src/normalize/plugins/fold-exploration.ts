/** Groups runs of commands that only read, list or search, as Codex shows them (rollout-format 3.7). */
import type { Plugin } from 'unified'
import type { Command, FlowContent, Group, Session } from '../../model/trast.ts'
import { walk } from '../../model/walk.ts'

/** Folds runs of two or more exploring commands; a message or an error ends a run. */
export const foldExploration: Plugin<[], Session> = () => (tree: Session) => {
  walk(tree, (item) => {
    if (item.type === 'turn' || item.type === 'preamble') item.children = fold(item.children)
  })
}

function fold(children: FlowContent[]): FlowContent[] {
  const folded: FlowContent[] = []
  let run: Command[] = []
  const close = (): void => {
    if (run.length > 1) folded.push(group(run))
    else folded.push(...run)
    run = []
  }
  for (const child of children) {
    if (child.type === 'command' && explores(child)) run.push(child)
    else {
      close()
      folded.push(child)
    }
  }
  close()
  return folded
}

function explores({ actor, actions, status, exitCode }: Command): boolean {
  // A search without a hit exits with 1; that is no failure to look at.
  const calm = status === 'completed' || (exitCode === 1 && actions.every(({ kind }) => kind === 'search'))
  return actor === 'agent' && calm && actions.length > 0 && actions.every(({ kind }) => kind !== 'other')
}

function group(run: Command[]): Group {
  const [first] = run
  const actions = run.flatMap((command) => command.actions)
  const files = new Set(actions.filter(({ kind }) => kind === 'read').map(({ path }) => path)).size
  const searches = actions.filter(({ kind }) => kind === 'search').length
  const lists = actions.filter(({ kind }) => kind === 'list').length
  const parts = [count(files, 'file'), count(searches, 'search', 'searches'), count(lists, 'listing')].filter(
    (part) => part !== '',
  )
  return {
    type: 'group',
    id: `explored-${first?.id ?? ''}`,
    ...(first?.at === undefined ? {} : { at: first.at }),
    kind: 'exploration',
    label: `Explored ${parts.join(', ')}`,
    data: { visibility: 'collapsed', sources: [] },
    children: run,
  }
}

function count(number: number, one: string, many = `${one}s`): string {
  if (number === 0) return ''
  return `${number} ${number === 1 ? one : many}`
}
