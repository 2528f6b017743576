import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { build } from '../../../src/app/build.ts'
import type { BuildOptions, BuildResult } from '../../../src/app/types.ts'
import { latinFont } from '../../helpers/font.ts'
import * as r from '../../helpers/records.ts'
import { writeHome } from '../../helpers/show.ts'
import { threadNumber } from '../../helpers/summary.ts'
import { everySession, plainLook, quietHost } from '../../helpers/surroundings.ts'
import { tagsNamed } from '../../helpers/tags.ts'
import { useTempDir } from '../../helpers/temp.ts'

const id = threadNumber(1)
const siteUrl = 'https://example.org/logs/'

/** Builds a home of one session; `fields` override the options. */
function buildInto(folder: string, home: string, fields: Partial<BuildOptions>): Promise<BuildResult> {
  const options: BuildOptions = {
    sources: { homes: [{ path: home }] },
    filters: everySession,
    look: plainLook({ siteUrl }),
    out: join(folder, 'site'),
    cache: join(folder, 'cache'),
    formats: ['html'],
    search: false,
    dryRun: false,
    ...fields,
  }
  return build(options, quietHost({ homeDir: folder }))
}

test('a session of a public site has a picture where previews look for it, drawn anew only for another font', async () => {
  const folder = useTempDir()
  const home = writeHome(folder, { [id]: [r.meta({ id, timestamp: r.instant(0) }), r.userItem('Mend the gate')] })
  const cardFont = join(folder, 'boxes.ttf')
  writeFileSync(cardFont, latinFont())
  await buildInto(folder, home, { cardFont })
  const html = readFileSync(join(folder, 'site', 'sessions', id, 'index.html'), 'utf8')
  const image = tagsNamed(html, 'meta').find(({ attributes }) => attributes['property'] === 'og:image')
  const address = image?.attributes['content'] ?? ''
  expect(address.startsWith(siteUrl)).toBe(true)
  const file = join(folder, 'site', address.slice(siteUrl.length))
  const first = readFileSync(file)
  expect((await buildInto(folder, home, { cardFont })).written).toBe(0)
  writeFileSync(cardFont, latinFont(300))
  await buildInto(folder, home, { cardFont })
  expect(Buffer.compare(readFileSync(file), first)).not.toBe(0)
})

test('a site without pictures names none', async () => {
  const folder = useTempDir()
  const home = writeHome(folder, { [id]: [r.meta({ id, timestamp: r.instant(0) }), r.userItem('Mend the gate')] })
  await buildInto(folder, home, {})
  const html = readFileSync(join(folder, 'site', 'sessions', id, 'index.html'), 'utf8')
  expect(html).toContain('<meta property="og:url"')
  expect(html).not.toContain('og:image')
})
