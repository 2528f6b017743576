/** What the audits of single files share: how they report, and how they read a text. */

import type { Finding } from '../../diagnostics/finding.ts'
import type { ForeignQueue } from './secretlint.ts'
import type { FindSecrets, HitOptions } from './text-hits.ts'
import { type Mark, type OnHit, type TextScan, textScan } from './text-scan.ts'

/** What the audit of files needs. */
export interface FileAuditContext {
  findSecrets: FindSecrets
  /** What gzip or zlib packed; `undefined` where it is broken or too long. */
  unpack: (bytes: Uint8Array, by: 'gzip' | 'zlib') => Uint8Array | undefined
  /** Takes a finding; `value` is what was found, which is told to nobody. */
  report: (ruleId: Finding['ruleId'], mark: Mark, detail?: string, value?: string) => void
  /** Takes windows that other scanners are to read, too. */
  foreign: Pick<ForeignQueue, 'add'>
}

/** Reports a hit with the words around it masked; `where` is a sentence about the place. */
export function hitReporter({ report }: Pick<FileAuditContext, 'report'>, where = ''): OnHit {
  return (hit, text, mark) => {
    const mask = `[redacted:${hit.ruleId.slice(hit.ruleId.indexOf('/') + 1)}]`
    const encoded = hit.encoded === undefined ? '' : ' In base64.'
    const value = hit.encoded ?? text.slice(hit.start, hit.end)
    report(hit.ruleId, mark, `${where}Around it: \`${maskedContext(text, hit, mask)}\`.${encoded}`, value)
  }
}

/** A scan of a text that reports its hits; `where` is a sentence about the place. */
export function scanOf(tools: FileAuditContext, where?: string): TextScan {
  return reportingScan(tools, {}, hitReporter(tools, where))
}

/** A scan whose hits go to `onHit`, those of other scanners too. */
export function reportingScan(
  tools: FileAuditContext,
  options: Omit<HitOptions, 'findSecrets'>,
  onHit: OnHit,
): TextScan {
  const { findSecrets, foreign } = tools
  return textScan({ findSecrets, ...options }, onHit, (window) => foreign.add(window, onHit))
}

// The words around a finding, masked: enough to find the place, nothing of what stands there.

/** Part of a text, `end` exclusive. */
interface Range {
  start: number
  end: number
}

const reach = 32

/**
 * What stands around a part of a text: letters become `x`, digits `0`, white space one space, and `instead` stands for
 * the part itself. At most 32 characters on each side.
 */
export function maskedContext(text: string, { start, end }: Range, instead: string): string {
  const from = Math.max(0, start - reach)
  const to = Math.min(text.length, end + reach)
  const before = mask(text.slice(from, start))
  const after = mask(text.slice(end, to))
  return `${from > 0 ? '…' : ''}${before}${instead}${after}${to < text.length ? '…' : ''}`.trim()
}

/** Signs stay, for `key=` and `"key": "` tell where to look; what is neither sign nor ASCII is masked too. */
function mask(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\p{N}]/gu, '0')
    .replace(/[^\x20-\x2F0\x3A-\x40\x5B-\x60\x7B-\x7E]/gu, 'x')
    .replaceAll('`', "'")
}
