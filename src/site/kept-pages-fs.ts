/** Reads what stands in the output folder, for pages that cannot be rendered again. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeManifest } from './output/manifest.ts'
import { manifestName } from './output/paths.ts'

/** Bytes of a file of the site; `undefined` where it cannot be read. */
export function siteFile(out: string, path: string): Buffer | undefined {
  try {
    return readFileSync(join(out, path))
  } catch {
    return undefined
  }
}

/** Hashes of the site's files by path, as its manifest tells; none where there is no site of ours. */
export function standingFiles(out: string): ReadonlyMap<string, string> {
  const text = siteFile(out, manifestName)?.toString('utf8')
  const decoded = text === undefined ? undefined : decodeManifest(text)
  return new Map(decoded !== undefined && 'manifest' in decoded ? Object.entries(decoded.manifest.files) : [])
}

/** What `build-report.json` of the site says; nothing where it cannot be read. */
export function siteReport(out: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(siteFile(out, 'build-report.json')?.toString('utf8') ?? '')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {} // any object may be read by key
  } catch {
    return {}
  }
}
