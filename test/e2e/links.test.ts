/** Every link of the built site, followed on disk: the file exists, and so does the anchor. */
import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { twinLinks } from '../helpers/twin-links.ts'
import { demoFiles, readDemo } from './demo.ts'

const files = new Set(demoFiles())
const pages = [...files].filter((path) => path.endsWith('.html'))

/** Values of an attribute in the tags of a page, with entities decoded. */
function attributes(html: string, name: string): string[] {
  const tags = html.match(/<[a-z][^<>]*>/gi) ?? []
  return tags.flatMap((tag) => {
    const value = tag.match(new RegExp(`\\s${name}="([^"]*)"`))?.[1]
    if (value === undefined) return []
    const character = (code: string) => String.fromCodePoint(Number.parseInt(code, 16))
    return [value.replace(/&#x([0-9a-f]+);/gi, (_, code) => character(code)).replaceAll('&amp;', '&')]
  })
}

const anchors = new Map(pages.map((path) => [path, new Set(attributes(readDemo(path), 'id'))]))

/** What is wrong with a link on `page`; `undefined` if it leads to an existing place or out of the site. */
function fault(page: string, link: string): string | undefined {
  if (/^(?:https?:|mailto:|data:)/.test(link)) return undefined
  const [path = '', anchor = ''] = link.split('#', 2)
  if (path.startsWith('/')) return 'is not relative'
  const target = path === '' ? page : posix.join(posix.dirname(page), decodeURI(path))
  if (!files.has(target)) return 'leads to no file'
  if (anchor === '' || !target.endsWith('.html')) return undefined
  return anchors.get(target)?.has(decodeURIComponent(anchor)) ? undefined : 'leads to no anchor'
}

describe('the links of the demo site', () => {
  it('lead to an existing place in Markdown twins', () => {
    const { dead, count } = twinLinks(new Map(demoFiles().map((path) => [path, readDemo(path)])))
    expect(dead).toEqual([])
    expect(count).toBeGreaterThan(3)
  })

  it('are on more than thirty pages', () => {
    expect(pages.length).toBeGreaterThan(30)
  })

  it.each(pages)('lead to an existing place: %s', (page) => {
    const html = readDemo(page)
    const links = [...attributes(html, 'href'), ...attributes(html, 'src')]
    const faults = links.flatMap((link) => fault(page, link)?.replace(/^/, `${link} `) ?? [])
    expect(faults).toEqual([])
  })

  it.each(pages)('have unique anchors: %s', (page) => {
    const ids = attributes(readDemo(page), 'id')
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

  it('reach every session page from the index', () => {
    const seen = new Set<string>()
    const queue = ['index.html']
    for (let page = queue.pop(); page !== undefined; page = queue.pop()) {
      if (seen.has(page) || !page.endsWith('.html')) continue
      seen.add(page)
      for (const link of attributes(readDemo(page), 'href')) {
        const path = link.split('#')[0] ?? ''
        if (path !== '' && fault(page, path) === undefined && !/^[a-z]+:/.test(path)) {
          queue.push(posix.join(posix.dirname(page), decodeURI(path)))
        }
      }
    }
    expect(pages.filter((page) => page.startsWith('sessions/') && !seen.has(page))).toEqual([])
  })
})
