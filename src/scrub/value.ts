/** JSON values: shape and words of the format stay, all that anybody said is replaced. */
import { isDeeper } from '../util/json.ts'
import { scrubCipher } from './blob.ts'
import { printLike } from './print.ts'
import { isForeign, isProduct, keepsKey, type Rule, ruleOf } from './rules.ts'
import { scrubText } from './text.ts'
import type { Scope } from './tokens.ts'
import { formatValues } from './words.ts'

/** Where a value stands. */
interface Place {
  /** The nearest key above. */
  key: string
  /** Keys and words are not the format's. */
  foreign: boolean
  /** Texts may be JSON. */
  product: boolean
  /** The object that holds it is a call of one of Codex's own tools or of an MCP server's, or its output. */
  tool: 'own' | 'mcp' | undefined
}

const top: Place = { key: '', foreign: false, product: false, tool: undefined }

/** Deepest nesting that is walked; a reader gives up there too. */
const maxDepth = 512

/** Whether a value can be walked. */
export function isShallow(value: unknown): boolean {
  return !isDeeper(value, maxDepth)
}

/** A record with all words replaced. */
export function scrubValue(value: unknown, scope: Scope): unknown {
  return scrubAt(value, top, scope)
}

function scrubAt(value: unknown, place: Place, scope: Scope): unknown {
  if (typeof value === 'string') return scrubString(value, place, scope)
  if (typeof value === 'number') return place.foreign ? scrubNumber(value, place, scope) : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => scrubAt(item, place, scope))
  return scrubObject(value, place, scope)
}

function scrubObject(object: object, place: Place, scope: Scope): object {
  const tool = toolOf(object as Record<string, unknown>) // any object may be read by key
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => {
      const inner: Place = {
        key,
        foreign: place.foreign || isForeign(key),
        product: place.product || isProduct(key),
        tool,
      }
      return [scrubKey(key, place, scope), scrubAt(value, inner, scope)]
    }),
  )
}

/** Maps have paths, ids and names as keys; each has the same replacement there as anywhere else. */
function scrubKey(key: string, { key: above, foreign }: Place, { names }: Scope): string {
  if (above === 'answers' && key !== 'answers') return names.id(key)
  if (above === 'changes') return names.path(key)
  if (keepsKey(key, foreign)) return key
  if (/[0-9a-f]{8}-[0-9a-f]{4}-/i.test(key)) return names.id(key)
  return names.path(key)
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/
const word = /^[\w.:/-]{1,64}$/
const client = /^codex[\w -]{0,40}$/i

function scrubString(text: string, place: Place, scope: Scope): string {
  if (text === '' || formatValues.has(text) || instant.test(text)) return text
  const rule = place.foreign ? foreignRule(place.key) : ruleOf(place.key)
  if (rule === 'tool' || (place.key === 'name' && place.tool !== undefined && !place.foreign))
    return toolName(text, place, scope)
  return rule === 'text' ? scrubProduct(text, place, scope) : scrubbers[rule](text, scope)
}

const scrubbers: Readonly<Record<Exclude<Rule, 'text' | 'tool'>, (text: string, scope: Scope) => string>> = {
  keep: (text, scope) => (word.test(text) ? text : scrubText(text, scope)),
  server: (text, { names }) => names.segment(text),
  client: (text, scope) => (client.test(text) ? text : scrubText(text, scope)),
  process: (text, { names }) => (/^\d+$/.test(text) ? text : names.id(text)),
  id: (text, { names }) => names.id(text),
  path: (text, scope) => (text.includes('://') ? scrubText(text, scope) : scope.names.path(text)),
  cipher: scrubCipher,
}

/** Calls of MCP tools name their server, by a namespace of its own where it is not part of the name. */
function toolOf({ type, namespace }: Record<string, unknown>): Place['tool'] {
  if (typeof type !== 'string' || !/_call$|_output$|^CollabAgentToolCall$|^FunctionCallOutput$/.test(type))
    return undefined
  return typeof namespace === 'string' && namespace.startsWith('mcp__') ? 'mcp' : 'own'
}

/** Words of others may stand under any key of ours; ids and paths look the same everywhere. */
function foreignRule(key: string): Rule {
  const rule = ruleOf(key)
  return rule === 'id' || rule === 'path' || rule === 'process' || rule === 'cipher' ? rule : 'text'
}

/** Codex's own tools keep their names; those of MCP servers are their makers'. */
function toolName(text: string, { key, tool }: Place, { names }: Scope): string {
  if (text.includes('__'))
    return text
      .split('__')
      .map((part) => (part === 'mcp' ? part : names.segment(part)))
      .join('__')
  return tool === 'own' || key === 'namespace' ? text : names.segment(text)
}

/** Numbers of more than four digits tell accounts and amounts; under the format's own keys they count and time. */
function scrubNumber(value: number, { key }: Place, { names }: Scope): number {
  if (keepsKey(key, true) || Math.abs(value) < 10_000 || !Number.isSafeInteger(value)) return value
  const replaced = Number(names.digits(String(Math.abs(value))))
  return value < 0 ? -replaced : replaced
}

/** A JSON text keeps its form, so that a reader finds in it what it found before. */
function scrubProduct(text: string, place: Place, scope: Scope): string {
  if (!place.product) return scrubText(text, scope)
  const start = jsonStart(text)
  const json = start === undefined ? undefined : parse(text.slice(start))
  if (start === undefined || json === undefined) return scrubText(text, scope)
  const body = text.slice(start).trimEnd()
  const scrubbed = scrubAt(json.value, { ...place, key: '', foreign: true }, scope)
  return (
    scrubText(text.slice(0, start), scope) + printLike(body, json.value, scrubbed) + text.slice(start + body.length)
  )
}

const head =
  /^(?:(?:Wall time|Exit code|Chunk ID|Process|Original token|Total output|Command|Script)\b[^\n]*\n)*(?:Output:\n)?/

/** Where a JSON text begins: at the start, or behind the head of an output. */
function jsonStart(text: string): number | undefined {
  const trimmed = text.trimStart()
  const body = trimmed.slice(head.exec(trimmed)?.[0].length).trimStart()
  return /^[[{]/.test(body) ? text.length - body.length : undefined
}

function parse(text: string): { value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isShallow(value) ? { value } : undefined
  } catch {
    return undefined
  }
}
