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
