/** Checks the links of a site, page by page, against its files and anchors, and the names of its files against its manifest. */

import { type Finding, finding } from '../../diagnostics/finding.ts'
import { folderOf, manifestName, pathProblem } from '../../site/output/paths.ts'
import { printable } from '../../util/printable.ts'

/** A link that leads nowhere. `why` is a clause for people. */
export interface BrokenLink {
  file: string
  line?: number
  place?: string
  /** The link without its query. */
  link: string
  why: string
}

/** A relative link as written in a page. */
export interface PageLink {
  link: string
  line?: number
  place?: string
}

/** Receives the pages of a site one after the other. */
interface LinkIndex {
  /** Returns the links of a page that are known to be broken; those to pages that come later wait. */
  addPage(file: string, ids: ReadonlySet<string>, links: readonly PageLink[]): BrokenLink[]
  /** Returns the broken links among those that waited. */
  finish(): BrokenLink[]
}

interface Waiting extends PageLink {
  file: string
  target: string
  hash: number
}

/** An index for a site with these files. */
export function linkIndex(files: ReadonlySet<string>): LinkIndex {
  // Four bytes for an anchor, however long it is.
  const anchors = new Map<string, Uint32Array>()
  const waiting = new Map<string, Waiting>()

  function brokenAt(item: PageLink, file: string, ids: ReadonlySet<string>): string | undefined {
    const { target, anchor, fault } = resolve(file, item.link, files)
    if (fault !== undefined || anchor === '' || !/\.html?$/.test(target)) return fault
    if (target === file) return ids.has(anchor) ? undefined : noAnchor
    const key = `${target}#${anchor}`
    if (!waiting.has(key)) waiting.set(key, { ...item, file, target, hash: hashOf(anchor) })
    return undefined
  }

  return {
    addPage(file, ids, links) {
      anchors.set(file, Uint32Array.from(ids, hashOf).sort())
      return links.flatMap((item) => {
        const why = brokenAt(item, file, ids)
        return why === undefined ? [] : [{ ...item, file, why }]
      })
    },
    finish() {
      const broken: BrokenLink[] = []
      for (const { target, hash, ...link } of waiting.values()) {
        if (!has(anchors.get(target) ?? new Uint32Array(), hash)) broken.push({ ...link, why: noAnchor })
      }
      return broken
    },
  }
}

const noAnchor = 'the page has no such anchor'

interface Resolved {
  target: string
  anchor: string
  fault?: string
}

/** The file and anchor of a link. It must name the file, because a folder has no default page when opened from disk. */
function resolve(file: string, link: string, files: ReadonlySet<string>): Resolved {
  const hash = link.indexOf('#')
  const path = (hash < 0 ? link : link.slice(0, hash)).replace(/\?.*$/s, '')
  const encoded = hash < 0 ? '' : link.slice(hash + 1)
  if (/^[/\\]/.test(path)) return { target: '', anchor: '', fault: 'it is not relative' }
  const target = path === '' ? file : join(folderOf(file), decoded(path))
  if (target === undefined) return { target: '', anchor: '', fault: 'it leads out of the site' }
  const anchor = encoded === 'top' ? '' : decoded(encoded)
  return files.has(target) ? { target, anchor } : { target, anchor, fault: 'there is no such file' }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A relative path below a folder; `undefined` if it leads above the root. */
function join(folder: string, path: string): string | undefined {
  const parts = folder === '' ? [] : folder.split('/')
  for (const part of path.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined
    } else if (part !== '.') parts.push(part)
  }
  return parts.join('/')
}

/** 32-bit FNV-1a. On a page with a thousand anchors, one in four million broken links is missed. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}

function has(sorted: Uint32Array, wanted: number): boolean {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const value = sorted[middle] ?? 0
    if (value === wanted) return true
    if (value < wanted) low = middle + 1
    else high = middle
  }
  return false
}

// The names in a site's folder and its manifest, compared before any file is opened.

/** An entry of a site's folder, other than a folder. */
export interface SiteEntry {
  /** Relative, with `/` between its parts. */
  path: string
  kind: 'file' | 'link' | 'other'
  bytes: number
}

/** Findings about names: links, files that the manifest does not list or that are missing, names that collide. */
export function auditListing(entries: readonly SiteEntry[], files: Readonly<Record<string, string>>): Finding[] {
  const present = new Set(entries.map(({ path }) => path))
  const missing = Object.keys(files).filter((path) => !present.has(path))
  return [
    ...entries.flatMap((entry) => auditEntry(entry, files)),
    ...missing.map((path) => finding('missing-file', { file: path })),
    ...collisions(entries),
  ]
}

function auditEntry({ path, kind }: SiteEntry, files: Readonly<Record<string, string>>): Finding[] {
  if (path === manifestName) return kind === 'file' ? [] : [finding('symbolic-link', { file: path })]
  const found: Finding[] = []
  if (kind !== 'file') found.push(finding('symbolic-link', { file: path }))
  else if (!Object.hasOwn(files, path)) found.push(finding('unlisted-file', { file: path }))
  const problem = pathProblem(path)
  if (problem !== undefined) found.push(finding('unportable-name', { file: path }, `Reason: ${problem}.`))
  return found
}

/** Names of the same file on systems that ignore case or the form of accents. */
function collisions(entries: readonly SiteEntry[]): Finding[] {
  const first = new Map<string, string>()
  const found: Finding[] = []
  for (const { path } of entries) {
    const folded = path.normalize('NFC').toLowerCase()
    const other = first.get(folded)
    if (other === undefined) first.set(folded, path)
    else {
      const detail = `\`${printable(other)}\` is the same name on systems that ignore case.`
      found.push(finding('unportable-name', { file: path }, detail))
    }
  }
  return found
}
