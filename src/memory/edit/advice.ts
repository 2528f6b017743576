/** What a plan does not save, and what else comes of it, by the Codex and the model of the session. */
import type { MemoryCategory } from '../../model/memory.ts'
import { formatCount } from '../../util/time.ts'
import type { History } from '../history.ts'
import { type PlannedItem, type PrunePlan, runs, stays } from './plan.ts'

/** Models of which requests were measured: these drop the reasoning of turns that are over, later ones keep it. */
const dropping = /^gpt-5(?:\.[0-5])?(?:-|$)/

/** Characters of a list of items; a longer one is only counted. */
const maxList = 60

const context: ReadonlySet<MemoryCategory> = new Set(['developer', 'userInstructions', 'environmentContext'])

/** A plan with notes for the session. `version` is that of the Codex that began it. */
export function advised(plan: PrunePlan, history: History, version: string | undefined): PrunePlan {
  const left = plan.items.filter(({ state }) => state === 'exclude' || state === 'delete')
  const notes = [
    reasoningNote(left, history),
    contextNote(left, version),
    firstPromptNote(plan, history, version),
  ].filter((note) => note !== undefined)
  return { ...plan, notes: [...plan.notes, ...notes] }
}

function reasoningNote(left: readonly PlannedItem[], { reasoningKept, model }: History): string | undefined {
  const isKept = reasoningKept ?? (model !== undefined && dropping.test(model) ? false : undefined)
  const items = left.filter(({ item }) => item.category === 'reasoning')
  if (items.length === 0 || isKept !== false) return undefined
  const tokens = items.reduce((sum, { item }) => sum + item.tokens, 0)
  const who = model === undefined ? 'The model' : `\`${model}\``
  return `${who} drops the reasoning of finished turns by itself: leaving out ${named(items)} saves nothing of the window, though they count ${formatCount(tokens)} tokens here.`
}

/** From 0.89 on and before 0.105 Codex put its context in anew at each resume (rollout-format 1.4). */
function contextNote(left: readonly PlannedItem[], version: string | undefined): string | undefined {
  const items = left.filter(({ item }) => context.has(item.category))
  if (items.length === 0 || !isBetween(version, 89, 105)) return undefined
  return `Codex ${version} sends its context again whenever it resumes a session: leaving out ${named(items)} saves nothing.`
}

/** Asked of 0.61 to 0.169: the lists of 0.72 to 0.98 show a session by the words of its first prompt, or not at all. */
function firstPromptNote(
  { items }: PrunePlan,
  { compaction }: History,
  version: string | undefined,
): string | undefined {
  const first = items.find(({ item }) => item.category === 'userMessage')
  if (first === undefined || stays(first.state) || first.state === 'excluded') return undefined
  if (compaction !== undefined || !isBetween(version, 62, 105)) return undefined
  return `Without its first prompt, item ${first.item.index}, Codex ${version} no longer lists the session; \`codex resume\` with its id still finds it.`
}

function named(items: readonly PlannedItem[]): string {
  const indices = items.map(({ item }) => item.index)
  const list = runs(indices)
  if (list.length > maxList) return `${indices.length} items`
  return `${indices.length === 1 ? 'item' : 'items'} ${list}`
}

/** Whether a version 0.x is one from the first to before the last. */
function isBetween(version: string | undefined, from: number, to: number): boolean {
  const minor = Number(/^0\.(\d+)\./.exec(version ?? '')?.[1] ?? Number.NaN)
  return minor >= from && minor < to
}
