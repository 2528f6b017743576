/** Reads a built site from disk before it is published. */

import { createHash, type Hash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { quoted } from '../../cli/called-as-fs.ts'
import { UsageError } from '../../diagnostics/errors.ts'
import { decodeManifest, manifestName, stagingPrefix } from '../../site/output/paths.ts'
import { filePieces, makePrivate, textAt, writeInOneStep } from '../../util/files-fs.ts'
import { sha256 } from '../../util/hash.ts'
import { parseJson } from '../../util/json.ts'
import { errorCode } from '../../util/reason.ts'
import type { SiteFile } from './plan.ts'
import type { MarkKind } from './sync.ts'

/** A complete built site. */
export interface BuiltSite {
  /** Absolute, with links resolved. */
  root: string
  /** SHA-256 by path; the manifest is among the paths, without a hash. */
  hashes: ReadonlyMap<string, string | undefined>
  /** SHA-256 of the manifest. */
  manifest: string
}

/** Opens a built site. Throws a `UsageError` if the folder contains none, or if a build of it is running or was interrupted. */
export function openBuiltSite(folder: string): BuiltSite {
  const root = realFolder(folder)
  const staging = root === undefined ? undefined : stagingIn(root)
  if (staging !== undefined) {
    const what = `A build of \`${folder}\` is running or was interrupted (it left \`${staging}\`).`
    throw new UsageError(`${what} Wait for it, or build again.`)
  }
  const text = root === undefined ? undefined : textOf(join(root, manifestName))
  if (root === undefined || text === undefined) {
    const hint = `Build one first: \`codex-export build --out ${quoted(folder)}\`.`
    throw new UsageError(`\`${folder}\` contains no site. ${hint}`)
  }
  const decoded = decodeManifest(text)
  if ('problem' in decoded) {
    throw new UsageError(`\`${join(folder, manifestName)}\` cannot be used: ${decoded.problem}. Build the site again.`)
  }
  const hashes = new Map([...Object.entries(decoded.manifest.files), [manifestName, undefined]])
  return { root, hashes, manifest: sha256(text) }
}

/**
 * Yields the files of a site with their marks. Reads each of them; throws a `UsageError` if one is missing, is a link, or
 * is not what the build wrote.
 */
export function* siteFiles(site: BuiltSite, markKind: MarkKind): Generator<SiteFile> {
  for (const [path, hash] of site.hashes) {
    const size = sizeOf(site, path)
    const [found, mark = ''] = digestsOf(join(site.root, path), size, ['sha256', markKind])
    if (found !== (hash ?? site.manifest)) throw unlikeBuild(path, site, 'is not as the build wrote it')
    yield { path, size, mark }
  }
}

/** The text of a file of the site; `undefined` if the site has no such file. Only for files that are known to be small. */
export function siteText({ root, hashes }: BuiltSite, path: string): string | undefined {
  return hashes.has(path) ? textOf(join(root, path)) : undefined
}

function sizeOf(site: BuiltSite, path: string): number {
  const stats = lstatSync(join(site.root, path), { throwIfNoEntry: false })
  if (stats === undefined) throw unlikeBuild(path, site, 'is missing')
  if (!stats.isFile()) throw unlikeBuild(path, site, 'is no file')
  return stats.size
}

/**
 * The error for a file that is not as the build wrote it. A build installs files before the manifest and keeps its
 * staging folder until then, so a staging folder or another manifest means that a build replaced the site.
 */
function unlikeBuild(path: string, { root, manifest }: BuiltSite, what: string): UsageError {
  const isReplaced = stagingIn(root) !== undefined || sha256(textOf(join(root, manifestName)) ?? '') !== manifest
  if (isReplaced)
    return new UsageError(
      `A build replaced the site in \`${root}\` while it was read. Nothing was published: publish again.`,
    )
  return new UsageError(`\`${path}\` in \`${root}\` ${what}. Build the site again before you publish it.`)
}

function stagingIn(root: string): string | undefined {
  return readdirSync(root).find((name) => name.startsWith(stagingPrefix))
}

function realFolder(folder: string): string | undefined {
  try {
    const root = realpathSync(folder)
    return statSync(root).isDirectory() ? root : undefined
  } catch {
    return undefined
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

// Digests of files, which are read piece by piece.

/** The digests of a file in hex, in the order of `kinds`. Throws the error of the system. */
export function digestsOf(path: string, size: number, kinds: readonly MarkKind[]): string[] {
  const hashes = kinds.map((kind) => startDigest(kind, size))
  for (const piece of filePieces(path)) for (const hash of hashes) hash.update(piece)
  return hashes.map((hash) => hash.digest('hex'))
}

/** Starts a digest; the caller then adds the content. */
export function startDigest(kind: MarkKind, size: number): Hash {
  if (kind !== 'git') return createHash(kind)
  // git's id of a file is the SHA-1 of its kind, its size and its bytes.
  return createHash('sha1').update(`blob ${size}\0`)
}

// Which sessions were last published at targets that cannot be asked: repositories to which the user commits the site.

/** Folders of the sessions that were last published at `target`; empty if nothing is known. */
export function readPublished(cacheDir: string, target: string): Set<string> {
  const value = parseJson(textAt(fileOf(cacheDir, target)))
  return new Set(Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [])
}

/** Saves the folders for `readPublished`. Throws the error of the system. */
export function savePublished(cacheDir: string, target: string, folders: Iterable<string>): void {
  makePrivate(cacheDir)
  writeInOneStep(fileOf(cacheDir, target), JSON.stringify([...folders]))
}

function fileOf(cacheDir: string, target: string): string {
  return join(cacheDir, `published-${sha256(target).slice(0, 12)}.json`)
}
