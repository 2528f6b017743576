/** Homes of the corpus with their threads as trees, read once for all tests about them. */
import { tmpdir } from 'node:os'
import { afterAll, beforeAll } from 'vitest'
import type { Diagnostic } from '../../src/diagnostics/codes.ts'
import { findRoots } from '../../src/rollout/discover/homes-fs.ts'
import type { Thread } from '../../src/rollout/discover/rollout.ts'
import { survey } from '../../src/survey/survey.ts'
import { type Transcript, transcribeThread } from '../../src/transcript.ts'
import type { CorpusHome } from './corpus.ts'
import { type RawCommand, rawCommands } from './raw-commands.ts'

/** A thread, its tree without redaction, and the commands counted from its raw lines. */
export interface GenuineThread extends Transcript {
  thread: Thread
  /** Of every segment, because lines that a revert undid ran anyway. */
  raw: RawCommand[]
}

/** A home that was read. */
export interface GenuineHome extends CorpusHome {
  threads: GenuineThread[]
  /** Of the survey only; those of threads are in the threads. */
  diagnostics: Diagnostic[]
}

async function readHome(home: CorpusHome): Promise<GenuineHome> {
  const options = { spoolDir: () => tmpdir() }
  const roots = findRoots([home.path], { env: {}, homeDir: home.path })
  const { catalog, diagnostics } = await survey(roots, options)
  const threads: GenuineThread[] = []
  for (const thread of catalog.threads) {
    const transcript = await transcribeThread(thread, { ...options, family: catalog.threads })
    const raw = await Promise.all(thread.segments.map(({ file }) => rawCommands(file.path)))
    threads.push({ ...transcript, thread, raw: raw.flat() })
  }
  return { ...home, threads, diagnostics }
}

/** Reads a home before the tests of a suite, and releases it after the tests. */
export function useGenuineHome(home: CorpusHome): () => GenuineHome {
  let read: GenuineHome | undefined
  beforeAll(async () => {
    read = await readHome(home)
  })
  afterAll(() => {
    read = undefined
  })
  return () => {
    if (read === undefined) throw new Error(`${home.name} is read before the tests of its suite only`)
    return read
  }
}
