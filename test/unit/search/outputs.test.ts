/**
 * What the index contains of long texts: arguments and diffs completely; of outputs, more than a page shows, or only
 * the lines of a failure.
 */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as r from '../../helpers/records.ts'
import { buildSite, writeSession } from '../../helpers/site-build.ts'
import { useTempDir } from '../../helpers/temp.ts'

const filler = (length: number): string => 'a line of a log\n'.repeat(length / 16)
const texts = async (searchOutputs: boolean): Promise<string> => {
  const folder = useTempDir()
  writeSession(folder, '019c0000-0000-7000-8000-000000000001', [
    r.userItem('Look at the log'),
    ...r.command('c1', 'cat log', 0, `${filler(12_000)}quillwort\n${filler(12_000)}`),
    ...r.command('c2', 'make', 1, `${filler(12_000)}error: no thistledown\n${filler(12_000)}`),
    r.call('c3', 'mcp__garden__list', { bed: 'north', notes: `${filler(200_000)}celandine` }),
    r.output('c3', JSON.stringify({ content: [{ type: 'text', text: 'one sundew' }] })),
    r.customCall(
      'c4',
      'apply_patch',
      `*** Begin Patch\n*** Add File: a.txt\n${'+a line of code\n'.repeat(15_000)}+toadflax\n*** End Patch`,
    ),
    r.customOutput('c4', 'Exit code: 0\nWall time: 0.1 seconds\nOutput:\nSuccess, says the butterwort'),
    r.answerItem('Done.'),
  ])
  const site = await buildSite(folder, { search: true, searchOutputs })
  return [...site.texts]
    .flatMap(([path, text]) => (path.includes(join('pagefind', 'fragment')) ? [text] : []))
    .join('\n')
}

test('with outputs, the index contains what pages omit of long ones, and results of tools and edits', async () => {
  const index = await texts(true)
  for (const word of ['quillwort', 'thistledown', 'sundew', 'butterwort']) expect(index).toContain(word)
})

test('without outputs, it contains the failure near the end of an output, and no other output', async () => {
  const index = await texts(false)
  expect(index).toContain('error: no thistledown')
  for (const word of ['quillwort', 'sundew', 'butterwort']) expect(index).not.toContain(word)
})

test('arguments of tools and lines of edits are contained up to their end', async () => {
  const index = await texts(false)
  for (const word of ['celandine', 'toadflax']) expect(index).toContain(word)
})
