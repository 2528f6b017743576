/** What the login page of a locked site, and with it every page that it opens, may load. */

/**
 * Content Security Policy of a locked site. Scripts and pictures that were opened come as `blob:` addresses, which only
 * our own script can make. Pagefind compiles WebAssembly; without a search nothing may.
 */
export function lockPolicy(search: boolean): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self' blob:",
    `script-src 'self' blob:${search ? " 'wasm-unsafe-eval'" : ''}`,
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ')
}

/** `_headers` of a locked site. Names do not change with the content, so that no copy may be used without asking. */
export function lockHeaders(search: boolean): string {
  return `/*
  Content-Security-Policy: ${lockPolicy(search)}; frame-ancestors 'none'
  Referrer-Policy: no-referrer
  X-Content-Type-Options: nosniff
  X-Robots-Tag: noindex
  Cache-Control: no-cache
`
}

/** `robots.txt` of a locked site. */
export const lockRobots = 'User-agent: *\nDisallow: /\n'
