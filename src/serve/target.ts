/** From what a client asks for to a path of the site: pure text, so that every trick can be tested. */

/** What a request asks for. `bad`: it is no honest path. */
export type Target = { kind: 'path'; path: string; query: string } | { kind: 'bad' }

const bad: Target = { kind: 'bad' }

/**
 * Reads the target of a request line, for example `/sessions/a/?q=x`. It is decoded once; encoded separators,
 * dot parts, backslashes and control characters make it bad. A folder stands for its `index.html`.
 */
export function readTarget(target: string): Target {
  const [, encoded, query] = /^\/([^?#]*)(\?[^#]*)?/.exec(target) ?? []
  if (encoded === undefined || /%2f|%5c/i.test(encoded)) return bad
  const path = decode(encoded)
  if (path === undefined || /[\p{Cc}\\]/u.test(path)) return bad
  const parts = path.split('/')
  if (parts.some((part, index) => part === '.' || part === '..' || (part === '' && index < parts.length - 1)))
    return bad
  return { kind: 'path', path: parts.at(-1) === '' ? `${path}index.html` : path, query: query ?? '' }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** A path of the site as the target of a link: from the root, every part encoded. */
export function encodeTarget(path: string): string {
  return `/${path.split('/').map(encodeURIComponent).join('/')}`
}

/**
 * Whether a `Host` header names this server. A page of another site could otherwise point its own name at this
 * machine and read the site through the visitor's browser.
 */
export function isOwnHost(header: string | undefined, bound: string, port: number): boolean {
  if (header === undefined) return false
  const name = header.toLowerCase()
  const names = ['127.0.0.1', 'localhost', '[::1]', bound.includes(':') ? `[${bound}]` : bound]
  return names.some((own) => name === `${own}:${port}` || (port === 80 && name === own))
}
