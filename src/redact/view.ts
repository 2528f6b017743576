/** A text as rules read it, and where each of its characters stands in the text itself. */

/** Characters of a view from `from[i]` to `to[i]` of the text; without them the view is the text. */
export interface View {
  text: string
  from?: Int32Array
  to?: Int32Array
}

/** Escape sequences: strings such as titles and links, then CSI, then short ones. */
const ansi = /(?:\x1B[\]PX^_][^\x07\x1B\x9C\n]*(?:\x07|\x1B\\|\x9C)|(?:\x1B\[|\x9B)[0-?]*[ -/]*[@-~]|\x1B[ -/]*[0-~])+/g
/** Escapes of JSON, shells and programs, also of JSON in JSON; a run of backslashes is tried once, not from each of them. */
const escapes =
  /(?<!\\)\\+(?:(?:u\{?001[Bb]\}?|x1[Bb]|033|e)\[[0-9;]{0,24}m|u\{?00([2-7][0-9A-Fa-f])\}?|x([2-7][0-9A-Fa-f])|([nrt])|(["'/`$]))/g

/** The text without escape sequences of a terminal. */
export function withoutAnsi(view: View): View {
  return view.text.includes('\x1B') || view.text.includes('\x9B') ? replaced(view, ansi, () => '') : view
}

/** The text with its backslash escapes read. */
export function withoutEscapes(view: View): View {
  return replaced(view, escapes, ([, unicode, hex, letter, sign]) => {
    if (letter !== undefined) return letter === 't' ? '\t' : '\n'
    const code = unicode ?? hex
    // What is no character is a colour.
    return sign ?? (code === undefined ? '' : String.fromCharCode(Number.parseInt(code, 16)))
  })
}

/** The part of the text that a part of a view stands for. */
export function rangeIn({ from, to }: View, start: number, end: number): [number, number] {
  return [from?.[start] ?? start, to?.[end - 1] ?? end]
}

function replaced({ text, from, to }: View, pattern: RegExp, by: (match: RegExpExecArray) => string): View {
  const places = { from: new Int32Array(text.length), to: new Int32Array(text.length) }
  let written = ''
  let last = 0
  const copy = (end: number): void => {
    for (let index = last, place = written.length; index < end; index++, place++) {
      places.from[place] = from?.[index] ?? index
      places.to[place] = to?.[index] ?? index + 1
    }
    written += text.slice(last, end)
  }
  for (const match of text.matchAll(pattern)) {
    copy(match.index)
    const instead = by(match)
    last = match.index + match[0].length
    if (instead === '') continue
    places.from[written.length] = from?.[match.index] ?? match.index
    places.to[written.length] = to?.[last - 1] ?? last
    written += instead
  }
  if (last === 0) return { text, ...(from && to ? { from, to } : {}) }
  copy(text.length)
  return { text: written, ...places }
}
