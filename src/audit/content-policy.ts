/** What a Content Security Policy lets a page do. */

/** Directives of a policy by name, in lower case. */
export type PolicyDirectives = ReadonlyMap<string, readonly string[]>

/** Reads a policy; of a directive that stands twice the first one counts, as in browsers. */
export function parsePolicy(text: string): PolicyDirectives {
  const directives = new Map<string, readonly string[]>()
  for (const part of text.split(';')) {
    const [name = '', ...values] = part.trim().split(/\s+/)
    if (name !== '' && !directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), values)
  }
  return directives
}

/** What each kind of fetch may name beside hashes; all else makes a policy weaker than ours. */
const allowed: Readonly<Record<string, RegExp>> = {
  // Only script that runs already can make a `blob:` address: the login page of a locked site opens its scripts so.
  'script-src': /^(?:blob:|'(?:self|none|wasm-unsafe-eval|sha(?:256|384|512)-.*)')$/,
  'style-src': /^'(?:self|none|sha(?:256|384|512)-.*)'$/,
  'img-src': /^(?:'self'|'none'|data:|blob:)$/,
  'connect-src': /^'(?:self|none)'$/,
  'worker-src': /^'(?:self|none)'$/,
  'manifest-src': /^'(?:self|none)'$/,
  'font-src': /^(?:'self'|'none'|data:)$/,
  'media-src': /^(?:'self'|'none'|data:|blob:)$/,
  'base-uri': /^'none'$/,
  'form-action': /^'none'$/,
}

/** In which ways a policy allows more than the program's own does, as clauses for people; none where it does not. */
export function policyFaults(directives: PolicyDirectives): string[] {
  const faults: string[] = []
  if (directives.get('default-src')?.join(' ') !== "'none'") faults.push("`default-src` is not `'none'`")
  for (const name of ['base-uri', 'form-action']) if (!directives.has(name)) faults.push(`\`${name}\` is missing`)
  for (const [name, values] of directives) {
    if (name === 'default-src') continue
    const own = name.replace(/-(?:elem|attr)$/, '')
    const form = allowed[own] ?? (own.endsWith('-src') ? /^'none'$/ : undefined)
    for (const value of values) if (form?.test(value) === false) faults.push(`\`${name}\` allows \`${value}\``)
  }
  return faults
}

/** Whether a policy lets the inline script or style with this hash (SHA-256, base64) run. */
export function allowsHash(directives: PolicyDirectives, kind: 'script-src' | 'style-src', hash: string): boolean {
  const values = directives.get(`${kind}-elem`) ?? directives.get(kind) ?? directives.get('default-src') ?? []
  return values.includes(`'sha256-${hash}'`)
}
