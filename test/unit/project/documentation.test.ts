/** The documentation site, with one session: every chapter has its page, and no link, picture or policy is faulty. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { documentation } from '../../../docs/site/documentation.ts'
import config from '../../../docs/site/site.config.ts'
import { commands } from '../../../src/program.ts'
import { audit, reported } from '../../helpers/audited.ts'
import { buildSite, turnOf, writeSession } from '../../helpers/site-build.ts'
import { useTempDir } from '../../helpers/temp.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

test('the guide has a page for every document and a heading for every command, and no faulty link', async () => {
  const folder = useTempDir()
  writeSession(folder, '0199a000-0000-7000-8000-0000000000a1', turnOf('gate'))
  const templatesDir = join(root, 'docs/site', config.templatesDir ?? '')
  const { result, texts } = await buildSite(folder, { templatesDir, plugins: [documentation], redact: true })
  expect(result.diagnostics).toEqual([])
  expect(reported(await audit(join(folder, 'site')))).toEqual([])
  const pages = [...texts].filter(([path]) => path.startsWith('guide/') && path.endsWith('.html'))
  const headings = pages.map(([, text]) => /<h1>(.*?)<\/h1>/.exec(text)?.[1])
  expect(new Set(headings).size).toBe(pages.length)
  // dependencies.md is for contributors; every other document is a chapter, and one chapter is generated.
  const documents = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md') && name !== 'dependencies.md')
  expect(pages).toHaveLength(documents.length + ['SECURITY.md', 'CHANGELOG.md', 'flags'].length)
  const flags = texts.get('guide/flags.html')
  for (const { name } of commands) expect(flags).toContain(`<h2 id="${name}">${name}</h2>`)
  for (const [path, text] of pages) expect(gzipSync(text).length, path).toBeLessThan(60_000)
  expect(texts.get('guide/plugins.html')).toContain('<span class="hljs-keyword">import</span>')
})
