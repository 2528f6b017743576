/** Reads our own HTML back, strictly: anything unexpected is an error, never skipped. */

/** An element's start tag. */
export interface Tag {
  name: string
  /** Decoded values; an attribute without a value is an empty text. */
  attributes: Record<string, string>
}

/** The parts of a document, in order. */
export interface Parsed {
  tags: Tag[]
  /** All text, decoded and joined without separators. */
  text: string
}

const voids = new Set(['br', 'hr', 'img', 'input', 'link', 'meta', 'wbr'])
const start = /<([a-z][a-z0-9-]*)((?:\s+[^\s"'<>/=]+(?:="[^"]*")?)*)\s*(\/?)>/y
const end = /<\/([a-z][a-z0-9-]*)>/y
const words = /[^<]+/y
const doctype = /<!doctype html>/iy

/** Parses HTML in the form that we write: lower case, quoted attributes, every element closed in order. */
export function parseTags(html: string): Parsed {
  const parsed: Parsed = { tags: [], text: '' }
  const open: string[] = []
  for (let at = 0; at < html.length; ) {
    const length = readStart(html, at, parsed, open) ?? readEnd(html, at, open) ?? readText(html, at, parsed)
    if (length === undefined) throw new Error(`Unexpected markup: ${html.slice(at, at + 80)}`)
    at += length
  }
  if (open.length > 0) throw new Error(`Not closed: ${open.join(', ')}`)
  return parsed
}

function matchAt(pattern: RegExp, html: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(html)
}

function readStart(html: string, at: number, parsed: Parsed, open: string[]): number | undefined {
  const match = matchAt(start, html, at)
  if (match?.[1] === undefined) return undefined
  parsed.tags.push({ name: match[1], attributes: attributesOf(match[2] ?? '') })
  // Only elements of drawings may end in their own start tag; HTML ignores the slash.
  if (match[3] === '/' && !open.includes('svg')) throw new Error(`<${match[1]}/> ends itself`)
  if (match[3] !== '/' && !voids.has(match[1])) open.push(match[1])
  return match[0].length
}

function readEnd(html: string, at: number, open: string[]): number | undefined {
  const match = matchAt(end, html, at)
  if (match === null) return undefined
  const expected = open.pop()
  if (expected !== match[1]) throw new Error(`</${match[1]}> closes <${expected}>`)
  return match[0].length
}

function readText(html: string, at: number, parsed: Parsed): number | undefined {
  const match = matchAt(words, html, at)
  if (match === null) return matchAt(doctype, html, at)?.[0].length
  parsed.text += decode(match[0])
  return match[0].length
}

function attributesOf(source: string): Record<string, string> {
  const attributes: Record<string, string> = {}
  for (const match of source.matchAll(/\s+([^\s"'<>/=]+)(?:="([^"]*)")?/g)) {
    const [, name = '', value = ''] = match
    if (Object.hasOwn(attributes, name)) throw new Error(`\`${name}\` occurs twice`)
    attributes[name] = decode(value)
  }
  return attributes
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

function decode(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (all, hex, decimal, name) => {
    if (name !== undefined) return named[name] ?? all
    return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16))
  })
}

/** Tags with a name. */
export function tagsNamed(html: string, name: string): Tag[] {
  return parseTags(html).tags.filter((tag) => tag.name === name)
}

/** Tags with a class. */
export function tagsOfClass(html: string, className: string): Tag[] {
  return parseTags(html).tags.filter(({ attributes }) => attributes['class']?.split(' ').includes(className))
}
