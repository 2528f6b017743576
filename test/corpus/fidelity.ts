/**
 * Our reading of genuine threads compared with Codex's own: who said what in which order, which files changed, which MCP
 * calls were made. Codex 0.169 recorded its answers for each home that it still reads (from 0.36 on).
 * `test/helpers/oracle.ts` knows where the two differ by design; anything else fails here.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { GenuineHome } from '../helpers/genuine-home.ts'
import { compareThread, type Difference, type OracleThread } from '../helpers/oracle.ts'

/** What Codex wrote about a home, or nothing for homes that it does not read. */
export function readAnswers(folder: string, name: string): OracleThread[] {
  const path = join(folder, 'oracle', `${name}.json`)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).threads : []
}

/** Every difference between the two readings has its reason. */
export function expectCodexReading({ threads }: GenuineHome, answers: readonly OracleThread[]): void {
  const sessions = new Map(threads.map(({ thread, session }) => [thread.id, session]))
  const differences: Difference[] = []
  for (const answer of answers) {
    const session = sessions.get(answer.id)
    if (session === undefined) throw new Error(`the thread \`${answer.id}\` was not found`)
    const compared = compareThread(answer, session)
    differences.push(...compared.differences)
    // Most of what one side has, the other has, too: reasons must not explain away whole threads.
    const { ours, codex } = compared.counts.messages
    if (codex > 0) expect(Math.abs(ours - codex), answer.id).toBeLessThanOrEqual(Math.max(4, codex / 2))
  }
  expect(differences.filter(({ why }) => why === undefined)).toEqual([])
}
