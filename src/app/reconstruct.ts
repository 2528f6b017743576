/** The memory of one rollout, for programs. */
import { UsageError } from '../diagnostics/errors.ts'
import { findRoots } from '../discover/homes-fs.ts'
import { historyOf } from '../memory/finish.ts'
import type { History } from '../memory/history.ts'
import { defined } from '../util/defined.ts'
import { endBehind, readMemory } from './context-memory.ts'
import { scanWithLineage, threadIndex } from './lineage.ts'
import { withSpool } from './spool-fs.ts'
import { survey } from './survey.ts'

/** How to reconstruct. */
export interface ReconstructOptions {
  /** Number of the turn behind which the memory is told, from 1; the last where absent. */
  at?: number
  /** Codex homes and folders in which files that the rollout inherits from are looked for. */
  homes?: readonly string[]
  signal?: AbortSignal
}

/**
 * The response items that Codex would send next, from the rollout at a path, of any generation. Nothing is redacted.
 * Throws `UsageError` where the path holds no rollout or no such turn.
 */
export function reconstructHistory(path: string, options: ReconstructOptions = {}): Promise<History> {
  const { at, homes = [], signal } = options
  return withSpool(async (spoolDir) => {
    const find = (homePaths: readonly string[]) =>
      survey(findRoots({ codexHomes: homePaths.map((home) => ({ path: home })), env: {}, homeDir: path }), { spoolDir })
    const { catalog } = await find([path])
    const [thread] = catalog.threads
    if (thread === undefined) throw new UsageError(`\`${path}\` holds no rollout.`)
    const family = homes.length === 0 ? [] : (await find(homes)).catalog.threads
    const index = threadIndex([...family.filter(({ id }) => id !== thread.id), thread])
    const reading = { spoolDir, ...defined({ signal }) }
    const { facts, diagnostics } = await scanWithLineage(thread, index, reading)
    if (facts === undefined) throw new UsageError(diagnostics.map(({ message }) => message).join(' '))
    const end = endBehind(facts, at)
    const { built, head } = await readMemory({ thread, facts }, index, {
      ...reading,
      keepItems: true,
      ...defined({ end }),
    })
    return historyOf(built, head)
  })
}
