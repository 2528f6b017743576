import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { feedFile } from '../../../src/render/pages/feed.ts'
import type { SessionSummary } from '../../../src/transcript/summary.ts'
import { siteInfo } from '../../helpers/render.ts'
import { summary, threadNumber } from '../../helpers/summary.ts'
import { type Parsed, parseTags } from '../../helpers/tags.ts'

const url = 'https://example.org/logs/'

/** Reads a feed strictly: in XML, a slash closes an empty element. */
function read(sessions: SessionSummary[], fields = {}): Parsed & { source: string } {
  const source = feedFile(sessions, siteInfo({ siteUrl: url, ...fields }), url)
  const [head, ...rest] = source.split('\n')
  expect(head).toBe('<?xml version="1.0" encoding="utf-8"?>')
  const markup = rest.join('\n').replace(/(<link [^>]*)\/>/g, '$1>')
  return { ...parseTags(markup.replace(/(<category [^>]*)\/>/g, '$1></category>')), source }
}

/** The texts between the tags of an element. */
function texts(source: string, name: string): string[] {
  return [...source.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map(([, text = '']) => text)
}

const at = (hour: number) => new Date(Date.UTC(2026, 2, 14, hour)).toISOString()

describe('the feed', () => {
  it('has the sessions with the latest activity, newest first, at most fifty', () => {
    const sessions = Array.from({ length: 60 }, (_, index) =>
      summary({ threadId: threadNumber(index), title: `Gate ${index}`, startedAt: at(0), endedAt: at(index) }),
    )
    const { source } = read(sessions)
    const titles = texts(source, 'title').slice(1)
    expect(titles).toHaveLength(50)
    expect(titles.slice(0, 2)).toEqual(['Gate 59', 'Gate 58'])
    expect(texts(source, 'updated')).toEqual([at(59), ...Array.from({ length: 50 }, (_, index) => at(59 - index))])
  })

  it('gives entries ids from their threads, independent of titles and address', () => {
    const one = summary({ threadId: threadNumber(7), endedAt: at(1) })
    const odd = summary({ threadId: 'not a uuid', endedAt: at(0) })
    const ids = texts(read([one, odd]).source, 'id')
    expect(ids[1]).toBe(`urn:uuid:${threadNumber(7)}`)
    expect(ids[2]).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(new Set(ids).size).toBe(3)
    const other = feedFile([{ ...one, title: 'Other' }, odd], siteInfo(), 'https://example.com/')
    expect(texts(other, 'id').slice(1)).toEqual(ids.slice(1))
  })

  it('sums up a session by the beginning of its last answer, or else by its first prompt', () => {
    const one = summary({ threadId: threadNumber(1), endedAt: at(1), firstPrompt: 'It squeaks.' })
    expect(texts(read([one]).source, 'summary')).toEqual(['It squeaks.'])
    expect(texts(read([{ ...one, subtitle: 'The hinge is oiled.' }]).source, 'summary')).toEqual([
      'The hinge is oiled.',
    ])
  })

  it('has only absolute links to its own site', () => {
    const title = 'javascript:alert(1) https://evil.example/'
    const { tags } = read([summary({ threadId: threadNumber(1), title, firstPrompt: title, endedAt: at(1) })])
    const links = tags.filter(({ name }) => name === 'link').map(({ attributes }) => attributes['href'])
    expect(links).toEqual([`${url}feed.xml`, `${url}index.html`, `${url}sessions/${threadNumber(1)}/index.html`])
  })

  it('has no entry for a session without a time, and is valid without entries', () => {
    const { source, tags } = read([summary({ threadId: threadNumber(1) })])
    expect(tags.filter(({ name }) => name === 'entry')).toEqual([])
    expect(texts(source, 'updated')).toEqual(['1970-01-01T00:00:00Z'])
    expect(source).toBe(feedFile([], siteInfo({ siteUrl: url }), url))
  })

  it('stays well-formed, whatever a session says', () => {
    const text = fc.oneof(
      fc.string({ unit: fc.nat(0x10ffff).map((code) => String.fromCodePoint(code)), maxLength: 20 }),
      fc.constantFrom('</title><script>', '\uD800', '\uFFFE', '\0\x1b[31m', ']]>', '&amp;'),
    )
    fc.assert(
      fc.property(text, text, text, (title, firstPrompt, name) => {
        const project = { slug: 'garden-000000', name }
        const { source, tags } = read([
          summary({ threadId: threadNumber(1), title, firstPrompt, project, endedAt: at(1) }),
        ])
        expect(tags.filter((tag) => tag.name === 'entry')).toHaveLength(1)
        expect(source).not.toMatch(/\p{Surrogate}/u)
        expect(source).not.toMatch(/[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/)
      }),
    )
  })
})
