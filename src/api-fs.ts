/** The functions of the package that read homes and write sites or texts. Each loads its modules when it is called. */

import { homedir } from 'node:os'
import path from 'node:path'
import type { CallSettings } from './cli/settings.ts'
import type { Command } from './config/option.ts'
import type { PriceTable } from './config/prices.ts'
import type { SiteConfig } from './config/schema.ts'
import type { Diagnostic } from './diagnostics/codes.ts'
import type { FoundSession } from './features/terminal-search/match.ts'
import type { RenderContext } from './render/transcript/context.ts'
import type { BuildResult, Host, Progress } from './site/types.ts'
import type { Session } from './transcript/trast.ts'
import { eachPage, type TranscribeOptions, type TranscriptPage } from './transcript.ts'
import { defined } from './util/own.ts'

/** Progress of a call. */
export interface ProgressEvent {
  /** What the call is doing, for example `Reading sessions`. */
  stage: string
  /** Items of the stage that are done, and their total if it is known. */
  done: number
  total?: number
}

/**
 * How a call is watched and stopped, and what it may know of its surroundings; it uses and changes nothing else of the process.
 */
export interface CallOptions {
  /** Once it aborts, the call rejects with its reason. */
  signal?: AbortSignal
  onProgress?: (event: ProgressEvent) => void
  /** Takes each problem in the input as soon as it is known. */
  onDiagnostic?: (diagnostic: Diagnostic) => void
  /** Folder at which relative paths start (default: that of the process). */
  cwd?: string
  /** Where `CODEX_HOME` and the user's cache folder are looked up (default: that of the process). */
  env?: Readonly<Record<string, string | undefined>>
  /** Home folder of the user (default: that of the process). */
  homeDir?: string
}

/** Options of a build: keys of a configuration file, and two flags for this call. */
export interface BuildConfig extends SiteConfig {
  /** Write and remove nothing. */
  dryRun?: boolean
  /** Build even if most sessions have disappeared. */
  allowRemoval?: boolean
}

/**
 * Builds a site, as `codex-export build` does with the same configuration, and returns what it did. No configuration file is run.
 * Rejects with an error named `ConfigError` for invalid values, `UsageError` for invalid homes or dates, and `RemovalError` if
 * sessions would be lost.
 */
export async function build(config: BuildConfig = {}, options: CallOptions = {}): Promise<BuildResult> {
  const { dryRun = false, allowRemoval = false, ...values } = config
  const [{ build: run }, { buildOptions }, { features }, call] = await Promise.all([
    import('./site/build.ts'),
    import('./cli/settings.ts'),
    import('./program.ts'),
    settingsOf('build', values, options),
  ])
  return await run({ ...buildOptions(call), dryRun, allowRemoval }, hostOf(options), features)
}

/**
 * Options of a search besides its query: where sessions are, which of them to search, their tags, and what is redacted in the
 * results.
 */
export interface SearchConfig
  extends Pick<
    SiteConfig,
    | 'homes'
    | 'projects'
    | 'since'
    | 'until'
    | 'ids'
    | 'archived'
    | 'branches'
    | 'exclude'
    | 'timeZone'
    | 'redact'
    | 'personal'
    | 'curation'
  > {
  /** Read the query as one regular expression, ignoring case. */
  regex?: boolean
  /** Lines before and after each line that was found. */
  around?: number
}

/**
 * Searches sessions, newest first, and yields each as soon as it is found. The query language is that of `codex-export search`.
 * To stop the search, stop iterating. Rejects with a `UsageError` for an invalid query, date or home.
 */
export async function* search(
  query: string,
  { regex = false, around = 0, ...values }: SearchConfig = {},
  options: CallOptions = {},
): AsyncGenerator<FoundSession, void, undefined> {
  const [{ search: run }, { parseQuery }, { curationOf, personalOf, sourcesOf }, call] = await Promise.all([
    import('./features/terminal-search/search.ts'),
    import('./features/terminal-search/query.ts'),
    import('./cli/settings.ts'),
    settingsOf('search', values, options),
  ])
  const { redact } = call.settings
  const asked = {
    ...sourcesOf(call),
    query: parseQuery([query], { regex }),
    redact,
    personal: personalOf(call),
    curation: curationOf(call),
    around,
  }
  yield* given<FoundSession>(options, (take, host) => run({ ...asked, take }, host))
}

/**
 * Reads a rollout page by page, unlike `transcribe`, which reads it as a whole. The next page is read only when the caller asks
 * for it, so memory follows one page of the file. To stop reading, stop iterating. Rejects as `transcribe` does.
 */
export async function* transcribePages(
  path: string,
  { signal, ...options }: TranscribeOptions = {},
): AsyncGenerator<TranscriptPage, void, undefined> {
  yield* given<TranscriptPage>(defined({ signal }), (take, host) =>
    eachPage(path, { ...options, signal: host.signal }, take),
  )
}

/** Options of the functions that render a tree. */
export interface TextOptions {
  /** Time zone of displayed times (default: UTC). */
  timeZone?: string
  /** The line below the title, as `facts.subtitle` of `transcribe` gives it (default: none). */
  subtitle?: string | undefined
  /** Prices of tokens, as a configuration file holds them (default: the list prices that ship); `false` shows no cost. */
  prices?: PriceTable | false
  /** Returns the title and, if any, the address of another session that the tree mentions. */
  threads?: RenderContext['threads']
}

/**
 * Renders a tree as the Markdown that `codex-export show` writes; pass `subtitle` to get its subtitle. It redacts nothing, so
 * redact the tree first.
 */
export async function toMarkdown(session: Session, options: TextOptions = {}): Promise<string> {
  const [{ renderMarkdown }, context] = await Promise.all([
    import('./render/transcript/markdown.ts'),
    contextOf(session, options),
  ])
  return renderMarkdown(session, context)
}

/**
 * Renders a tree as HTML: the items of a session page, without the page around them. Text of the transcript remains text and
 * never becomes markup; code has the classes of the site's style sheet.
 */
export async function toHtml(session: Session, options: TextOptions = {}): Promise<string> {
  const [{ renderBody }, { loadHighlight }, { drawTex }, context] = await Promise.all([
    import('./render/transcript/html.ts'),
    import('./render/transcript/engines-fs.ts'),
    import('./render/transcript/engines-fs.ts'),
    contextOf(session, options),
  ])
  return renderBody(session, { ...context, highlight: await loadHighlight(), drawTex })
}

async function contextOf(
  { threadId }: Session,
  { timeZone = 'UTC', subtitle, prices, threads = () => undefined }: TextOptions,
): Promise<RenderContext> {
  const [{ loadEngine }, { listPrices, pricesFrom }] = await Promise.all([
    import('./render/transcript/engines-fs.ts'),
    import('./config/prices.ts'),
  ])
  const shown = defined({ subtitle, prices: prices === undefined ? listPrices : pricesFrom(prices) })
  return { threadId, timeZone, threads, engine: await loadEngine(), ...shown }
}

// Shared helpers.

/** Resolves a configuration as if it came from a file in the working folder. */
async function settingsOf(
  command: Command,
  values: SiteConfig,
  { cwd = process.cwd(), homeDir = homedir() }: CallOptions,
): Promise<CallSettings> {
  const { resolveSettings } = await import('./config/resolve.ts')
  const config = { name: 'the options', folder: cwd, values: { ...values } }
  return resolveSettings({ command, flags: {}, env: {}, config, cwd, homeDir, path })
}

function hostOf(options: CallOptions, signal = options.signal ?? new AbortController().signal): Host {
  const { onProgress, onDiagnostic, env = process.env, homeDir = homedir() } = options
  return {
    signal,
    progress: progressTo(onProgress ?? (() => {})),
    report: onDiagnostic ?? (() => {}),
    now: Date.now,
    env,
    homeDir,
  }
}

function progressTo(listener: (event: ProgressEvent) => void): Progress {
  let event: ProgressEvent = { stage: '', done: 0 }
  return {
    stage(stage, total) {
      event = { stage, done: 0, ...defined({ total }) }
      listener(event)
    },
    tick(n = 1) {
      event = { ...event, done: event.done + n }
      listener(event)
    },
    done() {},
  }
}

/**
 * Yields what `work` hands to `take`, one item at a time. `work` continues when the next item is asked for, and is aborted when
 * the loop ends.
 */
async function* given<T>(
  options: CallOptions,
  work: (take: (item: T) => Promise<void>, host: Host) => Promise<unknown>,
): AsyncGenerator<T, void, undefined> {
  const stop = new AbortController()
  const signal = options.signal === undefined ? stop.signal : AbortSignal.any([options.signal, stop.signal])
  let hasEnded = false
  let handOver: (step: { item: T } | undefined) => void = () => {}
  let goOn: () => void = () => {}
  const next = (): Promise<{ item: T } | undefined> =>
    hasEnded
      ? Promise.resolve(undefined)
      : new Promise((resolve) => {
          handOver = resolve
        })
  let step = next()
  const take = (item: T): Promise<void> =>
    new Promise((resolve) => {
      goOn = resolve
      handOver({ item })
    })
  const end = work(take, hostOf(options, signal)).finally(() => {
    hasEnded = true
    handOver(undefined)
  })
  // Marks the rejection as handled until it is awaited below.
  end.catch(() => {})
  try {
    for (let found = await step; found !== undefined; found = await step) {
      yield found.item
      step = next()
      goOn()
    }
    await end
  } finally {
    stop.abort()
    goOn()
    await end.catch(() => {})
  }
}
