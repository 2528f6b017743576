/** `check`: reads sessions like a build does, writes nothing, and reports everything that it finds. */

import { personalDefaults, replaces } from '../../config/personal.ts'
import { contentKinds, type Preset, presets, type Visibility } from '../../config/publication.ts'
import type { Settings } from '../../config/schema.ts'
import { type Diagnostic, diagnostic } from '../../diagnostics/codes.ts'
import { type Finding, finding } from '../../diagnostics/finding.ts'
import { type CurationPlan, curateFacts } from '../../redact/curate/plan.ts'
import type { KnownValues } from '../../redact/known/values.ts'
import { assetSink } from '../../redact/picture.ts'
import { type Redactor, redactor, type Search } from '../../redact/redactor.ts'
import type { Root } from '../../rollout/discover/homes-fs.ts'
import type { Thread } from '../../rollout/discover/rollout.ts'
import { resumableCopies } from '../../rollout/discover/walk-fs.ts'
import { type Curator, curator, isPublished } from '../../site/curation.ts'
import { type Family, findFamilies } from '../../site/known/families.ts'
import { knownTo, mayMiss, tryValues } from '../../site/known/session-values.ts'
import { addLines, type KindCounts, sortDiagnostics, unknownKinds } from '../../site/report.ts'
import { slicesOf } from '../../site/slices.ts'
import { withSpool } from '../../site/spool-fs.ts'
import type { Host, PublicationOptions, Sources } from '../../site/types.ts'
import { historyOf, threadIndex } from '../../survey/lineage.ts'
import { findNeighbours } from '../../survey/neighbours.ts'
import {
  type PrivacyOptions,
  personalSearch,
  privacyOf,
  privateDiagnostic,
  privateFinding,
  publicIds,
  textsOnPeople,
} from '../../survey/privacy.ts'
import { scanThread, sessionFault } from '../../survey/scan.ts'
import { readFilters, type ThreadFilter } from '../../survey/select.ts'
import { surveyHomes } from '../../survey/survey.ts'
import type { ScanFacts, ScannedThread } from '../../transcript/summary.ts'
import type { LineCounts } from '../../transcript/trast.ts'
import { yieldToEventLoop } from '../../util/event-loop.ts'
import { append } from '../../util/groups.ts'
import { defined } from '../../util/own.ts'
import { sessionAudit } from './audit-session.ts'
import { type FindingCollector, findingCollector } from './findings.ts'

/** Options of `check`: those of the build whose result it predicts. Secrets are looked for in any case. */
export interface CheckOptions extends Sources, Pick<Settings, 'plugins'>, PublicationOptions, PrivacyOptions {
  /** What `publication` is based on. The check reports where it publishes more than that. */
  readonly preset?: Preset
}

/** What a check found. */
export interface CheckResult {
  /** Number of rollout files. */
  files: number
  /** Sessions that pass the filters and could be read. */
  sessions: number
  /** Sessions that could not be read. */
  failed: number
  /** Receipts of all sessions added up. */
  lines: LineCounts
  /** Folders and files that were searched for sessions. */
  places: string[]
  /** Number of all sessions, selected or not. */
  found: number
  /** Secrets and personal data, in the order of sessions and lines; at most a hundred of one rule in one session. */
  findings: Finding[]
  /** Sorted by file, line and rule. */
  diagnostics: Diagnostic[]
}

/** Checks the sessions that pass the filters. Throws `UsageError` for an invalid date or home. */
export function check(options: CheckOptions, host: Host): Promise<CheckResult> {
  return withSpool((spoolDir) => checkWith(spoolDir, options, host))
}

/** What the stages of a check share. */
interface CheckContext {
  spoolDir: () => string
  host: Host
  plugins: CheckOptions['plugins']
  policy: AuditPolicy
  findings: FindingCollector
  diagnostics: Diagnostic[]
  failed: number
}

/** A session that was read, and what was found in it. */
interface AuditedThread extends ScannedThread {
  plan: CurationPlan | undefined
  lines: LineCounts
  redactor: Redactor
  findings: FindingCollector
}

async function checkWith(spoolDir: () => string, options: CheckOptions, host: Host): Promise<CheckResult> {
  const { homes, plugins } = options
  const { progress } = host
  const policy = auditPolicy(options, host)
  const work: CheckContext = {
    spoolDir,
    host,
    plugins,
    policy,
    findings: findingCollector(),
    diagnostics: [],
    failed: 0,
  }
  const privacy = privacyOf({}, host)
  const selection = readFilters(options, host.now())
  const { catalog, diagnostics, roots, places } = await surveyHomes(homes, host, {
    spoolDir,
    publicId: publicIds(privacy),
  })
  append(work.diagnostics, diagnostics)
  append(work.diagnostics, resumableBackups(roots))
  const { preset, publication } = options
  if (preset !== undefined && publication !== undefined) {
    for (const item of presetFindings(preset, publication.visibility)) work.findings.add(item)
  }
  progress.stage('Checking sessions', catalog.threads.length)
  const curation = curator(options.publication, threadIndex(catalog.threads), { excluded: options.exclude })
  append(work.diagnostics, curation.diagnostics)
  const { read, others } = await auditThreads(catalog.threads, { selection, curation }, work)
  await auditEchoes(read, others, { work, threads: catalog.threads })
  const receipts = receiptsOf(read, work.findings)
  append(work.diagnostics, findNeighbours(read, new Set(catalog.threads.map(({ id }) => id))).diagnostics)
  append(work.diagnostics, unknownKinds(receipts))
  return {
    files: catalog.files,
    sessions: read.length,
    failed: work.failed,
    lines: addLines(receipts.map(({ lines }) => lines)),
    places,
    found: catalog.threads.length,
    findings: work.findings.all().map((item) => privateFinding(item, privacy)),
    diagnostics: sortDiagnostics(work.diagnostics.map((item) => privateDiagnostic(item, privacy))),
  }
}

/** Audits the threads that a build would publish; `others` are those that it would not. */
async function auditThreads(
  threads: readonly Thread[],
  { selection, curation }: { selection: ThreadFilter; curation: Curator },
  work: CheckContext,
): Promise<{ read: AuditedThread[]; others: ScannedThread[] }> {
  const { spoolDir } = work
  const { signal, progress } = work.host
  const read: AuditedThread[] = []
  const others: ScannedThread[] = []
  for (const thread of threads) {
    await yieldToEventLoop()
    signal.throwIfAborted()
    const { facts, diagnostics } = await scanThread(thread, { spoolDir, signal })
    if (facts === undefined) {
      work.failed++
      append(work.diagnostics, diagnostics)
    } else if (isPublished({ thread, facts }, selection, curation)) {
      const item = await auditThread({ thread, facts }, curation.plan(thread, facts), work)
      if (item !== undefined) read.push(item)
    } else others.push({ thread, facts })
    progress.tick()
  }
  return { read, others }
}

/** Backups that Codex could resume. No build publishes them; only Codex itself would show them. */
function resumableBackups(roots: readonly Root[]): Diagnostic[] {
  const advice = '`codex-export restore` with the id of the session and `--move-backups` moves it.'
  return resumableCopies(roots).map((file) => diagnostic('resumable-backup', { file }, advice))
}

/** What the receipts of sessions say. Also adds the sessions' findings to `findings`, in their order. */
function receiptsOf(
  read: readonly AuditedThread[],
  findings: FindingCollector,
): (KindCounts & { lines: LineCounts })[] {
  for (const { findings: ofThread } of read) for (const item of ofThread.all()) findings.add(item)
  return read.map(({ thread, facts, lines, redactor: inspector }) =>
    defined({ lines: withPrivateKinds(lines, inspector), version: facts.version, file: thread.segments[0]?.file.name }),
  )
}

/** A diagnostic without the secrets that its session revealed. */
function withoutSecrets(item: Diagnostic, { text }: Redactor): Diagnostic {
  return { ...item, message: text(item.message) }
}

/** The counts of lines without the secrets of their session in the names of unknown kinds. */
function withPrivateKinds(lines: LineCounts, { text }: Redactor): LineCounts {
  const unknown = new Map<string, number>()
  for (const [kind, count] of Object.entries(lines.unknown))
    unknown.set(text(kind), (unknown.get(text(kind)) ?? 0) + count)
  return { ...lines, unknown: Object.fromEntries(unknown) }
}

/** Reads what is published of a thread; `undefined`, with a diagnostic, if that fails. */
async function auditThread(
  scanned: ScannedThread,
  plan: CurationPlan | undefined,
  work: CheckContext,
  family?: KnownValues,
): Promise<AuditedThread | undefined> {
  const { spoolDir, host, plugins, policy } = work
  const { thread } = scanned
  const facts = plan === undefined ? scanned.facts : curateFacts(scanned.facts, plan)
  const findings = findingCollector()
  const inspector = redactor(policy.search(facts), family)
  const audit = sessionAudit({ thread, add: findings.add, isReplaced: policy.isReplaced, redactor: inspector })
  try {
    const { session, slices, diagnostics } = slicesOf(thread, facts, {
      spoolDir,
      signal: host.signal,
      plugins,
      ...defined({ plan }),
      assets: assetSink(() => {}),
    })
    for await (const { tree } of slices) await audit(tree)
    if (family === undefined)
      append(
        work.diagnostics,
        diagnostics().map((item) => withoutSecrets(item, inspector)),
      )
    return { ...scanned, plan, lines: session.stats.lines, redactor: inspector, findings }
  } catch (error) {
    host.signal.throwIfAborted()
    // The second reading of a session adds to what the first one found.
    if (family === undefined) work.failed++
    work.diagnostics.push(sessionFault(thread, error))
    return undefined
  }
}

/**
 * Audits again the sessions that may contain a value that only another part of them, or another session of their family,
 * revealed.
 */
async function auditEchoes(
  read: AuditedThread[],
  others: readonly ScannedThread[],
  { work, threads }: { work: CheckContext; threads: readonly Thread[] },
): Promise<void> {
  const { spoolDir, host } = work
  const privacy = privacyOf({}, host)
  const index = threadIndex(threads)
  const families = findFamilies(threads, [...read, ...others])
  const valuesByFamily = new Map<Family, Map<string, KnownValues>>()
  const valuesOf = (id: string): Map<string, KnownValues> => {
    const family = families.get(id) ?? []
    const values = valuesByFamily.get(family) ?? new Map<string, KnownValues>()
    valuesByFamily.set(family, values)
    return values
  }
  for (const { thread, redactor: inspector } of read) valuesOf(thread.id).set(thread.id, inspector.values().values)
  for (const item of others) {
    const { id } = item.thread
    if (privacy === undefined || valuesOf(id).size === 0) continue
    try {
      valuesOf(id).set(id, await tryValues(item, { privacy, spoolDir, signal: host.signal }))
    } catch (error) {
      host.signal.throwIfAborted()
      work.diagnostics.push(sessionFault(item.thread, error))
    }
  }
  for (const [position, item] of read.entries()) {
    const { thread, facts, plan, redactor: inspector } = item
    const known = knownTo(thread.id, valuesOf(thread.id))
    const history = historyOf(thread, index)
    const seen = { thread, pages: facts.pages, history, report: inspector.values(), isRead: true }
    if (known.size === 0 || !(await mayMiss(seen, known, spoolDir))) continue
    host.signal.throwIfAborted()
    read[position] = (await auditThread({ thread, facts }, plan, work, known)) ?? item
  }
}

// What `check` looks for in sessions, and what a build with the same options would replace.

/** A policy for all sessions of a check. */
interface AuditPolicy {
  /** A search for one session that already knows its people. */
  search(facts: ScanFacts): Search
  /** Whether a build replaces what a rule finds. */
  isReplaced(rule: string): boolean
}

/** The policy under the options: all personal data is looked for, whether or not it is replaced. */
function auditPolicy(
  { redact = true, personal = personalDefaults }: PrivacyOptions,
  { homeDir }: Pick<Host, 'homeDir'>,
): AuditPolicy {
  const searches = personalSearch({ home: true, names: true, emails: true, roots: personal.roots }, homeDir)
  return {
    search(facts) {
      const search = searches()
      for (const folder of facts.cwds) search.people?.learn(folder)
      for (const text of textsOnPeople(facts)) search.people?.find(text)
      return search
    },
    isReplaced: (rule) => redact && replaces(personal, rule),
  }
}

// Where the options publish what the preset that they name would omit.

/** A note for each kind that a preset omits and the options show. It belongs to no file. */
function presetFindings(preset: Preset, visibility: Visibility): Finding[] {
  return contentKinds
    .filter((kind) => presets[preset][kind] === 'omit' && visibility[kind] !== 'omit')
    .map((kind) => finding('loosened-preset', { file: '' }, `Preset: \`${preset}\`; kind: \`${kind}\`.`))
}
