/** All ways in which a text may be read. */

import { dumpsIn, mayHoldDumps } from './dumps.ts'
import {
  readsOneWay,
  type View,
  viewOf,
  withoutAnsi,
  withoutEncoding,
  withoutEscapes,
  withoutWordMarks,
} from './view.ts'
import { widthOfWraps, withoutWraps } from './wraps.ts'

/** A text as it reads in each way that it may be read, where it has other readings than itself. */
export function readingsOf(text: string): readonly View[] {
  if (text !== lastText) [lastText, lastReadings] = [text, readAnew(text)]
  return lastReadings
}

/** Rules read a text first, and then what is known is looked for in it. */
let lastText = ''
let lastReadings: readonly View[] = [viewOf('')]

function readAnew(text: string): readonly View[] {
  const plain = viewOf(text)
  const width = widthOfWraps(text)
  if (width === 0 && readsOneWay(text) && !mayHoldDumps(text)) return [plain]
  const view = withoutAnsi(plain)
  // Without colours, two tokens may stand together that they kept apart.
  const coloured = view === plain ? [] : [plain]
  return [
    view,
    ...coloured,
    ...withoutEscapes(view),
    ...withoutEncoding(view).flatMap(insideEncoding),
    ...withoutWordMarks(view),
    ...dumpsIn(view),
    ...(width === 0 ? [] : withoutWraps(plain, width)),
  ]
}

/** What was encoded for an address or a page may have been written for a terminal, a program or a page before. */
function insideEncoding(decoded: View): View[] {
  const view = withoutAnsi(decoded)
  return [decoded, ...(view === decoded ? [] : [view]), ...withoutEscapes(view), ...withoutEncoding(view)]
}
