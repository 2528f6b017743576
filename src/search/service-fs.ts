/** Runs Pagefind, whose Node interface talks to a separate process and would wait forever if that process died. */

import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { errorCode, reasonOf } from '../util/reason.ts'

type Pagefind = typeof import('pagefind')

/** Pagefind with a new index. */
export interface SearchService {
  index: import('pagefind').PagefindIndex
  /** Waits for an answer; throws if the process ends first or the signal is aborted. */
  wait<T>(answer: Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Options of the index. */
interface ServiceOptions {
  language: string
  /** Most files over which the texts of pages are distributed. */
  maxFragments?: number
  /** Word positions, counted by page, in a file of the index; each takes about 2.6 bytes when packed. */
  placesInFile?: number
}

/**
 * Settles when the service that was requested last is closed. Pagefind has one process for all callers and ends it for all of
 * them, so each request waits for those before it, even if one program builds two sites.
 */
let last: Promise<void> = Promise.resolve()

/**
 * Starts Pagefind with one index in one language, given by its ISO 639 code, after the previous service was closed. Throws a
 * `SearchError` if Pagefind is not installed or does not run.
 */
export async function startService(options: ServiceOptions, signal?: AbortSignal): Promise<SearchService> {
  const before = last
  let end = (): void => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  last = before.then(() => ended)
  const { wait, release } = watch(undefined, signal)
  try {
    await wait(before)
    const service = await start(options, signal)
    return { ...service, close: () => service.close().finally(end) }
  } catch (error) {
    end()
    throw error
  } finally {
    release()
  }
}

async function start(
  { language, placesInFile, ...options }: ServiceOptions,
  signal: AbortSignal | undefined,
): Promise<SearchService> {
  const pagefind = await load()
  const { answer, child } = spawnedBy(() =>
    withVariable(sizeVariable, placesInFile, () =>
      pagefind.createIndex({ forceLanguage: language, keepIndexUrl: true, ...options }),
    ),
  )
  const { wait, release } = watch(child, signal)
  const close = async (): Promise<void> => {
    release()
    await written(child)
    await pagefind.close()
  }
  try {
    const { index, errors } = await wait(answer)
    if (index === undefined || errors.length > 0) throw new SearchError(`Pagefind did not start: ${errors.join('; ')}`)
    return { index, wait, close }
  } catch (error) {
    await close()
    throw signal?.aborted ? signal.reason : explain(error)
  }
}

async function load(): Promise<Pagefind> {
  try {
    return await import('pagefind')
  } catch (cause) {
    const isAbsent = errorCode(cause) === 'ERR_MODULE_NOT_FOUND'
    const fault = isAbsent ? 'is not installed. Install it' : `does not load: ${reasonOf(cause)}. Install it again`
    throw new SearchError(`The package \`pagefind\` ${fault}, or build with \`--no-search\`.`, { cause })
  }
}

function explain(error: unknown): unknown {
  if (error instanceof SearchError) return error
  const message = error instanceof Error ? error.message.split('\n')[0] : String(error)
  const hint = 'Install the optional packages of `pagefind` for this platform, or build with `--no-search`.'
  return new SearchError(`Pagefind cannot run here (${message}). ${hint}`, { cause: error })
}

/** Calls a function and finds the process that it starts. Pagefind does not expose its process, but Node reports each one. */
function spawnedBy<T>(call: () => T): { answer: T; child: ChildProcess | undefined } {
  let child: ChildProcess | undefined
  const listen = (message: unknown): void => {
    // Node documents this shape for messages of the channel.
    child = (message as { process: ChildProcess }).process
  }
  subscribe('child_process', listen)
  try {
    return { answer: call(), child }
  } finally {
    unsubscribe('child_process', listen)
  }
}

/**
 * The variable from which Pagefind's program reads the size of files, because it has no option for it. A version that does not
 * know it makes files of 20,000 positions, with the same answers.
 */
const sizeVariable = 'PAGEFIND_UNSTABLE_INDEX_CHUNK_SIZE'

/** Calls a function with an environment variable set, which a process inherits when it starts. */
function withVariable<T>(name: string, value: number | undefined, call: () => T): T {
  if (value === undefined) return call()
  const before = process.env[name]
  process.env[name] = String(value)
  try {
    return call()
  } finally {
    if (before === undefined) delete process.env[name]
    else process.env[name] = before
  }
}

function watch(child: ChildProcess | undefined, signal: AbortSignal | undefined) {
  const { promise: ended, reject } = withReject()
  const onExit = (code: number | null, name: string | null): void => {
    reject(new SearchError(`Pagefind's process ended early (${name ?? `exit code ${code}`}).`))
  }
  const onAbort = (): void => reject(signal?.reason)
  child?.once('exit', onExit)
  signal?.addEventListener('abort', onAbort, { once: true })
  if (signal?.aborted) onAbort()
  return {
    wait: <T>(answer: Promise<T>): Promise<T> => Promise.race([answer, ended]),
    release: (): void => {
      child?.off('exit', onExit)
      signal?.removeEventListener('abort', onAbort)
    },
  }
}

/** How long to wait for a process that does not read. */
const timeoutMs = 1000

/** Waits until a process has taken what was written to it; for each write that is lost, Pagefind would print a stack trace. */
async function written(child: ChildProcess | undefined): Promise<void> {
  const stdin = child?.stdin
  if (!stdin?.writable || stdin.writableLength === 0) return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, timeoutMs)
    stdin.write('', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** A promise that can only reject; it is safe not to wait for it. */
function withReject(): { promise: Promise<never>; reject: (reason: unknown) => void } {
  let reject: (reason: unknown) => void = () => {}
  const promise = new Promise<never>((_, no) => {
    reject = no
  })
  promise.catch(() => {})
  return { promise, reject }
}

/** The search index could not be built: expected, reported as `search-failed`, and no reason to lose the rest of the site. */
export class SearchError extends Error {
  override readonly name = 'SearchError'
}
