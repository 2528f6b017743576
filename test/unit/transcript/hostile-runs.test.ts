/** One text repeated in every place where a session contains text: each step takes time linear in its length. */
import { describe, expect, it } from 'vitest'
import type { Redactor } from '../../../src/redact/redactor.ts'
import { redactStrings } from '../../../src/redact/strings.ts'
import { hiddenNodes } from '../../../src/render/pages/totals.ts'
import { renderBody } from '../../../src/render/transcript/html.ts'
import { renderMarkdown } from '../../../src/render/transcript/markdown.ts'
import { searchPagePieces } from '../../../src/search/page.ts'
import { privacyOf } from '../../../src/survey/privacy.ts'
import * as r from '../../helpers/records.ts'
import { context, renderText } from '../../helpers/render.ts'
import { all, run } from '../../helpers/slice.ts'

/** Texts that one reader or another would try anew at each place of a run, or in more than one way. */
const runs = [
  ...['[', '*', '_', '#', '|', '![', '`` ', '~~a', '\\"', '"\\'],
  ...[' ', '\t\n', '\r', '\n\n\n ', 'a; ', '$a[', '=', '-c ', '/'],
  ...['eyJ', '\u200B', '<oai-mem-citation>', '<command>', '<proposed_plan>\n'],
]
/** A run in a text of 100,000 characters: a step of quadratic time takes longer than a test may take. */
const longRun = (part: string): string => `a ${part.repeat(100_000 / part.length)}!x`

function theRedactor(): Redactor {
  const redactor = privacyOf({}, { homeDir: '/home/ada' })?.redactor()
  if (redactor === undefined) throw new Error('sessions are redacted by default')
  return redactor
}

describe('a text repeated again and again', () => {
  it.each(runs)('is read, redacted and written in every place: %j', async (part) => {
    const text = longRun(part)
    const { tree } = await run([
      r.started('t1'),
      r.userItem(text),
      r.userItem(`<user_shell_command>\n<command>\n${text}\n</command>\n<result>\nExit code: 0\n${text}\n</result>`),
      r.reasoningItem([text]),
      ...r.command('c1', text, 1, text),
      r.call('c2', 'mcp__garden__water', { [text]: text }),
      r.output('c2', text),
      r.customCall(
        'c3',
        'apply_patch',
        `*** Begin Patch\n*** Add File: ${text.split('\n')[0]}\n+${text}\n*** End Patch`,
      ),
      r.customOutput('c3', `Success. Updated the following files:\n${text}`),
      r.customCall('c4', 'exec', text),
      r.answerItem(text),
      r.complete('t1'),
    ])
    redactStrings(tree, theRedactor())
    const using = context()
    const outputs = [
      renderBody(tree, using),
      renderMarkdown(tree, using),
      renderText(tree, using),
      searchPagePieces(tree, using, { title: '', project: '', words: [] }).join(''),
    ]
    for (const output of outputs) expect(output).toContain('!x')
  })

  it('is read to its end even if each step can be read in two ways', async () => {
    const version = `password=0.0000${'.aaa0000'.repeat(60)}!`
    const constant = `password=\${AAA${'_AAA'.repeat(60)}a_!}`
    const key = `-----BEGIN OpenVPN Static key V1-----${'\\'.repeat(60)}u`
    const updated = `Success. Updated the following files:\n${'A '.repeat(200)}\n!`
    const redactor = theRedactor()
    for (const text of [version, constant, key]) expect(redactor.text(text)).toBe(text)
    const patch = r.customCall('c1', 'apply_patch', '*** Begin Patch\n*** Add File: a\n+a\n*** End Patch')
    const { tree } = await run([patch, r.customOutput('c1', updated)])
    expect(renderText(tree, context())).toContain('!')
  })
})

describe('more items in a record than a call takes arguments', () => {
  const count = 130_000
  const many = <T>(make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index))

  it('are all read: files of a patch, citations, options', async () => {
    const patch = `*** Begin Patch\n${many((index) => `*** Delete File: f${index}`).join('\n')}\n*** End Patch`
    const entries = many((index) => ({ path: 'MEMORY.md', lineStart: index, lineEnd: index }))
    const options = many((index) => ({ label: `o${index}` }))
    const { tree } = await run([
      r.customCall('c1', 'apply_patch', patch),
      r.answerEvent('Done.', { memory_citation: { entries } }),
      r.call('c2', 'request_user_input', { questions: [{ id: 'q', question: 'Which?', options }] }),
    ])
    expect(all(tree, 'fileChange')).toHaveLength(count)
    expect(all(tree, 'reference')).toHaveLength(count)
    expect(all(tree, 'question')[0]?.options).toHaveLength(count)
    expect(hiddenNodes(tree)).toBe(0)
    expect(renderMarkdown(tree, context())).toContain(`o${count - 1}`)
  })
})
