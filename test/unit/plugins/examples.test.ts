/** The examples of the package, built: what each adds is there, no link is broken, and no page becomes too large. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { issueLinks } from '../../../examples/issue-links.ts'
import { languages } from '../../../examples/languages.ts'
import { slowCommands } from '../../../examples/slow-commands.ts'
import type { BuildOptions } from '../../../src/site/types.ts'
import { audit, reported } from '../../helpers/audited.ts'
import * as r from '../../helpers/records.ts'
import { buildSite, writeSession } from '../../helpers/site-build.ts'
import { useTempDir } from '../../helpers/temp.ts'

const id = '0199a000-0000-7000-8000-0000000000a1'
const session = `sessions/${id}/index.html`

/** The texts of a site with one session, with checks that apply to every example. */
async function built(change: Partial<BuildOptions>): Promise<Record<string, string>> {
  const folder = useTempDir()
  writeSession(folder, id, [
    r.userItem('Mend SHOP-12 in the gate.'),
    r.userEvent('Mend SHOP-12 in the gate.'),
    r.call('c1', 'shell_command', { command: 'npm run slow', workdir: '/home/ada/engine' }),
    r.output('c1', 'Exit code: 0\nWall time: 95 seconds\nOutput:\ndone\n'),
    r.customCall('c2', 'apply_patch', '*** Begin Patch\n*** Add File: src/gate.ts\n+export {}\n*** End Patch'),
    r.customOutput(
      'c2',
      'Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\nA src/gate.ts\n',
    ),
    r.answerItem('SHOP-12 is mended; `SHOP-13` and [SHOP-14](https://example.org/) are not.'),
  ])
  const { result, texts } = await buildSite(folder, { redact: true, ...change })
  expect(result).toMatchObject({ sessions: 1, diagnostics: [] })
  const files = Object.fromEntries(texts)
  // Broken links, requests to other hosts, secrets, weak policies.
  expect(reported(await audit(join(folder, 'site')))).toEqual([])
  for (const [path, text] of texts) if (path.endsWith('.html')) expect(gzipSync(text).length, path).toBeLessThan(12_000)
  return files
}

describe('the example', () => {
  test('theme sets tokens in a style sheet of 16 kB', async () => {
    const templatesDir = fileURLToPath(new URL('../../../examples/theme', import.meta.url))
    const css =
      Object.entries(await built({ templatesDir })).find(([path]) => /^assets\/site\..*\.css$/.test(path))?.[1] ?? ''
    expect(css).toContain('--sans: Charter')
    expect(gzipSync(css).length).toBeLessThanOrEqual(16_384)
  })

  test('issue-links links issues in answers, but not in code, and lists them next to the session', async () => {
    const plugin = issueLinks({ pattern: /\bSHOP-\d+\b/g, href: (issue) => `https://issues.example.org/${issue}` })
    const page = (await built({ plugins: [plugin] }))[session] ?? ''
    const link = '<a href="https://issues.example.org/SHOP-12" rel="nofollow noreferrer noopener">SHOP-12</a>'
    expect(page).toContain(`<p>${link} is mended; <code>SHOP-13</code>`)
    expect(page).toContain(`<ul><li>${link} <a href="index.html#l`)
    expect(page).toContain('Mend SHOP-12 in the gate.')
  })

  test('slow-commands adds a page that links to each slow command', async () => {
    const files = await built({ plugins: [slowCommands] })
    expect(files['slow/index.html']).toMatch(
      new RegExp(`<td>95\\.0\u00A0s</td><td><a href="\\.\\./${session}#l\\d+"><code>npm run slow`),
    )
    expect(files[session]).toContain('<a href="../../slow/index.html">Slow</a>')
  })

  test('languages adds a column, a filter, and a field of the search', async () => {
    const files = await built({ plugins: [languages], search: true })
    expect(files['index.html']).toContain('<i class="tag" title="Language">TypeScript</i>')
    expect(files['index.html']).toContain('<option value="TypeScript">TypeScript</option>')
    expect(files['pagefind/search.js']).toContain('{"language":["TypeScript"]}')
    expect(files['pagefind/search.js']).toContain('"fields":[["language","Language","languages"]]')
  })
})
