/** What a page may load: files of its own site, and nothing that a transcript could bring along. */

import { sha256Base64 } from '../util/hash.ts'

/** Content Security Policy of every page of a site. Only a site with a search allows WebAssembly, which Pagefind compiles. */
export function pagePolicy({ search }: { search: boolean }): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    `script-src 'self'${search ? " 'wasm-unsafe-eval'" : ''}`,
    "connect-src 'self'",
    // Forms pass their values to scripts and send nothing.
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ')
}

/** Policy of a standalone page: its own style sheet and script by their hashes, and embedded pictures. */
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

/** Policy of a page that loads nothing and has its style inline; a script, if given, is inline too and asks its own host. */
export function plainPolicy(style: string, script?: string): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${sha256Base64(style)}'`,
    ...(script === undefined ? [] : [`script-src 'sha256-${sha256Base64(script)}'`, "connect-src 'self'"]),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

/** `_headers`, which several static hosts read: the policy as a header, and caching of assets that never change. */
export function headersFile(site: { search: boolean; plainStyle: string; plainScript: string }): string {
  // A page must pass both policies, this one and its own.
  const policy = pagePolicy(site)
    .replace("style-src 'self'", `$& 'sha256-${sha256Base64(site.plainStyle)}'`)
    .replace("script-src 'self'", `$& 'sha256-${sha256Base64(site.plainScript)}'`)
  return `/*
  Content-Security-Policy: ${policy}; frame-ancestors 'none'
  Referrer-Policy: no-referrer
  X-Content-Type-Options: nosniff
  Cross-Origin-Resource-Policy: same-origin
/assets/*
  Cache-Control: public, max-age=31536000, immutable
`
}
