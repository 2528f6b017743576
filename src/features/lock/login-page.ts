/** The login page of a locked site, and what it, and with it every page that it opens, may load. */

import type { LockAssets } from '../../render/assets-fs.ts'
import type { OutputFile } from '../../render/output.ts'
import type { Templates } from '../../render/templates.ts'
import type { LockView } from '../../render/views.ts'
import { assetPath, relativeLink } from '../../transcript/urls.ts'
import { sha256 } from '../../util/hash.ts'

/** What all login pages of a site share. */
export interface LockShell {
  /** Files that everybody can read. */
  files: OutputFile[]
  /** Differs where the text of a login page would. */
  key: string
  /** Text of the login page at `at` that holds a sealed part. */
  page: (at: string, part: { name: string; sealed: string }) => string
}

/** Makes the login pages of a site with given public facts of its keys; `search` tells whether it has one. */
export function lockShell(
  templates: Pick<Templates, 'render'>,
  { files, css, js }: LockAssets,
  { salt, rounds, check, search }: Pick<LockView, 'salt' | 'rounds' | 'check'> & { search: boolean },
): LockShell {
  const page: LockShell['page'] = (at, { name, sealed }) =>
    templates.render<LockView>('html/lock', {
      policy: lockPolicy(search),
      root: '../'.repeat(at.split('/').length - 1),
      css: relativeLink(at, assetPath(css)),
      js: relativeLink(at, assetPath(js)),
      ...{ name, sealed, salt, rounds, check },
    })
  return {
    files: [...files, { path: 'robots.txt', content: lockRobots }, { path: '_headers', content: lockHeaders(search) }],
    key: sha256(page('index.html', { name: '', sealed: '' })),
    page,
  }
}

/**
 * Content Security Policy of a locked site. Scripts and pictures that were opened come as `blob:` addresses, which only
 * our own script can make. Pagefind compiles WebAssembly; without a search nothing may.
 */
function lockPolicy(search: boolean): string {
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
function lockHeaders(search: boolean): string {
  return `/*
  Content-Security-Policy: ${lockPolicy(search)}; frame-ancestors 'none'
  Referrer-Policy: no-referrer
  X-Content-Type-Options: nosniff
  Cross-Origin-Resource-Policy: same-origin
  X-Robots-Tag: noindex
  Cache-Control: no-cache
`
}

/** `robots.txt` of a locked site. */
const lockRobots = 'User-agent: *\nDisallow: /\n'
