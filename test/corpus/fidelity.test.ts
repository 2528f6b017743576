/**
 * Our reading of genuine threads against Codex's own: who said what in order, which files changed, which MCP calls were
 * made. Codex 0.169 wrote its answers down for each home that it still reads (from 0.36 on). `test/helpers/oracle.ts`
 * knows where the two differ by design; anything else fails here.
 */
import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findRoots } from '../../src/rollout/discover/homes-fs.ts'
import { survey } from '../../src/survey/survey.ts'
import { transcribeThread } from '../../src/transcript.ts'
import { describeWithCorpus } from '../helpers/corpus.ts'
import { compareThread, type Difference, type OracleThread } from '../helpers/oracle.ts'

function readAnswers(folder: string, name: string): OracleThread[] {
  const path = join(folder, 'oracle', `${name}.json`)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).threads : []
}

describeWithCorpus('a genuine home', ({ folder, homes }) => {
  const read = homes.map((home) => ({ ...home, answers: readAnswers(folder, home.name) }))

  it.each(read.filter(({ answers }) => answers.length > 0))(
    'reads as Codex reads it: $name',
    async ({ path, answers }) => {
      const options = { spoolDir: () => tmpdir() }
      const { catalog } = await survey(findRoots({ codexHomes: [path], env: {}, homeDir: path }), options)
      const threads = new Map(catalog.threads.map((thread) => [thread.id, thread]))
      const differences: Difference[] = []
      for (const answer of answers) {
        const thread = threads.get(answer.id)
        if (thread === undefined) throw new Error(`the thread \`${answer.id}\` was not found`)
        const { session } = await transcribeThread(thread, { ...options, family: catalog.threads })
        const compared = compareThread(answer, session)
        differences.push(...compared.differences)
        // Explained or not, most of what one side tells the other tells too: reasons must not swallow whole threads.
        const { ours, codex } = compared.counts.messages
        if (codex > 0) expect(Math.abs(ours - codex), answer.id).toBeLessThanOrEqual(Math.max(4, codex / 2))
      }
      expect(differences.filter(({ why }) => why === undefined)).toEqual([])
    },
  )
})
