/** Which files of Pagefind's output a site needs: the stock interfaces and the highlighter stay out. */
import { entryLanguage } from './entry.ts'

const data = /^(?:index|fragment|filter)\/|\.pf_meta$/
const scripts = new Set(['pagefind.js', 'pagefind-worker.js'])
const wasm = /^wasm\.(.+)\.pagefind$/

/** Names of Pagefind's output that it loads in the browser. `entry` is the text of `pagefind-entry.json`. */
export function neededNames(names: Iterable<string>, entry: string): string[] {
  const engine = entryLanguage(entry)?.wasm ?? 'unknown'
  return [...names].filter((name) => {
    if (wasm.test(name)) return wasm.exec(name)?.[1] === engine
    return name === 'pagefind-entry.json' || scripts.has(name) || data.test(name)
  })
}

/** Whether a file is one of those that every index brings along alike: a site needs them once. */
export function isCommon(name: string): boolean {
  return scripts.has(name) || wasm.test(name)
}

/** Whether a file is read by the search itself, in contrast to scripts and what the search has been told already. */
export function isData(name: string): boolean {
  return data.test(name) || wasm.test(name)
}
