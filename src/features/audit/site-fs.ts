/**
 * The audit of a built site: a second look at its bytes that knows nothing about the build. It reads the folder as anyone who
 * receives it would: every entry, without following links.
 */

import { createReadStream } from 'node:fs'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, inflateSync } from 'node:zlib'
import { UsageError } from '../../diagnostics/errors.ts'
import { type Finding, finding } from '../../diagnostics/finding.ts'
import { findSecrets } from '../../redact/find.ts'
import { redactor } from '../../redact/redactor.ts'
import { throwOwnFault } from '../../rollout/read/source.ts'
import { decodeManifest, manifestName } from '../../site/output/paths.ts'
import { settleOutput } from '../../site/output/staging-fs.ts'
import type { Host } from '../../site/types.ts'
import { compareText } from '../../util/compare.ts'
import { addTo } from '../../util/groups.ts'
import { hasher } from '../../util/hash.ts'
import { defined } from '../../util/own.ts'
import { errorCode, reasonOf } from '../../util/reason.ts'
import { beginningOf } from '../../util/text.ts'
import { type FileAudit, type FileAuditContext, fileAudit, reportingScan } from './file-audit.ts'
import { findingCollector, fingerprinter, type Waived, type Waivers, waiverIndex } from './findings.ts'
import { auditListing, type BrokenLink, linkIndex, type SiteEntry } from './links.ts'
import type { PageFacts } from './page.ts'
import { openScanners, type ScannerName, type ScannerRun } from './scanner-run-fs.ts'
import { type ForeignQueue, foreignQueue, secretlintScan } from './secretlint.ts'
import { type Found, type Hit, withoutHits } from './text-hits.ts'

/** Bytes that are read of a file at a time. */
const pieceSize = 256 * 1024

/** Lists all entries below an absolute folder, sorted by path. Throws the errors of reading. */
async function listSite(root: string): Promise<SiteEntry[]> {
  const entries: SiteEntry[] = []
  const folders = ['']
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) folders.push(path)
      else entries.push(await entryAt(root, path))
    }
  }
  return entries.sort((a, b) => compareText(a.path, b.path))
}

async function entryAt(root: string, path: string): Promise<SiteEntry> {
  const stats = await lstat(join(root, path))
  if (stats.isFile()) return { path, kind: 'file', bytes: stats.size }
  return { path, kind: stats.isSymbolicLink() ? 'link' : 'other', bytes: 0 }
}

/** The text of a file; `undefined` if there is none. Throws the other errors of reading. */
async function readText(root: string, path: string): Promise<string | undefined> {
  try {
    return await readFile(join(root, path), 'utf8')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined
    throw error
  }
}

// Unpacks what a browser would, up to a limit, because a small file may unpack to gigabytes.

const maxLength = 64 << 20

/** The content of a gzip file or a zlib stream; `undefined` if it is broken or longer than 64 MiB. */
export function unpack(bytes: Uint8Array, by: 'gzip' | 'zlib'): Uint8Array | undefined {
  try {
    const options = { maxOutputLength: maxLength }
    return by === 'gzip' ? gunzipSync(bytes, options) : inflateSync(bytes, options)
  } catch {
    // The caller reports it as content that could not be read.
    return undefined
  }
}

// The audit of a site.

/** What an audit found. */
export interface SiteAudit {
  /**
   * In the order of files. A site is clean if none is of level `warning` or `fatal`; those of level `info` only deserve a look.
   * At most a hundred of one rule in one file are listed; the last of them counts the rest.
   */
  findings: Finding[]
  /** Files that were read, the manifest included. */
  files: number
  bytes: number
  /** Links for readers to other sites, from which nothing is loaded. */
  webLinks: number
  /** What waivers accepted. */
  waived: Waived[]
}

/** What makes an audit stricter or more lenient. */
export interface SiteAuditOptions {
  /** Home folders in the site are warnings, else notes; on by default. */
  readonly homes?: boolean
  /** E-mail addresses in the site are warnings; off by default. */
  readonly emails?: boolean
  /** Programs that look for secrets as well. */
  readonly scanners?: readonly ScannerName[]
  /** Reasons for accepted secrets, by the fingerprint of a finding. */
  readonly waivers?: Waivers
}

/** Completes the swap of a build that was killed in the middle of it, because that is our own unfinished work, not a finding. */
function finishSwap(dir: string): void {
  try {
    settleOutput(dir)
  } catch (error) {
    throwOwnFault(error)
    // The folder may be read-only, or not a site; reading it will show.
  }
}

/**
 * Reads every file below the folder of a built site and reports what should not be published. Throws `UsageError` if the folder
 * contains no site or a scanner cannot be run. Memory grows with the largest part of a file that must be seen at once, time with
 * the number of bytes.
 */
export async function auditSite(dir: string, host: Host, options: SiteAuditOptions = {}): Promise<SiteAudit> {
  finishSwap(dir)
  const files = await manifestOf(dir)
  const { scanners = [] } = options
  const run = scanners.length === 0 ? undefined : openScanners(scanners, dir, host)
  try {
    return await auditFiles(dir, files, { host, options, run })
  } finally {
    run?.close()
  }
}

interface AuditRun {
  host: Host
  options: SiteAuditOptions
  run: ScannerRun | undefined
}

async function auditFiles(
  dir: string,
  files: Readonly<Record<string, string>>,
  { host, options, run }: AuditRun,
): Promise<SiteAudit> {
  const entries = await listSite(dir)
  const collector = findingCollector()
  const waivers = waiverIndex(options.waivers ?? {})
  const names = new Map<string, string>()
  const add = (item: Finding): void => {
    if (!waivers.pass(item)) collector.add(masked({ ...item, file: names.get(item.file) ?? item.file }, options))
  }
  const foreign = foreignQueue([secretlintScan()], run === undefined ? undefined : (window) => run.add(window))
  const tools: SiteAuditContext = { foreign, fingerprintOf: fingerprinter(), reported: new Set(), add }
  for (const { path } of entries) {
    run?.begin(path)
    await auditName(path, names, tools)
  }
  for (const item of auditListing(entries, files)) add(item)
  const readable = entries.filter(({ kind }) => kind === 'file')
  const links = linkIndex(new Set(readable.map(({ path }) => path)))
  const audit: SiteAudit = { findings: [], files: readable.length, bytes: 0, webLinks: 0, waived: [] }
  host.progress.stage('Reading the files of the site', readable.length)
  for (const entry of readable) {
    host.signal.throwIfAborted()
    run?.begin(entry.path)
    const facts = await auditFile(dir, entry, files[entry.path], tools)
    audit.bytes += entry.bytes
    if (facts !== undefined) {
      audit.webLinks += facts.webLinks
      for (const link of links.addPage(entry.path, facts.ids, facts.links)) add(brokenLink(link))
    }
    host.progress.tick()
  }
  for (const link of links.finish()) add(brokenLink(link))
  if (run !== undefined) await runScanners(dir, run, tools)
  for (const item of waivers.unused()) add(item)
  return { ...audit, findings: collector.all(), waived: waivers.used() }
}

async function manifestOf(dir: string): Promise<Readonly<Record<string, string>>> {
  const text = await readText(dir, manifestName)
  if (text === undefined) {
    throw new UsageError(
      `\`${dir}\` contains no site: there is no \`${manifestName}\`. Give the folder that \`build\` wrote.`,
    )
  }
  const decoded = decodeManifest(text)
  if ('problem' in decoded)
    throw new UsageError(`The \`${manifestName}\` of \`${dir}\` cannot be used: ${decoded.problem}.`)
  return decoded.manifest.files
}

interface SiteAuditContext {
  foreign: ForeignQueue
  fingerprintOf: (value: string) => string | undefined
  /** File and fingerprint of each secret that was reported. */
  reported: Set<string>
  add: (item: Finding) => void
}

/** Reads one file, compares its hash with the manifest's, and returns the facts of a page. */
async function auditFile(
  dir: string,
  { path }: SiteEntry,
  listed: string | undefined,
  site: SiteAuditContext,
): Promise<PageFacts | undefined> {
  const { foreign } = site
  const report = reporter(path, site)
  try {
    const { hash, facts } = await readFileOf(dir, path, { findSecrets, unpack, report, foreign }, () => foreign.drain())
    if (listed !== undefined && listed !== hash) report('changed-file', {})
    return facts
  } catch (error) {
    report('unread-content', {}, `Reason: ${reasonOf(error)}.`)
    return undefined
  }
}

/** Creates the function that reports what is found in a file. */
function reporter(path: string, { fingerprintOf, reported, add }: SiteAuditContext): FileAuditContext['report'] {
  const location = { file: path, ...sessionOf(path) }
  return (ruleId, mark, detail, value) => {
    const fingerprint = value === undefined || !ruleId.startsWith('secret/') ? undefined : fingerprintOf(value)
    if (fingerprint !== undefined) reported.add(`${path}\0${fingerprint}`)
    add(finding(ruleId, { ...location, ...mark, ...defined({ fingerprint }) }, detail))
  }
}

/** Reads a file piece by piece, and awaits `afterPiece` after each. */
async function readFileOf(
  dir: string,
  path: string,
  tools: FileAuditContext,
  afterPiece: () => Promise<void>,
): Promise<{ hash: string; facts: PageFacts | undefined }> {
  const hash = hasher()
  let audit: FileAudit | undefined
  const pieces: AsyncIterable<Buffer> = createReadStream(join(dir, path), { highWaterMark: pieceSize })
  for await (const piece of pieces) {
    hash.add(piece)
    audit ??= fileAudit(path, piece, tools)
    await audit.write(piece)
    await afterPiece()
  }
  const facts = await audit?.end()
  await afterPiece()
  return { hash: hash.digest(), facts }
}

/** Looks for what the name of a file reveals, and records in `names` how such a name is shown. */
async function auditName(path: string, names: Map<string, string>, site: SiteAuditContext): Promise<void> {
  const report = reporter(path, site)
  const hits: (Hit & { value: string })[] = []
  const scan = reportingScan({ findSecrets, unpack, report, foreign: site.foreign }, {}, (hit, text) => {
    hits.push({ ...hit, value: hit.encoded ?? text.slice(hit.start, hit.end) })
  })
  scan.write(path, {})
  scan.end()
  await site.foreign.drain()
  if (hits.length > 0) names.set(path, withoutHits(path, hits))
  for (const { ruleId, value } of hits) report(ruleId, {}, 'It is in the name of the file.', value)
}

/** Runs the scanners that the user asked for, and searches the files that they name for the values that they report. */
async function runScanners(dir: string, run: ScannerRun, site: SiteAuditContext): Promise<void> {
  const byPath = new Map<string, NamedValue[]>()
  for (const { path, rule, value } of await run.finish()) addTo(byPath, path, { rule, value })
  for (const [path, values] of byPath) {
    // Values that were already reported are skipped.
    const search = valueSearch(
      values.filter(({ value }) => !site.reported.has(`${path}\0${site.fingerprintOf(value)}`)),
    )
    const rules = new Set(values.map(({ rule }): string => `secret/${rule}`))
    const reportAny = reporter(path, site)
    const report: FileAuditContext['report'] = (ruleId, mark, detail, value) => {
      if (rules.has(ruleId)) reportAny(ruleId, mark, detail, value)
    }
    const find = (text: string) => [...findSecrets(text), ...search.find(text)]
    await readFileOf(dir, path, { findSecrets: find, unpack, report, foreign: { add() {} } }, async () => {})
    for (const { rule, value } of search.unseen()) reportAny(`secret/${rule}`, {}, 'The scanner gives no place.', value)
  }
}

/** The session that a file belongs to, by its folder. */
function sessionOf(path: string): { session?: string } {
  const session = /^sessions\/([^/]+)\//.exec(path)?.[1]
  return defined({ session })
}

function brokenLink({ file, link, why, ...mark }: BrokenLink): Finding {
  return finding('broken-link', { file, ...sessionOf(file), ...mark }, `\`${beginningOf(link, 200)}\`: ${why}.`)
}

/** A finding as it may be shown: at the level that the options ask for, and without a secret in its link or name. */
function masked(item: Finding, { homes = true, emails = false }: SiteAuditOptions): Finding {
  const { text } = redactor()
  const isWarning = (item.ruleId === 'personal/home-folder' && homes) || (item.ruleId === 'personal/email' && emails)
  const reported = { ...item, file: text(item.file), message: text(item.message) }
  return isWarning ? { ...reported, level: 'warning' } : reported
}

// Searches for values that another scanner reported, so that a finding gets its line, its anchor and its surroundings.

/** A value and the rule that found it. */
interface NamedValue {
  rule: string
  value: string
}

/** A search for some values. */
interface ValueSearch {
  find(text: string): Found[]
  /** Values that no text contained literally; a scanner may have decoded them. */
  unseen(): NamedValue[]
}

/** Creates a search for values; each is searched for only once. */
function valueSearch(values: readonly NamedValue[]): ValueSearch {
  const byValue = new Map(values.map((named) => [named.value, named]))
  const seen = new Set<string>()
  return {
    find(text) {
      return [...byValue.values()].flatMap(({ value, rule }) => {
        const found: Found[] = []
        for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length)) {
          found.push({ start: at, end: at + value.length, rule })
        }
        if (found.length > 0) seen.add(value)
        return found
      })
    },
    unseen: () => [...byValue.values()].filter(({ value }) => !seen.has(value)),
  }
}
