/** What a text gives away: secrets by two sets of rules, personal data, and both again in what it holds in base64. */
import type { Finding } from '../diagnostics/finding.ts'
import { type Base64Run, base64Runs } from './base64-runs.ts'
import { findPersonal } from './personal.ts'
import { findRandomValues } from './random-values.ts'
import { findShapes } from './token-shapes.ts'

/** A part of a text that should not be there, `end` exclusive. */
export interface Hit {
  start: number
  end: number
  ruleId: Finding['ruleId']
  /** What stands, decoded, in a run of base64; the part is the whole run. */
  encoded?: string
}

/** Finds the secrets of a text; `rule` names the kind. */
export type FindSecrets = (text: string) => readonly { start: number; end: number; rule: string }[]

/** How a text is read. */
export interface HitOptions {
  findSecrets: FindSecrets
  /** The text has lost its case, as words of a search index have. */
  anyCase?: boolean
  /** Personal data in it are nobody's of a session. */
  secretsOnly?: boolean
}

/** The hits of a text in the order of their places; where rules overlap, the first of them. */
export function findHits(text: string, options: HitOptions, runs: readonly Base64Run[] = base64Runs(text)): Hit[] {
  const hits: Hit[] = []
  for (const { start, end, decoded } of runs) {
    for (const hit of plainHits(decoded, options)) {
      hits.push({ start, end, ruleId: hit.ruleId, encoded: decoded.slice(hit.start, hit.end) })
    }
  }
  // Of two hits of a run, the one that tells what stands in it comes first.
  hits.push(...plainHits(text, options))
  return hits.length < 2 ? hits : distinct(hits)
}

function plainHits(text: string, { findSecrets, anyCase, secretsOnly }: HitOptions): Hit[] {
  const secrets = [...findSecrets(text), ...findShapes(text, anyCase), ...findRandomValues(text)]
  return [
    ...secrets.map(({ start, end, rule }): Hit => ({ start, end, ruleId: `secret/${rule}` })),
    ...(secretsOnly ? [] : findPersonal(text)).map(
      ({ start, end, rule }): Hit => ({ start, end, ruleId: `personal/${rule}` }),
    ),
  ]
}

/** A secret that two rules know counts once; so does what is personal inside of a secret. */
function distinct(hits: readonly Hit[]): Hit[] {
  const result: Hit[] = []
  let end = 0
  for (const hit of hits.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1)
    const isAnother =
      hit.start >= end || (hit.encoded !== undefined && last?.encoded !== undefined && last.ruleId !== hit.ruleId)
    if (isAnother) result.push(hit)
    else if (last !== undefined && isSecret(hit) && !isSecret(last)) result[result.length - 1] = hit
    end = Math.max(end, hit.end)
  }
  return result
}

function isSecret({ ruleId }: Hit): boolean {
  return ruleId.startsWith('secret/')
}
