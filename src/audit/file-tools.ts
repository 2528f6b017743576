/** What the audits of single files share: how they report, and how they read a text. */
import type { Finding } from '../diagnostics/finding.ts'
import { maskedContext } from './masked.ts'
import type { FindSecrets } from './text-hits.ts'
import { type Mark, type OnHit, type TextScan, textScan } from './text-scan.ts'

/** What the audit of files needs. */
export interface FileTools {
  findSecrets: FindSecrets
  /** What gzip or zlib packed; `undefined` where it is broken or too long. */
  unpack: (bytes: Uint8Array, by: 'gzip' | 'zlib') => Uint8Array | undefined
  report: (ruleId: Finding['ruleId'], mark: Mark, detail?: string) => void
}

/** Reports a hit with the words around it masked; `where` is a sentence about the place. */
export function hitReporter({ report }: FileTools, where = ''): OnHit {
  return (hit, text, mark) => {
    const mask = `[redacted:${hit.ruleId.slice(hit.ruleId.indexOf('/') + 1)}]`
    const encoded = hit.encoded ? ' In base64.' : ''
    report(hit.ruleId, mark, `${where}Around it: \`${maskedContext(text, hit, mask)}\`.${encoded}`)
  }
}

/** A scan of a text that reports its hits. */
export function scanOf(tools: FileTools, where?: string): TextScan {
  return textScan({ findSecrets: tools.findSecrets }, hitReporter(tools, where))
}
