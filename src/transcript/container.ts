/** Turns and preambles while they are filled and still contain fragments. */

import { unsetEffort } from '../rollout/parse/settings.ts'
import { defined } from '../util/own.ts'
import { type Draft, type Fragment, hasFact, isFragment } from './fragment.ts'
import { isUndone, type SliceData, type TurnCarry } from './slice.ts'
import { isInjected } from './texts.ts'
import type { FlowContent, Preamble, Session, Source, Turn } from './trast.ts'
import { isMigrated, type TurnState, turnState } from './turn-state.ts'
import { turnAnchor } from './urls.ts'

/** A turn or preamble while fragments are added to it. */
export type Container = DraftTurn | DraftPreamble

/** A child of a container before and after `classify`. */
export type Item = Fragment | FlowContent

/** A turn that still contains fragments. */
export type DraftTurn = Omit<Turn, 'children'> & { children: Item[] }
type DraftPreamble = Omit<Preamble, 'children'> & { children: Item[] }

/** The state while a slice is cut into turns. */
export interface Builder {
  slice: SliceData
  /** What the previous slice hands over about these turns, and then what this one hands over. */
  carry: TurnCarry
  session: Session
  turns: TurnState<Fragment>
  /** Whether this is copied history, which has numbers and settings of its own and is not counted. */
  inherited: boolean
  /** No later slice has any of these turns. */
  isLast: boolean
  containers: (Container | Draft)[]
  container: Container | undefined
  turn: DraftTurn | undefined
  byId: Map<string, DraftTurn>
  /** Turns that a record started, in this slice or before it. */
  explicit: Set<DraftTurn>
  /** Turns whose own settings are recorded, in this slice or before it. */
  settled: Set<DraftTurn>
  /** Turns that a later segment undid. */
  undone: Set<unknown>
  /** Whether the turn that the border before this slice cuts has an answer in an earlier slice. */
  answeredBefore: boolean
  /** Whether the previous record is a token count that says that a request was refused because limits are reached. */
  limitReached: boolean
  /** Records between turns that belong to the next one. */
  pending: Source[]
  number: number
}

/** A builder that continues where the previous slice stopped. */
export function turnBuilder(
  session: Session,
  slice: SliceData,
  { inherited, isLast }: Pick<Builder, 'inherited' | 'isLast'>,
): Builder {
  const carry = slice.carry[inherited ? 'copied' : 'own']
  return {
    slice,
    carry,
    session,
    turns: turnState(carry.open, carry.startsRecorded, carry.closed),
    inherited,
    isLast,
    containers: [],
    container: undefined,
    turn: undefined,
    byId: new Map(),
    explicit: new Set(),
    settled: new Set(),
    undone: new Set(),
    answeredBefore: carry.open?.answered === true,
    limitReached: false,
    pending: [],
    number: carry.turns,
  }
}

/** The turn that a record names; `undefined` if it names none of this slice. */
export function namedTurn({ byId }: Builder, turnId: string | undefined): DraftTurn | undefined {
  return turnId === undefined ? undefined : byId.get(turnId)
}

/** The open turn; for records between turns the last one; before the first turn a preamble. */
export function containerFor(node: Fragment, builder: Builder): Container {
  if (builder.container !== undefined) return builder.container
  const { open } = builder.carry
  if (open !== undefined) return openDraftTurn(node, builder, { ...open, continued: true })
  const preamble: Container = { type: 'preamble', id: `setup-${node.id}`, children: [] }
  builder.container = preamble
  builder.containers.push(preamble)
  return preamble
}

interface Opening {
  number: number
  turnId?: string
  continued?: boolean
  /** The kind of the turn, if it continues from the previous slice. */
  kind?: Turn['kind']
  /** Whether a record says that the turn starts. */
  explicit?: boolean
}

/** Opens a turn at a fragment and moves the context records before it into the turn. */
export function openDraftTurn(
  node: Fragment,
  builder: Builder,
  { number, turnId, continued, explicit, kind = 'user' }: Opening,
): DraftTurn {
  const { slice } = builder
  const source = node.data.sources[0]
  const segment = source?.file
  const line = node.position?.start.line ?? 0
  const anchor = turnAnchor(turnId, line, segment === undefined ? undefined : slice.rollouts[segment])
  const turn: DraftTurn = {
    type: 'turn',
    // An anchor in the form of an item's belongs to the item's node.
    id: uniqueId(continued || !anchor.startsWith('t-') ? `turn-${node.id}` : anchor, slice.anchors),
    ...defined({ at: node.at, position: node.position, turnId }),
    number,
    kind,
    status: 'unknown',
    ...settingsOf(builder),
    children: [],
    data: { sources: builder.pending, ...(continued ? { continued } : {}) },
  }
  builder.pending = []
  takeContext(turn, builder)
  builder.container = turn
  builder.turn = turn
  builder.containers.push(turn)
  if (turnId !== undefined) builder.byId.set(turnId, turn)
  if (explicit) builder.explicit.add(turn)
  if (continued) builder.settled.add(turn)
  if (isUndone(slice.undone ?? [], node.segment, line)) builder.undone.add(turn)
  return turn
}

function settingsOf({ carry }: Builder): Partial<DraftTurn> {
  const { model, effort, approval, sandbox, cwd } = carry.settings
  return defined({ model, effort: effort === unsetEffort ? undefined : effort, approval, sandbox, cwd })
}

/** An id that no earlier turn has; if a start was written twice, there are two turns. */
function uniqueId(id: string, taken: Set<string>): string {
  let unique = id
  for (let count = 2; taken.has(unique); count++) unique = `${id}-${count}`
  taken.add(unique)
  return unique
}

/**
 * Moves injected context from the end of the previous container into the turn that begins now, because Codex wrote it for
 * this turn. At the beginning of a slice, that container may have nothing else and is dropped. What precedes the first
 * turn stays with the session.
 */
function takeContext(turn: DraftTurn, { container, containers }: Builder): void {
  if (container === undefined || (container.type === 'preamble' && turn.number === 1)) return
  const { children } = container
  // A migrated file ends a turn after the prompt of the next one (rollout-format 2.4).
  const end = isMigrated(turn.turnId) && isSilentEnd(children.at(-1)) ? children.length - 1 : children.length
  let start = end
  while (start > 0 && isContext(children[start - 1])) start--
  const context = children.splice(start, end - start)
  turn.children.push(...context)
  if (context.length === 0 || start > 0 || !isBare(container) || containers.at(-1) !== container) return
  containers.pop()
  turn.data?.sources?.unshift(...(container.data?.sources ?? []))
}

function isSilentEnd(node: Item | undefined): boolean {
  return node !== undefined && isFragment(node) && hasFact(node, 'turnEnd') && node.fact.silent === true
}

/** Whether a container only exists because something precedes the first turn of a slice. */
function isBare(container: Container): boolean {
  if (container.type === 'preamble') return true
  return container.data?.continued === true && container.turnId === undefined && container.status === 'unknown'
}

function isContext(node: Item | undefined): boolean {
  if (node === undefined || !isFragment(node) || !hasFact(node, 'message')) return false
  const { fact } = node
  if (fact.role === 'developer' || fact.role === 'system') return true
  return (
    isInjected(fact) &&
    fact.parts.some((part) => part.kind === 'text' && /^(?:Environment|Instructions)$/.test(part.label ?? ''))
  )
}
