/** A locked site: the keys of its password, options that fit, and the staging area that seals what it takes. */

import { type Diagnostic, diagnostic } from '../../diagnostics/codes.ts'
import { ConfigError, UsageError } from '../../diagnostics/errors.ts'
import { type LockAssets, loadLockAssets } from '../../render/assets-fs.ts'
import type { FileRecord, OutputFile, WritePlan } from '../../render/output.ts'
import type { Templates } from '../../render/templates.ts'
import { loadTemplates } from '../../render/templates-fs.ts'
import type { LockView } from '../../render/views.ts'
import type { Sealing } from '../../site/context.ts'
import type { StagingArea } from '../../site/output/site-staging-fs.ts'
import type { BuildOptions } from '../../site/types.ts'
import { assetPath, relativeLink } from '../../transcript/urls.ts'
import { pacer } from '../../util/event-loop.ts'
import { isWithin } from '../../util/files-fs.ts'
import { measureInSteps, sha256 } from '../../util/hash.ts'
import { encodedCopy } from '../../util/pieces.ts'
import {
  dispositionOf,
  type Ledger,
  type LedgerEntries,
  type LedgerEntry,
  readLedger,
  type Scratch,
  scratchFolder,
  usableEntries,
  writeLedger,
} from './ledger-fs.ts'
import { openVault, partBytes, pbkdfRounds, readPassword, type Vault } from './vault-fs.ts'

/** The keys of a site. */
interface Keys {
  vault: Vault
  /** Sealed files of the last build with the same keys. */
  last: Pick<Ledger, 'shell' | 'entries'>
}

/** Opens the lock; `undefined` without a password file. Throws `UsageError` or `ConfigError` where that cannot be. */
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

/** The keys of the last build where the password is the same, else new ones, under which everything is sealed anew. */
async function keysFor(password: string, cacheDir: string): Promise<Keys> {
  const ledger = readLedger(cacheDir)
  if (ledger?.facts.rounds === pbkdfRounds) {
    const vault = await openVault(password, ledger.facts)
    if (vault.check === ledger.facts.check) return { vault, last: ledger }
  }
  return { vault: await openVault(password), last: { shell: '', entries: new Map() } }
}

/** Feeds, previews and a worker would need files that everybody can read. */
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

// The stage of a locked site: it seals what it takes, and keeps a ledger of that for the next build.

/** What decides how it seals. */
interface SealedStagingInput {
  options: BuildOptions
  cacheDir: string
  vault: Vault
  /** Sealed files of the last build with the same keys. */
  last: Pick<Ledger, 'shell' | 'entries'>
}

/** Puts a stage that seals before one that writes. Throws as `loadTemplates` does. */
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

// A stage whose files reach the disk sealed. Everything before it builds the same site as without a lock and knows
// its files by their own paths and hashes: the ledger of the last build tells which sealed files stand for them, so
// that what did not change is neither rendered nor sealed again.

/** What a locked stage works with. */
export interface LockedStagingInput {
  /** Takes the sealed files. */
  stage: StagingArea
  vault: Vault
  /** Sealed files of the last build. */
  entries: LedgerEntries
  /** Text of the login page at a path that holds a sealed part, base64. */
  loginPage: (at: string, part: { name: string; sealed: string }) => string
  /** Stands for the stage's folder for intermediate data. */
  scratch: Scratch
}

/** A stage that seals, and tells what it sealed. */
export interface LockedStagingArea extends StagingArea {
  /** What the next build must know. */
  entries(): LedgerEntries
}

/** A file on its way: its pieces may be asked for several times. */
interface Content {
  hash: string
  bytes: number
  pieces: () => Iterable<string | Uint8Array>
}

/** A locked stage at work: what it was given, and what it sealed or kept so far. */
interface LockState extends LockedStagingInput {
  sealed: Map<string, LedgerEntry>
}

/** Makes the locked stage. */
export function lockedStagingArea(input: LockedStagingInput): LockedStagingArea {
  const { stage, scratch, entries: old } = input
  const sealed = new Map<string, LedgerEntry>()
  const state = { ...input, sealed }
  const keep = (path: string, hash: string): boolean => keepBy('keep', { path, hash }, state)
  return {
    recovery: stage.recovery,
    put({ path, content }: OutputFile) {
      const bytes = encodedCopy(content)
      return take(path, { hash: sha256(bytes), bytes: bytes.length, pieces: () => [bytes] }, state)
    },
    async putPieces(path, pieces, signal) {
      const { pause } = pacer(1, signal)
      return take(path, { ...(await measureInSteps(pieces(), pause)), pieces }, state)
    },
    keep,
    keepUnchanged: (path, hash) => keepBy('keepUnchanged', { path, hash }, state),
    keepFolder(folder) {
      for (const [path, { hash }] of old) if (path.startsWith(folder) && !sealed.has(path)) keep(path, hash)
    },
    retract(paths) {
      for (const path of paths) {
        stage.retract(sealed.get(path)?.files.map((file) => file.path) ?? [])
        sealed.delete(path)
      }
    },
    digest: () => stage.digest(),
    tempDir: () => scratch.path(),
    plan: () => stage.plan(),
    async commit() {
      return unlockedPlan(await stage.commit(), [...old, ...sealed])
    },
    async abort(options) {
      scratch.remove()
      await stage.abort(options)
    },
    entries: () => sealed,
  }
}

/** Keeps the sealed files of a file where it did not change. */
function keepBy(
  way: 'keep' | 'keepUnchanged',
  { path, hash }: FileRecord,
  { stage, entries, sealed }: LockState,
): boolean {
  const known = sealed.get(path)
  if (known !== undefined && known.hash !== hash) throw new Error(`Cannot write \`${path}\` twice with other content`)
  if (known !== undefined) return true
  const entry = entries.get(path)
  if (entry?.hash !== hash || !entry.files.every((file) => stage[way](file.path, file.hash))) return false
  sealed.set(path, entry)
  return true
}

function take(path: string, content: Content, state: LockState): FileRecord {
  const { hash } = content
  if (!keepBy('keepUnchanged', { path, hash }, state)) {
    const disposition = dispositionOf(path)
    const whole = () => Buffer.concat([...content.pieces()].map((piece) => Buffer.from(piece)))
    const open = disposition === 'open' ? [state.stage.put({ path, content: whole() })] : []
    const files = disposition === 'open' || disposition === 'none' ? open : seal(path, content, state)
    state.sealed.set(path, { hash, files })
  }
  return { path, hash }
}

function seal(path: string, { hash, bytes, pieces }: Content, state: LockState): FileRecord[] {
  const before = state.entries.get(path)
  const header = { parts: partCount(bytes), version: hash.slice(0, 32) }
  const files: FileRecord[] = []
  for (const body of cutParts(pieces())) {
    const part = files.length
    // Of a file some of whose parts are gone from the disk, the others were kept and cannot be put anew.
    const same = before?.hash === hash ? before.files[part] : undefined
    const isKept = same !== undefined && state.stage.keepUnchanged(same.path, same.hash)
    files.push(isKept ? same : sealPart(path, { ...header, part, body }, state))
  }
  return files
}

/** Seals one part, unless the file that held it is kept already. */
function sealPart(
  path: string,
  { part, body, ...header }: { parts: number; version: string; part: number; body: Uint8Array },
  { stage, vault, loginPage }: LockState,
): FileRecord {
  const name = vault.nameOf(path, part)
  const sealed = vault.seal({ path, ...header }, part, body)
  if (part > 0 || dispositionOf(path) === 'file')
    return stage.put({ path: lockedPart(name), content: partScript(name, sealed) })
  const at = lockedPage(path, name)
  return stage.put({ path: at, content: loginPage(at, { name, sealed: base64(sealed) }) })
}

/** A plan in which the first sealed file of each file of the site bears that file's path. */
function unlockedPlan(plan: WritePlan, entries: Iterable<[string, LedgerEntry]>): WritePlan {
  const paths = new Map<string, string>()
  for (const [path, { files }] of entries) if (files[0] !== undefined) paths.set(files[0].path, path)
  const named = (list: readonly string[]): string[] => list.map((path) => paths.get(path) ?? path)
  return { written: named(plan.written), kept: named(plan.kept), removed: named(plan.removed) }
}

// Long files in parts, so that memory follows the part.

/** Number of parts of a file; an empty one has one too. */
export function partCount(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / partBytes))
}

/** Cuts pieces, texts as UTF-8, into parts of `partBytes`; the last one is shorter. */
export function* cutParts(pieces: Iterable<string | Uint8Array>): Generator<Uint8Array> {
  let waiting: Uint8Array[] = []
  let length = 0
  let isFirst = true
  for (const piece of pieces) {
    let bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
    while (length + bytes.length > partBytes) {
      const capacity = partBytes - length
      yield Buffer.concat([...waiting, bytes.subarray(0, capacity)])
      isFirst = false
      waiting = []
      length = 0
      bytes = bytes.subarray(capacity)
    }
    waiting.push(bytes)
    length += bytes.length
  }
  if (length > 0 || isFirst) yield Buffer.concat(waiting)
}

// Where sealed files lie: by keyed names that tell nothing of what is in them.

/** Path of the login page that opens a page; that of the start page is where hosts look for it. */
function lockedPage(path: string, name: string): string {
  return path === 'index.html' ? path : `pages/${name}.html`
}

/** Path of the script that hands over a part of a file. */
function lockedPart(name: string): string {
  return assetPath(`${name}.js`)
}

/** Text of that script. */
function partScript(name: string, sealed: Uint8Array): string {
  return `codexSealed("${name}","${base64(sealed)}")\n`
}

/** Bytes as pages hold them. */
export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}

// The login page of a locked site.

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

// What the login page of a locked site, and with it every page that it opens, may load.

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
