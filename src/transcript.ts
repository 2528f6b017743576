/** Trees of single sessions, whole or page by page: for programs that use this package, and for tests. */

import type { Plugin } from 'unified'
import { type PersonalPolicy, personalDefaults } from './config/personal.ts'
import type { PluginList } from './config/plugins.ts'
import type { Diagnostic } from './diagnostics/codes.ts'
import { UsageError } from './diagnostics/errors.ts'
import type { KnownValues } from './redact/known.ts'
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
import { survey } from './survey/survey.ts'
import type { ScanFacts, ScannedThread } from './transcript/summary.ts'
import type { Session } from './transcript/trast.ts'
import { append } from './util/groups.ts'
import { defined } from './util/own.ts'

/** How to read a rollout. */
export interface TranscribeOptions {
  /** The user's plugins, of which only those that change the tree matter. */
  plugins?: PluginList
  /** Replace secrets and personal data (default: `true`). */
  redact?: boolean
  /** Which personal data are replaced (default: home folders and names). */
  personal?: Partial<PersonalPolicy>
  /** Takes the pictures' bytes; by default they are named and dropped. */
  storePicture?: (name: string, bytes: Uint8Array) => void
  signal?: AbortSignal
  /** Threads among which the thread's ancestors are looked for. */
  family?: readonly Thread[]
}

/** A thread's tree with what was to be said about its files. */
export interface Transcript {
  session: Session
  /** From the scan; its page borders do not matter here. */
  facts: ScanFacts
  diagnostics: Diagnostic[]
}

/** Reads the rollout at a path, of any generation, to one tree. Throws `UsageError` where the path holds none. */
export async function transcribe(path: string, options: TranscribeOptions = {}): Promise<Transcript> {
  return await withThread(path, options, async (thread, given, diagnostics) => {
    const transcript = await transcribeThread(thread, given)
    return { ...transcript, diagnostics: [...diagnostics, ...transcript.diagnostics] }
  })
}

/** A part of a transcript, as a page of a site shows it. */
export interface TranscriptPage {
  /** What is known of the whole thread by then, and the items of this page. */
  session: Session
  /** 1-based. */
  page: number
  /** How many there are. */
  pages: number
}

/**
 * Reads the rollout at a path page by page and waits for each to be taken: memory follows one page. A value that is secret
 * anywhere in the thread is replaced on every page, so that all are read once before the first is handed over. Throws as
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

/** Finds the thread at a path, and what was to be said about its files. */
async function withThread<T>(
  path: string,
  options: TranscribeOptions,
  use: (thread: Thread, given: Omit<ReadOptions, 'values'>, diagnostics: Diagnostic[]) => Promise<T>,
): Promise<T> {
  return await withSpool(async (spoolDir) => {
    const roots = findRoots([path], { env: {}, homeDir: path })
    const { redact = true, personal } = options
    const privacy = privacyOf({ redact, personal: { ...personalDefaults, ...personal } }, { homeDir: '' })
    const { catalog, diagnostics } = await survey(roots, { spoolDir, publicId: publicIds(privacy) })
    const [thread] = catalog.threads
    if (thread === undefined)
      throw new UsageError(`\`${path}\` holds no rollout.${diagnostics.map(({ message }) => ` ${message}`).join('')}`)
    const given = { family: catalog.threads, ...options, privacy, spoolDir }
    return await use(
      thread,
      given,
      diagnostics.map((item) => privateDiagnostic(item, privacy)),
    )
  })
}

/** Reads a thread to one tree; nothing is replaced without `privacy`. Throws what reading throws. */
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
  /** Values that are known to be secret. */
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

/** Makes the tree of each page in turn; gives what is known once all have passed. */
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

/** What the family tells, where the tree may hold a value that was not known when it was made. */
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

// Redaction of trees that programs hold, as a unified plugin.

/** What `redactTranscript` replaces beside secrets: what is left out is as by default. */
export type RedactOptions = Partial<PersonalPolicy>

/**
 * unified plugin: replaces secrets and personal data of a session tree, in place, and adds to `stats.redacted`. Each tree
 * is numbered anew. A tree of `transcribe` has been redacted already.
 */
export const redactTranscript: Plugin<[RedactOptions?], Session> = (options = {}) => {
  const privacy = privacyOf({ personal: { ...personalDefaults, ...options } }, { homeDir: '' })
  return (tree) => {
    const own = privacy?.redactor()
    if (own === undefined) return
    own.learn(tree.cwd === undefined ? [] : [tree.cwd], [])
    own.passage('page')
    visitStrings(tree, own.observe)
    redactStrings(tree, own)
    const { redacted } = tree.stats
    for (const [rule, count] of Object.entries(own.counts)) redacted[rule] = (redacted[rule] ?? 0) + count
  }
}
