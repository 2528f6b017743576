/** The story of a very long session: it is cut by its records alone, and closed parts do not change. */
import { expect, it } from 'vitest'
import { buildSite, turnOf, writeSession } from '../../helpers/site-build.ts'
import { useTempDir } from '../../helpers/temp.ts'

const thread = '019cebe6-48a0-7000-8000-00000000c0de'
const email = 'ada@harbour.example '

/** Turns with prompts of about 6 kB each. */
const turns = (count: number) =>
  Array.from({ length: count }, (_, index) => turnOf(`${index} ${email.repeat(300)}`)).flat()

/** Made once for both tests. */
let short: Promise<Map<string, string>> | undefined
const shortStories = (): Promise<Map<string, string>> => (short ??= stories(40))

async function stories(count: number, options: Parameters<typeof buildSite>[1] = {}): Promise<Map<string, string>> {
  const folder = useTempDir()
  writeSession(folder, thread, turns(count))
  const { texts } = await buildSite(folder, options)
  return new Map([...texts].filter(([path]) => /\/story-\d+\.html$/.test(path)))
}

it('keeps closed parts unchanged if the session grows', async () => {
  const [before, after] = [await shortStories(), await stories(60)]
  const closed = [...before].filter(([, html]) => html.includes('rel="next"'))
  expect(closed.length).toBeGreaterThan(1)
  expect(after.size).toBeGreaterThan(before.size)
  for (const [path, html] of closed) expect(after.get(path)).toBe(html)
})

it('has the same parts whatever is redacted', async () => {
  const names = [...(await shortStories()).keys()]
  expect([...(await stories(40, { redact: false })).keys()]).toEqual(names)
  const plain = await stories(40, { redactEmails: true })
  expect([...plain.keys()]).toEqual(names)
})
