/** `_headers`, in which a site tells static hosts what to send with its files: this server does as it asks them to. */

/** Headers for the paths that match. */
export interface HeaderRule {
  /** A path of the site from its root, such as `/assets/*`; `*` at its end stands for anything. */
  pattern: string
  headers: Record<string, string>
}

/** Reads the file: a pattern at the beginning of a line, and its headers on indented lines below it. */
export function readHeaders(text: string): HeaderRule[] {
  const rules: HeaderRule[] = []
  for (const line of text.split('\n')) {
    const [, name, value = ''] = /^\s+([\w-]+):\s*(.*?)\s*$/.exec(line) ?? []
    if (name !== undefined) {
      const headers = rules.at(-1)?.headers
      if (headers !== undefined) headers[name] = value
    } else if (line.startsWith('/')) rules.push({ pattern: line.trim(), headers: {} })
  }
  return rules
}

/** What goes with a file of the site, by its path without a slash at the start. Caching is this server's own affair. */
export function headersFor(rules: readonly HeaderRule[], path: string): Record<string, string> {
  const fitting = rules.filter(({ pattern }) => matches(pattern, `/${path}`))
  const all = fitting.flatMap(({ headers }) => Object.entries(headers))
  return Object.fromEntries(all.filter(([name]) => name.toLowerCase() !== 'cache-control'))
}

function matches(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern
}
