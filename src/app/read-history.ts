/** The memory of a thread with its items, read from its files. */
import { UsageError } from '../diagnostics/errors.ts'
import { historyOf } from '../memory/finish.ts'
import type { History } from '../memory/history.ts'
import type { Thread } from '../model/rollout.ts'
import { defined } from '../util/defined.ts'
import { endBehind, readMemory } from './context-memory.ts'
import { scanWithLineage, type ThreadIndex } from './lineage.ts'

/** How to read. */
export interface HistoryOptions {
  spoolDir: () => string
  signal: AbortSignal
  /** Number of the turn behind which the memory is told; the last where absent. */
  at?: number | undefined
  /** Makes texts such that previews of them may be shown. */
  show?: ((text: string) => string) | undefined
}

/** Reads what Codex would send next. Throws `UsageError` for a thread that cannot be read, else what reading throws. */
export async function readHistory(thread: Thread, index: ThreadIndex, options: HistoryOptions): Promise<History> {
  const { spoolDir, signal, show, at } = options
  const { facts, diagnostics } = await scanWithLineage(thread, index, { spoolDir, signal })
  if (facts === undefined) {
    const reasons = diagnostics.filter(({ level }) => level === 'fatal').map(({ message }) => message)
    throw new UsageError(`The session \`${thread.id}\` cannot be read: ${reasons.join(' ')}`)
  }
  const end = endBehind(facts, at)
  const reading = { spoolDir, signal, keepItems: true, ...defined({ end }) }
  const { built, head } = await readMemory({ thread, facts }, index, reading)
  return historyOf(built, head, show)
}
