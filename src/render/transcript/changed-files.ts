/** The files that the patches and commands of a turn changed, for the summary after its work. */

import type { FileEffect } from '../../rollout/shell/writes.ts'
import type { Command, FileChange, Patch, TrastNode } from '../../transcript/trast.ts'
import { changesOf, effectsOfCommand, isAbsent } from '../../transcript/view.ts'
import { pathBelow, pathKey, resolvePath } from '../../util/paths.ts'

/** One file of the summary. */
export interface ChangedFile {
  /** As recorded; for a moved file its new name. */
  path: string
  added: number
  removed: number
  /** Anchors of its changes, in order. */
  anchors: string[]
  /** The first change created it. */
  isNew: boolean
  /** The last change deleted it. */
  isDeleted: boolean
  /** Its name before it was moved. */
  movedFrom?: string
  /** Only commands wrote it, so the number of changed lines is not recorded. */
  byCommand: boolean
}

/**
 * Files that were changed by the applied patches and the commands among some items, including those inside groups and tool
 * calls; in the order of their first change. `cwd` is the folder of the turn.
 */
export function changedFiles(items: readonly TrastNode[], cwd?: string): ChangedFile[] {
  const list = new FileList(cwd)
  for (const node of changersOf(items)) {
    if (node.type === 'command') for (const effect of effectsOfCommand(node)) list.apply(effect, node.id)
    else for (const change of changesOf(node)) list.change(change)
  }
  return list.files
}

/** Largest list in which folders are looked up, because a script may move a folder for every few of its characters. */
const maxSearched = 500

/** A path that was moved, or deleted if `movedTo` is `undefined`. */
interface Move {
  path: string
  movedTo: string | undefined
}

class FileList {
  readonly files: ChangedFile[] = []
  /** Files by their current names. */
  readonly #byName = new Map<string, ChangedFile>()
  /** Anchors in the order of the changes. */
  readonly #order = new Map<string, number>()
  readonly #cwd: string | undefined

  constructor(cwd: string | undefined) {
    this.#cwd = cwd
  }

  change(change: FileChange): void {
    const { id, path, movedTo = path, operation, added, removed } = change
    const file = this.#at(path, { isNew: operation === 'add' })
    if (movedTo !== path) file.movedFrom ??= path
    file.added += added
    file.removed += removed
    this.#addAnchor(file, id)
    file.isDeleted = operation === 'delete'
    file.byCommand = false
    this.#rename(file, movedTo)
  }

  /** Applies what a command did. It moves and deletes only files of the list, because nothing is known about others. */
  apply({ path, movedTo, isDeleted }: FileEffect, id: string): void {
    if (movedTo !== undefined || isDeleted) {
      for (const file of this.#filesAt(path)) this.#move(file, { path, movedTo }, id)
      return
    }
    const file = this.#at(path, { byCommand: true })
    this.#addAnchor(file, id)
    file.isDeleted = false
  }

  #move(file: ChangedFile, { path, movedTo }: Move, id: string): void {
    const isMade = file.anchors[0] === id
    this.#addAnchor(file, id)
    file.isDeleted = movedTo === undefined
    if (movedTo === undefined) return
    const to = this.#key(file.path) === this.#key(path) ? movedTo : `${movedTo}/${pathBelow(file.path, path)}`
    const replaced = this.#byName.get(this.#key(to))
    if (file.byCommand && replaced !== undefined && replaced !== file) {
      // The command replaced a file by a copy that was written next to it.
      this.#addAnchor(replaced, id)
      replaced.isDeleted = false
      this.#byName.delete(this.#key(file.path))
      this.files.splice(this.files.indexOf(file), 1)
      return
    }
    // A file that the same command first wrote under another name does not count as moved.
    if (!isMade) file.movedFrom ??= file.path
    this.#rename(file, to)
  }

  #at(path: string, fields: Partial<ChangedFile>): ChangedFile {
    const existing = this.#byName.get(this.#key(path))
    if (existing !== undefined) return existing
    const file = {
      path,
      added: 0,
      removed: 0,
      anchors: [],
      isNew: false,
      isDeleted: false,
      byCommand: false,
      ...fields,
    }
    this.files.push(file)
    this.#byName.set(this.#key(path), file)
    return file
  }

  /** Continues a moved file under its new name, together with the file that it replaces. */
  #rename(file: ChangedFile, path: string): void {
    this.#byName.delete(this.#key(file.path))
    const replaced = this.#byName.get(this.#key(path))
    file.path = path
    if (file.movedFrom === path) delete file.movedFrom
    this.#byName.set(this.#key(path), file)
    if (replaced !== undefined) this.#absorb(file, replaced)
  }

  /** Adds the changes of a replaced file to those of its successor, so that each path has one entry. */
  #absorb(file: ChangedFile, replaced: ChangedFile): void {
    file.added += replaced.added
    file.removed += replaced.removed
    const anchors = new Set([...file.anchors, ...replaced.anchors])
    file.anchors = [...anchors].sort((a, b) => this.#orderOf(a) - this.#orderOf(b))
    file.isNew &&= replaced.isNew
    file.byCommand &&= replaced.byCommand
    const [first = 0, second = 0] = [this.files.indexOf(file), this.files.indexOf(replaced)].sort((a, b) => a - b)
    this.files[first] = file
    this.files.splice(second, 1)
  }

  #orderOf(anchor: string): number {
    return this.#order.get(anchor) ?? 0
  }

  /** Adds a link to a change; a command that did several things to a file gets only one. */
  #addAnchor({ anchors }: ChangedFile, id: string): void {
    if (anchors.at(-1) !== id) anchors.push(id)
    if (!this.#order.has(id)) this.#order.set(id, this.#order.size)
  }

  /** The file with a name, or the files in the folder with that name. */
  #filesAt(path: string): ChangedFile[] {
    const file = this.#byName.get(this.#key(path))
    if (file !== undefined) return [file]
    return this.files.length > maxSearched ? [] : this.files.filter((one) => pathBelow(one.path, path) !== one.path)
  }

  #key(path: string): string {
    return pathKey(resolvePath(this.#cwd, path))
  }
}

function* changersOf(items: readonly TrastNode[]): Iterable<Patch | Command> {
  for (const item of items) {
    if (isAbsent(item)) continue
    if ((item.type === 'patch' || item.type === 'command') && item.status === 'completed') yield item
    else if (item.type === 'toolCall' || item.type === 'group') yield* changersOf(item.children)
  }
}
