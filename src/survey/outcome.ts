/** What a scan tells of the model, the tokens and the end of a thread, by the rules of the statistics. */

import type { Fact } from '../rollout/parse/facts.ts'
import { newUsage, sumUsage, type TokenTotals } from '../transcript/stats.ts'
import type { ScanFacts } from '../transcript/summary.ts'
import type { Status, Usage } from '../transcript/trast.ts'
import { defined } from '../util/own.ts'

/** Collects them while the lines of a thread go by. */
export interface Outcome {
  /** Takes a fact; what was copied from another thread only sets the totals to start from. */
  take: (fact: Fact, isInherited: boolean) => void
  turnBegins: () => void
  turnEnds: (status: Status) => void
  facts: (last: LastTurn) => Pick<ScanFacts, 'model' | 'usage' | 'state'>
}

/** Where a thread stands behind its last line. */
interface LastTurn {
  /** Number of its turns. */
  turns: number
  /** The turn that no record ended; `explicit` where one began it. */
  open: { explicit: boolean } | undefined
  /** Message of the error that is its last word. */
  error: string | undefined
}

/** What a last turn is that no record ended. */
function endOf({ open, error }: LastTurn): Status {
  if (open?.explicit) return 'unfinished'
  return error === undefined ? 'completed' : 'failed'
}

/** A collector before the first line. */
export function outcome(): Outcome {
  const totals: TokenTotals = {}
  let model: string | undefined
  let usage: Usage | undefined
  let state: Status | undefined
  return {
    take(fact, isInherited) {
      if (fact.kind === 'settings') model = fact.model ?? model
      if (fact.kind !== 'tokens') return
      const used = newUsage(fact, totals, isInherited)
      if (used !== undefined && !isInherited) usage = sumUsage(usage, used)
    },
    turnBegins() {
      state = undefined
    },
    turnEnds(status) {
      state = status
    },
    facts: (last) => defined({ model, usage, state: last.turns === 0 ? undefined : (state ?? endOf(last)) }),
  }
}
