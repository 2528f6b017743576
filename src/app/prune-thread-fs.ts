/** Writes a pruned copy of a rollout as a new thread of its home. */
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UsageError } from '../diagnostics/errors.ts'
import { forkHead, rolloutPlace } from '../memory/edit/new-thread.ts'
import type { Edit } from '../memory/edit/spans.ts'
import { asObject } from '../parse/decode.ts'
import { readLines } from '../read/lines.ts'
import type { ByteSource } from '../read/source.ts'
import { parseLine } from '../read/value.ts'
import { uuidAt } from '../util/uuid-time.ts'
import { type PruneWork, writeCopy } from './prune-write.ts'
import { homeOf } from './rollout-home.ts'

/** A thread that was written. */
export interface WrittenThread {
  threadId: string
  /** Absolute path of its rollout. */
  output: string
  /** Absolute path of its Codex home. */
  home: string
}

/**
 * Writes the copy beside the other sessions of its home; the session itself stays as it is. Throws `UsageError` where
 * the rollout lies in no home, or begins with a head that no fork can have.
 */
export async function writeThread(work: PruneWork, now: number): Promise<WrittenThread> {
  const { target, whole } = work
  const home = homeOf(target.live.file)
  if (home === undefined)
    throw new UsageError(
      `\`${target.live.file.name}\` lies in no Codex home, so that no new thread can be put beside it; \`--output FILE\` writes a copy.`,
    )
  const thread = { id: uuidAt(now, randomBytes(10)), parentId: target.thread.id, at: now }
  const first = firstLine(whole.source)
  const head = forkHead(first.record, thread)
  if (head === undefined)
    throw new UsageError(
      `\`${target.live.file.name}\` is of a Codex before 0.32; no later one goes on with a copy of it.`,
    )
  const own: Edit = { start: 0, end: head.keepsParentHead ? 0 : first.end, insert: Buffer.from(head.line) }
  const output = join(home, ...rolloutPlace(thread))
  mkdirSync(dirname(output), { recursive: true })
  await writeCopy(output, { ...work, cuts: [own, ...work.cuts] })
  return { threadId: thread.id, output, home }
}

/** The record of the first line, and where the next line begins. */
function firstLine(source: ByteSource): { record: Readonly<Record<string, unknown>>; end: number } {
  let first = { record: {}, end: 0 }
  readLines(source, (line) => {
    first = { record: asObject(parseLine(line).values[0]) ?? {}, end: line.byteOffset + line.byteLength + 1 }
    return false
  })
  return first
}
