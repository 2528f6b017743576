/** Items that could not be rendered, as diagnostics. */
import { type Diagnostic, diagnostic } from '../diagnostics/codes.ts'
import type { Thread } from '../model/rollout.ts'
import type { TrastNode } from '../model/trast.ts'
import { defined } from '../util/defined.ts'
import { reasonOf } from '../util/reason.ts'

/** Takes the items of a thread that fail into `found`, each once, however many formats it fails in. */
export function failures(
  found: Map<string, Diagnostic>,
  { segments }: Thread,
): (node: TrastNode, error: unknown) => void {
  return (node, error) => {
    const source = node.data?.sources?.[0]
    const place = defined({ file: segments[source?.file ?? 0]?.file.name, line: source?.line })
    found.set(node.id, diagnostic('item-failed', place, `Item \`${node.id}\` (${node.type}): ${reasonOf(error)}.`))
  }
}
