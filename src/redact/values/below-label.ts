/** Values that stand alone below what they are called. */

import type { Secret } from '../rule.ts'
import { isWithin } from '../search.ts'
import { isSecretOf } from './named-value.ts'
import type { NameKind } from './names.ts'

const maxLine = 1024
const maxValues = 64
const none: readonly Secret[] = []

/** What may stand behind a name that is all of its line, and before it. */
const labelEnd = /["'`*_]{0,3}[ \t]{0,3}[:：]?[ \t*_]{0,4}\r?\n{1,2}[ \t>]{0,12}["'`]?/y
const labelBegin = /(?:^|\n)[ \t#>*_-]{0,12}(?:[\p{L}'’-]{1,24} ){0,4}["'`]?$/u
/** No tag, be it escaped: the label is the end of a sentence then. */
const loneValue = /(?!<|&(?:lt|#60|#x3c);)[^\s"'`]{6,512}(?=["'`]?[ \t]*(?:\r?\n|$))/iy
const nextLine = /["'`]?[ \t]*\r?\n[ \t>]{0,12}["'`]?/y

/** Values that stand alone below their label, as pages of accounts have them: `Client secret`, and the next line. */
export function secretsBelowLabel(text: string, start: number, end: number, kind: NameKind): readonly Secret[] {
  labelEnd.lastIndex = end
  if (!labelEnd.test(text) || !labelBegin.test(text.slice(Math.max(0, start - 128), start))) return none
  const found: Secret[] = []
  for (let at = labelEnd.lastIndex; isWithin(found.length, maxValues, maxLine); at = nextLine.lastIndex) {
    loneValue.lastIndex = at
    const value = loneValue.exec(text)?.[0] ?? ''
    if (!isSecretOf(kind, value, 'loose')) break
    found.push({ start: at, end: at + value.length, value })
    nextLine.lastIndex = at + value.length
    if (!nextLine.test(text)) break
  }
  return found
}
