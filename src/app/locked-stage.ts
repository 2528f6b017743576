/**
 * A stage whose files reach the disk sealed. Everything before it builds the same site as without a lock and knows its
 * files by their own paths and hashes: the ledger of the last build tells which sealed files stand for them, so that what
 * did not change is neither rendered nor sealed again.
 */

import { fateOf } from '../lock/fate.ts'
import type { LedgerEntries, LedgerEntry } from '../lock/ledger.ts'
import { base64, lockedPage, lockedPart, partScript } from '../lock/names.ts'
import { cutParts, partCount } from '../lock/parts.ts'
import type { Scratch } from '../lock/scratch-fs.ts'
import type { Vault } from '../lock/vault-fs.ts'
import type { FileRecord, OutputFile, WritePlan } from '../model/output.ts'
import { measurePieces, sha256 } from '../util/hash.ts'
import type { Stage } from '../write/site-stage-fs.ts'

/** What a locked stage works with. */
export interface LockedStageInput {
  /** Takes the sealed files. */
  stage: Stage
  vault: Vault
  /** Sealed files of the last build. */
  entries: LedgerEntries
  /** Text of the login page at a path that holds a sealed part, base64. */
  loginPage: (at: string, part: { name: string; sealed: string }) => string
  /** Stands for the stage's folder for intermediate data. */
  scratch: Scratch
}

/** A stage that seals, and tells what it sealed. */
export interface LockedStage extends Stage {
  /** What the next build must know. */
  entries(): LedgerEntries
}

/** A file on its way: its pieces may be asked for several times. */
interface Content {
  hash: string
  bytes: number
  pieces: () => Iterable<string | Uint8Array>
}

/** Makes the locked stage. */
export function lockedStage({ stage, vault, entries: old, loginPage, scratch }: LockedStageInput): LockedStage {
  const entries = new Map<string, LedgerEntry>()

  const isKnown = (path: string, hash: string): boolean => {
    const known = entries.get(path)
    if (known !== undefined && known.hash !== hash) throw new Error(`Cannot write \`${path}\` twice with other content`)
    return known !== undefined
  }
  const keepBy =
    (keepSealed: Stage['keep']) =>
    (path: string, hash: string): boolean => {
      if (isKnown(path, hash)) return true
      const entry = old.get(path)
      if (entry?.hash !== hash || !entry.files.every((file) => keepSealed(file.path, file.hash))) return false
      entries.set(path, entry)
      return true
    }
  const keep = keepBy((path, hash) => stage.keep(path, hash))
  const keepUnchanged = keepBy((path, hash) => stage.keepUnchanged(path, hash))

  /** Seals one part, unless the file that held it is kept already. */
  const sealPart = (
    path: string,
    { part, body, ...header }: { parts: number; version: string; part: number; body: Uint8Array },
  ): FileRecord => {
    const name = vault.nameOf(path, part)
    const sealed = vault.seal({ path, ...header }, part, body)
    if (part > 0 || fateOf(path) === 'file')
      return stage.put({ path: lockedPart(name), content: partScript(name, sealed) })
    const at = lockedPage(path, name)
    return stage.put({ path: at, content: loginPage(at, { name, sealed: base64(sealed) }) })
  }
  const seal = (path: string, { hash, bytes, pieces }: Content): FileRecord[] => {
    const before = old.get(path)
    const header = { parts: partCount(bytes), version: hash.slice(0, 32) }
    const files: FileRecord[] = []
    for (const body of cutParts(pieces())) {
      const part = files.length
      // Of a file some of whose parts are gone from the disk, the others were kept and cannot be put anew.
      const same = before?.hash === hash ? before.files[part] : undefined
      const isKept = same !== undefined && stage.keepUnchanged(same.path, same.hash)
      files.push(isKept ? same : sealPart(path, { ...header, part, body }))
    }
    return files
  }
  const take = (path: string, content: Content): FileRecord => {
    if (!keepUnchanged(path, content.hash)) {
      const fate = fateOf(path)
      const whole = () => Buffer.concat([...content.pieces()].map((piece) => Buffer.from(piece)))
      const open = fate === 'open' ? [stage.put({ path, content: whole() })] : []
      entries.set(path, { hash: content.hash, files: fate === 'open' || fate === 'none' ? open : seal(path, content) })
    }
    return { path, hash: content.hash }
  }

  return {
    recovery: stage.recovery,
    put({ path, content }: OutputFile) {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content
      return take(path, { hash: sha256(bytes), bytes: bytes.length, pieces: () => [bytes] })
    },
    putPieces: async (path, pieces) => take(path, { ...measurePieces(pieces()), pieces }),
    keep,
    keepUnchanged,
    keepFolder(folder) {
      for (const [path, { hash }] of old) if (path.startsWith(folder) && !entries.has(path)) keep(path, hash)
    },
    retract(paths) {
      for (const path of paths) {
        stage.retract(entries.get(path)?.files.map((file) => file.path) ?? [])
        entries.delete(path)
      }
    },
    digest: () => stage.digest(),
    tempDir: () => scratch.path(),
    plan: () => stage.plan(),
    async commit() {
      return unlockedPlan(await stage.commit(), [...old, ...entries])
    },
    async abort(options) {
      scratch.remove()
      await stage.abort(options)
    },
    entries: () => entries,
  }
}

/** A plan in which the first sealed file of each file of the site bears that file's path. */
function unlockedPlan(plan: WritePlan, entries: Iterable<[string, LedgerEntry]>): WritePlan {
  const paths = new Map<string, string>()
  for (const [path, { files }] of entries) if (files[0] !== undefined) paths.set(files[0].path, path)
  const named = (list: readonly string[]): string[] => list.map((path) => paths.get(path) ?? path)
  return { written: named(plan.written), kept: named(plan.kept), removed: named(plan.removed) }
}
