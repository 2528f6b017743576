/** Which threads belong together: what one of them tells as a secret is known in all. */

/** A thread with the ids of those that it comes from or started, whether or not their files are there. */
export interface Relative {
  id: string
  related: readonly string[]
}

/** Groups threads that are connected by any chain of relations, also over a thread without a file; in the order given. */
export function familiesOf(threads: readonly Relative[]): string[][] {
  const above = new Map<string, string>()
  const rootOf = (id: string): string => {
    let root = id
    for (let next = above.get(root); next !== undefined; next = above.get(root)) root = next
    // Shorter ways for the next time: chains of thousands of forks stay quick.
    for (let at = id; at !== root; ) {
      const next = above.get(at) ?? root
      above.set(at, root)
      at = next
    }
    return root
  }
  for (const { id, related } of threads) {
    for (const other of related) {
      const [a, b] = [rootOf(id), rootOf(other)]
      if (a !== b) above.set(b, a)
    }
  }
  const families = new Map<string, string[]>()
  for (const { id } of threads) {
    const root = rootOf(id)
    const family = families.get(root)
    if (family === undefined) families.set(root, [id])
    else family.push(id)
  }
  return [...families.values()]
}
