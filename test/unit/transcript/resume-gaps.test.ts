import { VFile } from 'vfile'
import { describe, expect, it } from 'vitest'
import { resumeGaps } from '../../../src/transcript/plugins/annotate.ts'
import type { Session, Turn } from '../../../src/transcript/trast.ts'
import { sliceData } from '../../helpers/slice.ts'
import * as tree from '../../helpers/tree.ts'

/** A turn from one minute of 1 March to another. */
function turn(number: number, from: string, to: string): Turn {
  return tree.turn([], {
    number,
    id: `t${number}`,
    at: `2026-03-01T${from}:00.000Z`,
    endedAt: `2026-03-01T${to}:00.000Z`,
  })
}

function run(session: Session, slice = sliceData()): Session {
  const file = new VFile({ data: { slice } })
  resumeGaps.call(undefined as never)?.(session, file, () => {})
  return session
}

const kinds = (session: Session): string[] =>
  session.children.map((child) => (child.type === 'notice' ? child.kind : child.id))

describe('pauses between turns', () => {
  it('are marked if they are longer than half an hour', () => {
    const session = run(tree.session([turn(1, '10:00', '10:05'), turn(2, '10:30', '10:40'), turn(3, '12:40', '12:41')]))
    expect(kinds(session)).toEqual(['t1', 't2', 'gap', 't3'])
    expect(session.children[2]).toMatchObject({ id: 'gap-t3', facts: { gapMs: 2 * 60 * 60 * 1000 } })
  })

  it('are marked only once', () => {
    const slice = sliceData()
    const once = run(tree.session([turn(1, '10:00', '10:05'), turn(2, '12:00', '12:01')]), slice)
    expect(kinds(run(structuredClone(once), slice))).toEqual(kinds(once))
  })

  it('are found across a page border', () => {
    const slice = sliceData()
    run(tree.session([turn(1, '10:00', '10:05')]), slice)
    expect(kinds(run(tree.session([turn(2, '11:00', '11:01')]), slice))).toEqual(['gap', 't2'])
  })

  it('are not marked at turns without a time, in copied turns, or inside a turn', () => {
    const timeless = tree.turn([], { number: 2, id: 't2' })
    const copied = tree.group('inherited', '1 turn inherited', [turn(1, '08:00', '08:01')], { id: 'copied' })
    const continued = { ...turn(3, '23:00', '23:01'), data: { continued: true } }
    expect(kinds(run(tree.session([copied, turn(1, '10:00', '10:05'), timeless, continued])))).toEqual([
      'copied',
      't1',
      't2',
      't3',
    ])
  })
})
