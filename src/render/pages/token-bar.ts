/** Tokens of a session as a small bar: what was read anew, what came from the cache, what was written. */

import type { Usage } from '../../transcript/trast.ts'
import { formatCompact } from '../phrases.ts'
import type { BarView } from './session-views.ts'

/** Per cent of the bar that a kind takes at least, so that it can be seen. */
const minShare = 2

/** The bar of the tokens of all models; `undefined` where none were counted, or where the parts are not known. */
export function tokenBar(usage: Readonly<Record<string, Usage>>): BarView | undefined {
  const sum = (pick: (used: Usage) => number) =>
    Object.values(usage).reduce((total, used) => total + Math.max(0, pick(used)), 0)
  const [input, cached] = [sum((used) => used.input), sum((used) => Math.min(used.cached, used.input))]
  const [output, reasoning] = [sum((used) => used.output), sum((used) => Math.min(used.reasoning, used.output))]
  const parts = [
    { kind: 'fresh' as const, count: input - cached },
    { kind: 'cached' as const, count: cached },
    { kind: 'output' as const, count: output - reasoning },
    { kind: 'reasoning' as const, count: reasoning },
  ].filter(({ count }) => count > 0)
  if (parts.length === 0) return undefined
  const text = [
    `${formatCompact(input)} input${cached === 0 ? '' : `, of which ${formatCompact(cached)} cached`}`,
    `${formatCompact(output)} output${reasoning === 0 ? '' : `, of which ${formatCompact(reasoning)} reasoning`}`,
  ]
  return { text: text.join('; '), parts: widths(parts) }
}

function widths(parts: readonly { kind: BarView['parts'][number]['kind']; count: number }[]): BarView['parts'] {
  const total = parts.reduce((sum, { count }) => sum + count, 0)
  const raised = parts.map(({ kind, count }) => ({ kind, share: Math.max(minShare, (100 * count) / total) }))
  const whole = raised.reduce((sum, { share }) => sum + share, 0)
  let at = 0
  return raised.map(({ kind, share }) => {
    const part = { kind, x: percent(at), width: percent((100 * share) / whole) }
    at += (100 * share) / whole
    return part
  })
}

/** A share of a width, as SVG takes it: `12.34%`. */
export function percent(share: number): string {
  return `${Number(share.toFixed(2))}%`
}
