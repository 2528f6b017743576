/** Where secrets and personal data leave what becomes public: threads and facts before anything is made of them, messages before they are told. */

import { type PersonalPolicy, personalDefaults, personalKey, personalOff } from '../config/personal.ts'
import type { Settings } from '../config/schema.ts'
import type { Diagnostic } from '../diagnostics/codes.ts'
import type { Finding } from '../diagnostics/finding.ts'
import { type Finder, finder, findSecrets } from '../redact/find.ts'
import type { KnownValues } from '../redact/known.ts'
import { encodedHomeRules, homeRules, isUsualHome, ownHomeRules, rootRules } from '../redact/personal/home-folders.ts'
import { machineRules } from '../redact/personal/machines.ts'
import { people } from '../redact/personal/people.ts'
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

/** What is taken out of everything that is shown: secrets, home folders and names where nothing is said. */
export type PrivacyOptions = Partial<Pick<Settings, 'redact' | 'personal'>>

/** What is replaced; absent where nothing is. */
export interface Privacy {
  /** Names the policy: what was made under another one must be made anew. */
  readonly key: string
  /** A redactor for one session, of whose family some values are known. */
  readonly redactor: (family?: KnownValues) => Redactor
  /** Finds secrets, and the personal data that tell by their form what they are; those have a text `instead`. */
  readonly find: Finder
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
  const { find } = search()
  return { key: personalKey(personal, homeDir), redactor: (family) => redactor(search(), family), find }
}

/** Asks filters about threads by names in which no secret stands. */
export interface SecretFreeFilter {
  isSelected: (thread: ThreadFacts, selection: ThreadFilter) => boolean
  /** The thread with its names as filters may look at them. */
  shown: (thread: ThreadFacts) => ThreadFacts
}

/**
 * Filters that nobody can use to confirm a secret in the name of a folder or a branch, as by `project:ghp_1`. Personal data are
 * asked for as they are: people filter by their paths.
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

/** A thread with its facts, both as they may be published where `redactor` is set. */
export interface PrivateThread extends ScannedThread {
  /** Has numbered the secrets of the facts and goes on with those of the tree; absent where nothing is redacted. */
  redactor?: Redactor
}

/** Texts of a thread and its facts that are shown otherwise than they are, by their places in the order in which they are read. */
export type ShownTexts = readonly (readonly [place: number, text: string])[]

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
  if (privacy === undefined) return { thread, facts: shownFacts(facts, onOneLine) }
  const own = redactorFor(facts, privacy, { thread, family })
  const shown = redactFacts(facts, own)
  own.passage('head')
  const named = shownThread(thread, own.text)
  own.passage('around')
  return { thread: named, facts: shown, redactor: own }
}

/** What is shown of a thread otherwise than it is, for `shownAs` to make it again without a search. */
export function shownTexts(from: ScannedThread, to: ScannedThread): ShownTexts {
  const shown = textsOf(to)
  return textsOf(from).flatMap((text, place) => {
    const other = shown[place] ?? ''
    return other === text ? [] : [[place, other] as const]
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

/** A thread with its facts as they are shown. */
export function shownAs(from: ScannedThread, changes: ShownTexts): ScannedThread {
  let place = 0
  let next = 0
  return withTexts(from, (value) => {
    const change = changes[next]
    if (change?.[0] !== place++) return value
    next++
    return change[1]
  })
}

/** A thread with its facts, each text as `text` gives it. */
function withTexts({ thread, facts }: ScannedThread, text: (value: string) => string): ScannedThread {
  return { facts: shownFacts(facts, text), thread: shownThread(thread, text) }
}

/** A scan as it may be shown. */
export function privateScan(scan: Scan, privacy: Privacy | undefined): Scan {
  const { facts } = scan
  if (privacy === undefined) return facts === undefined ? scan : { ...scan, facts: shownFacts(facts, onOneLine) }
  const diagnostics = scan.diagnostics.map((item) => privateDiagnostic(item, privacy))
  return facts === undefined ? { diagnostics } : { facts: redactFacts(facts, redactorFor(facts, privacy)), diagnostics }
}

/** A redactor that knows the people of a session before it replaces anything: lists and pages then agree. */
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

/** Texts of facts that tell who works on which machine. */
export function textsOnPeople({ title, outline, people = [], ...facts }: ScanFacts): string[] {
  const { firstPrompt = '', lastPrompt = '', subtitle = '' } = facts
  const prompts = people.map((person) => `${person}:~$ `)
  return [firstPrompt, title, ...outline.map(({ text }) => text), lastPrompt, subtitle, ...prompts]
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
export function isPublicValue(value: object, { find }: Privacy): boolean {
  const known = publicTexts.get(find) ?? new Set()
  publicTexts.set(find, known)
  let isPublic = true
  visitStrings(value, (text, name = '') => {
    const key = `${name.length} ${name}${text}`
    if (!isPublic || known.has(key)) return
    isPublic = !isNamedSecret(text, name) && find(text).every(({ instead }) => instead !== undefined)
    if (known.size >= maxPublicTexts) known.clear()
    if (isPublic && key.length <= maxPublicLength) known.add(key)
  })
  return isPublic
}

/** The same of a scan. */
export function isPublicScan(scan: Scan, privacy: Privacy): boolean {
  return (scan.facts === undefined || repliedSecrets(scan.facts).length === 0) && isPublicValue(scan, privacy)
}

/** Texts that were found to be free of secrets, with their names: thousands of heads say nearly the same. */
const publicTexts = new WeakMap<Finder, Set<string>>()
const maxPublicTexts = 1000
/** UTF-16 units of such a text and its name. */
const maxPublicLength = 200

// What lists, links and names say of a session, without its secrets.

/** The facts of a scan without what is private in them. */
function redactFacts(facts: ScanFacts, { text, named }: Redactor): ScanFacts {
  const replied = repliedSecrets(facts)
  const unsaid = (value: string): string =>
    replied.reduce((left, secret) => left.replaceAll(secret, () => named(secret, 'password')), value)
  return shownFacts(facts, (value) => onOneLine(text(unsaid(value))))
}

/** Secrets among the prompts that only what the agent had asked tells. */
function repliedSecrets({ outline }: ScanFacts): string[] {
  return outline.flatMap(({ text, isReply }) => (isReply ? secretsInReply(text) : []))
}

/** Facts with each text as `text` gives it. The prompt comes before the title, which may be a cut piece of it. */
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

/** A thread with each text of its names and heads as `text` gives it. Paths of files stay, for they are opened. */
function shownThread(thread: Thread, text: (value: string) => string): Thread {
  return {
    ...thread,
    ...defined({ name: thread.name === undefined ? undefined : text(thread.name) }),
    segments: thread.segments.map((segment) => shownSegment(segment, text)),
  }
}

/** Fields of heads that are words of people or of programs. */
const headTexts: readonly (keyof SessionHead)[] = [
  ...(['cwd', 'originator', 'version', 'source', 'modelProvider'] as const),
  ...(['rootId', 'parentId', 'forkedFromId'] as const),
]

function shownSegment(segment: Segment, text: (value: string) => string): Segment {
  const file = changed(segment.file, { name: text(segment.file.name) })
  const own = withShown(segment.head, text, headTexts)
  const { git, agent } = own
  const head = changed(own, defined({ git: git && withShown(git, text), agent: agent && withShown(agent, text) }))
  return changed(segment, { file, head })
}

/** A record with its texts, or those of some names, as `text` gives them; the record itself where all stay. */
function withShown<T extends object>(
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
    // A text stays one.
    own[name] = shown as T[keyof T]
  }
  return own
}

/** A record with other values; the record itself where they are what it has: of thousands of sessions most stay as they are. */
function changed<T extends object>(record: T, values: Partial<T>): T {
  const isSame = Object.entries(values).every(([key, value]) => record[key as keyof T] === value)
  return isSame ? record : { ...record, ...values }
}

// A search by a policy: secrets always, personal data as far as it says.

/**
 * Makes searches by a policy, one for each session. `homeDir` is the home folder of who runs the program; an empty text
 * where that does not matter.
 */
export function personalSearch(policy: PersonalPolicy, homeDir: string): () => Search {
  const find = finderOf(policy, homeDir)
  return () => {
    if (!policy.names && !policy.emails) return { find }
    const known = people(policy)
    if (isUsualHome(homeDir)) known.learn(homeDir)
    return { find, people: known }
  }
}

let lastFinder: { key: string; find: Finder } | undefined

/** The one made last is kept: a program that reads session after session would compile the anchors of all rules for each. */
function finderOf(policy: PersonalPolicy, homeDir: string): Finder {
  const key = JSON.stringify([policy.home, policy.names, policy.roots, homeDir])
  if (lastFinder?.key !== key) lastFinder = { key, find: makeFinder(policy, homeDir) }
  return lastFinder.find
}

function makeFinder({ home, names, roots }: PersonalPolicy, homeDir: string): Finder {
  const homes = home ? [...ownHomeRules(homeDir), ...homeRules, ...encodedHomeRules] : []
  const personal = [...rootRules(roots, homeDir), ...homes, ...(names ? machineRules : [])]
  return personal.length === 0 ? findSecrets : finder([...rules, ...personal])
}
