/** The same object type with absent in place of `undefined`. */
export type Defined<T> = {
  -readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K]
} & {
  -readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** A copy without the properties that are `undefined`: in our data, absent means that the property is absent. */
export function defined<const T extends object>(fields: T): Defined<T> {
  const kept: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) kept[key] = value
  // What is left out is exactly what the type says.
  return kept as Defined<T>
}
