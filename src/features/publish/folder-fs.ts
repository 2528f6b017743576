/** A folder as a place to publish to, for example one that a web server reads. */

import {
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { UsageError } from '../../diagnostics/errors.ts'
import { homesAbove, isSurelyHome } from '../../rollout/discover/homes-fs.ts'
import { sessionFolderAround } from '../../rollout/discover/walk-fs.ts'
import { folderOf, foldersOf } from '../../site/output/paths.ts'
import { filePieces, makeFolders, realPath, writeAll } from '../../util/files-fs.ts'
import { isRunning } from '../../util/process-owner-fs.ts'
import { errorCode, reasonOf } from '../../util/reason.ts'
import { digestsOf, startDigest } from './site-fs.ts'
import type { Store, Upload } from './sync.ts'

/** Called before each change on disk; what it throws stands for the end of the process. */
export type BeforeChange = (change: { action: 'write' | 'rename' | 'remove'; path: string }) => void

/** Name of a file that is being written, at the top of the folder: a name of its own for each process. */
const draftName = `.codex-export-publishing-${process.pid}.tmp`
const draftForm = /^\.codex-export-publishing-(\d+)\.tmp$/

/**
 * Opens a folder, which need not exist yet. Throws a `UsageError` where it is something else, where it holds the site
 * that is to be published or lies in it, and where it is a Codex home.
 */
export function openFolder(folder: string, site: string, beforeChange: BeforeChange = () => {}): Store {
  const root = rootOf(folder)
  refuseOverlap(root, site)
  refuseHome(root)
  return new FolderStore(root, beforeChange)
}

class FolderStore implements Store {
  readonly markKind = 'sha256'
  readonly parallel = 1
  readonly #root: string
  readonly #beforeChange: BeforeChange
  /** Folders that are known to be folders and no links. */
  readonly #safe = new Set<string>()

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
      // Whatever a link leads to is not what we put there.
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
    // Work on disk is done in one piece; between files Ctrl-C must be heard.
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

  async close(): Promise<void> {
    const names = statsOf(this.#root) === undefined ? [] : readdirSync(this.#root)
    for (const name of names) if (isStale(name)) rmSync(join(this.#root, name), { force: true })
  }

  /** Writes a draft and puts it in its place in one step. */
  #replace(path: string, write: (draft: string) => void): void {
    const draft = join(this.#root, draftName)
    this.#explained(path, () => {
      makeFolders(this.#root)
      this.#isReachable(path)
      this.#beforeChange({ action: 'write', path })
      // A link of that name is not followed: it goes, and the draft is a new file.
      rmSync(draft, { force: true })
      write(draft)
      makeFolders(dirname(join(this.#root, path)))
      this.#beforeChange({ action: 'rename', path })
      renameSync(draft, join(this.#root, path))
    })
  }

  /** Whether all folders above a path exist. Throws where one of them is a link: nothing is written through links. */
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

function rootOf(folder: string): string {
  try {
    const root = realpathSync(folder)
    if (statSync(root).isDirectory()) return root
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return realPath(folder)
    throw new UsageError(`Cannot open \`${folder}\`: ${reasonOf(error)}.`, { cause: error })
  }
  throw new UsageError(`\`${folder}\` is not a folder.`)
}

function refuseOverlap(root: string, site: string): void {
  const isIn = (inner: string, outer: string): boolean => {
    const way = relative(outer, inner)
    return way !== '..' && !way.startsWith(`..${sep}`) && join(outer, way) === inner
  }
  if (!isIn(root, site) && !isIn(site, root)) return
  throw new UsageError(`\`${root}\` and the site \`${site}\` overlap. Publish to a folder outside the site.`)
}

/** Nothing is put into a home, nor anywhere below its sessions. */
function refuseHome(root: string): void {
  const isHome = isSurelyHome(root) || statsOf(join(root, 'auth.json')) !== undefined
  if (!isHome && sessionFolderAround(root, homesAbove(root)) === undefined) return
  const what = isHome ? 'is a Codex home' : 'is where Codex keeps its sessions'
  throw new UsageError(`\`${root}\` ${what}, which is only read. Publish to a separate folder.`)
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    // A file stands where the path needs a folder.
    if (errorCode(error) === 'ENOTDIR') return undefined
    throw error
  }
}

/** Whether a name is that of a draft of this process, or of one that has ended. */
function isStale(name: string): boolean {
  const pid = Number(draftForm.exec(name)?.[1] ?? Number.NaN)
  if (Number.isNaN(pid) || pid === process.pid) return pid === process.pid
  return !isRunning(pid)
}

/** Removes a folder that is empty; gives `false` where it is not. */
function removeEmpty(folder: string): boolean {
  try {
    rmdirSync(folder)
    return true
  } catch {
    return false
  }
}
