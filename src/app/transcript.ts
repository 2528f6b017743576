/** One whole tree in memory: for `show`, for tests, and for programs that read few sessions. */
import type { PluggableList } from 'unified'
import type { Diagnostic } from '../diagnostics/codes.ts'
import { UsageError } from '../diagnostics/errors.ts'
import { findRoots } from '../discover/homes-fs.ts'
import { type PersonalPolicy, personalDefaults } from '../model/personal.ts'
import type { Thread } from '../model/rollout.ts'
import type { ScanFacts } from '../model/summary.ts'
import type { Session } from '../model/trast.ts'
import { defined } from '../util/defined.ts'
import { assetSink } from './assets.ts'
import { loneNeighbours } from './family.ts'
import { scanWithLineage, threadIndex } from './lineage.ts'
import { type Privacy, privacyOf, privateDiagnostic, privateThread, publicIds } from './privacy.ts'
import { renderThread } from './render-thread.ts'
import { withSpool } from './spool-fs.ts'
import { survey } from './survey.ts'

/** How to read a rollout. */
export interface TranscribeOptions {
  /** The user's plugins. */
  plugins?: PluggableList
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
  return withSpool(async (spoolDir) => {
    const roots = findRoots({ codexHomes: [path], env: {}, homeDir: path })
    const { redact = true, personal } = options
    const privacy = privacyOf({ redact, personal: { ...personalDefaults, ...personal } }, { homeDir: '' })
    const { catalog, diagnostics } = await survey(roots, { spoolDir, publicId: publicIds(privacy) })
    const [thread] = catalog.threads
    if (thread === undefined)
      throw new UsageError(`\`${path}\` holds no rollout.${diagnostics.map(({ message }) => ` ${message}`).join('')}`)
    const given = { family: catalog.threads, ...options, privacy, spoolDir }
    const transcript = await transcribeThread(thread, given)
    const said = diagnostics.map((item) => privateDiagnostic(item, privacy))
    return { ...transcript, diagnostics: [...said, ...transcript.diagnostics] }
  })
}

/** Reads a thread to one tree; nothing is replaced without `privacy`. Throws what reading throws. */
export async function transcribeThread(
  thread: Thread,
  options: TranscribeOptions & { spoolDir: () => string; privacy?: Privacy | undefined },
): Promise<Transcript> {
  const index = threadIndex(options.family ?? [thread])
  const { facts: scanned, diagnostics } = await scanWithLineage(thread, index, options)
  if (scanned === undefined)
    throw new UsageError(diagnostics.map(({ file, message }) => `\`${file ?? thread.id}\`: ${message}`).join(' '))
  const children: Session['children'] = []
  let sources: Session['data'] = {}
  const { thread: shown, facts, redactor } = privateThread(thread, scanned, options.privacy)
  const rendered = await renderThread(shown, facts, {
    ...options,
    ...defined({ redactor }),
    neighbours: loneNeighbours(shown, facts, index),
    assets: assetSink(options.storePicture ?? (() => {}), options.privacy === undefined),
    onSlice(slice, page) {
      if (page.number === 1) sources = slice.data ?? {}
      children.push(...slice.children)
    },
  })
  return { session: { ...rendered.session, data: sources, children }, facts, diagnostics: rendered.diagnostics }
}
