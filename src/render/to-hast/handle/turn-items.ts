/** The items of a turn, with runs of what machines put into the conversation as one line. */
import type { ElementContent } from 'hast'
import { h } from 'hastscript'
import type { FlowContent, Message } from '../../../model/trast.ts'
import { itemClasses } from '../kinds.ts'
import { fold, isCollapsed } from '../parts.ts'
import type { State } from '../state.ts'

/** Hast of items in order. Two or more folded context messages in a row stand behind one line that names them. */
export function turnItems(items: readonly FlowContent[], state: State): ElementContent[] {
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
