/** What a configuration file loads, as far as its text tells. */

const ownImport = /\bimport\s*\{\s*defineConfig\s*,?\s*\}\s*from\s*(['"])codex-export\1/

/**
 * Whether a configuration file surely imports nothing but `defineConfig` of this package. Goes by words alone, so a
 * file that only talks of imports counts as one that has them.
 */
export function isSelfContained(source: string): boolean {
  return !/\b(?:import|require|from)\b/.test(source.replace(ownImport, ''))
}

/** What a module may load. */
export interface ModuleLoads {
  /** Names of modules as written, each once. */
  specifiers: readonly string[]
  /** The words by which it may load what its text does not name, such as `import(`, each once. */
  unclear: readonly string[]
}

/** A word that loads modules, or by which text becomes code. `x.from(…)` is not one of them. */
const words =
  /(?<![\w$])(?:import|require|(?<!\.)from|eval|Function|createRequire|getBuiltinModule|dlopen|importScripts)(?![\w$])/g

/** Gone before anything is loaded. It holds no quote and no bracket but its own, so nothing hides in it. */
const typeImport = /\bimport\s+type\s+(?:\{[^{}'"`()]*\}|\*\s*as\s+[\w$]+|[\w$]+)\s*from\s*(['"])[^'"`\n\\]*\1/g

/** A name in quotes or backticks, without escapes. A template's `${` makes it unclear. */
const literal = /(?:'([^'\\\n]*)'|"([^"\\\n]*)"|`([^`\\$]*)`)/.source

const named = new RegExp(String.raw`\s*${literal}`, 'y')
const called = new RegExp(String.raw`\s*\(\s*${literal}\s*[,)]`, 'y')
/** What stands behind `import` or `from` and is no module's name: a clause, a word of prose, a call of another thing. */
const harmless: Readonly<Record<string, RegExp>> = {
  import: /(?!\s*(?:\(|['"`]|\/[/*]|\.(?!\s*meta\b)))/y,
  from: /(?!\s*(?:['"`]|\/[/*]))/y,
}

/**
 * What the text of a module loads. Goes by words, not by syntax, so that nothing in the text can hide an import from it:
 * names in comments and texts count too, and what is not clear counts as unclear.
 */
export function moduleLoads(source: string): ModuleLoads {
  const text = withoutEscapes(source).replace(typeImport, '')
  const specifiers = new Set<string>()
  const unclear = new Set<string>()
  for (const { 0: word, index } of text.matchAll(words)) {
    const end = index + word.length
    const name = specifierAt(text, word, end)
    if (name !== undefined) specifiers.add(name)
    else if (!matchAt(harmless[word], text, end)) unclear.add(text[end] === '(' ? `${word}(` : word)
  }
  return { specifiers: [...specifiers], unclear: [...unclear] }
}

/** The module that is named behind a word. */
function specifierAt(text: string, word: string, end: number): string | undefined {
  const forms = { import: [named, called], from: [named], require: [called] }[word] ?? []
  for (const form of forms) {
    const found = matchAt(form, text, end)
    if (found) return found[1] ?? found[2] ?? found[3] ?? ''
  }
  return undefined
}

function matchAt(pattern: RegExp | undefined, text: string, at: number): RegExpExecArray | null {
  if (pattern === undefined) return null
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** Names may be written by the numbers of their characters, in texts and outside of them. */
function withoutEscapes(source: string): string {
  return source.replace(/\\u\{?([\da-f]{1,6})\}?|\\x([\da-f]{2})/gi, (whole, long?: string, short?: string) => {
    const code = Number.parseInt(long ?? short ?? '', 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
