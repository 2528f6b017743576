/** The files that a turn changed, summed up. */
import type { FileChange, Node, Patch, TrastNode } from '../model/trast.ts'

/** One file of the summary. */
export interface ChangedFile {
  /** As recorded; the new name of a file that was moved. */
  path: string
  added: number
  removed: number
  /** Anchors of its changes, in order. */
  anchors: string[]
}

/** What the patches of a turn come to. */
export interface ChangedFiles {
  /** Applied patches that changed a file. */
  patches: number
  /** In the order of their first change. */
  files: ChangedFile[]
}

/** Files that the applied patches among some items changed, also of those that a group or a tool call holds. */
export function changedFiles(items: readonly TrastNode[]): ChangedFiles {
  const files: ChangedFile[] = []
  const byName = new Map<string, ChangedFile>()
  let patches = 0
  for (const patch of patchesOf(items)) {
    const changes = patch.children.filter((child): child is FileChange => child.type === 'fileChange')
    if (changes.length > 0) patches += 1
    for (const change of changes) {
      const name = change.movedTo ?? change.path
      const file = byName.get(change.path) ?? { path: name, added: 0, removed: 0, anchors: [] }
      if (file.anchors.length === 0) files.push(file)
      addChange(file, change)
      // A file that was moved goes on under its new name.
      byName.delete(change.path)
      byName.set(name, file)
    }
  }
  return { patches, files }
}

function addChange(file: ChangedFile, { id, path, movedTo = path, added, removed }: FileChange): void {
  file.path = movedTo
  file.added += added
  file.removed += removed
  file.anchors.push(id)
}

function* patchesOf(items: readonly TrastNode[]): Iterable<Patch> {
  for (const item of items) {
    if (isHidden(item)) continue
    if (item.type === 'patch' && item.status === 'completed') yield item
    else if (item.type === 'toolCall' || item.type === 'group') yield* patchesOf(item.children)
  }
}

function isHidden({ data }: Node): boolean {
  return data?.visibility === 'hidden' || data?.inherited === true
}
