import { describe, expect, it } from 'vitest'
import { commitUrl } from '../../../src/render/pages/commits.ts'
import type { MadeReference } from '../../../src/transcript/summary.ts'
import { acrossSite, type SessionFacts, textOf } from '../../helpers/cross-session.ts'
import { threadNumber } from '../../helpers/summary.ts'
import { tagsNamed } from '../../helpers/tags.ts'

const page = 'commits/index.html'
const hash = 'abcdef1234567890'
const at = (hour: number): string => new Date(Date.UTC(2026, 2, 14, hour)).toISOString()
const commit = (fields: Partial<MadeReference> = {}): MadeReference => ({
  kind: 'commit',
  target: hash,
  label: 'Oil the gate',
  turn: 2,
  page: 1,
  anchor: 'l9',
  ...fields,
})
const request = (target: string, fields: Partial<MadeReference> = {}): MadeReference =>
  commit({ kind: 'pullRequest', target, label: 'shop/web#7', ...fields })
const hrefs = (html = ''): string[] => tagsNamed(html, 'a').flatMap(({ attributes }) => attributes['href'] ?? [])

describe('the pages of commits and pull requests', () => {
  it('do not exist if no session made any, and nothing links to them', async () => {
    const files = await acrossSite([{ detail: { made: [] } }])
    expect([...files.keys()].filter((path) => path.startsWith('commits/'))).toEqual([])
    expect(hrefs(files.get('index.html'))).not.toContain(page)
  })

  it('list them with the session and turn that made them, newest first, with links to both', async () => {
    const url = 'https://github.com/shop/web/pull/7'
    const made: SessionFacts[] = [
      {
        summary: { title: 'Older', commits: 1, pages: 3 },
        detail: { made: [commit({ at: at(1), page: 2 })], remote: 'git@github.com:ada/garden.git' },
      },
      { summary: { title: 'Newer', pullRequests: 1 }, detail: { made: [request(url, { at: at(2), turn: 0 })] } },
    ]
    const files = await acrossSite(made)
    expect(textOf(files, page)).toMatch(
      /1 commit · 1 pull request[\s\S]*2026-03-14 02:00\s*shop\/web#7\s*garden · Newer\s*#7[\s\S]*2026-03-14 01:00\s*Oil the gate\s*garden · turn 2 · Older\s*abcdef1234\b/,
    )
    const links = hrefs(files.get(page))
    expect(links).toContain(`../sessions/${threadNumber(1)}/2.html#l9`)
    expect(links).toContain(`https://github.com/ada/garden/commit/${hash}`)
    expect(links).toContain(url)
    expect(hrefs(files.get('index.html'))).toContain(page)
  })

  it('do not link a host that may be private', async () => {
    const made = [commit(), request('https://git.corp.example/shop/web/pull/7'), request('https://10.0.0.1/a/b/pull/8')]
    const session = {
      summary: { commits: 1, pullRequests: 2 },
      detail: { made, remote: 'git@git.corp.example:a/b.git' },
    }
    const files = await acrossSite([session])
    expect(hrefs(files.get(page)).filter((href) => href.startsWith('http'))).toEqual([])
    for (const name of ['abcdef1234', '#7', '#8']) expect(textOf(files, page)).toContain(name)
  })

  it('continue over several pages, and say how many are not listed', async () => {
    const made = Array.from({ length: 160 }, (_, index) =>
      commit({ target: `${hash}${index + 100}`, at: at(index % 24) }),
    )
    const files = await acrossSite([{ summary: { commits: 170 }, detail: { made } }])
    const pages = [page, 'commits/2.html'].map((path) => hrefs(files.get(path)).filter((href) => href.includes('#l9')))
    expect(pages.map(({ length }) => length)).toEqual([150, 10])
    expect(textOf(files, page)).toContain('170 commits')
    expect(textOf(files, 'commits/2.html')).toContain('10 more of very long sessions are not listed.')
  })

  it('keep the output of a command as text', async () => {
    const label = '<img src=x onerror=alert(1)>'
    const target = 'javascript:alert(1)//x/pull/1'
    const files = await acrossSite([{ detail: { made: [commit({ label }), request(target, { label })] } }])
    expect(tagsNamed(files.get(page) ?? '', 'img')).toEqual([])
    expect(hrefs(files.get(page)).filter((href) => /script/i.test(href))).toEqual([])
  })
})

describe('the address of a commit', () => {
  const onGitHub = `https://github.com/ada/garden/commit/${hash}`
  it.each([
    ['https://github.com/ada/garden.git', onGitHub],
    ['https://github.com/ada/garden/', onGitHub],
    ['https://ada:secret@github.com/ada/garden', onGitHub],
    ['http://www.GitHub.com/ada/garden', onGitHub],
    ['git@github.com:ada/garden.git', onGitHub],
    ['org-7@github.com:ada/garden.git', onGitHub],
    ['github.com:ada/garden', onGitHub],
    ['ssh://git@github.com:22/ada/garden.git', onGitHub],
    ['ssh://git@ssh.github.com:443/ada/garden.git', onGitHub],
    ['git://github.com/ada/garden.git', onGitHub],
    ['https://github.com/ada/.github', `https://github.com/ada/.github/commit/${hash}`],
    ['git@gitlab.com:group/sub/garden.git', `https://gitlab.com/group/sub/garden/-/commit/${hash}`],
    ['git@bitbucket.org:ada/garden.git', `https://bitbucket.org/ada/garden/commits/${hash}`],
    ['https://codeberg.org/ada/garden.git', `https://codeberg.org/ada/garden/commit/${hash}`],
    ['git@git.sr.ht:~ada/garden', `https://git.sr.ht/~ada/garden/commit/${hash}`],
  ])('is known for %s', (remote, expected) => {
    expect(commitUrl(remote, hash)).toBe(expected)
  })

  it.each([
    undefined,
    '',
    '/srv/git/b.git',
    'C:\\git\\b.git',
    'file:///srv/git/b.git',
    'javascript:alert(1)//x/y',
    'https://git.corp.example/a/b.git',
    'git@intern:a/b.git',
    'https://github.com.evil.example/a/b',
    'https://evil.example/github.com/a/b',
    'https://github.com/garden',
    'https://github.com/a/../b',
    'https://github.com/a/b?x=<y>',
    'https://constructor/a/b',
  ])('is unknown for %s', (remote) => {
    expect(commitUrl(remote, hash)).toBeUndefined()
  })

  it.each(['abc', 'HEAD', `${hash}"`, `${hash}/../x`])('is unknown for the hash %s', (odd) => {
    expect(commitUrl('https://github.com/ada/garden', odd)).toBeUndefined()
  })
})
