/** Parts of messages and outputs, of which new kinds come with every client (rollout-format 3.2): none goes without a word. */

import { isDeeper } from '../../util/json.ts'
import { asArray, asObject, asString, asText, type JsonObject } from './decode.ts'

/** Longer values of a part that is shown as it is are data: they are told by their length. */
const maxValueLength = 2000
/** What nests deeper is written to exhaust the stack. */
const maxDepth = 64

/** The text of a part; `undefined` for what is none. */
export function partText(part: unknown): string | undefined {
  if (typeof part === 'string') return part
  const object = asObject(part)
  return asString(object?.['text']) ?? asString(object?.['refusal'])
}

/** What stands for a part that is neither text nor picture. */
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

/** What a list of blocks says but for its pictures, a line each: texts, texts of resources, and names of all else. */
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
