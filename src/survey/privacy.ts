/**
 * Removes secrets and personal data from what becomes public: from threads and facts before anything is made of them, and from
 * messages before they are shown.
 */

import { type PersonalPolicy, personalDefaults, personalKey, personalOff } from '../config/personal.ts'
import type { Settings } from '../config/schema.ts'
import type { Diagnostic } from '../diagnostics/codes.ts'
import type { Finding } from '../diagnostics/finding.ts'
import { type Finder, finder, findSecrets } from '../redact/find.ts'
import type { KnownValues } from '../redact/known/values.ts'
import { machineRules } from '../redact/personal/machines.ts'
import { people } from '../redact/personal/people.ts'
import { encodedHomeRules, homeRules, isUsualHome, ownHomeRules, rootRules } from '../redact/personal/rules.ts'
import { type Redactor, redactor, type Search } from '../redact/redactor.ts'
import { rules } from '../redact/rules/all.ts'
import { secretsInReply, visitStrings } from '../redact/strings.ts'
import { isNamedSecret } from '../redact/values/named-value.ts'
import type { Segment, SessionHead, Thread } from '../rollout/discover/rollout.ts'
import type { ScanFacts, ScannedThread } from '../transcript/summary.ts'
import { onOneLine } from '../transcript/texts.ts'
import { defined } from '../util/own.ts'
import type { Scan } from './scan.ts'
import { isSelected, type ThreadFacts, type ThreadFilter } from './select.ts'

/** What is removed from everything that is shown; by default secrets, home folders and names. */
export type PrivacyOptions = Partial<Pick<Settings, 'redact' | 'personal'>>

/** What is replaced; the value is absent if nothing is. */
export interface Privacy {
  /** Identifies the policy: what was made under another one must be made again. */
  readonly key: string
  /** A redactor for one session; some secret values may be known from its family. */
  readonly redactor: (family?: KnownValues) => Redactor
  /** Finds secrets, and personal data that is recognised by its form; only the latter has a `replacement`. */
  readonly find: Finder
}

/** Returns a function that makes ids publishable that come from file names, for addresses and lists. */
export function publicIds(privacy: Privacy | undefined): (id: string) => string {
  return (id) => (privacy === undefined ? id : privacy.redactor().text(id))
}

/** What is replaced under these options; `undefined` if nothing is. `homeDir` is the absolute path of the user's home folder. */
export function privacyOf(
  { redact = true, personal = personalDefaults }: PrivacyOptions,
  { homeDir }: { homeDir: string },
): Privacy | undefined {
  if (!redact) return undefined
  const search = personalSearch(personal, homeDir)
  const { find } = search()
  return { key: personalKey(personal, homeDir), redactor: (family) => redactor(search(), family), find }
}

/** Applies filters to threads without letting them match a secret in a name. */
export interface SecretFreeFilter {
  isSelected: (thread: ThreadFacts, selection: ThreadFilter) => boolean
  /** The thread with the names that filters may see. */
  shown: (thread: ThreadFacts) => ThreadFacts
}

/**
 * Filters that nobody can use to confirm a secret in the name of a folder or a branch, for example by `project:ghp_1`. Personal
 * data can be matched as it is, because people filter by their paths.
 */
export function secretFreeFilter({ redact }: PrivacyOptions, host: { homeDir: string }): SecretFreeFilter {
  const text = privacyOf({ ...defined({ redact }), personal: personalOff }, host)?.redactor().text
  const shown = (thread: ThreadFacts): ThreadFacts => {
    if (text === undefined) return thread
    const { cwds, remote, branch } = thread
    const names = { remote: remote && text(remote), branch: branch && text(branch) }
    return { ...thread, cwds: cwds.map(text), ...defined(names) }
  }
  return {
    shown,
    isSelected(thread, selection) {
      if (!isSelected(thread, selection)) return false
      const asksForNames = selection.projects.length > 0 || (selection.branches ?? []).length > 0
      return !asksForNames || isSelected(shown(thread), selection)
    },
  }
}

/** A thread with its facts, both publishable if `redactor` is set. */
export interface PrivateThread extends ScannedThread {
  /** The redactor that numbered the secrets of the facts, to continue with those of the tree; absent if nothing is redacted. */
  redactor?: Redactor
}

/**
 * The texts of a thread and its facts that are shown in changed form, with their positions in the order in which texts are read.
 */
export type ShownTexts = readonly (readonly [index: number, text: string])[]

/**
 * A scanned thread in publishable form. Secrets are numbered first in the facts, then in the order of the tree. `family` holds
 * values that are known to be secret.
 */
export function privateThread(
  thread: Thread,
  facts: ScanFacts,
  privacy: Privacy | undefined,
  family?: KnownValues,
): PrivateThread {
  if (privacy === undefined) return { thread, facts: shownFacts(facts, onOneLine) }
  const own = redactorFor(facts, privacy, { thread, family })
  const shown = redactFacts(facts, own)
  own.beginPassage('head')
  const named = shownThread(thread, own.text)
  own.beginPassage('around')
  return { thread: named, facts: shown, redactor: own }
}

/** The texts of a thread that are shown in changed form, from which `shownAs` can repeat the changes without a search. */
export function shownTexts(from: ScannedThread, to: ScannedThread): ShownTexts {
  const shown = textsOf(to)
  return textsOf(from).flatMap((text, index) => {
    const other = shown[index] ?? ''
    return other === text ? [] : [[index, other] as const]
  })
}

function textsOf(item: ScannedThread): string[] {
  const texts: string[] = []
  withTexts(item, (text) => {
    texts.push(text)
    return text
  })
  return texts
}

/** A thread with its facts, changed as `shownTexts` recorded. */
export function shownAs(from: ScannedThread, changes: ShownTexts): ScannedThread {
  let index = 0
  let next = 0
  return withTexts(from, (value) => {
    const change = changes[next]
    if (change?.[0] !== index++) return value
    next++
    return change[1]
  })
}

/** A thread with its facts, with each text replaced by what `text` returns for it. */
function withTexts({ thread, facts }: ScannedThread, text: (value: string) => string): ScannedThread {
  return { facts: shownFacts(facts, text), thread: shownThread(thread, text) }
}

/** A scan in publishable form. */
export function privateScan(scan: Scan, privacy: Privacy | undefined): Scan {
  const { facts } = scan
  if (privacy === undefined) return facts === undefined ? scan : { ...scan, facts: shownFacts(facts, onOneLine) }
  const diagnostics = scan.diagnostics.map((item) => privateDiagnostic(item, privacy))
  return facts === undefined ? { diagnostics } : { facts: redactFacts(facts, redactorFor(facts, privacy)), diagnostics }
}

/** A redactor that learns the people of a session before it replaces anything, so that lists and pages agree. */
function redactorFor(
  facts: ScanFacts,
  privacy: Privacy,
  { thread, family }: { thread?: Thread; family?: KnownValues | undefined } = {},
): Redactor {
  const own = privacy.redactor(family)
  const heads = thread?.segments.map(({ head }) => head.cwd ?? '') ?? []
  own.learn([...facts.cwds, ...heads], textsOnPeople(facts))
  return own
}

/** Texts of the facts that may show who works on which machine. */
export function textsOnPeople({ title, outline, people = [], ...facts }: ScanFacts): string[] {
  const { firstPrompt = '', lastPrompt = '', subtitle = '' } = facts
  const prompts = people.map((person) => `${person}:~$ `)
  return [firstPrompt, title, ...outline.map(({ text }) => text), lastPrompt, subtitle, ...prompts]
}

/** A diagnostic in publishable form. */
export function privateDiagnostic(item: Diagnostic, privacy: Privacy | undefined): Diagnostic {
  if (privacy === undefined) return item
  const { text } = privacy.redactor()
  const file = item.file === undefined ? {} : { file: text(item.file) }
  return { ...item, ...file, message: text(item.message) }
}

/** A finding of a check in publishable form: file names and quoted addresses may be private too. */
export function privateFinding(item: Finding, privacy: Privacy | undefined): Finding {
  if (privacy === undefined) return item
  const { text } = privacy.redactor()
  return { ...item, file: text(item.file), message: text(item.message) }
}

/** A host whose diagnostics contain nothing private. */
export function privateHost<Host extends { report: (diagnostic: Diagnostic) => void }>(
  host: Host,
  privacy: Privacy | undefined,
): Host {
  if (privacy === undefined) return host
  return { ...host, report: (item: Diagnostic) => host.report(privateDiagnostic(item, privacy)) }
}

/** Whether a value that is about to be stored on this machine's disk is free of secrets; it may contain folders. */
export function hasNoSecrets(value: object, { find }: Privacy): boolean {
  const checkedTexts = publicTexts.get(find) ?? new Set()
  publicTexts.set(find, checkedTexts)
  let isPublic = true
  visitStrings(value, (text, name = '') => {
    const key = `${name.length} ${name}${text}`
    if (!isPublic || checkedTexts.has(key)) return
    isPublic = !isNamedSecret(text, name) && find(text).every(({ replacement: instead }) => instead !== undefined)
    if (checkedTexts.size >= maxPublicTexts) checkedTexts.clear()
    if (isPublic && key.length <= maxPublicLength) checkedTexts.add(key)
  })
  return isPublic
}

/** Whether a scan is free of secrets. */
export function isPublicScan(scan: Scan, privacy: Privacy): boolean {
  return (scan.facts === undefined || repliedSecrets(scan.facts).length === 0) && hasNoSecrets(scan, privacy)
}

/** Texts that were found to be free of secrets, with their names: thousands of heads contain nearly the same texts. */
const publicTexts = new WeakMap<Finder, Set<string>>()
const maxPublicTexts = 1000
/** UTF-16 units of such a text and its name together. */
const maxPublicLength = 200

// What lists, links and names show of a session, without its secrets.

/** The facts of a scan without private data. */
function redactFacts(facts: ScanFacts, { text, named }: Redactor): ScanFacts {
  const replied = repliedSecrets(facts)
  const unsaid = (value: string): string =>
    replied.reduce((left, secret) => left.replaceAll(secret, () => named(secret, 'password')), value)
  return shownFacts(facts, (value) => onOneLine(text(unsaid(value))))
}

/** Secrets in prompts that are recognised only because the agent had asked for one. */
function repliedSecrets({ outline }: ScanFacts): string[] {
  return outline.flatMap(({ text, isReply }) => (isReply ? secretsInReply(text) : []))
}

/**
 * Facts with each text replaced by what `text` returns for it. The prompt comes before the title, which may be a shortened part
 * of it.
 */
function shownFacts({ people: _, ...facts }: ScanFacts, text: (value: string) => string): ScanFacts {
  const maybe = (value: string | undefined): string | undefined => (value === undefined ? undefined : text(value))
  const firstPrompt = maybe(facts.firstPrompt)
  const title = text(facts.title)
  return {
    ...facts,
    title,
    cwds: facts.cwds.map(text),
    outline: facts.outline.map((entry) => changed(entry, { text: text(entry.text) })),
    ...defined({
      firstPrompt,
      lastPrompt: maybe(facts.lastPrompt),
      subtitle: maybe(facts.subtitle),
      branch: maybe(facts.branch),
      remote: maybe(facts.remote),
      version: maybe(facts.version),
      model: maybe(facts.model),
      tags: facts.tags?.map(text),
    }),
  }
}

/**
 * A thread with each text of its names and heads replaced by what `text` returns for it. Paths of files stay, because they are
 * opened.
 */
function shownThread(thread: Thread, text: (value: string) => string): Thread {
  return {
    ...thread,
    ...defined({ name: thread.name === undefined ? undefined : text(thread.name) }),
    segments: thread.segments.map((segment) => shownSegment(segment, text)),
  }
}

/** Fields of heads whose text comes from people or programs. */
const headTexts: readonly (keyof SessionHead)[] = [
  ...(['cwd', 'originator', 'version', 'source', 'modelProvider'] as const),
  ...(['rootId', 'parentId', 'forkedFromId'] as const),
]

function shownSegment(segment: Segment, text: (value: string) => string): Segment {
  const file = changed(segment.file, { name: text(segment.file.name) })
  const own = withTextsReplaced(segment.head, text, headTexts)
  const { git, agent } = own
  const head = changed(
    own,
    defined({ git: git && withTextsReplaced(git, text), agent: agent && withTextsReplaced(agent, text) }),
  )
  return changed(segment, { file, head })
}

/** A record whose texts, or those of the given names, are replaced by what `text` returns; the record itself if none changes. */
function withTextsReplaced<T extends object>(
  record: T,
  text: (value: string) => string,
  names: readonly (keyof T)[] = Object.keys(record) as (keyof T)[],
): T {
  let own = record
  for (const name of names) {
    const value = record[name]
    const shown = typeof value === 'string' ? text(value) : value
    if (shown === value) continue
    if (own === record) own = { ...record }
    // A text is replaced by a text.
    own[name] = shown as T[keyof T]
  }
  return own
}

/** A record with other values; the record itself if it has these values already, as for most of thousands of sessions. */
function changed<T extends object>(record: T, values: Partial<T>): T {
  const isSame = Object.entries(values).every(([key, value]) => record[key as keyof T] === value)
  return isSame ? record : { ...record, ...values }
}

// Searching according to a policy: always for secrets, for personal data as far as the policy says.

/**
 * Makes searches according to a policy, one for each session. `homeDir` is the home folder of the user who runs the program; it
 * is empty if that does not matter.
 */
export function personalSearch(policy: PersonalPolicy, homeDir: string): () => Search {
  const find = finderOf(policy, homeDir)
  return () => {
    if (!policy.names && !policy.emails) return { find }
    const learned = people(policy)
    if (isUsualHome(homeDir)) learned.learn(homeDir)
    return { find, people: learned }
  }
}

let lastFinder: { key: string; find: Finder } | undefined

/**
 * Keeps the last finder: otherwise a program that reads many sessions would compile the anchors of all rules for each of them.
 * Filters, which look for secrets alone, come between two such searches and leave it where it is.
 */
function finderOf(policy: PersonalPolicy, homeDir: string): Finder {
  if (!policy.home && !policy.names && Object.keys(policy.roots).length === 0) return findSecrets
  const key = JSON.stringify([policy.home, policy.names, policy.roots, homeDir])
  if (lastFinder?.key !== key) lastFinder = { key, find: makeFinder(policy, homeDir) }
  return lastFinder.find
}

function makeFinder({ home, names, roots }: PersonalPolicy, homeDir: string): Finder {
  const homes = home ? [...ownHomeRules(homeDir), ...homeRules, ...encodedHomeRules] : []
  const personal = [...rootRules(roots, homeDir), ...homes, ...(names ? machineRules : [])]
  return personal.length === 0 ? findSecrets : finder([...rules, ...personal])
}
