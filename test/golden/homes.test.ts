/** Every golden home: each session is shown once, with its relations to others. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { Diagnostic } from '../../src/diagnostics/codes.ts'
import type { Message, Session, TrastNode } from '../../src/transcript/trast.ts'
import { diagnosticLines } from '../helpers/golden.ts'
import { type BuiltSession, buildHome, goldenHomes, homeText } from '../helpers/golden-homes.ts'
import { shareTempDir } from '../helpers/temp.ts'

const folder = shareTempDir()

/** Messages below a node that were not copied from another session. */
function ownMessages(node: TrastNode): Message[] {
  if (node.data?.inherited) return []
  if (node.type === 'message') return [node]
  return 'children' in node ? node.children.flatMap(ownMessages) : []
}

/** Number of turns below a node that were not copied. */
function ownTurns(node: TrastNode): number {
  if (node.data?.inherited) return 0
  if (node.type === 'turn') return node.data?.continued ? 0 : 1
  return 'children' in node ? node.children.reduce((sum, child) => sum + ownTurns(child), 0) : 0
}

/** What a session contains and was not taken back. */
function current({ children }: Session): TrastNode[] {
  return children.filter((node) => node.type !== 'group' || node.kind !== 'rolledBack')
}

describe.each(goldenHomes())('golden home $name', ({ name, path, expected, sessions: count, diagnostics: ids }) => {
  let sessions: BuiltSession[]
  let diagnostics: Diagnostic[]

  beforeAll(async () => {
    ;({ sessions, diagnostics } = await buildHome(path, `${folder}/${name}`))
  })

  it('gives the expected diagnostics and no other', async () => {
    expect([...new Set(diagnostics.map(({ ruleId }) => ruleId))].sort()).toEqual(ids)
    await expect(diagnosticLines(diagnostics)).toMatchFileSnapshot(expected('diagnostics.txt'))
  })

  it('gives the expected sessions', async () => {
    expect(sessions).toHaveLength(count)
    await expect(homeText(sessions)).toMatchFileSnapshot(expected('sessions.txt'))
  })

  it('excludes inherited history and what was taken back from all statistics', () => {
    for (const { session } of sessions) {
      const counted = current(session)
        .flatMap(ownMessages)
        .filter(({ origin }) => /^(?:typed|codex|generated)$/.test(origin))
      expect({ id: session.threadId, messages: session.stats.messages, turns: session.stats.turns }).toEqual({
        id: session.threadId,
        messages: counted.length,
        turns: current(session).reduce((sum, node) => sum + ownTurns(node), 0),
      })
    }
  })

  it('shows each answer once over all sessions', () => {
    const answers = sessions.flatMap(({ session }) =>
      ownMessages(session)
        .filter(({ role }) => role === 'assistant')
        .map((message) => JSON.stringify(message.children)),
    )
    expect(answers.length).toBeGreaterThan(0)
    const texts = answers.map((answer) => answer.replace(/"id":"[^"]*",?/g, ''))
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([])
  })

  it('accounts for every line', () => {
    for (const { session } of sessions) {
      const { total, shown, folded, skipped, unknown, damaged } = session.stats.lines
      const sum = (counts: Record<string, number>) => Object.values(counts).reduce((left, right) => left + right, 0)
      expect(shown + folded + sum(skipped) + sum(unknown) + damaged).toBe(total)
    }
  })

  it('is not written again if nothing changed', async () => {
    expect((await buildHome(path, `${folder}/${name}`)).written).toBe(0)
  })
})
