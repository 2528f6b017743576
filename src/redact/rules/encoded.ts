/** Tokens that stand in base64 or in hexadecimal digits: looked for by what their beginnings become there. */
import type { PatternRule, Rule } from '../rule.ts'
import { type Secret, secretAt } from '../secret-at.ts'
import { formRules } from './forms.ts'
import { tokenRules } from './tokens.ts'

const maxRun = 8192
/** So much before and behind a beginning tells whether a token stands there. */
const [near, far] = [256, 1024]
/** A beginning of fewer characters is found in everything. */
const minBeginning = 4
const none: readonly Secret[] = []

/** How a beginning stands in an encoded run. */
interface Encoded {
  rule: PatternRule
  /** Characters of the run that are a group: four in base64, two in hexadecimal digits. */
  group: number
  /** Characters of its group before the anchor. */
  offset: number
}

/** Key ids of AWS, whose form is no row of the table. */
const keyIds = formRules.flatMap((rule) => (rule.id === 'aws-key-id' && rule.pattern !== undefined ? [rule] : []))
const anchors = new Map<string, Encoded[]>()

function add(anchor: string, encoded: Encoded): void {
  const known = anchors.get(anchor)
  if (known === undefined) anchors.set(anchor, [encoded])
  else known.push(encoded)
}

for (const rule of [...tokenRules, ...keyIds]) {
  for (const beginning of rule.anchors) {
    if (beginning.length < minBeginning || !/[^A-Za-z0-9]|^A[KS]IA$/.test(beginning)) continue
    for (const { anchor, offset } of inBase64(beginning)) add(anchor, { rule, group: 4, offset })
    const digits = inHex(beginning)
    add(digits, { rule, group: 2, offset: 0 })
    add(digits.toUpperCase(), { rule, group: 2, offset: 0 })
  }
}

/** What a text becomes in base64, by where it begins in a group of three bytes, without what its neighbours decide. */
function inBase64(text: string): { anchor: string; offset: number }[] {
  return [0, 1, 2].map((before) => {
    const offset = Math.ceil((before * 8) / 6)
    const end = Math.floor(((before + text.length) * 8) / 6)
    return { anchor: btoa('\0'.repeat(before) + text).slice(offset, end), offset }
  })
}

function inHex(text: string): string {
  return Array.from(text, (character) => character.charCodeAt(0).toString(16).padStart(2, '0')).join('')
}

/** Lengths of the anchors, the longest first. */
const lengths = [...new Set(Array.from(anchors.keys(), (anchor) => anchor.length))].toSorted((a, b) => b - a)

const base64Run = /[A-Za-z0-9+/_-]/
const hexRun = /[0-9A-Fa-f]/

/** The rule of encoded tokens: the whole run goes, for its other parts belong to the same text. Marks name the token's rule. */
export const encodedRules: readonly Rule[] = [
  {
    id: 'encoded-token',
    anchors: [...anchors.keys()],
    read(text, place) {
      for (const length of lengths) {
        // Anchors are looked up by their own text; the longest that stands here tells most.
        const known = anchors.get(text.slice(place, place + length))
        const found = known?.map((encoded) => secretAround(text, place, encoded)).find((secret) => secret !== undefined)
        if (found !== undefined) return [found]
      }
      return none
    },
  },
]

function secretAround(text: string, place: number, { rule, group, offset }: Encoded): Secret | undefined {
  const isHex = group === 2
  const chars = isHex ? hexRun : base64Run
  const from = runStart(text, place, near, chars)
  const first = from + ((((place - offset - from) % group) + group) % group)
  const decoded = isHex
    ? fromHex(text.slice(first, runEnd(text, place, far, chars)))
    : fromBase64(text.slice(first, runEnd(text, place, far, chars)))
  // The beginning stands in the byte in which its first whole character does, or in the one before.
  const at = Math.floor(((place - first) * (isHex ? 4 : 6)) / 8)
  for (const index of [at, at + 1, at - 1]) {
    if (
      !rule.anchors.some((anchor) => decoded.startsWith(anchor, index)) ||
      secretAt(decoded, index, rule) === undefined
    )
      continue
    const start = runStart(text, place, maxRun, chars)
    const end = behindFill(text, runEnd(text, place, maxRun, chars))
    return { start, end, value: text.slice(start, end), rule: rule.id }
  }
  return undefined
}

function runStart(text: string, place: number, most: number, chars: RegExp): number {
  let start = place
  while (start > 0 && place - start < most && chars.test(text.charAt(start - 1))) start--
  return start
}

function runEnd(text: string, place: number, most: number, chars: RegExp): number {
  let end = place
  while (end < text.length && end - place < most && chars.test(text.charAt(end))) end++
  return end
}

/** The end with the signs that fill the last group. */
function behindFill(text: string, end: number): number {
  return end + (/^={0,2}/.exec(text.slice(end, end + 2))?.[0].length ?? 0)
}

function fromBase64(text: string): string {
  const digits = text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')
  return atob(digits.slice(0, digits.length - (digits.length % 4 === 1 ? 1 : 0)))
}

function fromHex(text: string): string {
  let decoded = ''
  for (let at = 0; at + 2 <= text.length; at += 2)
    decoded += String.fromCharCode(Number.parseInt(text.slice(at, at + 2), 16))
  return decoded
}
