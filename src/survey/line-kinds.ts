/** What the scan concludes from the kind of a line. */

import { injectedLabel } from '../transcript/texts.ts'
import type { ScanLine } from './inherited.ts'

/** Whether a line of a kind, told by its head alone, is context that may stand between a prompt and its turn. */
export function isContext(kind: string): boolean {
  return /^(?:session_meta|turn_context|world_state|token_usage_record|state)$|token_count$|thread_settings_applied$/.test(
    kind,
  )
}

/** Weight of a line on its page, about its bytes of HTML; kinds that give no HTML weigh nothing. */
export function weightOf({ kind, bytes }: { kind: string; bytes: number }): number {
  if (/reasoning$/.test(kind)) return 300
  if (!/^response_item|^message$|_call$|_output$|(?:CommandExecution|FileChange|_end)$/.test(kind)) return 0
  return 200 + Math.min(bytes, /_output$|CommandExecution$|_end$/.test(kind) ? 9000 : 40_000)
}

/** Whether a line is context, or a compaction, that may be written before the prompt that it is for. */
export function isLead({ kind, facts = [] }: ScanLine): boolean {
  if (/^(?:turn_context|compacted|response_item\/message\/developer)$|context_compacted$/.test(kind)) return true
  return facts.some((fact) => fact.kind === 'message' && leadLabels.has(injectedLabel(fact) ?? ''))
}

const leadLabels: ReadonlySet<string> = new Set(['Environment', 'Instructions'])
