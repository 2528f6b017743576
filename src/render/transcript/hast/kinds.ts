/** The classes of items: what style sheet and script go by. */

/**
 * Classes by what an item is; `docs/templates.md` lists them for themes. An item that needs the reader's eye has
 * `failed` beside them, a failed command that came right later has `fixed`. Every item has `item` and, where its node has one, its anchor as id.
 */
export const itemKinds = {
  prompt: 'prompt',
  answer: 'say answer',
  commentary: 'say commentary',
  context: 'context',
  thought: 'thought',
  command: 'command',
  patch: 'patch',
  tool: 'tool',
  search: 'search',
  plan: 'planned',
  image: 'image',
  agent: 'card',
  approval: 'aside',
  notice: 'note',
  error: 'error',
  exploration: 'group exploration',
  inherited: 'group inherited',
  rolledBack: 'group rolledback',
  omitted: 'group omitted',
  unknown: 'unknown',
  changed: 'changed',
  repeated: 'group repeated',
} as const

/** What an item is. */
export type ItemKind = keyof typeof itemKinds

/** Class names of an item. */
export function itemClasses(kind: ItemKind, failed = false, fixed = false): string[] {
  return ['item', ...itemKinds[kind].split(' '), ...(failed ? [fixed ? 'fixed' : 'failed'] : [])]
}
