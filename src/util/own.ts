/** Values by key: records whose keys come from files and may be `constructor` or `__proto__`, and values made once a key. */

/** The record's own value, never one that every object has. */
export function ownValue<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}

/** Sets the record's own value, also under a key that would otherwise set its prototype. */
export function setOwn<T>(record: Record<string, T>, key: string, value: T): void {
  Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true })
}

/** Adds one to a count of a record. */
export function countOwn(counts: Record<string, number>, key: string): void {
  setOwn(counts, key, (ownValue(counts, key) ?? 0) + 1)
}

/** A function of one object that is computed once while the object lives; for objects that change no more. */
export function oncePer<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { value: Value }>()
  return (key) => {
    const { value } = known.get(key) ?? { value: make(key) }
    known.set(key, { value })
    return value
  }
}
