/** What a page may load: its own site, and nothing that a transcript could bring along. */

import { sha256Base64 } from '../util/hash.ts'

/** Content Security Policy of every page. Pagefind compiles WebAssembly, hence `wasm-unsafe-eval`. */
export const policy: string = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
].join('; ')

/** Policy of a page that stands alone: its own style sheet and script by their hashes, pictures inside it. */
export function singlePolicy(style: string, script: string): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${sha256Base64(style)}'`,
    `script-src 'sha256-${sha256Base64(script)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

/** `_headers`, which several static hosts read: the policy as a header, and caching of assets that never change. */
export const headersFile: string = `/*
  Content-Security-Policy: ${policy}; frame-ancestors 'none'
  Referrer-Policy: no-referrer
  X-Content-Type-Options: nosniff
/assets/*
  Cache-Control: public, max-age=31536000, immutable
`
