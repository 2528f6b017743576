/** The seam between a publish and the places that files are put on one by one. */

/** By what a place tells contents apart: SHA-256, MD5, or the id that git gives to a file, all in hex. */
export type MarkKind = 'sha256' | 'md5' | 'git'

/** A file on its way. */
export interface Upload {
  path: string
  size: number
  /** Absolute path of the file on this machine. */
  source: string
  /** Digest that the content must have; a file that changed meanwhile is refused. */
  mark: string
}

/** A folder or a bucket. Everything it throws is fit for people. */
export interface Store {
  /** For people: never with credentials. */
  readonly name: string
  readonly markKind: MarkKind
  /** How many files may be put or removed at once. */
  readonly parallel: number
  /** Marks of what stands at the given paths; more than these may be told. Throws where a path leads through a link. */
  look(paths: Iterable<string>): Promise<ReadonlyMap<string, string>>
  /** Text of a small file; `undefined` where there is none. */
  read(path: string): Promise<string | undefined>
  /** Puts a file in one step: readers see the old one or the new one. */
  put(file: Upload): Promise<void>
  /** Puts a small text of our own. */
  putText(path: string, text: string): Promise<void>
  /** Removes a file, present or not. */
  remove(path: string): Promise<void>
  /** Ends the use of the store: connections are closed, drafts removed. */
  close(): Promise<void>
}
