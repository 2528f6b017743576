/** What a family tells of certain words, without reading all of it: for lists, which show little of many sessions. */
import type { Thread } from '../model/rollout.ts'
import type { ScanFacts } from '../model/summary.ts'
import { suspectsIn } from '../redact/knowable.ts'
import type { KnownValues } from '../redact/known.ts'
import { redactor } from '../redact/redactor.ts'
import { sourceSearch } from '../redact/source-search.ts'
import { hearStrings } from '../redact/strings.ts'
import { joinValues } from './session-families.ts'
import { openThread, readInSteps } from './thread-lines.ts'

/** Words in the texts that a list shows of a thread, and that may be secrets. */
export function suspectsOf({ name }: Thread, facts: ScanFacts): Set<string> {
  const { title, firstPrompt = '', lastPrompt = '', cwds, branch = '', remote = '' } = facts
  return new Set([title, firstPrompt, lastPrompt, branch, remote, name ?? '', ...cwds].flatMap(suspectsIn))
}

/** The values that threads tell on those of their lines that may hold one of the words. */
export async function valuesAbout(
  words: ReadonlySet<string>,
  threads: readonly Thread[],
  spoolDir: () => string,
): Promise<KnownValues> {
  const search = sourceSearch(new Map([...words].map((word) => [word, { rule: '', rank: 0 }])))
  const told: KnownValues[] = []
  for (const thread of threads) {
    const own = redactor()
    own.passage('page')
    const readers = await openThread(thread, spoolDir)
    for (const reader of readers) {
      await readInSteps(reader, ({ bytes, values }) => {
        if (bytes === undefined || search.mayHold(bytes)) hearStrings(values().values, own)
      })
      reader.close()
    }
    told.push(own.values().told)
  }
  return joinValues(told)
}
