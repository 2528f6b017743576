/** What parsers drop or rewrite but everybody can read in the source, and what escapes of style sheets and scripts stand for. */

/** Keeps the source of a page from the end of the last token on. */
export interface PageSource {
  add(text: string): void
  /** The source between two offsets of the page. */
  slice(from: number, to: number): string
  /** Forgets everything before an offset. */
  dropBefore(offset: number): void
}

/** Creates the source of one page. */
export function pageSource(): PageSource {
  let text = ''
  let start = 0
  return {
    add(piece) {
      text += piece
    },
    slice: (from, to) => text.slice(Math.max(0, from - start), Math.max(0, to - start)),
    dropBefore(offset) {
      if (offset <= start) return
      text = text.slice(offset - start)
      start = offset
    },
  }
}

/** Names that every page uses; no key looks like one. */
const plainName = /^[a-z:-]{1,18}$/

/**
 * Names of attributes as they are written, and attributes that are repeated in a tag: browsers take the first one, and names in
 * lowercase. `attributes` are those that the parser kept.
 */
export function droppedAttributes(tag: string, attributes: Iterable<readonly [name: string, value: string]>): string[] {
  let length = tag.indexOf(' ') < 0 ? tag.length : tag.indexOf(' ') + 1
  let isPlain = true
  for (const [name, value] of attributes) {
    length += name.length + value.length + 4
    isPlain &&= plainName.test(name)
  }
  return isPlain && tag.length <= length ? [] : oddAttributes(tag)
}

const written = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/y

function oddAttributes(tag: string): string[] {
  const found: string[] = []
  const seen = new Set<string>()
  const name = /^<[^\s/>]*/.exec(tag)?.[0] ?? ''
  for (let at = name.length; at < tag.length; ) {
    written.lastIndex = at
    const match = written.exec(tag)
    at = match === null ? at + 1 : written.lastIndex
    if (match === null) continue
    const [, attribute = '', double, single, bare = ''] = match
    const key = attribute.toLowerCase()
    if (seen.has(key)) found.push(`${attribute}="${double ?? single ?? bare}"`)
    else if (!plainName.test(attribute)) found.push(attribute)
    seen.add(key)
  }
  return found
}

/** A style sheet with its escapes decoded: `\73 k` is `sk`. */
export function unescapeCss(css: string): string {
  if (!css.includes('\\')) return css
  return css.replace(
    /\\(?:([0-9a-f]{1,6})(?:\r\n|[ \t\r\n\f])?|(?:\r\n|[\r\n\f])|([^\r\n\f]))/gi,
    (_whole, hex?: string, other = '') => {
      const code = hex === undefined ? 0 : Number.parseInt(hex, 16)
      return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : other
    },
  )
}

/** The parts of a style sheet that contain escapes, decoded. */
export function escapedParts(css: string): string[] {
  if (!css.includes('\\')) return []
  return css
    .split(/(?<!\\)[;{}]/)
    .filter((part) => part.includes('\\'))
    .map(unescapeCss)
}

/** Escapes that spell what needs none, and line ends within a string: nothing but a disguise in a script or in JSON. */
const disguise =
  /\\(?:u00[2-7][\dA-Fa-f]|u\{0{0,6}[2-7][\dA-Fa-f]\}|x[2-7][\dA-Fa-f]|[0-7]{2,3}|[ac-eg-mo-qswyzA-Z]|\r?\n)/g
const escapeOfScript =
  /\\(?:u\{([\dA-Fa-f]{1,6})\}|u([\dA-Fa-f]{4})|x([\dA-Fa-f]{2})|([0-3]?[0-7]{1,2})|\r?\n|([\s\S]))/g
const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: ' ', f: ' ', v: ' ' }
/** Characters around such an escape that are read with it: the name of a value is before it, its rest after it. */
const around = { before: 256, after: 2048 }
/** JSON in a string of JSON has its escapes escaped. */
const maxDepth = 3

function unescapeScript(script: string): string {
  return script.replace(
    escapeOfScript,
    (_whole, point?: string, unit?: string, byte?: string, octal?: string, other = '') => {
      const hex = point ?? unit ?? byte
      if (hex === undefined && octal === undefined) return controls[other] ?? other
      const code = Number.parseInt(hex ?? octal ?? '', hex === undefined ? 8 : 16)
      return code <= 0x10_ffff ? String.fromCodePoint(code) : ''
    },
  )
}

/** The parts of a script or of JSON in which escapes spell plain characters, decoded. */
export function unescapedParts(script: string, depth = 1): string[] {
  return disguisedRanges(script).flatMap((range) => unescapedPart(script, range, depth))
}

interface Range {
  from: number
  to: number
}

/** Where such escapes are, with what is read with them. */
function disguisedRanges(script: string): Range[] {
  const ranges: Range[] = []
  for (const { index } of script.matchAll(disguise)) {
    const last = ranges.at(-1)
    const to = index + around.after
    if (last !== undefined && index - around.before <= last.to) last.to = to
    else ranges.push({ from: Math.max(0, index - around.before), to })
  }
  return ranges
}

function unescapedPart(script: string, { from, to }: Range, depth: number): string[] {
  const part = unescapeScript(script.slice(from, to))
  return depth < maxDepth ? [part, ...unescapedParts(part, depth + 1)] : [part]
}

/** No escape is longer. */
const maxEscape = 16
/** A part that grows longer is read up to here, and its end once more with what follows. */
const maxWaiting = 1 << 20

/** The parts of a text that can be read before the rest of it is known, decoded, and the offset from which it has to be read again. */
export function unescapedSoFar(text: string): { parts: string[]; readTo: number } {
  const ranges = disguisedRanges(text)
  const last = text.length - around.before - maxEscape
  const complete = ranges.filter(({ to }) => to < last)
  const waiting = ranges[complete.length]
  if (waiting !== undefined && text.length - waiting.from > maxWaiting)
    return { parts: unescapedParts(text), readTo: text.length - around.after }
  return {
    parts: complete.flatMap((range) => unescapedPart(text, range, 1)),
    readTo: Math.max(0, complete.at(-1)?.to ?? 0, Math.min(waiting?.from ?? last, last)),
  }
}
