/**
 * A staging area whose files reach the disk sealed. Everything before it builds the same site as without a lock and knows its
 * files by their own paths and hashes. The ledger of the last build says which sealed files correspond to them, so that what did
 * not change is neither rendered nor sealed again.
 */

import type { FileRecord, OutputFile, WritePlan } from '../../render/output.ts'
import type { StagingArea } from '../../site/output/site-staging-fs.ts'
import { assetPath } from '../../transcript/urls.ts'
import { pacer } from '../../util/event-loop.ts'
import { measureInSteps, sha256 } from '../../util/hash.ts'
import { encodedCopy } from '../../util/pieces.ts'
import { dispositionOf, type LedgerEntries, type LedgerEntry, type Scratch } from './ledger-fs.ts'
import { partBytes, type Vault } from './vault-fs.ts'

/** What a locked staging area works with. */
interface LockedStagingInput {
  /** Receives the sealed files. */
  stage: StagingArea
  vault: Vault
  /** Sealed files of the last build. */
  entries: LedgerEntries
  /** Text of the login page at a path with a sealed part, in base64. */
  loginPage: (at: string, part: { name: string; sealed: string }) => string
  /** Replaces the staging area's folder for intermediate data. */
  scratch: Scratch
}

/** A staging area that seals, and reports what it sealed. */
interface LockedStagingArea extends StagingArea {
  /** The ledger's entries for the next build. */
  entries(): LedgerEntries
}

/** The content of a file; its pieces may be requested several times. */
interface Content {
  hash: string
  bytes: number
  pieces: () => Iterable<string | Uint8Array>
}

/** The state of a locked staging area: its input, and what it sealed or kept so far. */
interface LockState extends LockedStagingInput {
  sealed: Map<string, LedgerEntry>
}

/** Creates the locked staging area. */
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

/** Keeps the sealed files of a file if it did not change. */
function keepBy(
  way: 'keep' | 'keepUnchanged',
  { path, hash }: FileRecord,
  { stage, entries, sealed }: LockState,
): boolean {
  const existing = sealed.get(path)
  if (existing !== undefined && existing.hash !== hash)
    throw new Error(`Cannot write \`${path}\` twice with different content`)
  if (existing !== undefined) return true
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
    // If some parts of a file are missing on disk, the others were kept and cannot be written again.
    const same = before?.hash === hash ? before.files[part] : undefined
    const isKept = same !== undefined && state.stage.keepUnchanged(same.path, same.hash)
    files.push(isKept ? same : sealPart(path, { ...header, part, body }, state))
  }
  return files
}

/** Seals one part and stages the file with it. */
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

/** A plan in which the first sealed file of each file of the site is listed under that file's path. */
function unlockedPlan(plan: WritePlan, entries: Iterable<[string, LedgerEntry]>): WritePlan {
  const paths = new Map<string, string>()
  for (const [path, { files }] of entries) if (files[0] !== undefined) paths.set(files[0].path, path)
  const named = (list: readonly string[]): string[] => list.map((path) => paths.get(path) ?? path)
  return { written: named(plan.written), kept: named(plan.kept), removed: named(plan.removed) }
}

// Splits long files into parts, so that memory holds only one part.

/** Number of parts of a file; an empty one has one, too. */
export function partCount(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / partBytes))
}

/** Splits pieces, with texts as UTF-8, into parts of `partBytes`; the last one is shorter. */
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

// Where sealed files are: under keyed names that reveal nothing about their content.

/** Path of the login page that opens a page; the one of the start page is where hosts look for it. */
function lockedPage(path: string, name: string): string {
  return path === 'index.html' ? path : `pages/${name}.html`
}

/** Path of the script that delivers a part of a file. */
function lockedPart(name: string): string {
  return assetPath(`${name}.js`)
}

/** Text of that script. */
function partScript(name: string, sealed: Uint8Array): string {
  return `codexSealed("${name}","${base64(sealed)}")\n`
}

/** Bytes in base64, as pages contain them. */
export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}
