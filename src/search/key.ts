/** When an old search index may stay. */
import type { FileRecord } from '../model/output.ts'
import { compareText } from '../util/compare.ts'
import { sha256 } from '../util/hash.ts'

/** What decides the bytes of an index beside its pages. */
export interface SearchKeyOptions {
  language: string
  /** `codex-export x.y.z`, which pins the version of Pagefind too. */
  generator: string
  /** Hash of the script that searches in the browser; only the whole index depends on it. */
  script?: string
}

/** Changes with the names of the files that are made of Pagefind's. */
const form = 'engine by content'

/** A text that differs where an index would: from the hashes of all pruned pages, in any order. */
export function searchKey(pages: Iterable<FileRecord>, { language, generator, script = '' }: SearchKeyOptions): string {
  const lines = [...pages].map(({ path, hash }) => `${path}\0${hash}`).sort(compareText)
  return sha256([form, generator, language, script, ...lines].join('\n'))
}
