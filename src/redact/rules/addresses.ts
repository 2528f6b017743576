/** Addresses, topics and keys of a server that give access to whoever knows them. */

import { none, type Rule, type Secret } from '../rule.ts'
import { isMixed } from '../values/letters.ts'
import { isPlaceholder } from '../values/placeholders.ts'
import { isRandom, isStrong, isUuid } from '../values/randomness.ts'

/** Whether a value in an address is random by its form. Digests stay, because they also name contents. */
const isToken = (value: string): boolean => isStrong(value) && !isUuid(value) && !isPlaceholder(value)

const map = /^map\s{1,8}\$\w{0,40}(?:key|token|auth|secret|password)\w{0,20}\s{1,8}\$\w{1,60}\s{0,8}\{/i
const entry = /[{;]\s{0,80}["']?(?<value>[\w.~+/=-]{16,256})["']?\s{1,40}[^\s;{}]{1,120}(?=;)/dg
const maxMap = 8192

/** The keys that a `map` of nginx accepts. */
function readMap(text: string, offset: number): readonly Secret[] {
  const block = text.slice(offset, offset + maxMap)
  const { length } = map.exec(block)?.[0] ?? ''
  if (length === 0) return none
  const end = block.indexOf('}')
  const entries = block.slice(length - 1, end < 0 ? undefined : end).matchAll(entry)
  return Array.from(entries, ({ groups, indices }) => {
    const start = offset + length - 1 + (indices?.groups?.['value']?.[0] ?? 0)
    const value = groups?.['value'] ?? ''
    return { start, end: start + value.length, value }
  }).filter(({ value }) => isRandom(value) && isMixed(value) && !isPlaceholder(value))
}

/** Rules for such addresses and keys. */
export const addressRules: readonly Rule[] = [
  {
    // Codes and tokens with short names, such as those that log somebody in.
    id: 'url-token',
    anchors: ['?code=', '&code=', ';code=', '?t=', '&t=', '?k=', '&k='],
    pattern: /(?<=[\w/.-])(?:[?&]|&amp;)(?:code|[tk])=(?<secret>[\w.~-]{20,512})(?![\w%])/y,
    isSecret: isToken,
  },
  {
    // Monitors that listen to whoever knows their address.
    id: 'url-token',
    anchors: ['/api/push/'],
    pattern: /(?<=:\/\/[^\s"'<>`]{3,256})\/api\/push\/(?<secret>[A-Za-z0-9]{10,64})(?![\w/-])/y,
    isSecret: isToken,
  },
  {
    id: 'url-token',
    anchors: ['/api/push/'],
    pattern: /\/api\/push\/(?<secret>[A-Za-z0-9]{10,64})(?=\?(?:status|msg|ping)=)/y,
    isSecret: (value) => !isPlaceholder(value),
  },
  {
    // Topics of ntfy, which anybody may read who guesses their name.
    id: 'url-token',
    anchors: ['ntfy.sh/', 'ntfy pub', 'ntfy send ', 'ntfy sub'],
    pattern:
      /(?:ntfy\.sh\/|ntfy (?:pub(?:lish)?|send|sub(?:scribe)?) (?:-{1,2}[\w-]{1,20}(?:[ =][^\s-][^\s]{0,60})? ){0,6})(?<secret>[\w-]{10,64})(?![\w-])/y,
    isSecret: isToken,
  },
  {
    // The key that signs notifications of a web page.
    id: 'named-secret',
    anchors: ['apid', 'APID'],
    pattern:
      /(?:apid|APID)[ _-]?(?:private|Private|PRIVATE)["'`]?\s{0,3}[:=]\s{0,3}["'`]?(?<secret>[\w-]{43})(?![\w-])/y,
    isSecret: isRandom,
  },
  { id: 'named-secret', anchors: ['map $'], lines: true, read: readMap },
]
