/** Scrubbing without files. */

import type { Diagnostic } from '../../src/diagnostics/codes.ts'
import { scrub, scrubber } from '../../src/features/scrub/scrub.ts'

import { quietHost } from './surroundings.ts'

/** The bytes that `scrub` makes of the rollout at a path, and its diagnostics. */
export async function scrubFile(path: string): Promise<{ bytes: Buffer; lines: number; diagnostics: Diagnostic[] }> {
  const parts: Uint8Array[] = []
  const diagnostics: Diagnostic[] = []
  const write = async (bytes: Uint8Array): Promise<void> => {
    parts.push(bytes)
  }
  const { lines } = await scrub({ path, write }, quietHost({ report: (item) => diagnostics.push(item) }))
  return { bytes: Buffer.concat(parts), lines, diagnostics }
}

/** Lines scrubbed as one file. */
export function scrubTexts(lines: readonly string[], secret = 'a secret'): string[] {
  const scrubLine = scrubber(secret)
  return lines.map((line) => scrubLine(Buffer.from(line)).toString('utf8'))
}

/** A record scrubbed by itself. */
export function scrubRecord<T>(record: T, secret?: string): T {
  const [line = ''] = scrubTexts([JSON.stringify(record)], secret)
  return JSON.parse(line) as T
}
