/** Staging: a build's files wait beside the site until all are there, then they are swapped in at once. */
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeManifest } from '../model/manifest.ts'
import type { FileRecord, OutputFile, WritePlan } from '../model/output.ts'
import { createPathRegistry } from '../model/paths.ts'
import { sha256 } from '../util/hash.ts'
import { errorCode } from '../util/reason.ts'
import { swapSite } from './commit-fs.ts'
import { type Disk, explainDiskError } from './disk-fs.ts'
import { releaseStagingName } from './owner-fs.ts'
import { type NextFile, planWrites } from './plan.ts'
import { hasJournal, type Recovery } from './recover-fs.ts'
import { createSiteFolder, type OutputState, type SiteFolder, unchanged } from './site-fs.ts'

/** A build on its way to the output folder. Ends with `commit` or `abort`. */
export interface Stage {
  /** What became of an unfinished swap of an earlier build. */
  readonly recovery: Recovery
  /**
   * Takes a file: it is kept where the site holds the same bytes already, else written to staging at once.
   * Throws an `Error` for a path that is unsafe or taken, a `UsageError` where somebody else's file is in the way.
   */
  put(file: OutputFile): FileRecord
  /** Keeps a file of the old site without its content; `false` where the old site has no such file with that hash. */
  keep(path: string, hash: string): boolean
  /** Absolute folder for intermediate data, made on first use and removed with the stage. */
  tempDir(): string
  /** What `commit` would do with the files so far; the manifest itself is in no list. */
  plan(): WritePlan
  /** Swaps the site. After an error the old site stands as it was, unless the message says otherwise. */
  commit(): Promise<WritePlan>
  /** Gives up: the old site stays byte for byte. Does nothing after `commit`. */
  abort(): Promise<void>
}

/** What a stage works on. Without a `name` of a staging folder it only plans. */
export interface StageInput {
  state: OutputState
  disk: Disk
  name?: string
  recovery: Recovery
}

/** Makes the stage of an output folder that was found to be ours. */
export function createStage(input: StageInput): Stage {
  return new SiteStage(input)
}

class SiteStage implements Stage {
  readonly recovery: Recovery
  readonly #old: OutputState
  readonly #disk: Disk
  readonly #name: string | undefined
  readonly #registry = createPathRegistry()
  readonly #files = new Map<string, NextFile>()
  readonly #site: SiteFolder
  #temp: string | undefined
  #open = true

  constructor({ state, disk, name, recovery }: StageInput) {
    this.#old = state
    this.#disk = disk
    this.#name = name
    this.#site = createSiteFolder(state)
    this.recovery = recovery
  }

  put({ path, content }: OutputFile): FileRecord {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    const hash = sha256(bytes)
    if (this.#isKnown(path, hash)) return { path, hash }
    this.#registry.add(path)
    this.#site.refuseForeign(path)
    const kept = this.#old.files[path] === hash && this.#holds(path, bytes)
    this.#files.set(path, kept ? { path, hash } : { path, hash, staged: this.#stage(path, bytes) })
    return { path, hash }
  }

  keep(path: string, hash: string): boolean {
    if (this.#isKnown(path, hash)) return true
    if (this.#old.files[path] !== hash || this.#site.look(path).kind !== 'file') return false
    this.#registry.add(path)
    this.#files.set(path, { path, hash })
    return true
  }

  tempDir(): string {
    this.#checkOpen()
    if (this.#temp !== undefined) return this.#temp
    if (this.#name === undefined) {
      this.#temp = mkdtempSync(join(tmpdir(), 'codex-export-'))
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
    const manifest = encodeManifest(this.#files.values())
    const same = plan.written.length === 0 && manifest === this.#old.manifestText
    if (this.#name === undefined || same) {
      await this.abort()
      return plan
    }
    swapSite({ old: this.#old, disk: this.#disk, name: this.#name, files: this.#files, plan, manifest })
    this.#open = false
    return plan
  }

  async abort(): Promise<void> {
    if (!this.#open) return
    this.#open = false
    if (this.#name === undefined) {
      if (this.#temp !== undefined) this.#disk.remove(this.#temp)
      return
    }
    releaseStagingName(this.#name)
    const { root, exists } = this.#old
    // A journal means a swap that is half done: its staging is what the next build completes it from.
    if (!hasJournal(root, this.#name)) this.#disk.remove(join(root, this.#name))
    if (!exists) this.#disk.removeEmpty(root)
  }

  #checkOpen(): void {
    if (!this.#open) throw new Error('The stage was committed or aborted')
  }

  #isKnown(path: string, hash: string): boolean {
    this.#checkOpen()
    const known = this.#files.get(path)
    if (known !== undefined && known.hash !== hash) throw new Error(`Cannot write \`${path}\` twice with other content`)
    return known !== undefined
  }

  #holds(path: string, bytes: Uint8Array): boolean {
    try {
      return Buffer.compare(readFileSync(join(this.#old.root, path)), bytes) === 0
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return false
      throw explainDiskError(error, path, unchanged)
    }
  }

  #stage(path: string, bytes: Uint8Array): string {
    const name = `n${this.#files.size}`
    if (this.#name === undefined) return name
    try {
      this.#disk.write(join(this.#old.root, this.#name, name), bytes)
    } catch (error) {
      throw explainDiskError(error, path, unchanged)
    }
    return name
  }
}
