/** What a cut leaves of a value that is worth replacing: its beginning, and its end after a mark such as `…`, `...` or `***`. */

import { isMixed } from '../values/letters.ts'
import { isWordy } from '../values/randomness.ts'

/** A shorter beginning or end reveals too little. */
export const minHead = 8

/** Whether the beginning or the end of a value reveals enough of it to be replaced. */
export function isHead(text: string): boolean {
  return text.length >= minHead && isMixed(text) && !isWordy(text)
}

/** Whether a text ends at an offset, or has the mark of a cut there. */
export function isCutAt(text: string, offset: number): boolean {
  return offset >= text.length || /^(?:…|\.{3})/.test(text.slice(offset, offset + 3))
}

/** Whether a text is cut at an offset, or signs take the place of what follows. */
export function isHiddenAt(text: string, offset: number): boolean {
  return isCutAt(text, offset) || /^(?:\*{3}|•{3})/.test(text.slice(offset, offset + 3))
}

/** The shortest end of a value that is replaced after a cut; `undefined` if none is. */
export function endOfValue(value: string): string | undefined {
  for (let start = value.length - minHead; start > 0; start--) {
    const end = value.slice(start)
    if (isHead(end) && jsonRun.test(end)) return end
  }
  return undefined
}

/** Characters that JSON never escapes, enough of them to search lines of a rollout for them. An end is replaced only as it is. */
const jsonRun = /[\w.+=:@!#%^*~(){}[\]|;,?$`-]{4,}/

/** The part of an end by which lines of a rollout are searched for it. */
export function coreOfEnd(end: string): string {
  return jsonRun.exec(end)?.[0] ?? ''
}
