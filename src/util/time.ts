/** Instants, durations and sizes in plain English, the same on every machine. */

/** Which parts of an instant are shown. */
export type InstantStyle = 'day' | 'time' | 'minute' | 'second'

/** Formats by zone, because making one costs far more than using it. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatFor(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  formats.set(timeZone, made)
  return made
}

/** Whether the runtime knows an IANA time zone. */
export function isTimeZone(timeZone: string): boolean {
  // Asking the runtime takes milliseconds, and this is the default.
  if (timeZone === 'UTC') return true
  try {
    formatFor(timeZone)
    return true
  } catch {
    return false
  }
}

const millisecondsPerDay = 86_400_000

/**
 * Offsets from UTC in milliseconds, by zone and day of UTC; `undefined` for a day on which the clocks change. The instants of a
 * year need 365 of them, and each calls the far slower formatter only twice.
 */
const offsets = new Map<string, Map<number, number | undefined>>()

/** Times further from the epoch are refused, because adding an offset could leave the range of dates. */
const lastTime = 8.64e15 - 2 * millisecondsPerDay

/** From this day on, no zone shifts its clocks by odd seconds or twice in a day. */
const firstDay = Date.UTC(1973, 0) / millisecondsPerDay
const lastDay = Date.UTC(9999, 0) / millisecondsPerDay

/** `YYYY-MM-DD hh:mm:ss` of an instant in a zone; `undefined` if the text is not an instant. */
function localText(iso: string, timeZone: string): string | undefined {
  if (timeZone === 'UTC' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(iso)) {
    return `${iso.slice(0, 10)} ${iso.slice(11, 19)}`
  }
  const time = Date.parse(iso)
  // Near the ends of the range of dates, adding the offset would lead out of it.
  if (!(Math.abs(time) < lastTime)) return undefined
  const offset = dayOffset(Math.floor(time / millisecondsPerDay), timeZone)
  if (offset === undefined) return formattedText(time, timeZone)
  const shifted = new Date(time + offset).toISOString()
  return `${shifted.slice(0, 10)} ${shifted.slice(11, 19)}`
}

function dayOffset(day: number, timeZone: string): number | undefined {
  if (day < firstDay || day > lastDay) return undefined
  const ofZone = offsets.get(timeZone) ?? new Map<number, number | undefined>()
  offsets.set(timeZone, ofZone)
  if (!ofZone.has(day)) {
    const [start, end] = [day, day + 1].map((border) => offsetAt(border * millisecondsPerDay, timeZone))
    ofZone.set(day, start === end ? start : undefined)
  }
  return ofZone.get(day)
}

/** Milliseconds since the epoch of a written instant; `undefined` if the text is not one. */
export function timeOf(iso: string | undefined): number | undefined {
  const time = iso === undefined ? Number.NaN : Date.parse(iso)
  return Number.isNaN(time) ? undefined : time
}

/** How far the clocks of a zone are ahead of UTC at a whole second, in milliseconds. */
function offsetAt(time: number, timeZone: string): number {
  return Date.parse(`${formattedText(time, timeZone).replace(' ', 'T')}Z`) - time
}

/**
 * The first and the last instant at which clocks of a zone show a time (`2026-03-14T09:26:53`), in milliseconds since the
 * epoch: two if they are put back then. A time that they skip is that much later. Empty for a time that does not exist.
 */
export function instantsAt(local: string, timeZone: string): number[] {
  const asUtc = Date.parse(`${local}Z`)
  if (Number.isNaN(asUtc)) return []
  const around = [
    asUtc - offsetAt(asUtc - millisecondsPerDay, timeZone),
    asUtc - offsetAt(asUtc + millisecondsPerDay, timeZone),
  ]
  const shown = around.filter((time) => time + offsetAt(time, timeZone) === asUtc).sort((one, other) => one - other)
  return shown.length > 0 ? shown : around.slice(0, 1)
}

function formattedText(time: number, timeZone: string): string {
  const parts: Record<string, string> = {}
  for (const { type, value } of formatFor(timeZone).formatToParts(time)) parts[type] = value
  const { year = '', month, day, hour, minute, second } = parts
  return `${year.padStart(4, '0')}-${month}-${day} ${hour}:${minute}:${second}`
}

/**
 * An instant in a zone: `2026-03-14` (day), `09:26` (time), `2026-03-14 09:26` (minute, the default) or `2026-03-14 09:26:53`
 * (second). Text that is not an instant is returned unchanged.
 */
export function formatInstant(iso: string, timeZone: string, style: InstantStyle = 'minute'): string {
  const text = localText(iso, timeZone)
  if (text === undefined) return iso
  if (style === 'day') return text.slice(0, 10)
  if (style === 'time') return text.slice(11, 16)
  return style === 'minute' ? text.slice(0, 16) : text
}

/** A duration: `340 ms`, `6.4 s`, `2 min 3 s`, `1 h 5 min`, `3 d 2 h`. A zero at the end is left out. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`
  if (ms < 59_950) return `${(Math.round(ms / 100) / 10).toFixed(1).replace(/\.0$/, '')} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return twoParts(seconds, 60, 'min', 's')
  const minutes = Math.round(seconds / 60)
  if (minutes < 1440) return twoParts(minutes, 60, 'h', 'min')
  return twoParts(Math.round(minutes / 60), 24, 'd', 'h')
}

function twoParts(amount: number, size: number, large: string, small: string): string {
  const rest = amount % size
  const head = `${Math.floor(amount / size)} ${large}`
  return rest === 0 ? head : `${head} ${rest} ${small}`
}

/** A whole number with separators: `12,345`. */
export function formatCount(count: number): string {
  const digits = String(Math.round(count))
  return digits.length < 4 ? digits : digits.replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/** A count with its noun: `1 turn`, `12,345 turns`. */
export function formatAmount(count: number, noun: string, plural: string = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`
}

/** A size: `1 byte`, `812 bytes`, `16 KiB`, `1.2 MiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return formatAmount(bytes, 'byte')
  const units = ['KiB', 'MiB', 'GiB', 'TiB']
  let value = bytes / 1024
  let unit = 0
  while (value >= 1023.95 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  return `${(Math.round(value * 10) / 10).toFixed(1).replace(/\.0$/, '')} ${units[unit]}`
}

// Ids, and the times in them.

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a text is a UUID, in upper or lower case. */
export function isUuid(text: string): boolean {
  return uuid.test(text)
}

/** Milliseconds since the epoch in a UUIDv7; `undefined` for any other text. */
export function uuidTime(id: string | undefined): number | undefined {
  if (id === undefined || !/^[0-9a-f]{8}-[0-9a-f]{4}-7/i.test(id)) return undefined
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
}

/** A UUIDv7 of an instant, in milliseconds since the epoch; the other bits come from ten random bytes. */
export function uuidAt(instant: number, random: Uint8Array): string {
  const bytes = Buffer.alloc(16)
  bytes.writeUIntBE(instant, 0, 6)
  bytes.set(random.subarray(0, 10), 6)
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
