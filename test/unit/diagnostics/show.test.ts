import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { UsageError } from '../../../src/diagnostics/errors.ts'
import * as r from '../../helpers/records.ts'
import { showFrom, writeHome } from '../../helpers/show.ts'
import { threadNumber } from '../../helpers/summary.ts'
import { parseTags, tagsNamed } from '../../helpers/tags.ts'
import { useTempDir } from '../../helpers/temp.ts'

const [root, child, grandchild, other] = [1, 2, 3, 4].map(threadNumber) as [string, string, string, string]

const said = (text: string): r.Json[] => [r.userItem(text), r.userEvent(text)]
const answered = (text: string): r.Json[] => [r.answerEvent(text), r.answerItem(text)]

function thread(id: string, prompt: string, fields: r.Json = {}): r.Json[] {
  return [
    r.meta({ id, timestamp: r.instant(0), cwd: '/home/ada/garden', ...fields }),
    ...said(prompt),
    ...answered(`Done: ${prompt}`),
  ]
}

const startedBy = (parent: string): r.Json => ({
  source: { subagent: { thread_spawn: { parent_thread_id: parent, depth: 1 } } },
})

/** A session with a sub-agent that has one of its own, and an unrelated session. */
function family(): string {
  return writeHome(useTempDir(), {
    [root]: thread(root, 'Mend the gate'),
    [child]: thread(child, 'Oil the hinge', startedBy(root)),
    [grandchild]: thread(grandchild, 'Find the oil', startedBy(child)),
    [other]: thread(other, 'Paint the fence'),
  })
}

/** The markup of a page without the content of its style sheet and script, which is no HTML. */
function markup(html: string): string {
  return html.replace(/(<(?:style|script)>).*?(<\/(?:style|script)>)/gs, '$1$2')
}

const ids = (html: string) => parseTags(markup(html)).tags.flatMap(({ attributes: { id } }) => id ?? [])

describe('a standalone page', () => {
  test('contains its style sheet and script, and allows nothing else but those by their hashes', async () => {
    const { text } = await showFrom(family(), root, { format: 'html' })
    const policy = tagsNamed(markup(text), 'meta').find(({ attributes }) => attributes['http-equiv'] !== undefined)
    const hash = (name: string) => {
      const [, content = ''] = new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(text) ?? []
      expect(content.length).toBeGreaterThan(1000)
      return `${name}-src 'sha256-${createHash('sha256').update(content).digest('base64')}'`
    }
    expect(policy?.attributes['content']?.split('; ')).toEqual([
      "default-src 'none'",
      hash('style'),
      hash('script'),
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
    ])
  })

  test('neither loads nor links another file', async () => {
    const { text } = await showFrom(family(), root, { format: 'html', withAgents: true })
    const { tags } = parseTags(markup(text))
    expect(
      tags.filter(({ attributes }) => attributes['src'] !== undefined || attributes['style'] !== undefined),
    ).toEqual([])
    const links = tags.map(({ attributes: { href } }) => href).filter((href) => href !== undefined)
    expect(links.filter((href) => !href.startsWith('#'))).toEqual([])
    const missing = links.filter((href) => !ids(text).includes(href.slice(1)))
    expect(missing).toEqual([])
  })

  test('is written in pieces, with the turns separate from what surrounds them', async () => {
    const { pieces, text } = await showFrom(family(), root, { format: 'html' })
    expect(pieces).toHaveLength(3)
    expect(pieces[1]).toMatch(/^<section id="[^"]+" class="turn"/)
    expect(text).not.toContain('<!--')
  })

  test('shows markup in a transcript as text', async () => {
    const home = writeHome(useTempDir(), { [root]: thread(root, 'Write <!--body 0--> and </script><b>x</b>') })
    const { text } = await showFrom(home, root, { format: 'html' })
    expect(parseTags(markup(text)).text).toContain('Write <!--body 0--> and </script><b>x</b>')
  })
})

describe('sub-agents', () => {
  test.each(['md', 'text', 'html'] as const)(
    'come after their session as %s, including those of sub-agents',
    async (format) => {
      const home = family()
      const alone = await showFrom(home, root, { format })
      expect(alone.text).not.toContain('Oil the hinge')
      const { text } = await showFrom(home, root, { format, withAgents: true })
      const places = ['Done: Mend the gate', 'Done: Oil the hinge', 'Done: Find the oil'].map((words) =>
        text.indexOf(words),
      )
      expect(places[0]).toBeGreaterThan(0)
      expect(places).toEqual([...places].sort((a, b) => a - b))
      expect(text).not.toContain('Paint the fence')
    },
  )

  test('have their own ids on a page, and the outline lists them', async () => {
    const { text } = await showFrom(family(), root, { format: 'html', withAgents: true })
    const all = ids(text)
    expect(all.filter((id, index) => all.indexOf(id) !== index)).toEqual([])
    expect(all.filter((id) => id === child || id === grandchild)).toEqual([child, grandchild])
    const links = tagsNamed(markup(text), 'a').map(({ attributes }) => attributes['href'])
    expect(links).toEqual(expect.arrayContaining([`#${child}`, `#${grandchild}`, '#l2', `#${child}-l2`]))
  })

  test('are articles with their titles as names, because there are several first turns, which are no landmarks', async () => {
    const { text } = await showFrom(family(), root, { format: 'html', withAgents: true })
    const articles = tagsNamed(markup(text), 'article').filter(({ attributes }) => attributes['class'] === 'agent')
    const titles = [`${child}-title`, `${grandchild}-title`]
    expect(articles.map(({ attributes }) => attributes['aria-labelledby'])).toEqual(titles)
    expect(ids(text)).toEqual(expect.arrayContaining(titles))
    const turns = tagsNamed(markup(text), 'section')
    expect(turns).toHaveLength(3)
    expect(turns.filter(({ attributes }) => 'aria-label' in attributes || 'aria-labelledby' in attributes)).toEqual([])
  })

  test('appear once each if files name each other in a circle', async () => {
    const home = writeHome(useTempDir(), {
      [root]: thread(root, 'Mend the gate', startedBy(child)),
      [child]: thread(child, 'Oil the hinge', startedBy(root)),
    })
    const { text } = await showFrom(home, root, { withAgents: true })
    expect(text.match(/^# /gm)).toHaveLength(2)
  })

  test('are found in the homes if the rollout was named by its path', async () => {
    const home = family()
    const path = join(home, 'sessions/2026/03/14', `rollout-2026-03-14T09-00-00-${root}.jsonl`)
    expect((await showFrom(home, path, { withAgents: true })).text).toContain('Done: Find the oil')
  })

  test('are rejected for a tree, which has one thread', async () => {
    const attempt = async () => showFrom(family(), root, { withAgents: true, format: 'json' })
    await expect(attempt).rejects.toThrow(UsageError)
  })
})

describe('pictures of a standalone page', () => {
  const picture = r.item({
    type: 'message',
    role: 'user',
    content: [
      { type: 'input_text', text: 'Look' },
      { type: 'input_image', image_url: r.pixelUrl },
    ],
  })
  const size = Buffer.from(r.pixel, 'base64').length
  const page = (count: number, maxInline: number) =>
    showFrom(writeHome(useTempDir(), { [root]: [r.meta({ id: root }), ...Array(count).fill(picture)] }), root, {
      format: 'html',
      maxInline,
    })

  test('are embedded in it', async () => {
    const { text } = await page(2, 10_000)
    const sources = tagsNamed(markup(text), 'img').map(({ attributes }) => attributes['src'])
    expect(sources).toEqual([r.pixelUrl, r.pixelUrl])
    expect(text).not.toContain('left out')
    // Once each, because a link to the picture would contain it a second time.
    expect(text.split(r.pixel)).toHaveLength(3)
  })

  test('that exceed the limit are replaced by their size and hash, and counted in the receipt', async () => {
    const { text } = await page(3, 2 * size)
    expect(tagsNamed(markup(text), 'img')).toHaveLength(2)
    const hash = createHash('sha256').update(Buffer.from(r.pixel, 'base64')).digest('hex').slice(0, 32)
    const { text: words } = parseTags(markup(text))
    expect(words).toContain(`${size} bytes · left out of this file, SHA-256 begins with ${hash}`)
    expect(words).toContain('Left out: 1 picture.')
  })

  test('are all left out if the limit is 0', async () => {
    expect((await page(1, 0)).text).not.toContain('<img')
  })
})

describe('an ambiguous or partial target', () => {
  const pick = (target: string | undefined, fields = {}) => showFrom(family(), target, fields)

  test('lists all sessions that match, newest first, if nobody can be asked', async () => {
    const attempt = async () => pick('0199')
    await expect(attempt).rejects.toThrow(UsageError)
    await expect(attempt).rejects.toThrow(
      /^4 sessions match the id `0199`:\n {2}01990000-\S+4 · 2026-03-14 09:00 · garden · Paint/,
    )
  })

  test('lets the user choose if somebody can answer', async () => {
    const asked: unknown[] = []
    const { text } = await pick('0199', {
      choose: async (heading: string, candidates: { id: string; title: string }[]) => {
        asked.push(heading, ...candidates.map(({ title }) => title))
        return child
      },
    })
    expect(text).toContain('Done: Oil the hinge')
    expect(asked[0]).toBe('4 sessions match the id `0199`:')
    expect([...asked].sort()).toEqual(expect.arrayContaining(['Find the oil', 'Mend the gate', 'Oil the hinge']))
  })

  test('may be the only session of a project', async () => {
    const home = writeHome(useTempDir(), {
      [root]: thread(root, 'Mend the gate'),
      [other]: thread(other, 'Paint the fence', { cwd: '/home/ada/kitchen' }),
    })
    expect((await showFrom(home, undefined, { projects: ['KITCHEN'] })).text).toContain('Done: Paint the fence')
    await expect(showFrom(home, undefined, { projects: ['attic'] })).rejects.toThrow(
      'No session matches the project `attic`',
    )
    await expect(showFrom(home, root, { projects: ['kitchen'] })).rejects.toThrow(UsageError)
  })

  test('that matches nothing is reported with the places that were searched', async () => {
    await expect(pick('feed')).rejects.toThrow(/No thread id starts with `feed`.*Looked in /)
  })
})
