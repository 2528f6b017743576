/** Which files of Pagefind's output a site needs: the stock interfaces and the highlighter stay out. */

const data = /^(?:index|fragment|filter)\/|\.pf_meta$/
const fixed = new Set(['pagefind.js', 'pagefind-worker.js', 'pagefind-entry.json'])
const wasm = /^wasm\.(.+)\.pagefind$/

/** Names of Pagefind's output that it loads in the browser. `entry` is the text of `pagefind-entry.json`. */
export function neededNames(names: Iterable<string>, entry: string): string[] {
  const engines = enginesOf(entry)
  return [...names].filter((name) => {
    const engine = wasm.exec(name)?.[1]
    return engine === undefined ? fixed.has(name) || data.test(name) : engines.has(engine)
  })
}

/** The search engines that the entry names: one with the language's stemmer, or `unknown`. */
function enginesOf(entry: string): Set<string> {
  const { languages } = JSON.parse(entry) as { languages: Record<string, { wasm: string | null }> }
  return new Set(Object.values(languages).map((language) => language.wasm ?? 'unknown'))
}
