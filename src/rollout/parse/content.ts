/** Reads parts of messages and outputs (rollout-format 3.2). Every client brings new kinds; none is dropped silently. */

import { isDeeper } from '../../util/json.ts'
import { defined } from '../../util/own.ts'
import { asArray, asCount, asObject, asString, asStrings, asText, type JsonObject } from './decode.ts'
import type { Part, PictureFact } from './facts.ts'

/** In a part that is shown as JSON, strings longer than this are data, and only their length is shown. */
const maxValueLength = 2000
/** A value that nests deeper was written to exhaust the stack. */
const maxDepth = 64

/** The text of a part; `undefined` if it is not a text. */
export function partText(part: unknown): string | undefined {
  if (typeof part === 'string') return part
  const object = asObject(part)
  return asString(object?.['text']) ?? asString(object?.['refusal'])
}

/** The text shown for a part that is neither text nor picture. */
export function partName(part: unknown): string {
  const object = asObject(part) ?? {}
  const type = asString(object['type']) ?? ''
  if (/audio/i.test(type)) return named('Audio', asText(object['transcript']))
  if (type === 'encrypted_content') return 'Encrypted content'
  if (/file/i.test(type)) return named('File', asText(object['filename']) ?? asText(object['file_id']))
  if (type === 'resource_link') return named('Resource', linkWords(object))
  const kind = `Content of an unknown kind (${type || 'no type'})`
  const { type: _, ...rest } = object
  const other = asObject(part) === undefined ? (part ?? undefined) : rest
  return other === undefined || isDeeper(other, maxDepth) || Object.keys(asObject(other) ?? [other]).length === 0
    ? kind
    : named(kind, JSON.stringify(other, shortened))
}

/** The content of a list of blocks, without its pictures: texts, texts of resources, and the names of everything else. */
export function contentTexts(list: unknown): string[] {
  return asArray(list).flatMap((part) => {
    const text = partText(part)
    if (text !== undefined) return [text]
    const object = asObject(part)
    if (/image/i.test(asString(object?.['type']) ?? '')) return []
    const resource = object?.['type'] === 'resource' ? asObject(object['resource']) : undefined
    if (resource !== undefined) return resourceTexts(resource)
    return part === null ? [] : [`[${partName(part)}]`]
  })
}

function resourceTexts(resource: JsonObject): string[] {
  const text = asString(resource['text'])
  const head = `[${named('Resource', linkWords(resource))}]`
  return text === undefined ? [head] : [head, text]
}

function linkWords(link: JsonObject): string | undefined {
  const words = ['uri', 'name', 'title', 'description'].flatMap((key) => asText(link[key]) ?? [])
  return words.length === 0 ? undefined : [...new Set(words)].join(', ')
}

function named(kind: string, name: string | undefined): string {
  return name === undefined ? kind : `${kind}: ${name}`
}

function shortened(_key: string, value: unknown): unknown {
  return typeof value === 'string' && value.length > maxValueLength ? `[${value.length} characters]` : value
}

// Pictures.

/** A picture from an `image_url`, `file_id`, MCP `image` block or plain base64 value. */
export function pictureOf(part: JsonObject): PictureFact | undefined {
  const url = asText(part['image_url']) ?? asText(asObject(part['image_url'])?.['url']) ?? asText(part['imageUrl'])
  if (url?.startsWith('data:')) return { data: url }
  if (url !== undefined) return { url }
  const base64 = asText(part['data'])
  if (base64 !== undefined) return { base64, ...defined({ mediaType: asText(part['mimeType'] ?? part['mime_type']) }) }
  const file = asText(part['file_id'])
  return file === undefined ? undefined : { url: file }
}

/** Pictures among the parts of an output. */
export function picturesOf(output: unknown): PictureFact[] {
  return asArray(output)
    .map((part) => asObject(part))
    .filter((part) => part !== undefined && /image/i.test(asString(part['type']) ?? ''))
    .map((part) => pictureOf(part ?? {}))
    .filter((picture) => picture !== undefined)
}

// The memories that an answer names as its sources (rollout-format 5.1): in the event as fields, in the item as a block
// of its text.

/** Reads the event's `memory_citation`: lines of memory files with a note, then the threads from which they were learned. */
export function citedMemories(value: unknown): Part[] {
  const citation = asObject(value)
  if (citation === undefined) return []
  return [...asArray(citation['entries']).flatMap(citedLines), ...asStrings(citation['rolloutIds']).map(learnedIn)]
}

function citedLines(value: unknown): Part[] {
  const entry = asObject(value) ?? {}
  const path = asText(entry['path'])
  if (path === undefined) return []
  const [start, end] = [asCount(entry['lineStart']), asCount(entry['lineEnd'])]
  const lines = start === undefined ? '' : `:${start}${end === undefined || end === start ? '' : `-${end}`}`
  return [memory(`${path}${lines}`, asText(entry['note']))]
}

const opening = '<oai-mem-citation>'
const closing = '</oai-mem-citation>'
const entryLine = /^([^|]+:\d+)(?:-(\d+))?(?:\|\w+=\[(.*)\])?$/
const threadLine = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** Reads the same from an item's text, one per line: `PATH:START-END|note=[NOTE]` or the id of a thread. */
export function citedInText(text: string): Part[] {
  return splitCitations(text).blocks.flatMap((inner) => inner.split('\n').flatMap((line) => citedLine(line.trim())))
}

/**
 * Splits the text that was said from the contents of the citation blocks. Not a regular expression, because one for both
 * tags would search to the end of the text from each opening tag.
 */
export function splitCitations(text: string): { said: string; blocks: string[] } {
  const blocks: string[] = []
  let said = ''
  let from = 0
  for (;;) {
    const start = text.indexOf(opening, from)
    const end = start < 0 ? -1 : text.indexOf(closing, start + opening.length)
    if (end < 0) return { said: said + text.slice(from), blocks }
    said += text.slice(from, start)
    blocks.push(text.slice(start + opening.length, end))
    from = end + closing.length
  }
}

function citedLine(line: string): Part[] {
  if (threadLine.test(line)) return [learnedIn(line)]
  const [, start, end, note] = entryLine.exec(line) ?? []
  if (start === undefined) return []
  const isOneLine = end === undefined || start.endsWith(`:${end}`)
  return [memory(isOneLine ? start : `${start}-${end}`, asText(note))]
}

function memory(target: string, note: string | undefined): Part {
  return { kind: 'reference', what: 'memory', target, ...defined({ label: note }) }
}

function learnedIn(target: string): Part {
  return { kind: 'reference', what: 'session', target }
}
