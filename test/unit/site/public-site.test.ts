import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { features } from '../../../src/program.ts'
import { build } from '../../../src/site/build.ts'
import * as r from '../../helpers/records.ts'
import { writeHome } from '../../helpers/show.ts'
import { threadNumber } from '../../helpers/summary.ts'
import { plainBuild, quietHost } from '../../helpers/surroundings.ts'
import { useTempDir } from '../../helpers/temp.ts'

const id = threadNumber(1)

test('a link preview of a session has a title and a description, but no picture', async () => {
  const folder = useTempDir()
  const home = writeHome(folder, { [id]: [r.meta({ id, timestamp: r.instant(0) }), r.userItem('Mend the gate')] })
  const options = {
    ...plainBuild(),
    homes: [{ path: home }],
    siteUrl: 'https://example.org/logs/',
    out: join(folder, 'site'),
    cache: join(folder, 'cache'),
    formats: ['html'],
    search: false,
    dryRun: false,
  } as const
  await build(options, quietHost({ homeDir: folder }), features)
  const html = readFileSync(join(folder, 'site', 'sessions', id, 'index.html'), 'utf8')
  for (const name of ['og:url', 'og:title', 'og:description']) expect(html).toContain(`<meta property="${name}"`)
  expect(html).toContain('<meta name="twitter:card" content="summary">')
  expect(html).not.toContain('og:image')
})
