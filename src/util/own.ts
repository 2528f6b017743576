/**
 * Records read and written safely: keys come from files and may be `constructor` or `__proto__`, and an absent value is an absent
 * property.
 */

/** The record's own value, never one that it inherits. */
export function ownValue<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}

/** Sets the record's own value, even if the key would otherwise set its prototype. */
export function setOwn<T>(record: Record<string, T>, key: string, value: T): void {
  // An own property can be assigned directly, at a tenth of the cost.
  if (Object.hasOwn(record, key)) record[key] = value
  else Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true })
}

/** Adds one to a count in a record. */
export function countOwn(counts: Record<string, number>, key: string): void {
  setOwn(counts, key, (ownValue(counts, key) ?? 0) + 1)
}

/** A record with one value for each of several names, which are separated by spaces. */
export function recordOf<T>(names: string, value: T): Record<string, T> {
  return Object.fromEntries(names.split(' ').map((name) => [name, value]))
}

/** Caches the result of a function for each object as long as the object lives; for objects that no longer change. */
export function oncePer<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const cache = new WeakMap<Key, { value: Value }>()
  return (key) => {
    const cached = cache.get(key)
    if (cached !== undefined) return cached.value
    const value = make(key)
    cache.set(key, { value })
    return value
  }
}

// Absent properties instead of `undefined`.

/** The same object type, with optional properties instead of `undefined` values. */
type Defined<T> = {
  -readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K]
} & {
  -readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** A copy without the properties that are `undefined`: in our data, absent means that the property is absent. */
export function defined<const T extends object>(fields: T): Defined<T> {
  const given = fields as Readonly<Record<string, unknown>>
  const kept: Record<string, unknown> = {}
  for (const key in given) if (given[key] !== undefined) kept[key] = given[key]
  // Exactly those properties are left out that the type makes optional.
  return kept as Defined<T>
}

/**
 * Sets those of the properties that are not `undefined` on an object, in their order, and returns it. Use it for what is made for
 * each line: spreading into the middle of a literal costs engines four times as much.
 */
export function withDefined<T extends object, U extends object>(target: T, fields: U): T & Defined<U> {
  const given = fields as Readonly<Record<string, unknown>>
  const taken = target as Record<string, unknown>
  for (const key in given) {
    const value = given[key]
    if (value !== undefined) taken[key] = value
  }
  // Exactly those properties are left out that the type makes optional.
  return target as T & Defined<U>
}

/** The list, or `undefined` if it is empty. */
export function unlessEmpty<T>(items: T[]): T[] | undefined {
  return items.length === 0 ? undefined : items
}
