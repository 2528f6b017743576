/** A folder as a target of `publish`, for example one that a web server serves. */

import {
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { UsageError } from '../../diagnostics/errors.ts'
import { homesAbove, isCertainlyHome } from '../../rollout/discover/homes-fs.ts'
import { sessionFolderAround } from '../../rollout/discover/walk-fs.ts'
import { isCache } from '../../site/cache/cache-folder-fs.ts'
import { folderOf, foldersOf } from '../../site/output/paths.ts'
import { filePieces, makeFolders, realPath, writeAll, writeFault } from '../../util/files-fs.ts'
import { isRunning } from '../../util/process-owner-fs.ts'
import { errorCode, reasonOf } from '../../util/reason.ts'
import { digestsOf, startDigest } from './site-fs.ts'
import type { Store, Upload } from './sync.ts'

/** Called before each change on disk. Tests throw from it to simulate a process that is killed there. */
export type BeforeChange = (change: { action: 'write' | 'rename' | 'remove'; path: string }) => void

/** Name of the draft, at the top of the folder, to which each file is first written; a separate name for each process. */
const draftName = `.codex-export-publishing-${process.pid}.tmp`
const draftForm = /^\.codex-export-publishing-(\d+)\.tmp$/

/**
 * Opens a folder, which need not exist yet. Throws a `UsageError` if it is not a folder, if it and the site to be
 * published contain one another, if it is a Codex home or below its sessions, or if it is a cache.
 */
export function openFolder(folder: string, site: string, beforeChange: BeforeChange = () => {}): Store {
  const root = rootOf(folder)
  refuseOverlap(root, site)
  refuseHome(root)
  refuseCache(root)
  return new FolderStore(root, beforeChange)
}

class FolderStore implements Store {
  readonly markKind = 'sha256'
  readonly parallel = 1
  readonly #root: string
  readonly #beforeChange: BeforeChange
  /** Folders known to be real folders, as are all above them: no links. */
  readonly #safe = new Set<string>()
  /** A draft was begun. */
  #hasDraft = false

  constructor(root: string, beforeChange: BeforeChange) {
    this.#root = root
    this.#beforeChange = beforeChange
  }

  get name(): string {
    return `\`${this.#root}\``
  }

  async probe(paths: Iterable<string>): Promise<ReadonlyMap<string, string>> {
    const marks = new Map<string, string>()
    for (const path of paths) {
      await setImmediate()
      const stats = this.#isReachable(path) ? statsOf(join(this.#root, path)) : undefined
      if (stats === undefined || stats.isDirectory()) continue
      // A link is not a file that we put there, whatever it leads to.
      const [mark = ''] = stats.isFile() ? digestsOf(join(this.#root, path), stats.size, ['sha256']) : ['link']
      marks.set(path, mark)
    }
    return marks
  }

  async read(path: string): Promise<string | undefined> {
    const file = join(this.#root, path)
    return statsOf(file)?.isFile() ? readFileSync(file, 'utf8') : undefined
  }

  async put({ path, source, size, mark }: Upload): Promise<void> {
    // File operations are synchronous; yielding between files lets Ctrl-C through.
    await setImmediate()
    this.#replace(path, (draft) => {
      const digest = startDigest('sha256', size)
      const descriptor = openSync(draft, 'wx')
      try {
        for (const piece of filePieces(source)) {
          digest.update(piece)
          writeAll(descriptor, piece)
        }
      } finally {
        closeSync(descriptor)
      }
      if (digest.digest('hex') !== mark)
        throw new UsageError(`\`${path}\` changed while it was being published. ${again}`)
    })
  }

  async putText(path: string, text: string): Promise<void> {
    this.#replace(path, (draft) => writeFileSync(draft, text, { flag: 'wx' }))
  }

  async remove(path: string): Promise<void> {
    await setImmediate()
    if (!this.#isReachable(path)) return
    this.#explained(path, () => {
      this.#beforeChange({ action: 'remove', path })
      rmSync(join(this.#root, path), { force: true })
      for (const folder of foldersOf(path)) if (!removeEmpty(join(this.#root, folder))) break
    })
    this.#safe.clear()
  }

  async tidy(): Promise<void> {
    const names = statsOf(this.#root) === undefined ? [] : readdirSync(this.#root)
    for (const name of names) if (isStale(name)) rmSync(join(this.#root, name), { force: true })
  }

  async close(): Promise<void> {
    if (this.#hasDraft) rmSync(join(this.#root, draftName), { force: true })
  }

  /** Writes a draft and moves it to its path in one step. */
  #replace(path: string, write: (draft: string) => void): void {
    const draft = join(this.#root, draftName)
    this.#explained(path, () => {
      makeFolders(this.#root)
      this.#isReachable(path)
      this.#beforeChange({ action: 'write', path })
      // If a link has that name, it is removed, not followed, and the draft becomes a new file.
      rmSync(draft, { force: true })
      this.#hasDraft = true
      write(draft)
      makeFolders(dirname(join(this.#root, path)))
      this.#beforeChange({ action: 'rename', path })
      renameSync(draft, join(this.#root, path))
    })
  }

  /** Whether all folders above a path exist. Throws if one of them is a link, because nothing is written through links. */
  #isReachable(path: string): boolean {
    if (this.#safe.has(folderOf(path))) return true
    for (const folder of foldersOf(path).reverse()) {
      const stats = statsOf(join(this.#root, folder))
      if (stats === undefined) return false
      if (stats.isSymbolicLink()) {
        const hint = 'Nothing is written through it: remove it, or choose another folder.'
        throw new UsageError(`\`${folder}\` in ${this.name} is a link. ${hint}`)
      }
      if (!stats.isDirectory()) return false
    }
    this.#safe.add(folderOf(path))
    return true
  }

  #explained(path: string, work: () => void): void {
    try {
      work()
    } catch (error) {
      if (errorCode(error) === undefined) throw error
      throw new UsageError(`Cannot write \`${path}\` in ${this.name}: ${reasonOf(error)}. ${again}`, { cause: error })
    }
  }
}

const again = 'What is there is intact; publish again to complete it.'

/** The folder with its links followed, so far as it exists. */
function rootOf(folder: string): string {
  const fault = writeFault(folder)
  if (fault !== undefined) throw new UsageError(`Cannot write to \`${folder}\`: ${fault}. Choose another \`--to\`.`)
  return realPath(folder)
}

function refuseOverlap(root: string, site: string): void {
  const isIn = (inner: string, outer: string): boolean => {
    const way = relative(outer, inner)
    return way !== '..' && !way.startsWith(`..${sep}`) && join(outer, way) === inner
  }
  if (!isIn(root, site) && !isIn(site, root)) return
  throw new UsageError(`\`${root}\` and the site \`${site}\` overlap. Publish to a folder outside the site.`)
}

/** Refuses a Codex home and any folder below its sessions. */
function refuseHome(root: string): void {
  const isHome = isCertainlyHome(root) || statsOf(join(root, 'auth.json')) !== undefined
  if (!isHome && sessionFolderAround(root, homesAbove(root)) === undefined) return
  const what = isHome ? 'is a Codex home' : 'is where Codex keeps its sessions'
  throw new UsageError(`\`${root}\` ${what}, which is only read. Publish to a separate folder.`)
}

/** Refuses the cache of a build: whoever may read the published site could read its text of private sessions. */
function refuseCache(root: string): void {
  if (!isCache(root)) return
  const hint = 'It contains text of private sessions. Publish to a separate folder.'
  throw new UsageError(`\`${root}\` is a cache of codex-export. ${hint}`)
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    // A file is where the path needs a folder.
    if (errorCode(error) === 'ENOTDIR') return undefined
    throw error
  }
}

/** Whether a name is that of a draft of this process, or of a process that has ended. */
function isStale(name: string): boolean {
  const pid = Number(draftForm.exec(name)?.[1] ?? Number.NaN)
  if (Number.isNaN(pid) || pid === process.pid) return pid === process.pid
  return !isRunning(pid)
}

/** Removes a folder if it is empty, and returns whether it did. */
function removeEmpty(folder: string): boolean {
  try {
    rmdirSync(folder)
    return true
  } catch {
    return false
  }
}
