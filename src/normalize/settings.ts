/** Settings of turns, and markers where they change (rollout-format 3.5). */
import type { SettingsFact } from '../model/facts.ts'
import type { Notice } from '../model/trast.ts'
import { type Fragment, mergeSources } from './fragment.ts'
import type { Builder } from './room.ts'
import type { Settings } from './slice.ts'

const keys = ['model', 'effort', 'cwd', 'approval', 'sandbox'] as const
const labels: Readonly<Record<(typeof keys)[number], string>> = {
  model: 'Model',
  effort: 'Effort',
  cwd: 'Folder',
  approval: 'Approval',
  sandbox: 'Sandbox',
}

/** Applies a settings record to its turn; between turns it waits for the next one. */
export function takeSettings(node: Fragment & { fact: SettingsFact }, builder: Builder): void {
  const { fact } = node
  const turn = (fact.turnId === undefined ? undefined : builder.byId.get(fact.turnId)) ?? openTurn(builder)
  const known: Settings = builder.inherited ? {} : builder.slice.carry.settings
  const changes = keys.filter((key) => known[key] !== undefined && fact[key] !== undefined && known[key] !== fact[key])
  const news = Object.fromEntries(keys.filter((key) => fact[key] !== undefined).map((key) => [key, fact[key]]))
  if (!builder.inherited) {
    builder.slice.carry.settings = { ...known, ...news }
    if (fact.model !== undefined && !builder.session.models.includes(fact.model))
      builder.session.models.push(fact.model)
  }
  if (turn === undefined) {
    builder.pending.push(...node.data.sources)
    return
  }
  Object.assign(turn, news)
  if (changes.length > 0) turn.children.push(notice(node, known, changes))
  else mergeSources(turn, node)
}

function openTurn(builder: Builder): Builder['turn'] {
  return builder.turns.open === undefined ? undefined : builder.turn
}

function notice(node: Fragment & { fact: SettingsFact }, known: Settings, changes: (typeof keys)[number][]): Notice {
  const tell = (of: Settings): string => changes.map((key) => `${labels[key]}: ${of[key]}`).join(', ')
  return {
    type: 'notice',
    id: node.id,
    ...(node.at === undefined ? {} : { at: node.at }),
    ...(node.position === undefined ? {} : { position: node.position }),
    data: node.data,
    kind: changes.includes('model') ? 'model' : 'settings',
    facts: { before: tell(known), after: tell(node.fact) },
    children: [],
  }
}
