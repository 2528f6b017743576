/** Staging: a build's files wait beside the site until all are there, then they are swapped in at once. */

import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { FileRecord, OutputFile, WritePlan } from '../../render/output.ts'
import { compareText } from '../../util/compare.ts'
import { pacer } from '../../util/event-loop.ts'
import { filePieces } from '../../util/files-fs.ts'
import { measureInSteps, sha256, sha256OfPieces } from '../../util/hash.ts'
import { defined, withDefined } from '../../util/own.ts'
import { areText, encoded } from '../../util/pieces.ts'
import { makeTempFolder } from '../spool-fs.ts'
import { createDisk, type Disk, explainDiskError, isHeld, kindOf } from './disk-fs.ts'
import { createPathRegistry, folderOf, manifestName, manifestPieces } from './paths.ts'
import {
  encodeJournal,
  type Journal,
  type JournalInstall,
  type JournalRemoval,
  journalName,
  type NextFile,
  newFolder,
  orderSwap,
  planWrites,
} from './plan.ts'
import { dropStaging, hasJournal, type Recovery, swapOrUndo } from './recover-fs.ts'
import { createSiteFolder, type OutputState, type SiteFolder, unchanged } from './site-fs.ts'
import { handOn, releaseStagingName } from './staging-folder-fs.ts'

/** A build on its way to the output folder. Ends with `commit` or `abort`. */
export interface StagingArea {
  /** What became of an unfinished swap of an earlier build. */
  readonly recovery: Recovery
  /**
   * Takes a file: it is kept where the site holds the same bytes already, else written to staging at once.
   * Throws an `Error` for a path that is unsafe or taken, a `UsageError` where somebody else's file is in the way.
   */
  put(file: OutputFile): FileRecord
  /**
   * `put` for what is too long to be in memory; `pieces` is called for each pass over it. Rejects with the signal's
   * reason once it is aborted.
   */
  putPieces(path: string, pieces: () => Iterable<string | Uint8Array>, signal?: AbortSignal): Promise<FileRecord>
  /**
   * Keeps a file of the old site without its content; `false` where neither the old site nor a build that was interrupted
   * has such a file with that hash.
   */
  keep(path: string, hash: string): boolean
  /** `keep` for what can be made anew: `false` also where somebody changed the file since the last build. */
  keepUnchanged(path: string, hash: string): boolean
  /** Keeps all files of the old site below a folder, `name/`, but for those that were put anew. */
  keepFolder(folder: string): void
  /** Takes files back that are to be made anew; those that were not put do not matter. */
  retract(paths: readonly string[]): void
  /** Hash over the paths and hashes of all files so far, in any order. */
  digest(): string
  /** Absolute folder for intermediate data, made on first use and removed with the stage. */
  tempDir(): string
  /** What `commit` would do with the files so far; the manifest itself is in no list. */
  plan(): WritePlan
  /** Swaps the site. After an error the old site stands as it was, unless the message says otherwise. */
  commit(): Promise<WritePlan>
  /**
   * Gives up: the old site stays byte for byte. Does nothing after `commit`. With `forNext` the new files wait for the
   * next build of the site, which keeps those that it would make again.
   */
  abort(options?: { forNext?: boolean }): Promise<void>
  /** For threads that write beside this one; absent where files are sealed on their way. */
  readonly shared?: SharedStaging
}

/** A stage whose files other threads write too. Each file becomes part of the site when this thread hears of it. */
export interface SharedStaging {
  /** All that `openSharedStaging` needs in another thread, as plain data. */
  readonly input: Pick<StagingInput, 'state' | 'name'>
  /** Takes files that another thread has staged or found in the old site. Throws as `put` does. */
  adopt(files: readonly NextFile[]): void
  /** A thread ended before it told what it wrote: that does not reach the site. */
  expectStrays(): void
}

/** A stage in another thread, for the files of one session. */
export interface SessionStaging extends Pick<StagingArea, 'put' | 'putPieces' | 'keepUnchanged' | 'retract'> {
  /** What it took, for `adopt`. */
  files(): NextFile[]
}

/** Opens a stage in another thread than that of the build. */
export function openSharedStaging({ state, name }: SharedStaging['input']): SessionStaging {
  return new SiteStagingArea({ state, disk: createDisk(), recovery: 'none', ...defined({ name }) })
}

/** What a stage works on. Without a `name` of a staging folder it only plans. */
export interface StagingInput {
  state: OutputState
  disk: Disk
  name?: string
  recovery: Recovery
  /** The staging folder holds new files of a build that was interrupted, which nobody has looked at. */
  isTakenOver?: boolean
  /** Absolute folder in which new files wait for the next build; without it nothing is handed on. */
  waiting?: string | undefined
}

/** Makes the stage of an output folder that was found to be ours. */
export function createStagingArea(input: StagingInput): StagingArea {
  return new SiteStagingArea(input)
}

class SiteStagingArea implements StagingArea, SessionStaging {
  readonly recovery: Recovery
  readonly #old: OutputState
  readonly #disk: Disk
  readonly #name: string | undefined
  readonly #registry = createPathRegistry()
  readonly #files = new Map<string, NextFile>()
  readonly #site: SiteFolder
  readonly #isTakenOver: boolean
  #hasStrays: boolean
  readonly #waiting: string | undefined
  /** The folder of the last new file, which was made: files of a session come one after the other. */
  #folder: string | undefined
  #temp: string | undefined
  #open = true

  constructor({ state, disk, name, recovery, isTakenOver = false, waiting }: StagingInput) {
    this.#old = state
    this.#disk = disk
    this.#name = name
    this.#site = createSiteFolder(state)
    this.#isTakenOver = isTakenOver
    this.#hasStrays = isTakenOver
    this.#waiting = waiting
    this.recovery = recovery
  }

  put({ path, content }: OutputFile): FileRecord {
    const bytes = encoded(content)
    const record = { path, hash: sha256(bytes) }
    if (this.#isKnown(path, record.hash)) return record
    this.#registry.add(path)
    this.#site.refuseForeign(path)
    try {
      const holds = (file: string): boolean => Buffer.compare(readFileSync(file), bytes) === 0
      const kept = this.#old.files[path] === record.hash && isHeld(join(this.#old.root, path), holds)
      if (!kept && this.#name !== undefined) this.#disk.write(this.#newPath(path), bytes)
      // A copy by `...` would have a shape of its own, with each of thousands of files.
      this.#files.set(path, kept ? record : { path, hash: record.hash, staged: true })
      return record
    } catch (error) {
      throw explainDiskError(error, path, unchanged)
    }
  }

  async putPieces(
    path: string,
    pieces: () => Iterable<string | Uint8Array>,
    signal?: AbortSignal,
  ): Promise<FileRecord> {
    const { pause: rest } = pacer(1, signal)
    this.#checkOpen()
    // What no site had is hashed as it is written: its text is encoded once.
    const isNew = this.#name !== undefined && this.#old.files[path] === undefined && !this.#files.has(path)
    const known = isNew ? '' : (await measureInSteps(pieces(), rest)).hash
    if (!isNew && this.#isKnown(path, known)) return { path, hash: known }
    this.#registry.add(path)
    this.#site.refuseForeign(path)
    try {
      const old = join(this.#old.root, path)
      const kept =
        this.#old.files[path] === known &&
        kindOf(old) === 'file' &&
        (await measureInSteps(filePieces(old), rest)).hash === known
      const isWritten = !kept && this.#name !== undefined
      const hash = isWritten ? await this.#disk.writePieces(this.#newPath(path), pieces(), rest) : known
      this.#files.set(path, kept ? { path, hash } : { path, hash, staged: true })
      return { path, hash }
    } catch (error) {
      throw explainDiskError(error, path, unchanged)
    }
  }

  keep(path: string, hash: string): boolean {
    return this.#keepWhere(path, hash, () => true)
  }

  keepUnchanged(path: string, hash: string): boolean {
    // As the build left it: it is older than the manifest, or was only touched.
    return this.#keepWhere(path, hash, (mtimeMs) => {
      return mtimeMs <= this.#old.builtAtMs || sha256OfPieces(filePieces(join(this.#old.root, path))) === hash
    })
  }

  /** `keep` for a file whose time tells that it may stand. It is looked at once: a build asks for thousands. */
  #keepWhere(path: string, hash: string, mayStand: (mtimeMs: number) => boolean): boolean {
    if (this.#isKnown(path, hash)) return true
    const found = this.#old.files[path] === hash ? this.#site.probe(path) : undefined
    if (found?.kind !== 'file' || !mayStand(found.mtimeMs)) return this.#takeOver(path, hash)
    this.#registry.add(path)
    this.#files.set(path, { path, hash })
    return true
  }

  /** Takes a new file of the interrupted build, where it has these very bytes: it may have been cut off. */
  #takeOver(path: string, hash: string): boolean {
    if (!this.#isTakenOver) return false
    const file = this.#newPath(path)
    if (kindOf(file) !== 'file' || sha256OfPieces(filePieces(file)) !== hash) return false
    this.#registry.add(path)
    this.#site.refuseForeign(path)
    this.#files.set(path, { path, hash, staged: true })
    return true
  }

  /** Where the content of a new file waits; its folder is made. */
  #newPath(path: string): string {
    const root = join(this.#old.root, this.#name ?? '', newFolder)
    const folder = folderOf(path)
    if (folder !== this.#folder) this.#disk.folder(join(root, folder))
    this.#folder = folder
    return join(root, path)
  }

  keepFolder(folder: string): void {
    for (const [path, hash] of Object.entries(this.#old.files)) {
      if (path.startsWith(folder) && !this.#files.has(path)) this.keep(path, hash)
    }
  }

  retract(paths: readonly string[]): void {
    this.#checkOpen()
    for (const path of paths) {
      const staged = this.#files.get(path)?.staged
      if (staged && this.#name !== undefined) this.#disk.remove(this.#newPath(path))
      if (this.#files.delete(path)) this.#registry.remove(path)
    }
  }

  get shared(): SharedStaging {
    return {
      input: { state: this.#old, ...defined({ name: this.#name }) },
      adopt: (files) => {
        for (const file of files) {
          if (this.#isKnown(file.path, file.hash)) continue
          this.#registry.add(file.path)
          this.#files.set(file.path, file)
        }
      },
      expectStrays: () => {
        this.#hasStrays = true
      },
    }
  }

  files(): NextFile[] {
    return [...this.#files.values()]
  }

  digest(): string {
    const lines = [...this.#files.values()].map(({ path, hash }) => `${path}\0${hash}`)
    return sha256(lines.sort(compareText).join('\n'))
  }

  tempDir(): string {
    this.#checkOpen()
    if (this.#temp !== undefined) return this.#temp
    if (this.#name === undefined) {
      this.#temp = makeTempFolder()
      return this.#temp
    }
    this.#temp = join(this.#old.root, this.#name, 'temp')
    this.#disk.folder(this.#temp)
    return this.#temp
  }

  plan(): WritePlan {
    return planWrites(this.#old.files, this.#files.values())
  }

  async commit(): Promise<WritePlan> {
    this.#checkOpen()
    const plan = this.plan()
    const manifest = (): Iterable<string> => manifestPieces(this.#files.values())
    const isSame = plan.written.length === 0 && areText(manifest(), this.#old.manifestText ?? '')
    if (this.#name === undefined || isSame) {
      await this.abort()
      return plan
    }
    this.#dropStrays()
    await swapSite({ old: this.#old, disk: this.#disk, name: this.#name, files: this.#files, plan, manifest })
    this.#open = false
    return plan
  }

  async abort({ forNext = false }: { forNext?: boolean } = {}): Promise<void> {
    if (!this.#open) return
    this.#open = false
    if (this.#name === undefined) {
      if (this.#temp !== undefined) this.#disk.remove(this.#temp)
      return
    }
    releaseStagingName(this.#name)
    const { root, exists } = this.#old
    const staging = join(root, this.#name)
    // A journal means a swap that is half done: its staging is what the next build completes it from.
    if (hasJournal(root, this.#name)) return
    if (forNext && this.#waiting !== undefined) handOn(staging, this.#waiting, this.#disk)
    else this.#disk.remove(staging)
    if (!exists) this.#disk.removeEmpty(root)
  }

  /** Removes files that are no part of the site, as those of an interrupted build: folders are put in place as a whole. */
  #dropStrays(): void {
    if (!this.#hasStrays || this.#name === undefined) return
    const root = join(this.#old.root, this.#name, newFolder)
    for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name)
      const path = relative(root, file).split(sep).join('/')
      if (!entry.isDirectory() && this.#files.get(path)?.staged === undefined) this.#disk.remove(file)
    }
  }

  #checkOpen(): void {
    if (!this.#open) throw new Error('The stage was committed or aborted')
  }

  #isKnown(path: string, hash: string): boolean {
    this.#checkOpen()
    const known = this.#files.get(path)
    if (known !== undefined && known.hash !== hash)
      throw new Error(`Cannot write \`${path}\` twice with different content`)
    return known !== undefined
  }
}

// From a finished stage to the new site: the journal is written down, then the swap is made.

/** A stage that is ready. */
export interface SwapInput {
  old: OutputState
  disk: Disk
  /** Name of the staging folder. */
  name: string
  files: ReadonlyMap<string, NextFile>
  plan: WritePlan
  /** Gives the text of the new manifest. */
  manifest: () => Iterable<string>
}

/** Swaps the new site for the old one and removes the staging folder. Throws a `UsageError` where the disk refuses. */
async function swapSite(input: SwapInput): Promise<void> {
  const { old, disk, name } = input
  const place = { root: old.root, staging: join(old.root, name), disk }
  try {
    disk.folder(join(place.staging, newFolder))
    const hash = await disk.writePieces(join(place.staging, newFolder, manifestName), input.manifest(), async () => {})
    const journal = planJournal(input, { path: manifestName, hash, staged: true })
    // What takes the place of an old site must be there after a power cut; of a first build it takes seconds.
    const files = old.manifestText === undefined ? [] : journal.install
    await disk.syncFiles(files.map(({ path }) => join(place.staging, newFolder, path)))
    disk.writeDurably(join(place.staging, journalName), encodeJournal(journal))
    swapOrUndo(journal, place)
  } catch (error) {
    throw explainDiskError(error, place.root, unchanged)
  } finally {
    releaseStagingName(name)
  }
  try {
    dropStaging(place)
  } catch (error) {
    throw explainDiskError(error, place.staging, 'The new site is in place; the next build removes the leftovers.')
  }
}

/** Orders the swap, after a fresh look at everything in its way. */
function planJournal({ old, plan, files }: SwapInput, manifest: NextFile): Journal {
  const site = createSiteFolder(old)
  const order = orderSwap(plan, (path) => site.probe(path).kind === 'file')
  for (const path of order.install) site.refuseForeign(path)
  let asides = 0
  const aside = (): string => `o${asides++}`
  // What is gone, or is no file any more, is not ours to remove.
  const remove = (path: string): JournalRemoval[] =>
    site.probe(path).kind === 'file' ? [{ path, aside: aside() }] : []
  const install = (file: NextFile | undefined): JournalInstall[] => {
    if (file?.staged === undefined) return []
    const { path, hash } = file
    const folder = site.missingFolder(path)
    return [withDefined({ path, hash }, site.probe(path).kind === 'file' ? { aside: aside() } : { folder })]
  }
  return {
    schema: 'codex-export/journal',
    version: 2,
    clear: order.clear.flatMap(remove),
    install: [...order.install.map((path) => files.get(path)), manifest].flatMap(install),
    remove: order.remove.flatMap(remove),
  }
}
