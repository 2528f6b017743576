/**
 * Puts another content in the place of a rollout: drafts beside it, synced to disk, then names only. A kill at any
 * point leaves the old file or the new one, and every backup whole. What a program writes to the old file while it is
 * replaced is carried over, or the old file is put back. Tests see each change before it is made.
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
  giveTo,
  keepDraft,
  type LeftDraft,
  leftDrafts,
  makeFolder,
  placeDraft,
  writeDraft,
} from './draft-fs.ts'

/** How to swap. */
export interface SwapOptions extends DraftOptions, ClosedRule {
  /** Size and time that the rollout had when it was read; the file must still have them. */
  expected?: { bytes: number; mtimeMs: number }
  /** Other folders than that of the rollout in which a killed run may have left something. */
  leftIn?: readonly string[]
}

/** A swap that was begun. Call `commit` or `abort`. */
export interface RolloutSwap {
  /** Time of the rollout when the swap began. */
  readonly mtimeMs: number
  /** Writes the new content and gives the path of the draft, which can be read before `commit`. */
  draft(content: Iterable<Uint8Array>): string
  /** Writes a backup to a path, whole or not at all, and never over another file. `abort` removes it again. */
  backup(path: string, content: Iterable<Uint8Array>, mtimeMs: number): void
  /**
   * Puts the draft in place, under another base name where one is given: then the old name is removed at last. Gives the
   * number of bytes that were written to the old file meanwhile and carried over. Throws `UsageError` where somebody
   * wrote the rollout since the swap began, or has it open for writing; then the rollout is as it was.
   */
  commit(to: { mtimeMs: number; name?: string }): number
  /** Removes the drafts. Harmless after `commit`. */
  abort(): void
}

/**
 * Begins a swap of the rollout at a path, links in it followed. Throws what the system says where there is none, and
 * `UsageError` where another run is at work on it.
 */
export function openSwap(path: string, options: SwapOptions = {}): RolloutSwap {
  const { expected, leftIn = [] } = options
  const [folder, base] = [dirname(path), basename(path)]
  const before = statSync(path)
  if (expected !== undefined && (before.size !== expected.bytes || before.mtimeMs !== expected.mtimeMs))
    throw changed(path)
  for (const from of new Set([folder, ...leftIn]))
    for (const left of leftDrafts(path, { folder: from })) finishLeftSwap(left, path, options)
  const names = draftNames(path)
  const draft = names.path('new')
  const written = new Set<string>()
  // Held open, so that what is written to the file can still be read when it has no name any more. Windows does not
  // replace a file that is open.
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
      // Of two runs that looked before either had a draft, one finds that of the other now.
      leftDrafts(path, { own: draft })
      return draft
    },
    backup(to, content, mtimeMs) {
      makeFolder(dirname(to), before)
      const backupDraft = names.path('bak', dirname(to))
      write(backupDraft, content)
      dress(backupDraft, before, mtimeMs)
      keepDraft(backupDraft, to, options)
      written.delete(backupDraft)
      written.add(to)
    },
    commit({ mtimeMs, name = base }) {
      dress(draft, before, mtimeMs)
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
          // Backups stay from here on, whatever comes.
          written.clear()
          options.beforeStep?.({ action: 'remove', path })
          rmSync(path)
          syncFolder(folder)
        }
        return old.settle(target, drafted)
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

/** Rights and owner of the rollout, a time of its own. Only root may give files away; everybody else owns both. */
function dress(path: string, { mode, uid, gid, atimeMs }: Stats, mtimeMs: number): void {
  chmodSync(path, mode & 0o7777)
  giveTo(path, { uid, gid })
  utimesSync(path, atimeMs / 1000, mtimeMs / 1000)
}

// What is done with a rollout that was replaced while a program may have had it open.

type Options = DraftOptions & ClosedRule

/** A rollout that is about to be replaced. */
export interface ReplacedRollout {
  /**
   * Call when the new one stands, as it was `drafted`. Carries over what was written to the old one meanwhile and gives
   * the number of bytes. Where somebody opened the old one in the last moment, puts it back, with what the new one gained,
   * and throws `UsageError`.
   */
  settle(target: string, drafted: BigIntStats): number
  /** Gives up the second name of the old one, if there is no use for it any more. */
  release(): void
}

interface ReplacedInputs {
  /** The rollout, open for reading; `undefined` on Windows, where nobody can have it open when it is replaced. */
  descriptor: number | undefined
  before: Stats
  names: DraftNames
  options: Options
}

/** Gives a rollout a second name that outlasts the swap, and a kill in the middle of it. */
function replaced(path: string, { descriptor, before, names, options }: ReplacedInputs): ReplacedRollout {
  if (descriptor === undefined) return { settle: () => 0, release: () => {} }
  const from = fstatSync(descriptor, { bigint: true })
  if (from.ino !== BigInt(before.ino) || from.size !== BigInt(before.size)) throw changed(path)
  const second = names.path(`old.${before.size}`)
  const link = addName(path, second, options) ? second : undefined
  let isNeeded = false
  return {
    settle(target, drafted) {
      isNeeded = true
      const carried = settleReplaced({ path, target, drafted, descriptor, from, link, options })
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

/** Some disks have no second names. */
function addName(path: string, second: string, { beforeStep }: DraftOptions): boolean {
  beforeStep?.({ action: 'link', path: second })
  try {
    linkSync(path, second)
    return true
  } catch {
    return false
  }
}

interface Settling {
  path: string
  /** The new rollout. */
  target: string
  /** The new one as it was written. */
  drafted: BigIntStats
  descriptor: number
  /** The old one when it was replaced. */
  from: BigIntStats
  link: string | undefined
  options: Options
}

/** Ends when nobody writes the old file any more: no name leads to it, so that nobody new can. */
function settleReplaced(work: Settling): number {
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

/** Without a second name only Linux has a path to a file that was replaced. */
function stateOf({ link, descriptor, from, options }: Settling): OpenState {
  if (link === undefined && process.platform !== 'linux') return { kind: 'unknown', reason: 'it has no name any more' }
  const { probe = openProbe() } = options
  return probe(probed(link ?? `/proc/${process.pid}/fd/${descriptor}`, from))
}

/** Lines cannot be appended to a compressed rollout. */
function isCompressed(path: string): boolean {
  return path.endsWith('.zst')
}

/**
 * Puts the old file back, with what others wrote to the new one and closed, unless somebody works with the new one still.
 * Gives the error that says so.
 */
function takenBack(work: Settling, state: Extract<OpenState, { kind: 'open' }>, end: bigint): UsageError {
  const { path, target, drafted, link, from, options } = work
  // Held open, so that what it gained can still be read when it has no name any more.
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

/** Whether the new file is the draft, perhaps with lines behind it that can be appended to the old one, and nobody has it open. */
function isReplaceable(fresh: number, { target, drafted, options }: Settling): boolean {
  const { probe = openProbe() } = options
  const now = fstatSync(fresh, { bigint: true })
  if (now.ino !== drafted.ino || now.size < drafted.size) return false
  if (now.size > drafted.size && isCompressed(target)) return false
  return probe(probed(target, now)).kind !== 'open'
}

/** Appends a range of a file to another file, as Codex would have: what began a line there begins one here. */
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

/** Whether a line begins at a place of a file. */
function beginsLine(descriptor: number, place: bigint): boolean {
  return place === 0n || readAt(descriptor, Number(place) - 1, Number(place)).equals(lineEnd)
}

/**
 * How many bytes of a text, from its first one on, a file holds already: all of them wherever they stand, else as many as
 * stand at its end.
 */
function heldBytes(path: string, text: Uint8Array): number {
  // By Knuth, Morris and Pratt: at each byte, how much of the beginning also ends there.
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
 * Ends what a run left that ended in the middle: removes drafts, and carries over what was written to a rollout after it
 * was replaced, unless the new one holds it already. Throws `UsageError` where somebody still writes that one, and after something was carried over, because
 * the rollout is another one then.
 */
function finishLeftSwap({ path, replacedBytes }: LeftDraft, rollout: string, options: Options): void {
  if (replacedBytes !== undefined && !isSameFile(path, rollout)) {
    requireClosed(path, options)
    const descriptor = openSync(path, 'r')
    try {
      const { size } = fstatSync(descriptor, { bigint: true })
      const gained = { start: replacedBytes, end: size }
      // That run may have carried it over before it ended, or another program: twice it would be said twice.
      if (size > replacedBytes && !isCompressed(rollout))
        gained.start += BigInt(heldBytes(rollout, readAt(descriptor, Number(gained.start), Number(gained.end))))
      if (size > gained.start) {
        // Where a plain and a compressed rollout stand side by side, Codex reads the plain one.
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

/** A run that ended after it wrote a plain rollout and before it removed the compressed one left both, and Codex reads the plain one. */
function removeTwin(second: string, rollout: string): void {
  const twin = `${rollout}.zst`
  if (isSameFile(twin, second)) rmSync(twin)
}

/** Whether two names lead to one file. */
function isSameFile(a: string, b: string): boolean {
  const [one, other] = [a, b].map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }))
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev
}
