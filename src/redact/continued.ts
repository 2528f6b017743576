/** Secrets that only their surroundings tell, where a terminal broke them over lines. */
import type { Secret } from './secret-at.ts'
import { isMixed, isPublic, isWordy } from './values.ts'

/** No line that ends before this column was broken by a terminal. */
const narrowest = 40
const mostLines = 24
const tokenLine = /\r?\n([\w.+/=~:%-]{4,512})(?=["'`,;)}]{0,3}(?:\r?\n|$))/y
const assignment = /^[A-Za-z_][\w.-]{0,80}[=:][^=]/
const digest = /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$/i

/**
 * A secret with the lines behind it that go on with it: it reaches the end of a line that is as wide as a terminal, and
 * the next lines, no wider, are made of the characters of a key alone. Digests, ids and other variables are no rest.
 */
export function continued(text: string, secret: Secret): Secret {
  let { end, value } = secret
  if (end >= text.length || !/[\r\n]/.test(text.charAt(end))) return secret
  const width = end - Math.max(text.lastIndexOf('\n', end - 1), text.lastIndexOf('\r', end - 1)) - 1
  for (let line = 1; line < mostLines; line++) {
    tokenLine.lastIndex = end
    const [whole = '', rest = ''] = width < narrowest ? [] : (tokenLine.exec(text) ?? [])
    if (rest === '' || rest.length > width || !isRest(rest)) break
    end += whole.length
    value += rest
    // Only a full line goes on.
    if (rest.length < width) break
  }
  return { start: secret.start, end, value }
}

function isRest(line: string): boolean {
  return !assignment.test(line) && !digest.test(line) && !isPublic(line) && isMixed(line) && !isWordy(line)
}
