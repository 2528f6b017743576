/** Home folders inside base64 and hexadecimal digits: paths in source maps, in tokens of tools, in what a script encodes. */

import { type Anchors, compileAnchors } from '../anchors.ts'
import { type Rule, type Secret, secretsAt } from '../rule.ts'
import { searchWithin } from '../search.ts'
import {
  base64,
  decodedText,
  type Encoding,
  endBehindFill,
  freshRuns,
  hex,
  inBase64,
  inHex,
  wrapped,
} from '../values/encoded-run.ts'
import { homeRules } from './home-folders.ts'

const none: readonly Secret[] = []
const heads = ['/home/', '/Users/', '\\Users\\', '\\\\Users\\\\']
const minAnchor = 5

let anchors: Anchors | undefined
const runAt = freshRuns()

interface Looked {
  readonly text: string
  isFound: boolean
}

function look(place: number, ranks: readonly number[], looked: Looked): void {
  for (const rank of looked.isFound ? [] : ranks) {
    const rule = homeRules[rank]
    if (rule !== undefined && secretsAt(looked.text, place, rule).length > 0) looked.isFound = true
  }
}

/** Whether a decoded text names the home folder of somebody. */
function holdsHome(text: string): boolean {
  anchors ??= compileAnchors(homeRules)
  const own = anchors
  const looked: Looked = { text, isFound: false }
  searchWithin(() => own.search(text, look, looked))
  return looked.isFound
}

/** The run around a place, where it encodes such a text: as a whole, for its other parts belong to the same text. */
function readRun(text: string, place: number, encoding: Encoding): readonly Secret[] {
  const run = runAt(text, place, encoding)
  if (run === undefined) return none
  const { start, end } = run
  const decoded = decodedText(text.slice(start, end), encoding)
  if (decoded === undefined || !holdsHome(decoded)) return none
  const filled = endBehindFill(text, end)
  return [{ start, end: filled, value: text.slice(start, filled) }]
}

/** The rules of this kind. What they find gets a mark, for the encoded text says more than the folder. */
export const encodedHomeRules: readonly Rule[] = [
  {
    id: 'home-folder',
    anchors: heads
      .flatMap((head) => inBase64(head).map(({ anchor }) => anchor))
      .filter(({ length }) => length >= minAnchor),
    follows: wrapped('A-Za-z0-9+/_-'),
    read: (text, place) => readRun(text, place, base64),
  },
  {
    id: 'home-folder',
    anchors: heads.map(inHex).flatMap((digits) => [digits, digits.toUpperCase()]),
    follows: wrapped('0-9a-fA-F'),
    read: (text, place) => readRun(text, place, hex),
  },
]
