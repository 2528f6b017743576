/** The audit of a built site: a second look at its bytes that knows nothing of the build. */
import { fileAudit } from '../audit/file-audit.ts'
import { type FileTools, reportingScan } from '../audit/file-tools.ts'
import { findingBook } from '../audit/finding-book.ts'
import { type ForeignQueue, foreignQueue } from '../audit/foreign-scan.ts'
import { type BrokenLink, linkBook } from '../audit/link-book.ts'
import { auditListing, type SiteEntry } from '../audit/listing.ts'
import type { PageFacts } from '../audit/page.ts'
import { secretlintScan } from '../audit/secretlint.ts'
import { listSite, readPieces, readText } from '../audit/site-folder-fs.ts'
import { unpack } from '../audit/unpack-fs.ts'
import { fingerprinter, type Waived, type Waivers, waiverBook } from '../audit/waivers.ts'
import { UsageError } from '../diagnostics/errors.ts'
import { type Finding, finding } from '../diagnostics/finding.ts'
import { decodeManifest } from '../model/manifest.ts'
import { manifestName } from '../model/paths.ts'
import { findSecrets } from '../redact/find.ts'
import { redactor } from '../redact/redactor.ts'
import { defined } from '../util/defined.ts'
import { hasher } from '../util/hash.ts'
import { reasonOf } from '../util/reason.ts'
import { settleOutput } from '../write/stage-fs.ts'
import type { Host } from './types.ts'

/** What an audit found. */
export interface SiteAudit {
  /**
   * In the order of files. A site is clean where none is of level `warning` or `fatal`: those of level `info` are worth
   * a look, no more. Of one rule in one file at most a hundred stand here; the last of them counts the rest.
   */
  findings: Finding[]
  /** Files that were read, the manifest included. */
  files: number
  bytes: number
  /** Links for readers that lead to other sites; nothing is loaded from there. */
  webLinks: number
  /** What waivers let pass. */
  waived: Waived[]
}

/** What makes an audit stricter or milder. */
export interface SiteAuditOptions {
  /** Home folders that are left in the site are warnings, else they are notes; on where absent. */
  readonly homes?: boolean
  /** Addresses of e-mail that are left in the site are warnings; off where absent. */
  readonly emails?: boolean
  /** Secrets that are let pass: the reason, by the fingerprint of a finding. */
  readonly waivers?: Waivers
}

/** A build that was killed in the midst of its swap is completed first: it is our own half-done work, not a finding. */
function settleFolder(dir: string): void {
  try {
    settleOutput(dir)
  } catch {
    // The folder may not be written, or is no site: what is read below tells.
  }
}

/**
 * Reads every file below the folder of a built site and tells what should not be published. Throws `UsageError` where
 * the folder holds no site. Memory follows the largest part of a file that must be seen at once, time the bytes.
 */
export async function auditSite(dir: string, host: Host, options: SiteAuditOptions = {}): Promise<SiteAudit> {
  settleFolder(dir)
  const files = await manifestOf(dir)
  const entries = await listSite(dir)
  const book = findingBook()
  const waivers = waiverBook(options.waivers ?? {})
  const add = (item: Finding): void => {
    if (!waivers.pass(item)) book.add(asTold(item, options))
  }
  const tools = { foreign: foreignQueue([secretlintScan()]), fingerprintOf: fingerprinter(), add }
  for (const item of auditListing(entries, files)) add(item)
  const readable = entries.filter(({ kind }) => kind === 'file')
  const links = linkBook(new Set(readable.map(({ path }) => path)))
  const audit: SiteAudit = { findings: [], files: readable.length, bytes: 0, webLinks: 0, waived: [] }
  host.progress.stage('Reading the files of the site', readable.length)
  for (const entry of readable) {
    host.signal.throwIfAborted()
    const facts = await auditFile(dir, entry, files[entry.path], tools)
    audit.bytes += entry.bytes
    if (facts !== undefined) {
      audit.webLinks += facts.webLinks
      for (const link of links.addPage(entry.path, facts.ids, facts.links)) add(brokenLink(link))
    }
    host.progress.tick()
  }
  for (const link of links.finish()) add(brokenLink(link))
  for (const item of waivers.unused()) add(item)
  return { ...audit, findings: book.all(), waived: waivers.used() }
}

async function manifestOf(dir: string): Promise<Readonly<Record<string, string>>> {
  const text = await readText(dir, manifestName)
  if (text === undefined) {
    throw new UsageError(
      `\`${dir}\` holds no site: there is no \`${manifestName}\`. Name the folder that \`build\` wrote.`,
    )
  }
  const decoded = decodeManifest(text)
  if ('problem' in decoded)
    throw new UsageError(`The \`${manifestName}\` of \`${dir}\` cannot be used: ${decoded.problem}.`)
  return decoded.manifest.files
}

interface SiteTools {
  foreign: ForeignQueue
  fingerprintOf: (value: string) => string | undefined
  add: (item: Finding) => void
}

/** Reads one file, compares its hash with the manifest's, and gives the facts of a page. */
async function auditFile(
  dir: string,
  { path }: SiteEntry,
  listed: string | undefined,
  { foreign, fingerprintOf, add }: SiteTools,
): Promise<PageFacts | undefined> {
  const place = { file: path, ...sessionOf(path) }
  const report: FileTools['report'] = (ruleId, mark, detail, value) => {
    const fingerprint = value === undefined || !ruleId.startsWith('secret/') ? undefined : fingerprintOf(value)
    add(finding(ruleId, { ...place, ...mark, ...defined({ fingerprint }) }, detail))
  }
  const tools: FileTools = { findSecrets, unpack, report, foreign }
  await auditName(path, tools, foreign)
  const hash = hasher()
  let audit: ReturnType<typeof fileAudit> | undefined
  try {
    for await (const piece of readPieces(dir, path)) {
      hash.add(piece)
      audit ??= fileAudit(path, piece, tools)
      await audit.write(piece)
      await foreign.drain()
    }
  } catch (error) {
    report('unread-content', {}, `Reason: ${reasonOf(error)}.`)
    return undefined
  }
  if (listed !== undefined && listed !== hash.digest()) report('changed-file', {})
  const facts = await audit?.end()
  await foreign.drain()
  return facts
}

/** Looks for what the name of a file gives away. */
async function auditName(path: string, tools: FileTools, foreign: ForeignQueue): Promise<void> {
  const scan = reportingScan(tools, {}, ({ ruleId, start, end, encoded }, text) => {
    tools.report(ruleId, {}, 'It stands in the name of the file.', encoded ?? text.slice(start, end))
  })
  scan.write(path, {})
  scan.end()
  await foreign.drain()
}

/** The session that a file belongs to, by its folder. */
function sessionOf(path: string): { session?: string } {
  const session = /^sessions\/([^/]+)\//.exec(path)?.[1]
  return session === undefined ? {} : { session }
}

function brokenLink({ file, link, why, ...mark }: BrokenLink): Finding {
  return finding('broken-link', { file, ...sessionOf(file), ...mark }, `\`${link.slice(0, 200)}\`: ${why}.`)
}

/** A finding as it may be told: at the level that the options ask for, and without a secret that a link or name holds. */
function asTold(item: Finding, { homes = true, emails = false }: SiteAuditOptions): Finding {
  const { text } = redactor()
  const isWarning = (item.ruleId === 'personal/home-folder' && homes) || (item.ruleId === 'personal/email' && emails)
  const told = { ...item, file: text(item.file), message: text(item.message) }
  return isWarning ? { ...told, level: 'warning' } : told
}
