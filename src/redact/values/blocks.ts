/** Values in the lines below their name. */

import { lineEndAfter, tryReachItem } from '../search.ts'
import type { Value } from './value-reader.ts'

/** The position of a name in a text. */
interface NameAt {
  text: string
  start: number
}

/** Reads one line, which must be followed by the end mark. */
export function readHeredoc({ text }: NameAt, at: number, { groups }: RegExpExecArray): Value | undefined {
  const [line = '', value = '', tag] =
    /^([^\n]{1,512}?)[ \t]{0,8}\r?\n[ \t]{0,40}(\w{1,40})/.exec(text.slice(at, at + 640)) ?? []
  return line === '' || tag !== groups?.['tag'] ? undefined : { start: at, end: at + value.length, quoted: true }
}

const maxBlock = 64
const maxLine = 1024
const maxIndent = 256

/** Reads the lines below a YAML key that are indented further than it. */
export function readBlock({ text, start }: NameAt, at: number): Value | undefined {
  const before = text.slice(Math.max(0, start - maxIndent), start)
  const own = before.length - before.lastIndexOf('\n') - 1
  const indent = /^[ \t]*/.exec(text.slice(at, at + 80))?.[0].length ?? 0
  const mark = /^[ \t]*-?[ \t]*/.exec(text.slice(start - own, start))?.[0].length ?? 0
  if (indent <= Math.min(own, mark)) return undefined
  let end = at
  for (let line = 0, from = at; from < text.length; line++) {
    const given = text.slice(from, lineEndAfter(text, from, maxLine))
    if (!tryReachItem(line, maxBlock, given.length + 1)) break
    if (given.trim() !== '' && given.length - given.trimStart().length < indent) break
    if (given.trim() !== '') end = from + given.trimEnd().length
    from += given.length + 1
  }
  return end > at + indent ? { start: at + indent, end, quoted: true } : undefined
}
