/** What the output of something that failed says about the failure. */

import { stripAnsi } from '../util/printable.ts'

/** Lines of one command, and characters of a line, that are kept at most. */
const maxLines = 6
const maxLineLength = 300
/** Characters of the end of an output that are looked at: failures are told last. */
const tail = 16_384

const trouble =
  /\b(?:error|err!|fatal|panic(?:ked)?|exception|traceback|failed|failure|cannot|can't|could not|unable to|not found|no such|denied|undefined|refused|timed? ?out|segmentation fault)\b|(?:Error|Exception)\b/i

/** Lines of outputs that tell of a failure, each once, in order and joined by newlines; empty where none does. */
export function errorLines(outputs: readonly string[]): string {
  const found = new Set<string>()
  for (const output of outputs) {
    for (const line of stripAnsi(output.slice(-tail)).split('\n')) {
      if (found.size >= maxLines) break
      if (trouble.test(line)) found.add(line.trim().slice(0, maxLineLength))
    }
  }
  return [...found].join('\n')
}
