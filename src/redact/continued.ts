/** Secrets that only their surroundings tell, where a terminal broke them over lines. */
import type { Secret } from './secret-at.ts'
import { isMixed, isPublic, isUuid, isWordy } from './values.ts'

/** No line that ends before this column was broken by a terminal. */
const narrowest = 40
const mostLines = 24
const tokenLine = /\r?\n([\w.+/=~:%-]{4,512})(?=["'`,;)}]{0,3}(?:\r?\n|$))/y
const assignment = /^[A-Za-z_][\w.-]{0,80}[=:][^=]/
const instant = /^\d{4}-\d\d-\d\d(?:[T ]|$)/
const hex = /^[0-9a-f]+$/i
/** Lengths that keys and signatures in hexadecimal digits have. */
const hexLengths: ReadonlySet<number> = new Set([32, 40, 48, 64, 96, 128])

/**
 * A secret with the lines behind it that go on with it: it reaches the end of a line that is as wide as a terminal, and
 * the next lines, no wider, are made of the characters of a key alone. Digests, ids and other variables are no rest.
 */
export function continued(text: string, found: Secret): Secret {
  const secret = withoutReturn(found)
  let { end, value } = secret
  if (!/[\r\n]/.test(text.charAt(end))) return secret
  const width = end - Math.max(text.lastIndexOf('\n', end - 1), text.lastIndexOf('\r', end - 1)) - 1
  if (width < narrowest) return secret
  for (let line = 1; line < mostLines; line++) {
    tokenLine.lastIndex = end
    const [whole = '', rest = ''] = tokenLine.exec(text) ?? []
    if (rest === '' || rest.length > width || !isRest(rest, value)) break
    end += whole.length
    value += rest
    // Only a full line goes on.
    if (rest.length < width) break
  }
  return { start: secret.start, end, value }
}

/** A value up to the end of a line, whatever ends that. */
function withoutReturn({ start, end, value }: Secret): Secret {
  return value.endsWith('\r') ? { start, end: end - 1, value: value.slice(0, -1) } : { start, end, value }
}

function isRest(line: string, value: string): boolean {
  if (hex.test(line)) return hex.test(value) && hexLengths.has(value.length + line.length)
  return (
    !assignment.test(line) && !instant.test(line) && !isPublic(line) && !isUuid(line) && isMixed(line) && !isWordy(line)
  )
}
