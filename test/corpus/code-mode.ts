/** Code-mode scripts of genuine rollouts: every call of a script is in the tree, once. */
import { expect } from 'vitest'
import { readScript } from '../../src/rollout/script/read-script-fs.ts'
import type { Session, ToolCall, TrastNode } from '../../src/transcript/trast.ts'
import type { GenuineHome } from '../helpers/genuine-home.ts'
import { all } from '../helpers/slice.ts'

const toolCalled = /\btools\s*(?:\?\.|\.\s*\w+|\[[^\]]+\])\s*\(/

const scriptsOf = (session: Session): ToolCall[] =>
  all(session, 'toolCall').filter(({ family, tool }) => family === 'custom' && tool === 'exec')

const bodies = new Set<TrastNode['type']>(['output', 'text', 'markdown', 'image', 'reference'])

/** Each call of a script was read, and is shown once. */
export function expectScripts({ threads }: GenuineHome): void {
  for (const { thread, session } of threads) {
    const silent = scriptsOf(session).filter(({ children }) => children.every(({ type }) => bodies.has(type)))
    expect(silent.map(({ input }) => input).filter((input) => toolCalled.test(input))).toEqual([])
    // Each call that was not read has its reason, and here there is none.
    const reasons = scriptsOf(session).flatMap(({ input }) => readScript(input).unread)
    expect(reasons, thread.id).toEqual([])
    const ids = all(session, 'command').flatMap(({ id }) => id)
    expect(new Set(ids).size, thread.id).toBe(ids.length)
  }
}
