/** IDE context before a request, over the parts of a message (rollout-format 5.4, rule 4). */
import type { Part } from '../model/facts.ts'
import { splitIdePreamble } from '../util/ide.ts'

/** Takes the preamble off the first text part; preamble and parts together hold all that was there. */
export function splitPreamble(parts: readonly Part[]): { preamble: string; parts: Part[] } {
  const index = parts.findIndex((part) => part.kind === 'text')
  const first = parts[index]
  if (first?.kind !== 'text') return { preamble: '', parts: [...parts] }
  const { preamble, request } = splitIdePreamble(first.text)
  return { preamble, parts: parts.with(index, { ...first, text: request }) }
}
