/** A site with an address: every address in its feed, sitemap, robots.txt and pages is one of its own files. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../helpers/cli.ts'
import { shareTempDir } from '../helpers/temp.ts'

const base = 'https://sessions.example.com/archive/'
const folder = shareTempDir()
const site = join(folder, 'site')
const read = (path: string): string => readFileSync(join(site, path), 'utf8')
let files = new Set<string>()

beforeAll(async () => {
  const places = ['--out', site, '--cache', join(folder, 'cache')]
  const run = await runCli(['build', ...places, '--project', 'handbook', '--no-search', '--site-url', base])
  if (run.status !== 0) throw new Error(run.stderr)
  const entries = readdirSync(site, { recursive: true, encoding: 'utf8' })
  files = new Set(entries.map((path) => path.replaceAll('\\', '/')))
})

/** Addresses of the site in a text, as paths. */
function named(text: string): string[] {
  const addresses = text.match(/https:\/\/sessions\.example\.com\/archive\/[^\s"'<>)]*/g) ?? []
  return addresses.map((address) => decodeURI(address.slice(base.length).replace(/#.*/, '')))
}

describe('a site with an address', () => {
  it.each(['feed.xml', 'sitemap.xml', 'robots.txt', 'llms.txt'])('names only its own files in %s', (path) => {
    const paths = named(read(path))
    expect(paths.length).toBeGreaterThan(0)
    expect(paths.filter((target) => target !== '' && !files.has(target))).toEqual([])
  })

  it('names on each page its own address', () => {
    const pages = [...files].filter((path) => path.endsWith('.html') && path !== '404.html')
    expect(pages.length).toBeGreaterThan(20)
    const own = pages.map((path) => /<link rel="canonical" href="([^"]*)">/.exec(read(path))?.[1])
    expect(own).toEqual(pages.map((path) => base + path))
  })

  it('lists every page of a transcript in the sitemap', () => {
    const sessions = [...files].filter((path) => /^sessions\/[^/]+\/(?:index|\d+)\.html$/.test(path))
    const listed = new Set(named(read('sitemap.xml')))
    expect(sessions.filter((path) => !listed.has(path))).toEqual([])
  })
})
