/** What every golden transcript is compared with: its tree, its Markdown, its page, its receipt. */
import { expect, it } from 'vitest'
import type { RenderContext } from '../../src/render/transcript/context.ts'
import { drawTex } from '../../src/render/transcript/engines-fs.ts'
import { renderBody } from '../../src/render/transcript/html.ts'
import { renderMarkdown } from '../../src/render/transcript/markdown.ts'
import { referenceEngine } from '../../src/render/transcript/prose/engine.ts'
import type { Session } from '../../src/transcript/trast.ts'
import { readableHtml } from './golden.ts'
import { receiptSum } from './slice.ts'

/** Context of a session without any related session, with the reference engine. */
export function aloneContext({ threadId }: Session): RenderContext {
  return { threadId, timeZone: 'UTC', threads: () => undefined, engine: referenceEngine, drawTex }
}

/** Adds the tests; `sessionOf` is called when they run, `expected` returns the path of a file below `expected/`. */
export function itIsAsExpected(sessionOf: () => Session, expected: (file: string) => string): void {
  it('gives the expected tree', async () => {
    await expect(`${JSON.stringify(sessionOf(), undefined, 2)}\n`).toMatchFileSnapshot(expected('tree.json'))
  })

  it('gives the expected Markdown', async () => {
    const session = sessionOf()
    await expect(renderMarkdown(session, aloneContext(session))).toMatchFileSnapshot(expected('index.md'))
  })

  it('gives the expected page', async () => {
    const session = sessionOf()
    await expect(readableHtml(renderBody(session, aloneContext(session)))).toMatchFileSnapshot(expected('body.html'))
  })

  it('accounts for every line', () => {
    const { lines } = sessionOf().stats
    expect(receiptSum(lines)).toBe(lines.total)
    expect(lines.total).toBeGreaterThan(0)
  })
}
