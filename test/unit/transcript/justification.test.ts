/** The words with which Codex asked to run something outside of the sandbox (rollout-format 3.7). */
import { describe, expect, it } from 'vitest'
import { turnMatcher } from '../../../src/features/terminal-search/match.ts'
import { parseQuery } from '../../../src/features/terminal-search/query.ts'
import { renderBody } from '../../../src/render/transcript/html.ts'
import { renderMarkdown } from '../../../src/render/transcript/markdown.ts'
import { searchPagePieces } from '../../../src/search/page.ts'
import * as r from '../../helpers/records.ts'
import { context, renderText } from '../../helpers/render.ts'
import { only, run } from '../../helpers/slice.ts'

const words = 'May I open the <gate>?'
const patch = '*** Begin Patch\n*** Add File: gate.md\n+Open.\n*** End Patch'
const asking = (...records: r.Json[]) => run([r.started('t1'), r.userItem('Open it.'), ...records, r.complete('t1')])

describe('a request for approval', () => {
  it.each([
    ['shell', { command: ['bash', '-lc', 'open gate'], with_escalated_permissions: true, justification: words }],
    ['shell_command', { command: 'open gate', with_escalated_permissions: true, justification: words }],
    ['exec_command', { cmd: 'open gate', sandbox_permissions: 'require_escalated', justification: words }],
  ])('is recorded with the command of %s', async (tool, args) => {
    const { tree } = await asking(r.call('c1', tool, args), r.output('c1', 'exec command rejected by user'))
    expect(only(tree, 'command')).toMatchObject({ script: 'open gate', justification: words })
  })

  it('is recorded with a patch that a shell applies', async () => {
    const args = { command: ['apply_patch', patch], with_escalated_permissions: true, justification: words }
    const { tree } = await asking(r.call('c1', 'shell', args), r.output('c1', 'patch rejected by user'))
    expect(only(tree, 'patch').justification).toBe(words)
  })

  it('is recorded with the command of a script', async () => {
    const script = `text(await tools.exec_command({ cmd: "open gate", justification: "${words}" }))`
    const { tree } = await asking(r.customCall('c1', 'exec', script))
    expect(only(tree, 'command').justification).toBe(words)
  })

  it('is absent if nothing was asked', async () => {
    const { tree } = await asking(...r.command('c1', 'open gate'))
    expect(only(tree, 'command')).not.toHaveProperty('justification')
  })

  it.each([
    ['command', { cmd: 'open gate', justification: words }],
    ['patch', { cmd: `apply_patch <<'EOF'\n${patch}\nEOF`, justification: words }],
  ])('of a %s is on the page, in its Markdown, in plain text and in both searches', async (_kind, args) => {
    const { tree } = await asking(r.call('c1', 'exec_command', args))
    const using = context()
    expect(renderBody(tree, using)).toContain('Asked for approval: May I open the &#x3C;gate>?')
    expect(renderMarkdown(tree, using)).toContain('Asked for approval: May I open the &lt;gate>?')
    expect(renderText(tree, using)).toContain(`Asked for approval: ${words}`)
    expect(searchPagePieces(tree, using, { title: '', project: '', words: [] }).join('')).toContain('May I open the')
    const matcher = turnMatcher(parseQuery(['"may i open"']), 0)
    matcher.take(tree, 1)
    expect(matcher.finish()).toMatchObject([{ number: 1 }])
  })
})
