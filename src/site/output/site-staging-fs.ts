/** Staging: the files of a build wait next to the site until all are there and can be swapped in. */

import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { FileRecord, OutputFile, WritePlan } from '../../render/output.ts'
import { compareText } from '../../util/compare.ts'
import { pacer } from '../../util/event-loop.ts'
import { filePieces } from '../../util/files-fs.ts'
import { measureInSteps, sha256, sha256OfPieces } from '../../util/hash.ts'
import { defined } from '../../util/own.ts'
import { areText, encoded } from '../../util/pieces.ts'
import { makeTempFolder } from '../spool-fs.ts'
import { createDisk, type Disk, explainDiskError, isHeld, pathKind } from './disk-fs.ts'
import { createPathRegistry, folderOf, manifestPieces } from './paths.ts'
import { type NextFile, newFolder, planWrites } from './plan.ts'
import { createSiteFolder, type OutputState, outcomeOfFailure, type SiteFolder } from './site-fs.ts'
import { handOn, releaseStagingName } from './staging-folder-fs.ts'
import { hasJournal, type Recovery, swapSite } from './swap-fs.ts'

/** A build on its way to the output folder. Ends with `commit` or `abort`. */
export interface StagingArea {
  /** What was done about an unfinished swap of an earlier build. */
  readonly recovery: Recovery
  /**
   * Takes a file: it is kept if the site already has the same bytes, otherwise written to staging immediately. Throws an `Error`
   * for a path that is unsafe or taken, and a `UsageError` if somebody else's file is in the way.
   */
  put(file: OutputFile): FileRecord
  /**
   * `put` for content that is too long for memory; `pieces` is called for each pass over it. Rejects with the signal's reason if
   * it is aborted.
   */
  putPieces(path: string, pieces: () => Iterable<string | Uint8Array>, signal?: AbortSignal): Promise<FileRecord>
  /**
   * Keeps a file of the old site without reading its content; `false` if neither the old site nor an interrupted build has such a
   * file with that hash.
   */
  keep(path: string, hash: string): boolean
  /** `keep` for files that can be made again: `false` also if somebody has changed the file since the last build. */
  keepUnchanged(path: string, hash: string): boolean
  /** Keeps all files of the old site below a folder (`name/`), except those that were put again. */
  keepFolder(folder: string): void
  /** Takes back files that will be made again; paths that were not put are ignored. */
  retract(paths: readonly string[]): void
  /** Hash of the paths and hashes of all files so far, regardless of their order. */
  digest(): string
  /** Absolute path of a folder for intermediate data, made on first use and removed with the staging folder. */
  tempDir(): string
  /** What `commit` would do with the files so far; the manifest itself is in no list. */
  plan(): WritePlan
  /** Swaps the site. After an error the old site is unchanged, unless the message says otherwise. */
  commit(): Promise<WritePlan>
  /**
   * Gives up: the old site stays byte for byte. Does nothing after `commit`. With `forNext`, the new files wait for the next
   * build of the site, which keeps those that it would make again.
   */
  abort(options?: { forNext?: boolean }): Promise<void>
  /** For threads that also write to this staging folder; absent if files are sealed first. */
  readonly shared?: SharedStaging
}

/** A staging area to which other threads also write. Each of their files becomes part of the site when this thread adopts it. */
export interface SharedStaging {
  /** Everything that `openSharedStaging` needs in another thread, as plain data. */
  readonly input: Pick<StagingInput, 'state' | 'name'>
  /** Adds files that another thread has staged or found in the old site. Throws as `put` does. */
  adopt(files: readonly NextFile[]): void
  /** Called when a thread ended before it reported what it wrote: those files do not reach the site. */
  expectStrays(): void
}

/** A staging area in another thread, for the files of one session. */
interface SessionStaging extends Pick<StagingArea, 'put' | 'putPieces' | 'keepUnchanged' | 'retract'> {
  /** The files that it took, for `adopt`. */
  files(): NextFile[]
}

/** Opens a staging area in a thread other than the build's own. */
export function openSharedStaging({ state, name }: SharedStaging['input']): SessionStaging {
  return new SiteStagingArea({ state, disk: createDisk(), recovery: 'none', ...defined({ name }) })
}

/** What a staging area works on. Without the `name` of a staging folder, it only plans. */
interface StagingInput {
  state: OutputState
  disk: Disk
  name?: string
  recovery: Recovery
  /** The staging folder contains new files of an interrupted build, which have not been checked. */
  isTakenOver?: boolean
  /** Absolute path of the folder in which new files wait for the next build; without it, nothing is handed on. */
  waiting?: string | undefined
}

/** Makes the staging area of an output folder that is known to be ours. */
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
  /** The folder of the last new file, which exists already: files of a session arrive one after the other. */
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
      // Not copied with `...`, because with each of thousands of files a copy would get its own object shape.
      this.#files.set(path, kept ? record : { path, hash: record.hash, staged: true })
      return record
    } catch (error) {
      throw this.#explained(error, path)
    }
  }

  async putPieces(
    path: string,
    pieces: () => Iterable<string | Uint8Array>,
    signal?: AbortSignal,
  ): Promise<FileRecord> {
    const { pause: rest } = pacer(1, signal)
    this.#checkOpen()
    // A file that no site had is hashed as it is written, so its text is encoded only once.
    const isNew = this.#name !== undefined && this.#old.files[path] === undefined && !this.#files.has(path)
    const known = isNew ? '' : (await measureInSteps(pieces(), rest)).hash
    if (!isNew && this.#isKnown(path, known)) return { path, hash: known }
    this.#registry.add(path)
    this.#site.refuseForeign(path)
    try {
      const old = join(this.#old.root, path)
      const kept =
        this.#old.files[path] === known &&
        pathKind(old) === 'file' &&
        (await measureInSteps(filePieces(old), rest)).hash === known
      const isWritten = !kept && this.#name !== undefined
      const hash = isWritten ? await this.#disk.writePieces(this.#newPath(path), pieces(), rest) : known
      this.#files.set(path, kept ? { path, hash } : { path, hash, staged: true })
      return { path, hash }
    } catch (error) {
      throw this.#explained(error, path)
    }
  }

  /** What to say if the disk refuses a file of the site. */
  #explained(error: unknown, path: string): unknown {
    const { root, manifestText } = this.#old
    return explainDiskError(error, join(root, path), outcomeOfFailure(manifestText !== undefined))
  }

  keep(path: string, hash: string): boolean {
    return this.#keepWhere(path, hash, () => true)
  }

  keepUnchanged(path: string, hash: string): boolean {
    // The file is as the build left it if it is older than the manifest, or if only its time has changed.
    return this.#keepWhere(path, hash, (mtimeMs) => {
      return mtimeMs <= this.#old.builtAtMs || sha256OfPieces(filePieces(join(this.#old.root, path))) === hash
    })
  }

  /**
   * `keep` for a file whose modification time is acceptable. The file is looked up only once, because a build asks for thousands.
   */
  #keepWhere(path: string, hash: string, mayStand: (mtimeMs: number) => boolean): boolean {
    if (this.#isKnown(path, hash)) return true
    const found = this.#old.files[path] === hash ? this.#site.probe(path) : undefined
    if (found?.kind !== 'file' || !mayStand(found.mtimeMs)) return this.#takeOver(path, hash)
    this.#registry.add(path)
    this.#files.set(path, { path, hash })
    return true
  }

  /** Takes over a new file of the interrupted build if it has exactly these bytes, because it may have been cut off. */
  #takeOver(path: string, hash: string): boolean {
    if (!this.#isTakenOver) return false
    const file = this.#newPath(path)
    if (pathKind(file) !== 'file' || sha256OfPieces(filePieces(file)) !== hash) return false
    this.#registry.add(path)
    this.#site.refuseForeign(path)
    this.#files.set(path, { path, hash, staged: true })
    return true
  }

  /** Where the content of a new file waits; makes its folder. */
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
    // A journal means that a swap is half done, and the next build completes it from this staging folder.
    if (hasJournal(root, this.#name)) return
    if (forNext && this.#waiting !== undefined) handOn(staging, this.#waiting, this.#disk)
    else this.#disk.remove(staging)
    if (!exists) this.#disk.removeEmpty(root)
  }

  /**
   * Removes files that are not part of the site, such as those of an interrupted build, because folders are put in place as a
   * whole.
   */
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
