/** A function of one object that is computed once while the object lives; for objects that change no more. */
export function oncePer<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { value: Value }>()
  return (key) => {
    const { value } = known.get(key) ?? { value: make(key) }
    known.set(key, { value })
    return value
  }
}
