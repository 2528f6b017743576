/** Structure of JSON text and values, without recursion that a hostile file could exhaust. */

const quote = 0x22
const backslash = 0x5c

/** Whether arrays and objects nest deeper than `limit`. Costs a visit of every inner value. */
export function isDeeper(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (limit === 0) return true
  // `for…in` would be slower, and a JSON object has no inherited keys.
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    if (typeof inner === 'object' && isDeeper(inner, limit - 1)) return true
  }
  return false
}

/** How deep a JSON text nests and how many arrays and objects it opens, counted up to `max`. Broken texts count too. */
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

/** Index behind the object or array that begins at `start`; `undefined` where the text ends before it does. One pass. */
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

/** Whether a value is an object as JSON has them: no list, and not `null`. Any such object may be read by key. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value of a JSON text; `undefined` for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A key that an object of a sound JSON text holds twice: of two values a reader keeps the last without a word. */
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

/** How an object or a list of objects begins that has at least one key. */
const jsonHead = /^\s*(?:\[\s*)?\{\s*"(?:[^"\\\n]|\\.)*"\s*:/

/**
 * Whether a text is an object or a list in JSON and nothing else, also one a line. One that was cut counts too, if it begins
 * with a key: nobody writes prose like that.
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

// JSON for people.

/** JSON text indented by two spaces; `undefined` where it is no object or list, or where a reader would lose anything. */
export function prettyJson(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    // Large numbers, repeated keys and odd escapes do not survive parsing: such text stays as it was written.
    return JSON.stringify(value) === withoutSpace(text) ? JSON.stringify(value, null, 2) : undefined
  } catch {
    return undefined
  }
}

/** JSON text without white space outside its strings. */
function withoutSpace(text: string): string {
  return text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1')
}

/**
 * A copy of a JSON value that keeps nothing alive but itself: engines hold a whole line of a rollout for a piece that was cut out
 * of it.
 */
export function detached<T>(value: T): T {
  // JSON gives back what it was given, where that is JSON.
  return JSON.parse(JSON.stringify(value)) as T
}
