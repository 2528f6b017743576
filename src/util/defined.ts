/** Absent means absent: objects without keys whose value is `undefined`. */

type UndefinedKeys<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T]

/** `T` with every key that may be `undefined` made optional. */
export type Defined<T> = Omit<T, UndefinedKeys<T>> & { [K in UndefinedKeys<T>]?: Exclude<T[K], undefined> }

/** A copy of an object without its `undefined` values; for exact optional properties. */
export function defined<T extends object>(value: T): Defined<T> {
  // Keys are only left out, never changed, so the result is what the type says.
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Defined<T>
}
