/** Code-mode scripts of genuine rollouts: whatever a script calls stands in the tree, once. */
import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { findRoots } from '../../src/rollout/discover/homes-fs.ts'
import { readScript } from '../../src/rollout/script/read-script-fs.ts'
import { survey } from '../../src/survey/survey.ts'
import type { Session, ToolCall, TrastNode } from '../../src/transcript/trast.ts'
import { transcribeThread } from '../../src/transcript.ts'
import { describeWithCorpus } from '../helpers/corpus.ts'
import { all } from '../helpers/slice.ts'

const toolCalled = /\btools\s*(?:\?\.|\.\s*\w+|\[[^\]]+\])\s*\(/

const scriptsOf = (session: Session): ToolCall[] =>
  all(session, 'toolCall').filter(({ family, tool }) => family === 'custom' && tool === 'exec')

const bodies = new Set<TrastNode['type']>(['output', 'text', 'markdown', 'image', 'reference'])

describeWithCorpus('the scripts of a genuine home', ({ homes, lived }) => {
  it.each([...homes, ...lived])('show what they call: $name', async ({ path }) => {
    const options = { spoolDir: () => tmpdir() }
    const { catalog } = await survey(findRoots({ codexHomes: [path], env: {}, homeDir: path }), options)
    for (const thread of catalog.threads) {
      const { session } = await transcribeThread(thread, { ...options, redact: false })
      const silent = scriptsOf(session).filter(({ children }) => children.every(({ type }) => bodies.has(type)))
      expect(silent.map(({ input }) => input).filter((input) => toolCalled.test(input))).toEqual([])
      // Each call that was not read has its reason, and none is known here.
      const reasons = scriptsOf(session).flatMap(({ input }) => readScript(input).unread)
      expect(reasons, thread.id).toEqual([])
      const ids = all(session, 'command').flatMap(({ id }) => id)
      expect(new Set(ids).size, thread.id).toBe(ids.length)
    }
  })
})
