/**
 * Small total decoders for untrusted JSON: each gives a value or `undefined`, none throws. Numbers and times have bounds
 * far beyond anything real, so that code which computes with them (sums, dates, widths, counts) needs no checks of its
 * own. A value out of bounds is treated as absent, and counted (`takeOutOfBoundsCount`).
 */

import { isObject } from '../../util/json.ts'

/** An object of a JSON text. */
export type JsonObject = Record<string, unknown>

/** A plain object, else `undefined`. */
export function asObject(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined
}

/** An array, else an empty one. */
export function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** A string, else `undefined`. */
export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** A string that contains more than whitespace, else `undefined`. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** Upper bound of counts (tokens, bytes, lines, ordinals, offsets): a sum of a thousand of them is still exact. */
const maxCount = 1e12

/** Upper bound of durations in milliseconds: ten years. */
const maxDurationMs = 3650 * 86_400_000

/** Bound of exit codes: on all systems they are 32-bit numbers, signed or unsigned. */
const maxExitCode = 2 ** 32

/** Bounds of instants. Codex dates from 2025; a calendar that began or ended far away would have endless pages. */
const instants = { from: Date.UTC(2000, 0), to: Date.UTC(2100, 0) }

let outOfBounds = 0

/**
 * How many values were out of bounds since the last call, which resets the count. Decoders are synchronous, so a call
 * right after a record was decoded counts that record's values.
 */
export function takeOutOfBoundsCount(): number {
  const count = outOfBounds
  outOfBounds = 0
  return count
}

function rejected(): undefined {
  outOfBounds++
  return undefined
}

/** A number or numeric string (rollout-format 9, hazard 13) from `-max` to `max`. */
function bounded(value: unknown, max: number): number | undefined {
  if (typeof value !== 'number' && (typeof value !== 'string' || value.trim() === '')) return undefined
  const number = Number(value)
  if (Math.abs(number) <= max) return number
  return typeof value === 'string' && Number.isNaN(number) ? undefined : rejected()
}

/** A number with any sign or fraction, within `maxCount`. */
export function asNumber(value: unknown): number | undefined {
  return bounded(value, maxCount)
}

/** A non-negative integer up to `maxCount`; fractions are rounded. */
export function asCount(value: unknown): number | undefined {
  const number = bounded(value, maxCount)
  if (number === undefined) return undefined
  return number < 0 ? rejected() : Math.round(number)
}

/** The exit code of a process: an integer. */
export function asExitCode(value: unknown): number | undefined {
  const number = bounded(value, maxExitCode)
  return number === undefined || Number.isInteger(number) ? number : rejected()
}

/** The number or name that identifies a process or a cell. */
export function asHandle(value: unknown): string | undefined {
  const name = asText(value)
  if (name !== undefined) return name
  const number = asCount(value)
  return number === undefined ? undefined : String(number)
}

/** `true` or `false`, else `undefined`. */
export function asBoolean(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined
}

/** An instant of the years 2000 to 2099 as ISO UTC with milliseconds, from RFC 3339 text. */
export function asInstant(value: unknown): string | undefined {
  const text = asString(value)
  if (text === undefined) return undefined
  // Days from 29 on go through `Date.parse`, which moves a day that its month lacks into the next month.
  if (written.test(text)) return text
  const time = Date.parse(text)
  if (Number.isNaN(time)) return /^[+-]?\d{4,}-\d\d/.test(text) ? rejected() : undefined
  if (time < instants.from || time >= instants.to) return rejected()
  return new Date(time).toISOString()
}

/** An instant that is already in our own form and within bounds, as most are. */
const written = /^20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

/** An instant from whole seconds since 1970, in the same form and bounds. */
export function asEpoch(value: unknown): string | undefined {
  const time = (asCount(value) ?? Number.NaN) * 1000
  if (Number.isNaN(time)) return undefined
  return time < instants.from || time >= instants.to ? rejected() : new Date(time).toISOString()
}

/** The strings of an array. */
export function asStrings(value: unknown): string[] {
  return asArray(value).filter((item) => typeof item === 'string')
}

/** A path, with `file:` URIs decoded and the Windows long-path prefix removed (rollout-format 9, hazard 14). */
export function asPath(value: unknown): string | undefined {
  const text = asText(value)
  if (text === undefined) return undefined
  if (!/^file:\/\//i.test(text)) return text.replace(/^\\\\\?\\(UNC\\)?/i, (_, share) => (share ? '\\\\' : ''))
  // `file:///path` and `file://localhost/path` are local; another host is a share.
  const path = text
    .slice('file://'.length)
    .replace(/^localhost(?=\/)/i, '')
    .replace(/^(?!\/)/, '//')
  try {
    return decodeURIComponent(path).replace(/^\/([a-z]:)/i, '$1')
  } catch {
    return path
  }
}

/** Milliseconds from `{secs, nanos}`, a number of milliseconds, or text such as `1.2s`; up to `maxDurationMs`. */
export function asDuration(value: unknown): number | undefined {
  const object = asObject(value)
  if (object !== undefined) return duration(asNumber(object['secs']), 1000, asNumber(object['nanos']) ?? 0)
  const text = asString(value)?.match(/^([\d.]+)\s*(ms|s)$/)
  return text ? duration(asNumber(text[1]), text[2] === 's' ? 1000 : 1) : duration(asNumber(value), 1)
}

/** Milliseconds from a number of seconds. */
export function asSeconds(value: unknown): number | undefined {
  return duration(asNumber(value), 1000)
}

function duration(amount: number | undefined, unit: number, nanos: number = 0): number | undefined {
  if (amount === undefined) return undefined
  const ms = Math.round(amount * unit + nanos / 1e6)
  return ms < 0 || ms > maxDurationMs ? rejected() : ms
}

/** A remote URL without credentials (rollout-format 9, hazard 18). */
export function asRemote(value: unknown): string | undefined {
  return asText(value)?.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, '$1')
}

/** The id of the turn that a response item's metadata names. */
export function itemTurn(payload: JsonObject): string | undefined {
  return asText(asObject(payload['internal_chat_message_metadata_passthrough'])?.['turn_id'])
}

/**
 * A snake-case name as words. Anything that may be more than words stays unchanged, because many tokens begin like such a
 * name and redaction must see them whole.
 */
export function asWords(name: string): string {
  return /^[A-Za-z]{1,20}(?:_[A-Za-z0-9]{1,15})+$/.test(name) ? name.replaceAll('_', ' ') : name
}
