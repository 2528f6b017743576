/** Pagefind's Node interface talks to a process of its own and would wait for ever if that process died. */

import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'

type Pagefind = typeof import('pagefind')

/** Pagefind with an index begun. */
export interface SearchService {
  index: import('pagefind').PagefindIndex
  /** Waits for an answer; throws where the process ends first or the signal is aborted. */
  wait<T>(answer: Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Options of the one index. */
export interface ServiceOptions {
  language: string
  /** Files that the texts of pages are put into at most. */
  maxFragments?: number
  /** Places of words, counted by page, in a file of the index: about 2.6 bytes each, packed. */
  placesInFile?: number
}

/**
 * Settles when the last one that was asked for is closed. Pagefind has one process for all callers and ends it for all of
 * them, so each waits for those before it: of two sites that one program builds, too.
 */
let last: Promise<void> = Promise.resolve()

/**
 * Starts Pagefind with one index in one language, an ISO 639 code; the one before has to be closed first. Throws a `SearchError`
 * where it is not installed or does not run.
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
    throw new SearchError('The package `pagefind` is not installed. Install it, or build with `--no-search`.', {
      cause,
    })
  }
}

function explain(error: unknown): unknown {
  if (error instanceof SearchError) return error
  const message = error instanceof Error ? error.message.split('\n')[0] : String(error)
  const hint = 'Install the optional packages of `pagefind` for this platform, or build with `--no-search`.'
  return new SearchError(`Pagefind cannot run here (${message}). ${hint}`, { cause: error })
}

/** Calls a function and finds the process that it starts. Pagefind keeps its own to itself; Node tells of each. */
function spawnedBy<T>(call: () => T): { answer: T; child: ChildProcess | undefined } {
  let child: ChildProcess | undefined
  const listen = (message: unknown): void => {
    // Node documents this shape of the channel's messages.
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
 * What Pagefind's program reads the size of files from; it has no option for it. A version that does not know it makes files of
 * 20,000 places, with the same answers.
 */
const sizeVariable = 'PAGEFIND_UNSTABLE_INDEX_CHUNK_SIZE'

/** Calls a function with a variable of the environment, which a process takes along when it is started. */
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

/** Longest wait in ms for a process that does not read. */
const timeoutMs = 1000

/** Waits until a process has taken what was written to it: of what is lost, Pagefind would print a stack each. */
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

/** A promise that only ever rejects; nobody has to wait for it. */
function withReject(): { promise: Promise<never>; reject: (reason: unknown) => void } {
  let reject: (reason: unknown) => void = () => {}
  const promise = new Promise<never>((_, no) => {
    reject = no
  })
  promise.catch(() => {})
  return { promise, reject }
}

/** The search index could not be built: foreseen, told as `search-failed`, and no reason to lose the rest of the site. */
export class SearchError extends Error {
  override readonly name = 'SearchError'
}
