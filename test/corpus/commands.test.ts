/** Commands of genuine rollouts: their number, exit codes and success, against a count over the raw lines. */
import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { findRoots } from '../../src/rollout/discover/homes-fs.ts'
import { survey } from '../../src/survey/survey.ts'
import type { Command } from '../../src/transcript/trast.ts'
import { transcribeThread } from '../../src/transcript.ts'
import { describeWithCorpus } from '../helpers/corpus.ts'
import { rawCommands } from '../helpers/raw-commands.ts'
import { all } from '../helpers/slice.ts'

/** How many commands ended with each exit code. */
function tally(commands: readonly { exitCode?: number | undefined }[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { exitCode } of commands) {
    const key = String(exitCode)
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}

/** Commands whose state contradicts their exit code. */
function contradictions(commands: readonly Command[]): string[] {
  return commands
    .filter(({ exitCode, status, outcome, data }) => {
      if (exitCode === undefined) return status === 'completed' && !data?.inferred?.includes('status')
      if (outcome === 'noMatch' || outcome === 'cutOff') return exitCode === 0 || status !== 'completed'
      return exitCode === 0 ? status !== 'completed' : !['failed', 'interrupted', 'declined'].includes(status)
    })
    .map(({ id, exitCode, status }) => `${id}: exit code ${exitCode}, ${status}`)
}

/** Commands of scripts stand in no line of their own, unless Codex recorded them. */
function isRecorded({ data }: Command): boolean {
  const sources = data?.sources ?? []
  const isOfScript = sources.length === 0 || data?.code !== undefined
  return !isOfScript || sources.some(({ kind }) => kind.startsWith('event_msg'))
}

describeWithCorpus('the commands of a genuine home', ({ homes, lived }) => {
  it.each([...homes, ...lived])('are those of its raw lines: $name', async ({ path }) => {
    const options = { spoolDir: () => tmpdir() }
    const { catalog } = await survey(findRoots({ codexHomes: [path], env: {}, homeDir: path }), options)
    for (const thread of catalog.threads) {
      const { session } = await transcribeThread(thread, options)
      const commands = all(session, 'command')
      expect(contradictions(commands), thread.id).toEqual([])
      // Lines that a revert undid ran all the same: every line of every segment counts.
      const raw = await Promise.all(thread.segments.map(({ file }) => rawCommands(file.path)))
      expect(tally(commands.filter(isRecorded)), thread.id).toEqual(tally(raw.flat()))
    }
  })
})
