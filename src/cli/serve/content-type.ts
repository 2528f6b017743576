/** Content types of the files that a site holds. */

const types: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  css: 'text/css; charset=utf-8',
  gif: 'image/gif',
  html: 'text/html; charset=utf-8',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  wasm: 'application/wasm',
  webp: 'image/webp',
  xml: 'application/xml; charset=utf-8',
}

/** Type by the extension of a path; anything else is bytes, which no browser runs. */
export function contentType(path: string): string {
  const extension = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(types, extension) ? (types[extension] ?? '') : 'application/octet-stream'
}

const policyHeader = 'Content-Security-Policy'

/** Headers that keep a file from doing more than its kind may; `own` are those that the site asks hosts to send. */
export function guardHeaders(type: string, own: Readonly<Record<string, string>> = {}): Record<string, string> {
  const guards = { [policyHeader]: "frame-ancestors 'none'", 'Referrer-Policy': 'no-referrer', ...own }
  // A picture out of a transcript, opened by itself, is a document that could run scripts.
  const policy = type.startsWith('image/svg') ? "default-src 'none'; sandbox" : guards[policyHeader]
  return { ...guards, [policyHeader]: policy, 'X-Content-Type-Options': 'nosniff' }
}
