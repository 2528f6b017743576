/**
 * Replaces the content of a rollout: writes drafts next to it, synced to disk, and then changes only names. A kill at any
 * point leaves the old file or the new one, and every backup complete. What a program writes to the old file while it is
 * replaced is carried over, or the old file is put back. Tests can intercept each change before it is made.
 */

import {
  type BigIntStats,
  chmodSync,
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  utimesSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { UsageError } from '../../../diagnostics/errors.ts'
import { plainName } from '../../../rollout/discover/names.ts'
import { filePieces, readAt, syncFolder, writeAll } from '../../../util/files-fs.ts'
import { type ClosedRule, openText, requireClosed } from '../open/closed-fs.ts'
import { holdersText, type OpenState } from '../open/open-state.ts'
import { openProbe, probed } from '../open/probe-fs.ts'
import {
  type DraftNames,
  type DraftOptions,
  draftNames,
  keepDraft,
  type LeftoverDraft,
  leftoverDrafts,
  makeFolder,
  placeDraft,
  setOwner,
  writeDraft,
} from './draft-fs.ts'

/** Options of a swap. */
export interface SwapOptions extends DraftOptions, ClosedRule {
  /** Size and time of the rollout when it was read; the file must still have them. */
  expected?: { bytes: number; mtimeMs: number }
  /** Folders besides that of the rollout in which a killed run may have left files. */
  leftoverFolders?: readonly string[]
}

/** A swap that has begun. Call `commit` or `abort`. */
export interface RolloutSwap {
  /** Time of the rollout when the swap began. */
  readonly mtimeMs: number
  /** Writes the new content and returns the path of the draft, which can be read before `commit`. */
  draft(content: Iterable<Uint8Array>): string
  /** Writes a backup, completely or not at all, and never over another file. `abort` removes it again. */
  backup(path: string, content: Iterable<Uint8Array>, mtimeMs: number): void
  /**
   * Puts the draft in place; if `name` is another base name, the old name is removed last. Returns the number of bytes
   * that were written to the old file in the meantime and carried over. Throws a `UsageError` if somebody wrote the
   * rollout since the swap began, or has it open for writing; then the rollout is as it was.
   */
  commit(to: { mtimeMs: number; name?: string }): number
  /** Removes the drafts. Harmless after `commit`. */
  abort(): void
}

/**
 * Begins a swap of the rollout at a path, and follows links in it. Throws the system's error if there is no file, and a
 * `UsageError` if another run is working on it.
 */
export function openSwap(path: string, options: SwapOptions = {}): RolloutSwap {
  const { expected, leftoverFolders = [] } = options
  const [folder, base] = [dirname(path), basename(path)]
  const before = statSync(path)
  if (expected !== undefined && (before.size !== expected.bytes || before.mtimeMs !== expected.mtimeMs))
    throw changed(path)
  for (const from of new Set([folder, ...leftoverFolders]))
    for (const draft of leftoverDrafts(path, { folder: from })) finishLeftoverSwap(draft, path, options)
  const names = draftNames(path)
  const draft = names.path('new')
  const written = new Set<string>()
  // Kept open, so that what is written to the file can still be read when it no longer has a name. Not on Windows, which
  // does not replace an open file.
  const descriptor = process.platform === 'win32' ? undefined : openSync(path, 'r')
  let isOpen = true

  const write = (to: string, content: Iterable<Uint8Array>): void => {
    writeDraft(to, content, options)
    written.add(to)
  }
  const end = (): void => {
    for (const left of written) rmSync(left, { force: true })
    written.clear()
    names.release()
    if (isOpen && descriptor !== undefined) closeSync(descriptor)
    isOpen = false
  }
  return {
    mtimeMs: before.mtimeMs,
    draft(content) {
      write(draft, content)
      // If two runs both checked before either had a draft, one of them finds the other's draft now.
      leftoverDrafts(path, { own: draft })
      return draft
    },
    backup(to, content, mtimeMs) {
      makeFolder(dirname(to), before)
      const backupDraft = names.path('bak', dirname(to))
      write(backupDraft, content)
      copyAttributes(backupDraft, before, mtimeMs)
      keepDraft(backupDraft, to, options)
      written.delete(backupDraft)
      written.add(to)
    },
    commit({ mtimeMs, name = base }) {
      copyAttributes(draft, before, mtimeMs)
      checkUnchanged(path, before)
      options.beforeStep?.({ action: 'probe', path })
      requireClosed(path, options)
      checkUnchanged(path, before)
      const old = replaced(path, { descriptor, before, names, options })
      const drafted = statSync(draft, { bigint: true })
      const target = join(folder, name)
      try {
        if (name === base) {
          options.beforeStep?.({ action: 'rename', path })
          renameSync(draft, path)
          written.clear()
          syncFolder(folder)
        } else {
          placeDraft(draft, target, options)
          // From here on `abort` must not remove the backups.
          written.clear()
          options.beforeStep?.({ action: 'remove', path })
          rmSync(path)
          syncFolder(folder)
        }
        return old.drain(target, drafted)
      } finally {
        old.release()
        end()
      }
    },
    abort: end,
  }
}

function checkUnchanged(path: string, before: Stats): void {
  const now = statSync(path, { throwIfNoEntry: false })
  if (now?.size !== before.size || now.mtimeMs !== before.mtimeMs || now.ino !== before.ino) throw changed(path)
}

function changed(path: string): UsageError {
  return new UsageError(
    `\`${basename(path)}\` changed while it was read: a program or another run wrote it. Nothing was changed by this one; run the command again when the session is closed.`,
  )
}

/**
 * Gives a draft the mode and owner of the rollout, and its own time. Only root may change owners; everybody else owns
 * both files.
 */
function copyAttributes(path: string, { mode, uid, gid, atimeMs }: Stats, mtimeMs: number): void {
  chmodSync(path, mode & 0o7777)
  setOwner(path, { uid, gid })
  utimesSync(path, atimeMs / 1000, mtimeMs / 1000)
}

// Handles a rollout that was replaced while a program may have had it open.

type Options = DraftOptions & ClosedRule

/** A rollout that is about to be replaced. */
interface ReplacedRollout {
  /**
   * Call when the new rollout is in place; `drafted` are its facts as written. Carries over what was written to the old
   * one in the meantime, and returns the number of bytes. If somebody opened the old one at the last moment, puts it
   * back, with what the new one gained, and throws a `UsageError`.
   */
  drain(target: string, drafted: BigIntStats): number
  /** Removes the second name of the old one, unless it is still needed. */
  release(): void
}

interface ReplacedInputs {
  /** The rollout, open for reading; `undefined` on Windows, where nobody can have a file open while it is replaced. */
  descriptor: number | undefined
  before: Stats
  names: DraftNames
  options: Options
}

/** Gives a rollout a second name, under which it can be found after the swap, or after a kill during it. */
function replaced(path: string, { descriptor, before, names, options }: ReplacedInputs): ReplacedRollout {
  if (descriptor === undefined) return { drain: () => 0, release: () => {} }
  const from = fstatSync(descriptor, { bigint: true })
  if (from.ino !== BigInt(before.ino) || from.size !== BigInt(before.size)) throw changed(path)
  const second = names.path(`old.${before.size}`)
  const link = addName(path, second, options) ? second : undefined
  let isNeeded = false
  return {
    drain(target, drafted) {
      isNeeded = true
      const carried = drainReplaced({ path, target, drafted, descriptor, from, link, options })
      isNeeded = false
      return carried
    },
    release() {
      if (link === undefined || isNeeded) return
      options.beforeStep?.({ action: 'remove', path: link })
      rmSync(link, { force: true })
    },
  }
}

/** Adds a second name, and returns whether that worked: some disks have no hard links. */
function addName(path: string, second: string, { beforeStep }: DraftOptions): boolean {
  beforeStep?.({ action: 'link', path: second })
  try {
    linkSync(path, second)
    return true
  } catch {
    return false
  }
}

interface Draining {
  path: string
  /** The new rollout. */
  target: string
  /** The facts of the new rollout as it was written. */
  drafted: BigIntStats
  descriptor: number
  /** The facts of the old rollout when it was replaced. */
  from: BigIntStats
  link: string | undefined
  options: Options
}

/**
 * Carries over what is written to the old file until nobody has it open any more. No name of a rollout leads to it, so
 * nobody new opens it.
 */
function drainReplaced(work: Draining): number {
  const { target, descriptor, from, options } = work
  let end = from.size
  for (;;) {
    options.beforeStep?.({ action: 'probe', path: target })
    const state = stateOf(work)
    const { size } = fstatSync(descriptor, { bigint: true })
    if (state.kind === 'open') throw takenBack(work, state, end)
    if (size === end) return Number(end - from.size)
    if (isCompressed(target)) throw takenBack(work, { kind: 'open', by: [] }, end)
    options.beforeStep?.({ action: 'carry', path: target })
    carryOver(descriptor, { start: end, end: size }, target)
    end = size
  }
}

/** Without a second name, only Linux has a path to a replaced file. */
function stateOf({ link, descriptor, from, options }: Draining): OpenState {
  if (link === undefined && process.platform !== 'linux') return { kind: 'unknown', reason: 'it has no name any more' }
  const { probe = openProbe() } = options
  return probe(probed(link ?? `/proc/${process.pid}/fd/${descriptor}`, from))
}

/** Lines cannot be appended to a compressed rollout. */
function isCompressed(path: string): boolean {
  return path.endsWith('.zst')
}

/**
 * Puts the old file back, with what others wrote to the new one in the meantime, unless somebody is still working with
 * the new one. Returns the error to throw.
 */
function takenBack(work: Draining, state: Extract<OpenState, { kind: 'open' }>, end: bigint): UsageError {
  const { path, target, drafted, link, from, options } = work
  // Kept open, so that what it gained can still be read when it no longer has a name.
  const fresh = openSync(target, 'r')
  try {
    if (link === undefined || end !== from.size || !isReplaceable(fresh, work))
      return new UsageError(
        `\`${basename(path)}\` was replaced just as a program opened it: ${holdersText(state)} is still writing to the old file. Close that session and run the command again; it carries over what was written.`,
      )
    options.beforeStep?.({ action: 'rename', path })
    renameSync(link, path)
    if (target !== path) rmSync(target)
    const { size } = fstatSync(fresh, { bigint: true })
    if (size > drafted.size) carryOver(fresh, { start: drafted.size, end: size }, path)
    return new UsageError(openText(path, state))
  } finally {
    closeSync(fresh)
  }
}

/**
 * Whether the new file can be replaced: it is still the draft, anything added to it can be appended to the old file, and
 * it is not known to be open.
 */
function isReplaceable(fresh: number, { target, drafted, options }: Draining): boolean {
  const { probe = openProbe() } = options
  const now = fstatSync(fresh, { bigint: true })
  if (now.ino !== drafted.ino || now.size < drafted.size) return false
  if (now.size > drafted.size && isCompressed(target)) return false
  return probe(probed(target, now)).kind !== 'open'
}

/**
 * Appends a range of a file to another one, as Codex would have: what began a line in the first begins a line in the
 * second.
 */
function carryOver(descriptor: number, { start, end }: { start: bigint; end: bigint }, target: string): void {
  const to = openSync(target, 'a+')
  try {
    if (beginsLine(descriptor, start) && !beginsLine(to, fstatSync(to, { bigint: true }).size)) writeAll(to, lineEnd)
    const buffer = Buffer.allocUnsafe(1 << 20)
    for (let at = Number(start); at < end; ) {
      const length = readSync(descriptor, buffer, 0, Math.min(buffer.length, Number(end) - at), at)
      if (length === 0) break
      writeAll(to, buffer.subarray(0, length))
      at += length
    }
    fsyncSync(to)
  } finally {
    closeSync(to)
  }
}

const lineEnd = Buffer.from('\n')

/** Whether a line begins at an offset of a file. */
function beginsLine(descriptor: number, offset: bigint): boolean {
  return offset === 0n || readAt(descriptor, Number(offset) - 1, Number(offset)).equals(lineEnd)
}

/**
 * How many bytes of a text's beginning a file already has: all, if the whole text is anywhere in it; otherwise the
 * longest beginning with which the file ends.
 */
function heldBytes(path: string, text: Uint8Array): number {
  // Knuth, Morris and Pratt: for each byte, how long a beginning of the text also ends there.
  const shorter = new Uint32Array(text.length)
  const next = (held: number, byte: number | undefined): number => {
    let length = held
    while (length > 0 && text[length] !== byte) length = shorter[length - 1] ?? 0
    return text[length] === byte ? length + 1 : length
  }
  for (let at = 1; at < text.length; at++) shorter[at] = next(shorter[at - 1] ?? 0, text[at])
  let held = 0
  for (const piece of filePieces(path)) {
    for (const byte of piece) {
      held = next(held, byte)
      if (held === text.length) return held
    }
  }
  return held
}

/**
 * Completes what a killed run left: removes drafts, and carries over what was written to a rollout after it was replaced,
 * unless the new one already has it. Throws a `UsageError` if somebody still has that file open for writing, and after
 * something was carried over, because the rollout has changed then.
 */
function finishLeftoverSwap({ path, replacedBytes }: LeftoverDraft, rollout: string, options: Options): void {
  if (replacedBytes !== undefined && !isSameFile(path, rollout)) {
    requireClosed(path, options)
    const descriptor = openSync(path, 'r')
    try {
      const { size } = fstatSync(descriptor, { bigint: true })
      const gained = { start: replacedBytes, end: size }
      // That run, or another program, may already have carried it over. It must not be there twice.
      if (size > replacedBytes && !isCompressed(rollout))
        gained.start += BigInt(heldBytes(rollout, readAt(descriptor, Number(gained.start), Number(gained.end))))
      if (size > gained.start) {
        // If there are both a plain and a compressed rollout, Codex reads the plain one.
        if (isCompressed(rollout)) keepDraft(path, plainName(rollout), options)
        else carryOver(descriptor, gained, rollout)
        rmSync(path, { force: true })
        throw new UsageError(
          `A stopped run had left out what was said meanwhile; it is back in \`${basename(rollout)}\`. Run the command once more.`,
        )
      }
    } finally {
      closeSync(descriptor)
    }
    removeTwin(path, rollout)
  }
  rmSync(path, { force: true })
}

/**
 * Removes the compressed rollout, if a run was killed after it wrote the plain one and before it removed this one. Codex
 * reads the plain one.
 */
function removeTwin(second: string, rollout: string): void {
  const twin = `${rollout}.zst`
  if (isSameFile(twin, second)) rmSync(twin)
}

/** Whether two paths lead to the same file. */
function isSameFile(a: string, b: string): boolean {
  const [one, other] = [a, b].map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }))
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev
}
