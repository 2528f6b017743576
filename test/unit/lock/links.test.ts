import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { templatesFolder } from '../../../src/config/package-fs.ts'

const { pathOf, read, resolve, write } = await import(`${templatesFolder}lock/links.js`)
const { keysOf, nameOf } = await import(`${templatesFolder}lock/keys.js`)

describe('an address with a query', () => {
  it('moves the query into the fragment, which no host sees, and back', () => {
    expect(write('https://example.com/a/pages/b.html?mark=two words#l7')).toBe(
      'https://example.com/a/pages/b.html#l7?mark=two%20words',
    )
    expect(write('https://example.com/a/?project=shop')).toBe('https://example.com/a/#?project=shop')
    const words = fc.dictionary(fc.string({ minLength: 1 }), fc.string())
    fc.assert(
      fc.property(words, fc.stringMatching(/^[\w.-]{0,12}$/), (query, id) => {
        const url = new URL('https://example.com/a/pages/b.html')
        for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
        url.hash = id
        const written = write(url)
        expect(new URL(written).search).toBe('')
        const again = read(written)
        expect([...again.searchParams]).toEqual([...url.searchParams])
        expect(again.hash).toBe(url.hash)
      }),
    )
  })

  it('stays the same if there is no query', () => {
    expect(write('file:///a/pages/b.html#l7')).toBe('file:///a/pages/b.html#l7')
    expect(read('file:///a/pages/b.html#l7').href).toBe('file:///a/pages/b.html#l7')
    expect(read('file:///a/index.html').href).toBe('file:///a/index.html')
  })
})

describe('a link of a page', () => {
  const from = 'sessions/abc/index.html'

  it.each([
    ['2.html#l9', 'sessions/abc/2.html'],
    ['../../index.html', 'index.html'],
    ['../../', 'index.html'],
    ['../../../../etc/passwd', 'etc/passwd'],
    ['../d%20e/f.md?x=1', 'sessions/d e/f.md'],
    ['/', 'index.html'],
  ])('is relative to that page: %s', (href, path) => {
    expect(pathOf(from, href)).toBe(path)
  })

  it.each(['https://example.com/', '//example.com/a', 'mailto:sam@example.com', '%E0%A4%A', '//[', 'javascript:0'])(
    'leads to no file of the site: %s',
    (href) => {
      expect(pathOf(from, href)).toBeUndefined()
    },
  )

  it('becomes the keyed name of its path, with the query after the anchor', async () => {
    const keys = await keysOf(new Uint8Array(32).fill(7))
    const site = { path: from, keys, base: 'https://example.com/a/' }
    const name = await nameOf(keys, 'sessions/abc/2.html')
    expect(name).toMatch(/^[0-9a-f]{32}$/)
    expect(await resolve(site, '2.html?mark=x#l9')).toBe(`https://example.com/a/pages/${name}.html#l9?mark=x`)
    expect(await resolve(site, '../../index.html')).toBe('https://example.com/a/index.html')
    expect(await resolve(site, 'https://example.com/')).toBeUndefined()
  })
})
