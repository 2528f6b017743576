/** The structure of JSON text and values, read without recursion that a hostile file could exhaust. */

const quote = 0x22
const backslash = 0x5c

/** Whether arrays and objects nest deeper than `limit`. Visits every inner value. */
export function isDeeper(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (limit === 0) return true
  // `for…in` would be slower, and a JSON object has no inherited keys.
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    if (typeof inner === 'object' && isDeeper(inner, limit - 1)) return true
  }
  return false
}

/**
 * How deep a JSON text nests, and how many arrays and objects it opens, counted until there are more than `max`. Also works on
 * broken texts.
 */
export function measureJson(text: string, max: number): { depth: number; containers: number } {
  let [depth, deepest, containers] = [0, 0, 0]
  for (let at = 0; at < text.length && containers <= max; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = stringEnd(text, at)
    else if (code === 0x7b || code === 0x5b) {
      containers++
      depth++
      if (depth > deepest) deepest = depth
    } else if (code === 0x7d || code === 0x5d) depth--
  }
  return { depth: deepest, containers }
}

/** Index after the object or array that begins at `start`; `undefined` if the text ends before it does. One pass. */
export function endOfJson(text: string, start: number): number | undefined {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = stringEnd(text, at)
    else if (code === 0x7b || code === 0x5b) depth++
    else if ((code === 0x7d || code === 0x5d) && --depth === 0) return at + 1
  }
  return undefined
}

/** Whether a value is a JSON object: not a list and not `null`. It may be read by any key. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value of a JSON text; `undefined` if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The JSON text of a value; `undefined` if JSON has none for it, or if it nests too deeply for the stack. */
export function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

/** The first key that an object of a valid JSON text holds twice: a parser silently keeps only the last of the two values. */
export function repeatedKey(text: string): string | undefined {
  const open: Set<string>[] = []
  for (const [token, written] of text.matchAll(/[{}]|("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"/g)) {
    if (token === '{') open.push(new Set())
    else if (token === '}') open.pop()
    else if (written !== undefined) {
      const key = String(parseJson(written))
      if (open.at(-1)?.has(key)) return key
      open.at(-1)?.add(key)
    }
  }
  return undefined
}

/** The beginning of an object, or of a list of objects, that has at least one key. */
const jsonHead = /^\s*(?:\[\s*)?\{\s*"(?:[^"\\\n]|\\.)*"\s*:/

/**
 * Whether a text is nothing but JSON objects or lists, one or several on lines of their own. A text that is cut off counts too if
 * it begins with a key, because no prose begins like that.
 */
export function isJson(text: string): boolean {
  let start = text.search(/\S/)
  if (start < 0 || !/[{[]/.test(text.charAt(start))) return false
  while (start < text.length) {
    if (!/[{[]/.test(text.charAt(start))) return false
    const end = endOfJson(text, start)
    if (end === undefined) return jsonHead.test(text.slice(start, start + 1000))
    const value = parseJson(text.slice(start, end))
    if (value === undefined) return false
    const gap = /^\s*/.exec(text.slice(end))?.[0] ?? ''
    if (end + gap.length < text.length && !gap.includes('\n')) return false
    start = end + gap.length
  }
  return true
}

/** Index of the quote that closes the string opened at `open`, or the text's length. */
function stringEnd(text: string, open: number): number {
  let at = open + 1
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1
  return at
}

// JSON for people to read.

/** JSON text indented by two spaces; `undefined` if it is not an object or list, or if parsing would lose anything. */
export function prettyJson(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    // Large numbers, repeated keys and unusual escapes do not survive parsing; such text stays as it is.
    return JSON.stringify(value) === withoutSpace(text) ? JSON.stringify(value, null, 2) : undefined
  } catch {
    return undefined
  }
}

/** JSON text without whitespace outside its strings. */
function withoutSpace(text: string): string {
  return text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1')
}

/**
 * A copy of a JSON value that keeps nothing else alive: engines keep a whole line of a rollout in memory for any part cut out of
 * it.
 */
export function detached<T>(value: T): T {
  // The value is JSON, so it comes back with the same type.
  return JSON.parse(JSON.stringify(value)) as T
}
