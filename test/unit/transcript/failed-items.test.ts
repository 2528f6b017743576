import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Image, Session } from '../../../src/transcript/trast.ts'
import { showFrom } from '../../helpers/show.ts'
import { buildSite, turnOf, writeSession } from '../../helpers/site-build.ts'
import { threadNumber } from '../../helpers/summary.ts'
import { useTempDir } from '../../helpers/temp.ts'

const id = threadNumber(1)

/** A plugin that adds a picture whose size cannot be compared with any number. */
const breaking = () => (tree: Session) => {
  const size: unknown = 10n
  const picture = {
    type: 'image',
    id: 'x1',
    origin: 'attached',
    url: 'a.png',
    bytes: size,
    data: { sources: [{ line: 3 }] },
  }
  for (const turn of tree.children) if (turn.type === 'turn') turn.children.splice(1, 0, picture as unknown as Image)
}

const plugins = [breaking]

it('an item that cannot be rendered is replaced by a note, and the rest of the page is built', async () => {
  const folder = useTempDir()
  writeSession(folder, id, turnOf('oil'))
  const { result } = await buildSite(folder, { plugins, formats: ['html', 'md'], search: true })
  expect(result.failed).toBe(0)
  expect(result.diagnostics).toMatchObject([{ ruleId: 'item-failed', level: 'fatal', line: 3 }])
  for (const name of ['index.html', 'index.md']) {
    const page = readFileSync(join(folder, 'site/sessions', id, name), 'utf8')
    expect(page).toContain('This item could not be shown.')
    for (const word of ['oil prompt', 'make oilscript', 'oil answer']) expect(page).toContain(word)
  }
})

it.each(['md', 'html', 'text'] as const)(
  '`show` writes the other items as %s and reports the failed one',
  async (format) => {
    const folder = useTempDir()
    writeSession(folder, id, turnOf('oil'))
    const { text, diagnostics } = await showFrom(join(folder, 'home'), id, { plugins, format })
    expect(text).toContain('oil answer')
    expect(text).toContain('This item could not be shown.')
    expect(diagnostics).toMatchObject([{ ruleId: 'item-failed' }])
  },
)
