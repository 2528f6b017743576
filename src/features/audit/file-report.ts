/** What the audits of single files share: how they report, and how they read a text. */

import type { Finding } from '../../diagnostics/finding.ts'
import { maskedContext } from './masked.ts'
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
