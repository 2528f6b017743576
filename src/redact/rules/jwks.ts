/** Private and symmetric JSON Web Keys: the numbers that make up the key, in an object that names its type. */

import { none, type Rule, type Secret } from '../rule.ts'
import { isPlaceholder } from '../values/placeholders.ts'
import { isRandom } from '../values/randomness.ts'

/** How far from its type a number of a key may be: a number of a key of 4096 bits has 683 characters. */
const maxReach = 4096
/** The secret numbers: of a private key, and the only one of a symmetric key. */
const number =
  /(?<![\w$-])(?:\\{0,3}["'])?(?<field>d|p|q|dp|dq|qi|k)(?:\\{0,3}["'])?\s{0,4}:\s{0,4}\\{0,3}["'](?<secret>[\w-]{16,1024})(?![\w-])/dg
/** Twice as many as a key has, so that a text full of types and numbers is not slow. */
const maxNumbers = 16
const symmetric = /^[^:,]{0,8}:\s{0,4}\\{0,3}["']oct/

/** The secret numbers of the object that contains a key type. */
function numbersAround(text: string, offset: number): readonly Secret[] {
  const before = text.slice(Math.max(0, offset - maxReach), offset)
  const begin = before.lastIndexOf('{')
  if (begin < 0) return none
  const start = offset - before.length + begin + 1
  const after = text.slice(offset, offset + maxReach)
  const close = after.indexOf('}')
  const object = text.slice(start, offset + (close < 0 ? after.length : close))
  const isSymmetric = symmetric.test(after)
  const found: Secret[] = []
  for (const { groups = {}, indices } of object.matchAll(number)) {
    if (found.length === maxNumbers) break
    const { field, secret = '' } = groups
    if ((field === 'k') !== isSymmetric || !isRandom(secret) || isPlaceholder(secret)) continue
    const at = start + (indices?.groups?.['secret']?.[0] ?? 0)
    found.push({ start: at, end: at + secret.length, value: secret })
  }
  return found.length === 0 ? none : found
}

/** Rules for such keys. */
export const jwkRules: readonly Rule[] = [
  {
    id: 'private-key',
    anchors: ['"kty"', '\\"kty\\"', "'kty'", ' kty:', '{kty:', '\tkty:', ',kty:'],
    read: numbersAround,
  },
]
