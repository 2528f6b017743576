/** Opens the lock of a site: the keys of its password, suitable options, its login pages, and the ledger of what is sealed. */

import { type Diagnostic, diagnostic } from '../../diagnostics/codes.ts'
import { ConfigError, UsageError } from '../../diagnostics/errors.ts'
import { type LockAssets, loadLockAssets } from '../../render/assets-fs.ts'
import type { OutputFile } from '../../render/output.ts'
import type { Templates } from '../../render/templates.ts'
import { loadTemplates } from '../../render/templates-fs.ts'
import type { LockView } from '../../render/views.ts'
import type { Sealing } from '../../site/context.ts'
import type { StagingArea } from '../../site/output/site-staging-fs.ts'
import type { BuildOptions } from '../../site/types.ts'
import { assetPath, relativeLink } from '../../transcript/urls.ts'
import { isWithin } from '../../util/files-fs.ts'
import { sha256 } from '../../util/hash.ts'
import { type Ledger, readLedger, scratchFolder, usableEntries, writeLedger } from './ledger-fs.ts'
import { lockedStagingArea } from './locked-staging.ts'
import { openVault, pbkdfRounds, readPassword, type Vault } from './vault-fs.ts'

/** The keys of a site. */
interface Keys {
  vault: Vault
  /** Sealed files of the last build with the same keys. */
  last: Pick<Ledger, 'shell' | 'entries'>
}

/** Opens the lock; `undefined` without a password file. Throws `UsageError` or `ConfigError` if it cannot. */
export async function openLock(options: BuildOptions, cacheDir: string): Promise<Sealing | undefined> {
  const { passwordFile, formats } = options
  if (passwordFile === undefined) return undefined
  if (!formats.includes('html'))
    throw new ConfigError('`passwordFile` needs the format `html`: a locked site is opened through its pages.')
  if (isWithin(passwordFile, options.out))
    throw new UsageError(
      `The password file \`${passwordFile}\` is inside the output folder \`${options.out}\`, which may be published. Move it outside the site, and choose another password if it was published.`,
    )
  const { password, diagnostics } = readPassword(passwordFile)
  const keys = await keysFor(password, cacheDir)
  const fitting = lockedOptions(options)
  return {
    key: keys.vault.check,
    options: fitting,
    diagnostics: [...diagnostics, ...unusedOptions(options)],
    seal: (stage) => sealedStagingArea(stage, { ...keys, options: fitting, cacheDir }),
  }
}

/** The keys of the last build if the password is the same, else new ones, with which everything is sealed again. */
async function keysFor(password: string, cacheDir: string): Promise<Keys> {
  const ledger = readLedger(cacheDir)
  if (ledger?.facts.rounds === pbkdfRounds) {
    const vault = await openVault(password, ledger.facts)
    if (vault.check === ledger.facts.check) return { vault, last: ledger }
  }
  return { vault: await openVault(password), last: { shell: '', entries: new Map() } }
}

/** Disables feeds, link previews and the service worker, which would need files that everybody can read. */
function lockedOptions(options: BuildOptions): BuildOptions {
  return { ...options, offline: false, siteUrl: undefined }
}

function unusedOptions({ siteUrl, offline }: BuildOptions): Diagnostic[] {
  const unused = [
    siteUrl === undefined ? undefined : '`siteUrl`: there are no feeds, sitemaps and previews of links',
    offline ? '`offline`: no service worker keeps pages in the browser' : undefined,
  ]
  return unused.flatMap((text) =>
    text === undefined ? [] : [diagnostic('unused-option', {}, `The site is locked: ${text}.`)],
  )
}

// The staging area of a locked site: it seals what it receives, and keeps a ledger of that for the next build.

/** What sealing depends on. */
interface SealedStagingInput extends Keys {
  options: BuildOptions
  cacheDir: string
}

/** Wraps a staging area in one that seals. Throws the errors of `loadTemplates`. */
async function sealedStagingArea(
  stage: StagingArea,
  { options, cacheDir, vault, last }: SealedStagingInput,
): Promise<StagingArea> {
  const { dryRun, templatesDir, search } = options
  const { salt, rounds, check } = vault
  const shell = lockShell(await loadTemplates(templatesDir), await loadLockAssets(), {
    ...{ salt, rounds, check },
    search,
  })
  for (const file of shell.files) stage.put(file)
  // A dry run leaves the cache alone.
  const scratch = dryRun ? { path: () => stage.tempDir(), remove: () => {} } : scratchFolder(cacheDir)
  const entries = usableEntries(last, shell.key)
  const locked = lockedStagingArea({ stage, vault, entries, loginPage: shell.page, scratch })
  return {
    ...locked,
    async commit() {
      const plan = await locked.commit()
      if (!dryRun)
        writeLedger(cacheDir, { facts: { salt, rounds, check }, shell: shell.key, entries: locked.entries() })
      return plan
    },
  }
}

// The login page of a locked site, and what it, and every page that it opens, may load.

/** What all login pages of a site share. */
export interface LockShell {
  /** Files that everybody can read. */
  files: OutputFile[]
  /** Changes whenever the text of a login page would. */
  key: string
  /** Text of the login page at `at` with a sealed part. */
  page: (at: string, part: { name: string; sealed: string }) => string
}

/** Creates the login pages of a site from the public facts of its keys; `search` says whether it has a search. */
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
 * Content Security Policy of a locked site. Decrypted scripts and pictures have `blob:` addresses, which only our own script can
 * create. Pagefind compiles WebAssembly; without a search nothing may.
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

/** `_headers` of a locked site. File names do not change with the content, so no copy may be used without revalidation. */
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
