/** A file that is new, or the same as the one that is there. */
import { existsSync, rmSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { UsageError } from '../diagnostics/errors.ts'
import { filePieces } from '../util/file-pieces-fs.ts'
import { sha256OfPieces } from '../util/hash.ts'
import { type DraftOptions, draftNames, keepDraft, leftDrafts, writeDraft } from './draft-fs.ts'

/** A file that was begun. Call `commit` or `abort`. */
export interface NewFile {
  /** Writes the content and gives the path of the draft. Throws `UsageError` where the disk refuses, and where another run is at it. */
  draft(content: Iterable<Uint8Array>): string
  /** Names the draft. Throws `UsageError` where another file stands there that has another content. */
  commit(): void
  /** Removes the draft. Harmless after `commit`. */
  abort(): void
}

/** Begins a file at a path. */
export function openNewFile(path: string, options: DraftOptions = {}): NewFile {
  const names = draftNames(path)
  const draft = names.path('new')
  let written = false
  const abort = (): void => {
    if (written) rmSync(draft, { force: true })
    written = false
    names.release()
  }
  return {
    draft(content) {
      for (const left of leftDrafts(path)) if (left.replacedBytes === undefined) rmSync(left.path, { force: true })
      writeDraft(draft, content, options)
      written = true
      return draft
    },
    commit() {
      if (existsSync(path)) {
        if (!isSame(draft, path))
          throw new UsageError(`\`${basename(path)}\` is there already and holds something else; name another file.`)
        abort()
        return
      }
      keepDraft(draft, path, options)
      written = false
    },
    abort,
  }
}

function isSame(a: string, b: string): boolean {
  if (!statSync(b).isFile() || statSync(a).size !== statSync(b).size) return false
  return sha256OfPieces(filePieces(a)) === sha256OfPieces(filePieces(b))
}
