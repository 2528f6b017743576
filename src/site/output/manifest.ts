/** `manifest.json`: which files of the output folder are ours (design: the site). */

import type { FileRecord, Manifest } from '../../render/output.ts'
import { compareText } from '../../util/compare.ts'
import { pathProblem } from './paths.ts'

const schema = 'codex-export/manifest'
const hashForm = /^[0-9a-f]{64}$/

/** What a `manifest.json` turned out to be. `problem` is a clause for people. */
export type DecodedManifest = { manifest: Manifest } | { problem: string }

/** Reads a manifest and checks every path in it, for it says what may be removed. Never throws. */
export function decodeManifest(text: string): DecodedManifest {
  const value = parse(text)
  if (!isRecord(value) || value['schema'] !== schema) return { problem: 'it is not a manifest of codex-export' }
  if (value['version'] !== 1) return { problem: `its version \`${String(value['version'])}\` is unknown` }
  const files = value['files']
  if (!isRecord(files)) return { problem: 'it lists no files' }
  const checked: Record<string, string> = Object.create(null)
  for (const [path, hash] of Object.entries(files)) {
    if (typeof hash !== 'string' || !hashForm.test(hash)) return { problem: `\`${path}\` has no hash` }
    const wrong = pathProblem(path)
    if (wrong !== undefined) return { problem: `\`${path}\` may not be listed: ${wrong}` }
    checked[path] = hash
  }
  return { manifest: { schema, version: 1, files: checked } }
}

/** Writes a manifest with its paths in code unit order, one a line. */
export function encodeManifest(records: Iterable<FileRecord>): string {
  const lines = [...records]
    .sort((a, b) => compareText(a.path, b.path))
    .map(({ path, hash }) => `    ${JSON.stringify(path)}: ${JSON.stringify(hash)}`)
  const files = lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n  }`
  return `{\n  "schema": ${JSON.stringify(schema)},\n  "version": 1,\n  "files": ${files}\n}\n`
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
