/** The files of a built site according to its manifest; nothing else in the folder is ever served. */

import { lstatSync, readFileSync, statSync } from 'node:fs'
import { type FileHandle, open, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { UsageError } from '../../diagnostics/errors.ts'
import { throwOwnFault } from '../../rollout/read/source.ts'
import { decodeManifest, manifestName } from '../../site/output/paths.ts'
import type { SessionSource } from '../../site/requests.ts'
import { sha256 } from '../../util/hash.ts'
import { ownValue } from '../../util/own.ts'
import { errorCode } from '../../util/reason.ts'

/** A file that is open for reading. */
export interface OpenFile {
  handle: FileHandle
  /** In bytes. */
  size: number
}

/** Files that were written but are not in the site yet. */
type StagedFiles = Pick<SessionSource, 'staged' | 'hashOf'>

/** Looks up the files of a site. */
export interface SiteFiles {
  /** SHA-256 of a file of the site in hex; `undefined` for any other path. Follows rebuilds. */
  hashOf(path: string): string | undefined
  /** SHA-256 of every file of the site, by path. */
  hashes(): ReadonlyMap<string, string>
  /** Headers that the site asks hosts to send with one of its files, by their names in lower case. */
  headersOf(path: string): Record<string, string>
  /**
   * Opens a file of the site; `undefined` if it has vanished or is reached through a link that leads out of the site. Throws if
   * too many files are open.
   */
  open(path: string): Promise<OpenFile | undefined>
}

/**
 * Opens a built site in a folder, given by its absolute path. Throws a `UsageError` if there is none. With `mayAppear`, there are
 * no files until a build has put the site there; `staged` gives those that a build has made before that.
 */
export function openSite(
  folder: string,
  { mayAppear, staged }: { mayAppear: boolean; staged: () => StagedFiles | undefined },
): SiteFiles {
  let current = read(folder)
  if (current === undefined && !mayAppear) {
    throw new UsageError(`\`${folder}\` contains no site. Build one first: \`codex-export build --out ${folder}\`.`)
  }
  const hashes = (): ReadonlyMap<string, string> => {
    if (stampOf(folder) !== current?.stamp) current = read(folder) ?? current
    return current?.files ?? noFiles
  }
  return {
    hashOf: (path) => hashes().get(path) ?? staged()?.hashOf(path),
    hashes,
    headersOf: (path) => headersFor(current?.rules ?? [], path),
    async open(path) {
      const file = await openInside(folder, path)
      const ahead = staged()
      return file ?? (ahead?.hashOf(path) === undefined ? undefined : openInside(ahead.staged, path))
    },
  }
}

const noFiles: ReadonlyMap<string, string> = new Map()

interface Listing {
  /** Distinguishes manifests without reading them. */
  stamp: string
  files: Map<string, string>
  rules: HeaderRule[]
}

function read(folder: string): Listing | undefined {
  const stamp = stampOf(folder)
  if (stamp === undefined) return undefined
  try {
    const text = readFileSync(join(folder, manifestName), 'utf8')
    const decoded = decodeManifest(text)
    if ('problem' in decoded) return undefined
    const files = new Map([...Object.entries(decoded.manifest.files), [manifestName, sha256(text)]])
    return { stamp, files, rules: files.has('_headers') ? readHeaders(textOf(folder, '_headers')) : [] }
  } catch (error) {
    throwOwnFault(error)
    // A rebuild is replacing it at this moment; the next request tries again.
    return undefined
  }
}

function textOf(folder: string, name: string): string {
  try {
    return lstatSync(join(folder, name)).isFile() ? readFileSync(join(folder, name), 'utf8') : ''
  } catch {
    // It has vanished since the build; the server's own guard headers do not need it.
    return ''
  }
}

function stampOf(folder: string): string | undefined {
  try {
    const stats = statSync(join(folder, manifestName))
    // An update keeps the time of the manifest, and an inode number that became free may be given to the next file.
    return stats.isFile() ? `${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}` : undefined
  } catch (error) {
    // `throwIfNoEntry` is not used: since Node 24, it also returns nothing if a parent is a file and not a folder.
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

async function openInside(folder: string, path: string): Promise<OpenFile | undefined> {
  let handle: FileHandle | undefined
  try {
    const root = await realpath(folder)
    const real = await realpath(join(root, path))
    if (!real.startsWith(root.endsWith(sep) ? root : root + sep)) return undefined
    handle = await open(real)
    const stats = await handle.stat()
    if (stats.isFile()) return { handle, size: stats.size }
  } catch (error) {
    if (isShortOfFiles(error)) throw error
    throwOwnFault(error)
    // The file has vanished or may not be read: "not found" is all that a visitor needs to know.
  }
  await handle?.close()
  return undefined
}

/** Whether too many files are open at once; the requested file exists, and can be read a little later. */
export function isShortOfFiles(error: unknown): boolean {
  const code = errorCode(error)
  return code === 'EMFILE' || code === 'ENFILE'
}

// `_headers`, with which a site tells static hosts what to send with its files; this server follows it as well.

/** Headers for the paths that match. */
interface HeaderRule {
  /** A path of the site from its root, such as `/assets/*`; a final `*` matches anything. */
  pattern: string
  /** By their names in lower case. */
  headers: Record<string, string>
}

/** Reads the file: a pattern at the start of a line, followed by its headers on indented lines. */
function readHeaders(text: string): HeaderRule[] {
  const rules: HeaderRule[] = []
  for (const line of text.split('\n')) {
    const [, name, value = ''] = /^\s+([\w-]+):\s*(.*?)\s*$/.exec(line) ?? []
    if (name !== undefined) {
      const headers = rules.at(-1)?.headers
      if (headers !== undefined) headers[name.toLowerCase()] = value
    } else if (line.startsWith('/')) rules.push({ pattern: line.trim(), headers: {} })
  }
  return rules
}

/** Headers for a file of the site, given by its path without a leading slash. Caching is decided by this server itself. */
function headersFor(rules: readonly HeaderRule[], path: string): Record<string, string> {
  const fitting = rules.filter(({ pattern }) => matches(pattern, `/${path}`))
  const all = fitting.flatMap(({ headers }) => Object.entries(headers))
  return Object.fromEntries(all.filter(([name]) => name !== 'cache-control'))
}

function matches(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern
}

// Content types of the files in a site.

const types: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  css: 'text/css; charset=utf-8',
  gif: 'image/gif',
  html: 'text/html; charset=utf-8',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  wasm: 'application/wasm',
  webp: 'image/webp',
  xml: 'application/xml; charset=utf-8',
}

/** Content type by the extension of a path; any other file is sent as bytes, which no browser runs. */
export function contentType(path: string): string {
  const extension = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''
  return ownValue(types, extension) ?? 'application/octet-stream'
}

const policyHeader = 'content-security-policy'
const noFraming = "frame-ancestors 'none'"

/**
 * Headers that keep a file from doing more than its type should; `siteHeaders` are those that the site asks hosts to send, by
 * their names in lower case.
 */
export function guardHeaders(type: string, siteHeaders: Readonly<Record<string, string>> = {}): Record<string, string> {
  // A picture from a transcript, opened directly, is a document that could run scripts.
  const policy = type.startsWith('image/svg') ? "default-src 'none'; sandbox" : ownValue(siteHeaders, policyHeader)
  // For sites opened from a folder, the search loads its index as scripts. Without `same-origin`, any page could load these and
  // read all sessions from them.
  return {
    'referrer-policy': 'no-referrer',
    ...siteHeaders,
    [policyHeader]: withoutFraming(policy),
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  }
}

/** The policy, which also forbids all framing unless it decides about framing itself. */
function withoutFraming(policy = ''): string {
  if (/(?:^|[;,])\s*frame-ancestors(?![\w-])/i.test(policy)) return policy
  // A final semicolon would leave an empty directive.
  return policy === '' ? noFraming : `${policy.replace(/[;\s]+$/, '')}; ${noFraming}`
}
