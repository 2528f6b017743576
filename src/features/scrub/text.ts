/** Texts and scripts: every word is replaced; the lines, punctuation and phrases between them stay. */

import { type Token, tokenizer } from 'acorn'
import { parseJson } from '../../util/json.ts'
import { randomOf } from './filler.ts'
import { isBase64, isCipher, type Scope, scrubBase64, scrubCipher, scrubDataUrl, scrubTokens } from './tokens.ts'
import { formatKeys, formatValues, patchFileLine, scriptWords, splitFrames } from './vocabulary.ts'

/** A text of any kind with everything that a person or a program said replaced. Equal lines give equal lines. */
export function scrubText(text: string, scope: Scope): string {
  if (isCipher(text)) return scrubCipher(text)
  if (text.startsWith('data:')) {
    const url = scrubDataUrl(text, randomOf(scope.secret, text))
    if (url !== undefined) return url
  }
  if (isBase64(text)) return scrubBase64(text, randomOf(scope.secret, text))
  return text
    .split('\n')
    .map((line) => scrubLine(line, scope))
    .join('\n')
}

/**
 * One line. The replacement of a word depends on everything next to it up to the next phrase or line end, so anyone who knows one
 * line, for example of a public prompt, learns nothing about any other.
 */
export function scrubLine(line: string, scope: Scope): string {
  const file = patchFileLine(line)
  if (file !== undefined) return file.head + scope.names.path(file.path) + file.tail
  const [, head = '', string, tail = ''] = jsonLine.exec(line) ?? []
  const value = string === undefined ? undefined : parseJson(string)
  // Escapes are not words, so the string is replaced by its decoded text.
  if (typeof value === 'string') return inFrames(head, scope) + JSON.stringify(scrubText(value, scope)) + tail
  return inFrames(line, scope)
}

/** A line of indented JSON with one string, with or without a key. */
const jsonLine = /^(\s*(?:"(?:[^"\\]|\\.)*"\s*:\s*)?)("(?:[^"\\]|\\.)*")(\s*(?:,\s*)?)$/

function inFrames(line: string, scope: Scope): string {
  return splitFrames(line)
    .map((part, at) => (at % 2 === 1 ? part : scrubUnit(part, scope)))
    .join('')
}

/** Ignores whitespace around a text, because the two logs of a rollout differ in it. */
function scrubUnit(text: string, scope: Scope): string {
  const core = text.trim()
  if (core === '') return text
  const start = text.indexOf(core)
  return text.slice(0, start) + scrubTokens(core, scope) + text.slice(start + core.length)
}

// Scripts of code mode. What they call and how stays, so that a reader finds the same calls; texts and names do not.

/** A script with its texts, comments and names replaced. What is not JavaScript is treated as text. */
export function scrubScript(code: string, scope: Scope): string {
  let from = 0
  const parts: string[] = []
  try {
    for (const token of tokenizer(code, { ecmaVersion: 'latest', allowHashBang: true })) {
      parts.push(scrubText(code.slice(from, token.start), scope), scrubToken(token, code, scope))
      from = token.end
    }
  } catch (error) {
    // The rest is not JavaScript, or nests too deeply for the reader of JavaScript.
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error
  }
  return parts.join('') + scrubText(code.slice(from), scope)
}

/** A token with what acorn's types omit: its text. */
interface ScriptToken extends Token {
  value?: unknown
}

function scrubToken({ type, value, start, end }: ScriptToken, code: string, scope: Scope): string {
  const source = code.slice(start, end)
  switch (type.label) {
    case 'name':
    case 'privateId':
      return isKept(source) || (source === 'exit' && code.charAt(end) === '(') ? source : scope.names.tool(source)
    case 'string':
      // Keys of arguments may be quoted, and some values are words of the format.
      return isKept(String(value)) || formatValues.has(String(value))
        ? source
        : quoted(scrubText(String(value), scope), source.charAt(0))
    case 'template':
      return inTemplate(scrubText(String(value ?? ''), scope))
    case 'regexp':
      return scrubText(source, scope)
    case 'num':
      return scrubLiteral(source, scope)
    default:
      return source
  }
}

/** A number of a script. The digits of `0b1` and `0o7` are few, and others would be no number. */
function scrubLiteral(source: string, { names }: Scope): string {
  if (/^0[bo]/i.test(source)) return source
  return source.replace(/\d(?:_?\d){4,}/g, (run) => {
    const digits = [...names.digits(run.replaceAll('_', ''))]
    return run.replace(/\d/g, () => digits.shift() ?? '')
  })
}

const isKept = (name: string): boolean => scriptWords.has(name) || formatKeys.has(name)

function quoted(text: string, quote: string): string {
  const inner = JSON.stringify(text).slice(1, -1)
  return quote === "'" ? `'${inner.replaceAll('\\"', '"').replaceAll("'", "\\'")}'` : `"${inner}"`
}

function inTemplate(text: string): string {
  return text.replace(/[`\\]|\$\{/g, '\\$&')
}
