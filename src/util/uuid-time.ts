/** Times that ids hold. */

/** Milliseconds since the epoch in a UUIDv7; `undefined` for any other text. */
export function uuidTime(id: string | undefined): number | undefined {
  if (id === undefined || !/^[0-9a-f]{8}-[0-9a-f]{4}-7/i.test(id)) return undefined
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
}

/** Whether a turn was made before a thread; `false` where an id does not tell. */
export function isOlderTurn(turnId: string | undefined, threadId: string): boolean {
  const [made, own] = [uuidTime(turnId), uuidTime(threadId)]
  return made !== undefined && own !== undefined && made < own
}

/** The UUIDv7 of an instant, in milliseconds since the epoch; the rest of its bits from ten random bytes. */
export function uuidAt(instant: number, random: Uint8Array): string {
  const bytes = Buffer.alloc(16)
  bytes.writeUIntBE(instant, 0, 6)
  bytes.set(random.subarray(0, 10), 6)
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
