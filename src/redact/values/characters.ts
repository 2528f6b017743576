/** What characters a value has. */

/** Whether a value mixes kinds of characters as keys do. */
export function isMixed(value: string): boolean {
  return kindsIn(value) >= 2
}

/** How many of small letters, capitals, digits and signs a value has. */
export function kindsIn(value: string): number {
  return [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length
}

/** Bits of information for each character of a value, by how often each stands in it. */
export function entropyOf(value: string): number {
  const counts = new Map<string, number>()
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length)
  return bits
}
