/** Records by key and by object: keys come from files and may be `constructor` or `__proto__`, and absent means absent. */

/** The record's own value, never one that every object has. */
export function ownValue<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}

/** Sets the record's own value, also under a key that would otherwise set its prototype. */
export function setOwn<T>(record: Record<string, T>, key: string, value: T): void {
  // What is the record's own already is set as such, at a tenth of the cost.
  if (Object.hasOwn(record, key)) record[key] = value
  else Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true })
}

/** Adds one to a count of a record. */
export function countOwn(counts: Record<string, number>, key: string): void {
  setOwn(counts, key, (ownValue(counts, key) ?? 0) + 1)
}

/** A function of one object that is computed once while the object lives; for objects that change no more. */
export function oncePer<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { value: Value }>()
  return (key) => {
    const before = known.get(key)
    if (before !== undefined) return before.value
    const value = make(key)
    known.set(key, { value })
    return value
  }
}

// Properties that are absent in place of `undefined`.

/** The same object type with absent in place of `undefined`. */
export type Defined<T> = {
  -readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K]
} & {
  -readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** A copy without the properties that are `undefined`: in our data, absent means that the property is absent. */
export function defined<const T extends object>(fields: T): Defined<T> {
  const given = fields as Readonly<Record<string, unknown>>
  const kept: Record<string, unknown> = {}
  for (const key in given) if (given[key] !== undefined) kept[key] = given[key]
  // What is left out is exactly what the type says.
  return kept as Defined<T>
}

/**
 * The object with those of the properties that are not `undefined` set on it, in their order. For what is made of each line:
 * engines spread into the middle of a literal at four times the cost.
 */
export function withDefined<T extends object, U extends object>(target: T, fields: U): T & Defined<U> {
  const given = fields as Readonly<Record<string, unknown>>
  const taken = target as Record<string, unknown>
  for (const key in given) {
    const value = given[key]
    if (value !== undefined) taken[key] = value
  }
  // What is left out is exactly what the type says.
  return target as T & Defined<U>
}

/** A list, absent where it is empty. */
export function unlessEmpty<T>(items: T[]): T[] | undefined {
  return items.length === 0 ? undefined : items
}
