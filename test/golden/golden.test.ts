/** Every golden case: the tree, the Markdown, the page and the diagnostics of a small rollout are what they should be. */
import { beforeAll, describe, expect, it } from 'vitest'
import { transcribe } from '../../src/app/transcript.ts'
import type { Diagnostic } from '../../src/diagnostics/codes.ts'
import type { Session } from '../../src/model/trast.ts'
import type { RenderContext } from '../../src/render/context.ts'
import { renderBody } from '../../src/render/html.ts'
import { renderMarkdown } from '../../src/render/markdown.ts'
import { referenceEngine } from '../../src/render/prose/engine.ts'
import { loadEngine } from '../../src/render/prose/engine-fs.ts'
import { diagnosticLines, goldenCases, readableHtml } from '../helpers/golden.ts'

const nativeEngine = await loadEngine()

describe.each(goldenCases())('golden case $name', ({ input, expected, diagnostics: ids }) => {
  let session: Session
  let diagnostics: Diagnostic[]
  const context = (): RenderContext => ({
    threadId: session.threadId,
    timeZone: 'UTC',
    threads: () => undefined,
    engine: referenceEngine,
  })

  beforeAll(async () => {
    ;({ session, diagnostics } = await transcribe(input, { redact: false }))
  })

  it('gives the expected diagnostics and no other', async () => {
    expect([...new Set(diagnostics.map(({ ruleId }) => ruleId))].sort()).toEqual(ids)
    await expect(diagnosticLines(diagnostics)).toMatchFileSnapshot(expected('diagnostics.txt'))
  })

  it('gives the expected tree', async () => {
    await expect(`${JSON.stringify(session, undefined, 2)}\n`).toMatchFileSnapshot(expected('tree.json'))
  })

  it('gives the expected Markdown', async () => {
    await expect(renderMarkdown(session, context())).toMatchFileSnapshot(expected('index.md'))
  })

  it('gives the expected page', async () => {
    await expect(readableHtml(renderBody(session, context()))).toMatchFileSnapshot(expected('body.html'))
  })

  it('gives the same Markdown and page by the native Markdown engine', () => {
    const native = { ...context(), engine: nativeEngine }
    expect(renderMarkdown(session, native)).toBe(renderMarkdown(session, context()))
    expect(renderBody(session, native)).toBe(renderBody(session, context()))
  })

  it('accounts for every line', () => {
    const { total, shown, folded, skipped, unknown, damaged } = session.stats.lines
    const sum = (counts: Record<string, number>) => Object.values(counts).reduce((left, right) => left + right, 0)
    expect(shown + folded + sum(skipped) + sum(unknown) + damaged).toBe(total)
    expect(total).toBeGreaterThan(0)
  })

  it('gives the same tree when it is read again', async () => {
    expect((await transcribe(input, { redact: false })).session).toEqual(session)
  })
})
