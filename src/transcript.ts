/** Trees of single sessions, whole or page by page, for programs that use this package and for tests. */

import type { Plugin } from 'unified'
import { type PersonalPolicy, personalDefaults } from './config/personal.ts'
import type { PluginList } from './config/plugins.ts'
import type { Diagnostic } from './diagnostics/codes.ts'
import type { KnownValues } from './redact/known/values.ts'
import { assetSink } from './redact/picture.ts'
import type { Redactor } from './redact/redactor.ts'
import { redactStrings, visitStrings } from './redact/strings.ts'
import { findRoots } from './rollout/discover/homes-fs.ts'
import type { Thread } from './rollout/discover/rollout.ts'
import { knownTo, mayMiss, readFamily, tryValues } from './site/known/session-values.ts'
import { slicesOf } from './site/slices.ts'
import { withSpool } from './site/spool-fs.ts'
import { historyOf, scanWithLineage, type ThreadIndex, threadIndex, threadScan } from './survey/lineage.ts'
import { loneNeighbours } from './survey/neighbours.ts'
import { type Privacy, privacyOf, privateDiagnostic, privateThread, publicIds } from './survey/privacy.ts'
import { requiredFacts } from './survey/scan.ts'
import { threadAt } from './survey/select.ts'
import { survey } from './survey/survey.ts'
import type { ScanFacts, ScannedThread } from './transcript/summary.ts'
import type { Session } from './transcript/trast.ts'
import { append } from './util/groups.ts'
import { defined } from './util/own.ts'

/** How to read a rollout. */
export interface TranscribeOptions {
  /** The user's plugins; only those that change the tree have an effect. */
  plugins?: PluginList
  /** Replace secrets and personal data (default: `true`). */
  redact?: boolean
  /** Which personal data are replaced (default: home folders and names). */
  personal?: Partial<PersonalPolicy>
  /** Receives the bytes of each picture; by default pictures are named, but their bytes are dropped. */
  storePicture?: (name: string, bytes: Uint8Array) => void
  signal?: AbortSignal
  /** Threads among which the ancestors of the thread are looked for. */
  family?: readonly Thread[]
}

/** The tree of a thread, and the diagnostics of its files. */
export interface Transcript {
  session: Session
  /** From the scan; its page borders do not matter here. */
  facts: ScanFacts
  diagnostics: Diagnostic[]
}

/** Reads the rollout at a path, of any generation, to one tree. Throws `UsageError` where the path holds none, or several. */
export async function transcribe(path: string, options: TranscribeOptions = {}): Promise<Transcript> {
  return await withThread(path, options, async (thread, given, diagnostics) => {
    const transcript = await transcribeThread(thread, given)
    return { ...transcript, diagnostics: [...diagnostics, ...transcript.diagnostics] }
  })
}

/** A part of a transcript, as a page of a site shows it. */
export interface TranscriptPage {
  /** What is known of the whole thread so far, with the items of this page. */
  session: Session
  /** 1-based. */
  page: number
  /** Total number of pages. */
  pages: number
}

/**
 * Reads a rollout page by page and waits until each is taken, so memory follows one page. With redaction, a value that is secret
 * anywhere in the thread is replaced on every page, so all pages are read once before the first is handed over. Throws as
 * `transcribe` does.
 */
export async function eachPage(
  path: string,
  options: TranscribeOptions,
  take: (page: TranscriptPage) => Promise<void>,
): Promise<void> {
  await withThread(path, options, async (thread, given) => {
    const index = threadIndex(given.family ?? [thread])
    const found = { thread, facts: requiredFacts(thread, await scanWithLineage(thread, index, given)) }
    const read = async (values: KnownValues | undefined, handle: typeof take) => {
      const pages = Math.max(1, found.facts.pages.length)
      const hand = (session: Session, page: number) => handle({ session, page, pages })
      return await eachSlice(found, index, { ...given, ...defined({ values }) }, hand)
    }
    if (given.privacy === undefined) return void (await read(undefined, take))
    const { redactor } = await read(undefined, async () => {})
    await read(await missedValues(found, redactor, { ...given, index }), take)
  })
}

/** Finds the thread at a path, and passes it on with the diagnostics of its files. */
async function withThread<T>(
  path: string,
  options: TranscribeOptions,
  use: (thread: Thread, given: Omit<ReadOptions, 'values'>, diagnostics: Diagnostic[]) => Promise<T>,
): Promise<T> {
  return await withSpool(async (spoolDir) => {
    const roots = findRoots([path], { env: {}, homeDir: path })
    const { redact = true, personal } = options
    const privacy = privacyOf({ redact, personal: { ...personalDefaults, ...personal } }, { homeDir: '' })
    const found = await survey(roots, { spoolDir, publicId: publicIds(privacy) })
    const { catalog, diagnostics } = found
    const thread = threadAt(path, found)
    const given = { family: catalog.threads, ...options, privacy, spoolDir }
    return await use(
      thread,
      given,
      diagnostics.map((item) => privateDiagnostic(item, privacy)),
    )
  })
}

/** Reads a thread into one tree; without `privacy`, nothing is replaced. Throws what reading throws. */
export async function transcribeThread(thread: Thread, options: Omit<ReadOptions, 'values'>): Promise<Transcript> {
  const index = threadIndex(options.family ?? [thread])
  const found = { thread, facts: requiredFacts(thread, await scanWithLineage(thread, index, options)) }
  const { redactor, ...first } = await treeOf(found, index, options)
  const values = await missedValues(found, redactor, { ...options, index })
  if (values === undefined) return first
  const { redactor: _, ...second } = await treeOf(found, index, { ...options, values })
  return second
}

interface ReadOptions extends TranscribeOptions {
  spoolDir: () => string
  privacy?: Privacy | undefined
  /** Values that are known to be secret before reading starts. */
  values?: KnownValues
}

async function treeOf(
  scanned: ScannedThread,
  index: ThreadIndex,
  options: ReadOptions,
): Promise<Transcript & { redactor?: Redactor }> {
  const children: Session['children'] = []
  const { session, ...read } = await eachSlice(scanned, index, options, async (tree) => {
    append(children, tree.children)
  })
  return { session: { ...session, children }, ...read }
}

/** Hands over the tree of each page in turn; returns what is known after the last one. */
async function eachSlice(
  scanned: ScannedThread,
  index: ThreadIndex,
  options: ReadOptions,
  take: (tree: Session, page: number) => Promise<void>,
): Promise<Transcript & { redactor?: Redactor }> {
  const { thread, facts, redactor } = privateThread(scanned.thread, scanned.facts, options.privacy, options.values)
  const { session, slices, diagnostics } = slicesOf(thread, facts, {
    ...options,
    ...defined({ redactor }),
    neighbours: loneNeighbours(thread, facts, index),
    assets: assetSink(options.storePicture ?? (() => {}), { keepsMetadata: options.privacy === undefined }),
  })
  for await (const { tree, page } of slices) await take(tree, page.number)
  return { session, facts, diagnostics: diagnostics(), ...defined({ redactor }) }
}

/**
 * The secret values of the whole family, if the tree may contain one that was not known when it was made; otherwise `undefined`.
 */
async function missedValues(
  { thread, facts }: ScannedThread,
  redactor: Redactor | undefined,
  { index, spoolDir, privacy, signal = new AbortController().signal }: ReadOptions & { index: ThreadIndex },
): Promise<KnownValues | undefined> {
  if (redactor === undefined || privacy === undefined) return undefined
  const threads = [...index.byId.values()]
  const scan = threadScan(index, { spoolDir, signal })
  const valuesByThread = new Map<string, KnownValues>()
  for (const member of await readFamily(thread, { signal, threads, scan })) {
    const isOwn = member.thread.id === thread.id
    valuesByThread.set(
      member.thread.id,
      isOwn ? redactor.values().values : await tryValues(member, { privacy, spoolDir, signal }),
    )
  }
  const known = knownTo(thread.id, valuesByThread)
  const history = historyOf(thread, index)
  const seen = { thread, pages: facts.pages, history, report: redactor.values(), isRead: true }
  return (await mayMiss(seen, known, spoolDir)) ? known : undefined
}

// Redaction of trees that a program already has, as a unified plugin.

/** What `redactTranscript` replaces besides secrets; what is not given has its default. */
export type RedactOptions = Partial<PersonalPolicy>

/**
 * unified plugin that replaces secrets and personal data in a session tree, in place, and adds to `stats.redacted`. The numbers
 * of placeholders start again in each tree. A tree that comes from `transcribe` is already redacted.
 */
export const redactTranscript: Plugin<[RedactOptions?], Session> = (options = {}) => {
  const privacy = privacyOf({ personal: { ...personalDefaults, ...options } }, { homeDir: '' })
  return (tree) => {
    const own = privacy?.redactor()
    if (own === undefined) return
    own.learn(tree.cwd === undefined ? [] : [tree.cwd], [])
    own.beginPassage('page')
    visitStrings(tree, own.observe)
    redactStrings(tree, own)
    const { redacted } = tree.stats
    for (const [rule, count] of Object.entries(own.counts)) redacted[rule] = (redacted[rule] ?? 0) + count
  }
}
