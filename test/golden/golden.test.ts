/** Every golden case: tree, Markdown, page and diagnostics of a small rollout are as expected. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { Diagnostic } from '../../src/diagnostics/codes.ts'
import { loadEngine } from '../../src/render/transcript/engines-fs.ts'
import { renderBody } from '../../src/render/transcript/html.ts'
import { renderMarkdown } from '../../src/render/transcript/markdown.ts'
import type { Session } from '../../src/transcript/trast.ts'
import { transcribe } from '../../src/transcript.ts'
import { diagnosticLines, goldenCases } from '../helpers/golden.ts'
import { aloneContext, itIsAsExpected } from '../helpers/golden-transcript.ts'

const nativeEngine = await loadEngine()

describe.each(goldenCases())('golden case $name', ({ input, expected, diagnostics: ids }) => {
  let session: Session
  let diagnostics: Diagnostic[]

  beforeAll(async () => {
    ;({ session, diagnostics } = await transcribe(input, { redact: false }))
  })

  it('gives the expected diagnostics and no other', async () => {
    expect([...new Set(diagnostics.map(({ ruleId }) => ruleId))].sort()).toEqual(ids)
    await expect(diagnosticLines(diagnostics)).toMatchFileSnapshot(expected('diagnostics.txt'))
  })

  itIsAsExpected(() => session, expected)

  it('gives the same Markdown and page with the native Markdown engine', () => {
    const alone = aloneContext(session)
    const native = { ...alone, engine: nativeEngine }
    expect(renderMarkdown(session, native)).toBe(renderMarkdown(session, alone))
    expect(renderBody(session, native)).toBe(renderBody(session, alone))
  })

  it('gives the same tree when it is read again', async () => {
    expect((await transcribe(input, { redact: false })).session).toEqual(session)
  })
})
