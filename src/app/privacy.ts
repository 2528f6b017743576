/** Where secrets and personal data leave what becomes public: threads and facts before anything is made of them, messages before they are told. */
import type { Diagnostic } from '../diagnostics/codes.ts'
import type { Finding } from '../diagnostics/finding.ts'
import { type PersonalPolicy, personalDefaults } from '../model/personal.ts'
import type { Thread } from '../model/rollout.ts'
import type { ScanFacts, ScannedThread } from '../model/summary.ts'
import { redactFacts, redactThread } from '../redact/facts.ts'
import type { KnownValues } from '../redact/known.ts'
import { personalSearch } from '../redact/personal/search.ts'
import { type Redactor, redactor } from '../redact/redactor.ts'
import { redactStrings } from '../redact/strings.ts'
import type { Scan } from './scan.ts'

/** What is taken out of everything that is shown. */
export interface PrivacyOptions {
  /** Take secrets and personal data out; on where absent. */
  readonly redact?: boolean
  /** Which personal data are replaced; by default home folders and names. */
  readonly personal?: PersonalPolicy
}

/** What is replaced; absent where nothing is. */
export interface Privacy {
  /** Names the policy: what was made under another one must be made anew. */
  readonly key: string
  /** A redactor for one session, of whose family some values are known. */
  readonly redactor: (family?: KnownValues) => Redactor
}

/** Gives ids that were made from names of files as they may stand in addresses and lists. */
export function publicIds(privacy: Privacy | undefined): (id: string) => string {
  return (id) => (privacy === undefined ? id : privacy.redactor().text(id))
}

/** What is replaced under options; `undefined` where nothing is. `homeDir` is the absolute path of the user's home folder. */
export function privacyOf(
  { redact = true, personal = personalDefaults }: PrivacyOptions,
  { homeDir }: { homeDir: string },
): Privacy | undefined {
  if (!redact) return undefined
  const search = personalSearch(personal, homeDir)
  return { key: JSON.stringify([personal, homeDir]), redactor: (family) => redactor(search(), family) }
}

/** A thread with its facts, both as they may be published where `redactor` is set. */
export interface PrivateThread extends ScannedThread {
  /** Has numbered the secrets of the facts and goes on with those of the tree; absent where nothing is redacted. */
  redactor?: Redactor
}

/**
 * A scanned thread as it may be published. Numbers count from the facts on, then in the order of the tree. `family` are
 * values that are known to be secret.
 */
export function privateThread(
  thread: Thread,
  facts: ScanFacts,
  privacy: Privacy | undefined,
  family?: KnownValues,
): PrivateThread {
  if (privacy === undefined) return { thread, facts }
  const own = redactorFor(facts, privacy, { thread, family })
  const shown = redactFacts(facts, own)
  return { thread: redactThread(thread, own), facts: shown, redactor: own }
}

/** A scan as it may be shown. */
export function privateScan(scan: Scan, privacy: Privacy | undefined, family?: KnownValues): Scan {
  if (privacy === undefined) return scan
  const { facts } = scan
  const diagnostics = scan.diagnostics.map((item) => privateDiagnostic(item, privacy))
  return facts === undefined
    ? { diagnostics }
    : { facts: redactFacts(facts, redactorFor(facts, privacy, { family })), diagnostics }
}

/** A redactor that knows the people of a session before it replaces anything: lists and pages then agree. */
function redactorFor(
  { cwds, title, outline, ...facts }: ScanFacts,
  privacy: Privacy,
  { thread, family }: { thread?: Thread; family: KnownValues | undefined },
): Redactor {
  const own = privacy.redactor(family)
  const heads = thread?.segments.map(({ head }) => head.cwd ?? '') ?? []
  const prompts = [facts.firstPrompt ?? '', title, ...outline.map(({ text }) => text), facts.lastPrompt ?? '']
  own.learn([...cwds, ...heads], prompts)
  return own
}

/** A diagnostic as it may be told. */
export function privateDiagnostic(item: Diagnostic, privacy: Privacy | undefined): Diagnostic {
  if (privacy === undefined) return item
  const { text } = privacy.redactor()
  const file = item.file === undefined ? {} : { file: text(item.file) }
  return { ...item, ...file, message: text(item.message) }
}

/** A finding of a check as it may be told: names of files and quoted addresses may be private too. */
export function privateFinding(item: Finding, privacy: Privacy | undefined): Finding {
  if (privacy === undefined) return item
  const { text } = privacy.redactor()
  return { ...item, file: text(item.file), message: text(item.message) }
}

/** A host that is told nothing private. */
export function privateHost<Host extends { report: (diagnostic: Diagnostic) => void }>(
  host: Host,
  privacy: Privacy | undefined,
): Host {
  if (privacy === undefined) return host
  return { ...host, report: (item: Diagnostic) => host.report(privateDiagnostic(item, privacy)) }
}

/** Whether a value that is about to be kept on this machine's disk is free of secrets; folders may stand in it. */
export function isPublicValue(value: object): boolean {
  const own = redactor()
  redactStrings(structuredClone(value), own)
  return Object.keys(own.counts).length === 0
}
