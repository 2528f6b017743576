/** Names of one thing in many places: each original has one replacement within a file. */

import { fillShort, fillWord, type Random, randomOf } from './filler.ts'
import { keptSegments, keptWords, publicSuffixes } from './vocabulary.ts'

/** Replaces names of one file; two originals of a kind never share a replacement, unless no other is left. */
export interface Names {
  /** A part of a path, a branch, a host: extensions and digits stay. */
  segment: (text: string) => string
  /** The name of a tool; the name of an MCP tool includes its server. */
  tool: (text: string) => string
  /** A path, branch or remote of any system; the name of a home folder becomes `user`. */
  path: (text: string) => string
  /** A host name or IPv4 address. */
  host: (text: string) => string
  /** A UUID, call id, message id, hash or key; numbers of at most four digits and known prefixes stay. */
  id: (text: string) => string
  /** A run of digits. */
  digits: (text: string) => string
}

interface NameIndex {
  secret: string
  standIns: Map<string, string>
  used: Set<string>
  homes: Map<string, string>
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi
const extensions =
  /(?<=.)(?:\.(?:[A-Za-z][A-Za-z0-9]{0,3}|jsonl|json5|ipynb|swift|scala|class|plist|proto|sqlite)){1,3}$/
const idPrefix = /^(?:call|msg|rs|fc|fco|ws|ig|resp|amsg|at|item|rollout|exec|turn|ctc|ctco|tsc|cmp)(?=[-_])/

/** Names of up to this many characters are remembered; longer ones are too many to collide by chance. */
const rememberedLength = 24

/** An empty index of names; `secret` determines the replacements. */
export function namesOf(secret: string): Names {
  const index: NameIndex = { secret, standIns: new Map(), used: new Set(), homes: new Map() }
  return {
    segment: (text) => segment(text, index),
    tool: (text) => toolName(text, index),
    path: (text) => path(text, index),
    host: (text) => host(text, index),
    id: (text) => id(text, index),
    digits: (text) => digits(text, randomOf(index.secret, `digits ${text}`)),
  }
}

/** The replacement in the index, else one from `make` that nothing else has. */
function once(kind: string, text: string, index: NameIndex, make: (random: Random) => string): string {
  const key = `${kind} ${text}`
  const existing = index.standIns.get(key)
  if (existing !== undefined) return existing
  const random = randomOf(index.secret, key)
  let made = make(random)
  // If all names of this length are taken, two may share one, which is better than leaving a name unchanged.
  for (let tries = 0; tries < 100 && (index.used.has(`${kind} ${made}`) || made === text); tries++) made = make(random)
  if (text.length <= rememberedLength) {
    index.standIns.set(key, made)
    index.used.add(`${kind} ${made}`)
  }
  return made
}

function segment(text: string, index: NameIndex): string {
  if (!/\p{L}|\d{5}/u.test(text) || keptSegments.has(text) || keptWords.has(text)) return text
  const ending = extensions.exec(text.slice(-32))?.[0] ?? ''
  const stem = text.slice(0, text.length - ending.length)
  // Which shell runs a script decides how it is read, so `powershell.exe` stays as `powershell` does.
  if (/^\.exe$/i.test(ending) && keptWords.has(stem.toLowerCase())) return text
  return once('segment', text, index, (random) => stemOf(stem, index, random)) + ending
}

function toolName(text: string, index: NameIndex): string {
  if (!text.includes('__')) return segment(text, index)
  return text
    .split('__')
    .map((part) => (part === 'mcp' ? part : segment(part, index)))
    .join('__')
}

function stemOf(stem: string, index: NameIndex, random: Random): string {
  return stem.replace(new RegExp(`${uuid.source}|[0-9a-f]{16,}|\\d{5,}|\\p{L}[\\p{L}\\p{M}]*`, 'giu'), (part) => {
    if (/^\d+$/.test(part)) return digits(part, random)
    if (/^[0-9a-f]{16}|-/i.test(part)) return id(part, index)
    return part.length < 5 ? fillShort(fillOthers(part, random), random) : fillWord(part, random)
  })
}

/** Replaces letters of other scripts, which `fillShort` leaves. */
function fillOthers(part: string, random: Random): string {
  return /^[A-Za-z]+$/.test(part) ? part : fillWord(part, random)
}

function path(text: string, index: NameIndex): string {
  let before = ''
  return text.replace(/[^/\\]+/g, (part) => {
    // A name with bytes that are not UTF-8 keeps them, because they are a fault that a fixture must show.
    const home = /^(?:home|users)$/i.test(before) && !/\p{Co}/u.test(part)
    before = part
    // Drive letters reveal nothing, and their case does not matter.
    if (/^[A-Za-z]:$/.test(part)) return part
    return home ? homeName(part, index) : segment(part, index)
  })
}

function homeName(name: string, { homes }: NameIndex): string {
  const existing = homes.get(name)
  if (existing !== undefined) return existing
  const made = homes.size === 0 ? 'user' : `user${homes.size + 1}`
  homes.set(name, made)
  return made
}

function host(text: string, index: NameIndex): string {
  if (/^(?:localhost|127\.0\.0\.1|0\.0\.0\.0)$/.test(text)) return text
  if (/^[\d.]+$/.test(text)) {
    const random = randomOf(index.secret, `host ${text}`)
    return `10.${random(256)}.${random(256)}.${random(256)}`
  }
  const labels = text.split('.')
  const last = labels.length > 1 && publicSuffixes.has(labels.at(-1) ?? '') ? labels.pop() : undefined
  return [...labels.map((label) => segment(label.toLowerCase(), index)), ...(last === undefined ? [] : [last])].join(
    '.',
  )
}

function id(text: string, index: NameIndex): string {
  const prefix = idPrefix.exec(text)?.[0] ?? ''
  const rest = text.slice(prefix.length)
  const whole = rest.replace(uuid, (found) => `\0${replaceUuid(found, index)}\0`)
  return (
    prefix +
    whole
      .split('\0')
      .map((part, at) =>
        at % 2 === 1 || !/[A-Za-z]|\d{5}/.test(part) ? part : once('id', part, index, (random) => code(part, random)),
      )
      .join('')
  )
}

/** Version and variant stay, and in version 7 the time, because it orders threads, and timestamps are kept. */
function replaceUuid(text: string, { secret }: NameIndex): string {
  const random = randomOf(secret, `uuid ${text.toLowerCase()}`)
  const kept = text[14] === '7' ? 15 : 0
  return [...text]
    .map((character, at) =>
      at < kept || at === 14 || at === 19 || character === '-' ? character : hex(character, random),
    )
    .join('')
}

function hex(model: string, random: Random): string {
  const digit = random(16).toString(16)
  return model >= 'A' && model <= 'F' ? digit.toUpperCase() : digit
}

/** Letters and digits for those of a code; every fourth is a digit, so that no word can occur in it. */
function code(text: string, random: Random): string {
  const isHex = /^[0-9a-f]+$/.test(text) && /\d/.test(text)
  const letters = isHex ? 6 : 26
  return [...text]
    .map((character, at) => {
      if (!/[A-Za-z0-9]/.test(character)) return character
      if (/\d/.test(character) || (at % 4 === 3 && text.length > 4)) return String(random(10))
      const made = String.fromCharCode(97 + random(letters))
      return character <= 'Z' ? made.toUpperCase() : made
    })
    .join('')
}

/** As many digits. A leading zero stays, so that a number remains as valid or invalid as it was. */
function digits(text: string, random: Random): string {
  const first = text.startsWith('0') ? '0' : String(1 + random(9))
  let made = text
  while (made === text) made = first + Array.from({ length: text.length - 1 }, () => random(10)).join('')
  return made
}
