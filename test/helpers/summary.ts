/** Builders for the small facts of a thread. */
import type {
  FailedCommand,
  FileTouch,
  ScanFacts,
  SessionDetail,
  SessionSummary,
} from '../../src/transcript/summary.ts'
import { threadId } from './tree.ts'

/** A thread id that ends in a number. */
export function threadNumber(number: number): string {
  return `01990000-0000-7000-8000-${String(number).padStart(12, '0')}`
}

/** A summary of a built thread. */
export function summary(fields: Partial<SessionSummary> = {}): SessionSummary {
  return {
    threadId,
    title: 'Mend the garden gate',
    archived: false,
    status: 'completed',
    project: { slug: 'garden-000000', name: 'garden' },
    models: [],
    turns: 1,
    messages: 2,
    commands: { total: 0, failed: 0 },
    failuresLeft: 0,
    edits: { files: 0, added: 0, removed: 0 },
    errors: 0,
    pages: 1,
    lines: { total: 0, shown: 0, folded: 0, skipped: {}, unknown: {}, damaged: 0 },
    ...fields,
  }
}

/** Facts of a scanned thread with a number of pages. */
export function facts(fields: Partial<ScanFacts> = {}, pages = 1): ScanFacts {
  return {
    threadId,
    title: 'Mend the garden gate',
    titleFrom: 'prompt',
    cwds: [],
    turns: 1,
    prompts: 1,
    lines: 1,
    bytes: 1,
    outline: [],
    rolledBack: [],
    pages: Array.from({ length: pages }, (_, index) => ({
      number: index + 1,
      ranges: [],
      late: [],
      taken: [],
      storyWeight: 0,
    })),
    ...fields,
  }
}

/** What a session contributes to pages across sessions. */
export function detail(fields: Partial<SessionDetail> = {}): SessionDetail {
  return {
    threadId,
    touches: [],
    failures: [],
    made: [],
    programs: {},
    prompts: {},
    times: { model: 0, commands: 0, tools: 0, idle: 0 },
    usage: {},
    hours: [],
    omitted: { touches: 0, failures: 0, programs: { runs: 0, failed: 0, durationMs: 0 } },
    ...fields,
  }
}

/** An edit of one line of a file. */
export function touch(path: string, fields: Partial<FileTouch> = {}): FileTouch {
  return { path, operation: 'update', added: 1, removed: 1, turn: 1, page: 1, anchor: 'l1', ...fields }
}

/** A command that ended with 1. */
export function failure(script: string, fields: Partial<FailedCommand> = {}): FailedCommand {
  const program = script.split(' ')[0] ?? ''
  return { program, script, exitCode: 1, turn: 1, page: 1, anchor: 'l1', ...fields }
}
