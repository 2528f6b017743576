/** `reasoning` response items (rollout-format 3.2). Ciphertext is never kept. */
import type { ReasoningFact } from '../../model/facts.ts'
import { asText, type JsonObject } from '../decode.ts'
import { itemTurn, optional, textsOf } from './shared.ts'

/** Summary and raw texts, or `undefined` where only ciphertext is on disk. */
export function reasoningItem(payload: JsonObject): ReasoningFact | undefined {
  const summary = textsOf(payload['summary'], ['summary_text', 'text']).filter((text) => text.trim() !== '')
  const raw = textsOf(payload['content'], ['reasoning_text', 'text']).filter((text) => text.trim() !== '')
  if (summary.length === 0 && raw.length === 0) return undefined
  return {
    kind: 'reasoning',
    log: 'item',
    ...optional('id', asText(payload['id'])),
    summary,
    raw,
    ...optional('turnId', itemTurn(payload)),
  }
}
