/** Sessions of the TypeScript CLI: one JSON document (rollout-format 2.1, G0). */

import type { RuleId } from '../../diagnostics/codes.ts'
import { measureJson } from '../../util/json.ts'
import type { ByteSource } from './source.ts'

/** Real documents have a few megabytes. A text of this size still fits into a JavaScript string. */
const maxDocumentBytes = 256 * 1024 * 1024

/**
 * Limit for the arrays and objects of a document: parsed, each may take sixty times its two bytes. Real documents have
 * some tens of thousands.
 */
const maxContainers = 2_000_000

/** The two parts of a document; `session` may be anything. */
export interface SessionDocument {
  session: unknown
  items: unknown[]
}

/**
 * Reads a whole document. Never throws because of its content: if it is not a session document, gives the rule that it
 * breaks.
 */
export function readDocument(source: ByteSource): SessionDocument | { fault: RuleId } {
  if (source.size > maxDocumentBytes) return { fault: 'oversized-document' }
  const bytes = Buffer.allocUnsafeSlow(source.size)
  source.read(bytes, 0, source.size, 0)
  const text = bytes.toString('utf8').replace(/^\ufeff/, '')
  if (text.trim() === '') return { fault: 'empty-file' }
  if (measureJson(text, maxContainers).containers > maxContainers) return { fault: 'oversized-document' }
  try {
    const document: unknown = JSON.parse(text)
    return isDocument(document) ? { session: document.session, items: document.items } : { fault: 'damaged-line' }
  } catch {
    return { fault: 'damaged-line' }
  }
}

function isDocument(value: unknown): value is SessionDocument {
  return (
    typeof value === 'object' && value !== null && 'session' in value && 'items' in value && Array.isArray(value.items)
  )
}
