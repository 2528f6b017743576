/** What the arguments of a tool tell of the call in few words. */

/** Characters of a value, and number of values, that are kept. */
const most = { characters: 80, values: 12 }

/** JSON arguments with their short values of one line only; free text, which may be a whole document, is left out. */
export function keyArguments(input: string): string {
  const fields = fieldsOf(input)
  if (fields === undefined) return ''
  const kept = Object.entries(fields).filter(([, value]) => isShort(value))
  return JSON.stringify(Object.fromEntries(kept.slice(0, most.values)))
}

function isShort(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= most.characters && !/[\r\n]/.test(value)
  return typeof value === 'number' || typeof value === 'boolean'
}

function fieldsOf(input: string): object | undefined {
  try {
    const value: unknown = JSON.parse(input)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
