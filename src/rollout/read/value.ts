/** Parses a line, or a session in one document, into JSON values. Never throws; reports what is wrong. */

import type { RuleId } from '../../diagnostics/codes.ts'
import { isDeeper, measureJson } from '../../util/json.ts'
import type { LineFault } from '../parse/facts.ts'
import type { Line } from './lines.ts'
import { parseRecord, recordsOf } from './records.ts'
import type { ByteSource } from './source.ts'

/** Nesting depth that every later walk over a record can handle. */
const maxDepth = 512

/** Bytes of the shortest JSON that nests deeper than `maxDepth`. */
const deepLength = 2 * maxDepth + 2

/**
 * A text with more UTF-16 units than this is measured before it is parsed, because its values may take forty times its
 * size.
 */
const longText = 1024 * 1024

/**
 * Limit for the arrays and objects of one line. Long lines are long because of their texts; real ones have a few
 * thousand.
 */
const maxContainers = 500_000

/** The records of one physical line, and the rules that it breaks. */
export interface LineValues {
  /** Usually one; none for a blank or damaged line; several if records ran together. */
  values: unknown[]
  faults: LineFault[]
}

/**
 * Parses a line. Blank lines give neither a value nor a fault. A line with faults may still give the values that could be
 * saved (rollout-format 9, hazards 1, 2 and 10).
 */
export function parseLine(line: Line): LineValues {
  const faults: LineFault[] = []
  if (line.omitted !== undefined) faults.push('oversized-line')
  if (line.oversized) return { values: [], faults: [...faults, 'damaged-line'] }
  const text = line.bytes.toString('utf8')
  if (text.includes('\ufffd') && !isUtf8(line.bytes)) faults.push('bad-utf8')
  const refused = text.length > longText ? refusal(text) : undefined
  if (refused !== undefined) return { values: [], faults: [...new Set([...faults, ...refused])] }
  const value = parseRecord(text, line.bytes.includes(unicodeEscape))
  if (value === undefined) return salvage(text, line.terminated, faults)
  return admit([value], text.length, faults)
}

/** The values of one item of a document, which was parsed together with the document. */
export function itemValues(item: unknown): LineValues {
  return admit([item], deepLength, [])
}

/** Few lines contain an escape, and searching bytes for it takes less than half as long as searching a text. */
const unicodeEscape = Buffer.from('\\u')

/** Why a long text is not parsed: its values would not fit into memory, or its nesting not onto the stack. */
function refusal(text: string): LineFault[] | undefined {
  const { depth, containers } = measureJson(text, maxContainers)
  if (depth > maxDepth) return ['deep-json']
  return containers > maxContainers ? ['oversized-line', 'damaged-line'] : undefined
}

/** Removes values that nest too deeply. */
function admit(values: unknown[], length: number, faults: LineFault[]): LineValues {
  const isDeep = (value: unknown): boolean => isDeeper(value, maxDepth)
  if (length < deepLength || !values.some(isDeep)) return { values, faults }
  faults.push('deep-json')
  return { values: values.filter((value) => !isDeep(value)), faults }
}

/** Saves what can be saved from a text that is not one JSON value. */
function salvage(text: string, terminated: boolean, faults: LineFault[]): LineValues {
  // A crash leaves blocks of NUL bytes; joined files have byte order marks at the start of lines.
  const clean = text.replaceAll('\0', '').replace(/^\ufeff/, '')
  if (clean.length < text.length && text.includes('\0')) faults.push('nul-bytes')
  if (clean.trim() === '') return { values: [], faults }
  const parts = recordsOf(clean)
  const values = parts.map(({ value }) => value).filter((value) => value !== undefined)
  const lost = parts.filter(({ value, isEmpty }) => value === undefined && !isEmpty)
  // A line that ends with a newline is damaged; one without may simply not be written completely yet.
  const isTorn = !terminated && lost.length === 1 && lost[0] === parts.at(-1)
  if (lost.length > 0) faults.push(isTorn ? 'torn-last-line' : 'damaged-line')
  if (values.length > 0 && parts.filter(({ startsRecord }) => startsRecord).length > 1) faults.push('run-together')
  return admit(values, clean.length, faults)
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

// Sessions of the TypeScript CLI: one JSON document (rollout-format 2.1, G0).

/** Real documents have a few megabytes. A text of this size still fits into a JavaScript string. */
const maxDocumentBytes = 256 * 1024 * 1024

/**
 * Limit for the arrays and objects of a document: parsed, each may take sixty times its two bytes. Real documents have
 * some tens of thousands.
 */
const maxDocumentContainers = 2_000_000

/** The two parts of a document; `session` may be anything. */
interface SessionDocument {
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
  if (measureJson(text, maxDocumentContainers).containers > maxDocumentContainers)
    return { fault: 'oversized-document' }
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
