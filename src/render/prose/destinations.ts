/** Destinations of links and definitions as any renderer could read them from the text. */
import { isSafeUrl } from './schemes.ts'

/** A destination as it is written. */
export interface Target {
  value: string
  start: number
  end: number
  /** It stood between `<` and `>`, which are not part of the value but of its place. */
  isAngled: boolean
}

/** The beginning of a definition whose label goes on below its line. */
export const openLabel: RegExp = /^(?:[ >]|[-*+] |\d{1,9}[.)] )*\[(?:\\.|[^[\]\\])*$/

const space = /[ \t\n>]*/y
const angled = /<([^<>\n]{0,2000})>/y
/** No longer than what tells a scheme: many unclosed links would each be read to the end. */
const bare = /[^\s)]{0,2000}/y

/** What stands as a destination behind the sign that ends at `from`. */
export function targetAt(text: string, from: number): Target {
  space.lastIndex = from
  space.exec(text)
  const start = space.lastIndex
  angled.lastIndex = start
  const inner = angled.exec(text)
  if (inner !== null) return { value: inner[1] ?? '', start, end: angled.lastIndex, isAngled: true }
  bare.lastIndex = start
  const value = bare.exec(text)?.[0] ?? ''
  return { value, start, end: start + value.length, isAngled: false }
}

/**
 * Whether a destination is a quiet one whatever is decoded in it. Its scheme, if it has one, is plain: what stands
 * before the first slash, query or fragment holds no entity, and percent signs and backslashes are read.
 */
export function isQuietTarget(value: string): boolean {
  if (/&#|&\w+;/.test(/^(?:&#|[^/?#])*/.exec(value)?.[0] ?? '')) return false
  const plain = value.replace(/\\(?=[!-/:-@[-`{-~])/g, '')
  return isSafeUrl(plain) && isSafeUrl(percentDecoded(plain))
}

function percentDecoded(value: string): string {
  return value.replace(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

/** An angled destination without its brackets. */
export function plainTarget(value: string): string {
  return value === ''
    ? '<>'
    : value.replace(/[ ()\\]/g, (mark) => encodeURIComponent(mark).replace('(', '%28').replace(')', '%29'))
}

const title = /^[ \t]*(?:"[^"\\\n]*"|'[^'\\\n]*'|\([^()\\\n]*\))?[ \t]*$/

/**
 * Whether what could be a definition, whose label ends at `at`, is one in a single line and leads somewhere quiet.
 * A title that begins in one line and ends in another would take in what stands between, for some even fences.
 */
export function isQuietDefinition(text: string, at: number, target: Target): boolean {
  if (!isQuietTarget(target.value)) return false
  const line = text.slice(text.lastIndexOf('\n', at) + 1, at)
  if (!openLabel.test(line)) return true
  const lineEnd = text.indexOf('\n', at)
  const [own, below] = lineEnd === -1 ? [text.slice(at), ''] : [text.slice(at, lineEnd), text.slice(lineEnd + 1)]
  if (/^[\s>]*["'(]/.test(below)) return false
  if (/^\]:[ \t>]*$/.test(own)) return false
  const rest = text.slice(target.end, lineEnd === -1 ? text.length : lineEnd)
  return title.test(rest) || !/^[ \t]*["'(]/.test(rest)
}
