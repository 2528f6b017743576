import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { FileTouch } from '../../../src/transcript/summary.ts'
import { fileAnchor } from '../../../src/transcript/urls.ts'
import { acrossSite, type SessionFacts, textOf } from '../../helpers/cross-session.ts'
import { threadNumber, touch } from '../../helpers/summary.ts'
import { parseTags, tagsNamed } from '../../helpers/tags.ts'

const page = 'files/garden-000000/index.html'
const at = (hour: number, day = 14): string => new Date(Date.UTC(2026, 2, day, hour)).toISOString()

const hrefs = (html = ''): string[] => tagsNamed(html, 'a').flatMap(({ attributes }) => attributes['href'] ?? [])
const ids = (html = ''): string[] =>
  parseTags(html).tags.flatMap(({ name, attributes }) => (name === 'details' ? (attributes['id'] ?? []) : []))

it('lines of paths and names of projects may break after slashes', async () => {
  const project = { slug: 'garden-000000', name: 'git.example.com/ada/garden' }
  const files = await acrossSite([
    {
      summary: { project, branch: 'topic/gate' },
      detail: { touches: [touch('src/gate/hinge.ts'), touch('C:\\a.ts')] },
    },
  ])
  const name = 'git.example.com/<wbr>ada/<wbr>garden'
  expect(files.get('index.html')).toContain(`${name}\u00A0· topic/<wbr>gate<`)
  for (const path of ['index.html', 'projects/index.html', 'files/index.html']) expect(files.get(path)).toContain(name)
  expect(files.get('files/index.html')).toContain('<code class="t">src/<wbr>gate/<wbr>hinge.ts</code>')
  expect(files.get('files/index.html')).toContain('<code class="t">C:\\<wbr>a.ts</code>')
  expect(files.get(page)).toContain('<h2>src/<wbr>gate/</h2>')
})

describe('the files of a project', () => {
  it('show who changed them, when and why, newest first, with links to the place', async () => {
    const files = await acrossSite([
      {
        summary: { title: 'Older', startedAt: at(1) },
        detail: {
          touches: [touch('src/gate.ts', { at: at(1), page: 2, anchor: 'l70' })],
          prompts: { 1: 'Oil the gate' },
        },
      },
      {
        summary: { title: 'Newer', startedAt: at(5) },
        detail: { touches: [touch('src/gate.ts', { at: at(6), turn: 3, added: 4, removed: 0 })] },
      },
    ])
    const text = textOf(files, page)
    const order = ['2 turns', '2026-03-14 06:00', 'Newer', 'Turn 3']
    const older = ['2026-03-14 01:00', 'Older', 'Turn 1 · “Oil the gate”']
    const places = [...order, ...older].map((word) => text.indexOf(word))
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(places[0]).toBeGreaterThan(0)
    expect(hrefs(files.get(page))).toContain(`../../sessions/${threadNumber(1)}/2.html#l70`)
    expect(ids(files.get(page))).toEqual([fileAnchor('src/gate.ts')])
  })

  it('show several changes in one turn in one row, which links to the last', async () => {
    const touches = [
      touch('a.ts', { operation: 'add', added: 9, removed: 0, anchor: 'l3' }),
      touch('a.ts', { added: 1, removed: 2, anchor: 'l5' }),
    ]
    const files = await acrossSite([{ detail: { touches } }])
    expect(textOf(files, page)).toMatch(/1 turn\+10 −2\s+Mend the garden gateadded\+10 −2/)
    expect(hrefs(files.get(page)).filter((href) => href.includes('#l'))).toEqual([
      `../../sessions/${threadNumber(1)}/index.html#l5`,
    ])
  })

  it('show a moved file under both names', async () => {
    const files = await acrossSite([
      { detail: { touches: [touch('old.ts', { operation: 'move', movedTo: 'new.ts', added: 2, removed: 0 })] } },
    ])
    const text = textOf(files, page)
    expect(text).toContain('moved to new.ts')
    expect(text).toContain('moved from old.ts')
    expect(ids(files.get(page))).toEqual([fileAnchor('new.ts'), fileAnchor('old.ts')])
  })

  it('count a moved file once, and a new file under its old name again', async () => {
    const move = touch('old.ts', { operation: 'move', movedTo: 'new.ts' })
    const expectCount = async (touches: FileTouch[], amount: string): Promise<void> => {
      const files = await acrossSite([{ detail: { touches } }])
      expect(textOf(files, page)).toContain(`${amount} changed in 1 session`)
      expect(textOf(files, 'files/index.html')).toContain(`Edits changed ${amount} in 1 project.`)
    }
    await expectCount([move], '1 file')
    await expectCount([move, touch('old.ts', { operation: 'add' })], '2 files')
  })

  it('omit failed changes', async () => {
    const failed = await acrossSite([{ detail: { touches: [touch('a.ts', { failed: true })] } }])
    expect([...failed.keys()].filter((path) => path.startsWith('files/'))).toEqual(['files/index.html'])
    expect(textOf(failed, 'files/index.html')).toContain('No session changed a file by an edit.')
    expect(textOf(await acrossSite([{}]), 'files/index.html')).toContain('No edits are shown here.')
  })

  it('are sorted by folder, those of a folder before those of its subfolders', async () => {
    const names = ['src/z.ts', 'src/a/b.ts', 'README.md', 'src/a.ts', 'docs/x.md']
    const files = await acrossSite([{ detail: { touches: names.map((name) => touch(name)) } }])
    expect(ids(files.get(page))).toEqual(
      ['README.md', 'docs/x.md', 'src/a.ts', 'src/z.ts', 'src/a/b.ts'].map((name) => fileAnchor(name)),
    )
    expect(textOf(files, page)).toContain('Top folder')
  })

  it('have one name, whatever folder of the project a session began in', async () => {
    const session = (cwd: string, path: string): SessionFacts => ({
      summary: { cwd },
      detail: { touches: [touch(path)] },
    })
    const files = await acrossSite([
      session('/home/ada/garden', 'web/src/a.ts'),
      session('/home/ada/garden/web', 'src/a.ts'),
      session('/home/ada/garden/web', '/home/ada/garden/README.md'),
      session('/home/ada/garden/.worktrees/x', 'web/src/a.ts'),
      session('/srv/copy', 'web/src/a.ts'),
    ])
    expect(ids(files.get(page))).toEqual([fileAnchor('README.md'), fileAnchor('web/src/a.ts')])
    expect(textOf(files, page)).toContain('4 turns')
  })

  it('are shown with 50 turns each, and the number of the others', async () => {
    const touches = Array.from({ length: 60 }, (_, index) =>
      touch('a.ts', {
        turn: index + 1,
        anchor: `l${index}`,
        at: new Date(Date.UTC(2026, 2, 14, 0, index)).toISOString(),
      }),
    )
    const files = await acrossSite([{ detail: { touches } }])
    const text = textOf(files, page)
    expect(text).toContain('60 turns in 1 session')
    expect(text).toContain('and 10 older turns')
    expect(text).toMatch(/Turn 60\s/)
    expect(text).not.toMatch(/Turn 10\s/)
  })

  it('fill pages of at most 1,000 files and 2,000 turns, which stay small', async () => {
    const touches = (session: number) =>
      Array.from({ length: 2000 }, (_, index) =>
        touch(`packages/p${(index % 1300) % 40}/src/part-${index % 1300}.ts`, {
          turn: 1 + (index % 27),
          anchor: `l${session * 100_000 + index * 7}`,
          at: new Date(Date.UTC(2026, 2, 14, session, 0, index % 3000)).toISOString(),
        }),
      )
    const sessions = Array.from({ length: 3 }, (_, index): SessionFacts => {
      const prompts = Array.from({ length: 27 }, (_, turn) => [turn + 1, `Wish ${index} ${turn * 7919} of the garden`])
      return {
        summary: { startedAt: at(index) },
        detail: { touches: touches(index), prompts: Object.fromEntries(prompts) },
      }
    })
    const files = await acrossSite(sessions)
    const pages = [...files].filter(([path]) => path.startsWith('files/garden'))
    expect(pages.length).toBeGreaterThan(2)
    expect(pages.flatMap(([, html]) => ids(html))).toHaveLength(1300)
    for (const [path, html] of pages) {
      expect(hrefs(html).filter((href) => href.includes('#l')).length, path).toBeLessThanOrEqual(2000)
      expect(gzipSync(html).length, path).toBeLessThan(300_000)
    }
    expect(hrefs(pages[0]?.[1])).toContain('2.html')
    expect(hrefs(pages[1]?.[1])).toEqual(expect.arrayContaining(['index.html', '3.html']))
  })

  it('keep hostile names, titles and prompts as text', async () => {
    const hostile = '"><script>alert(1)</script><b title=\'x'
    const files = await acrossSite([
      {
        summary: { title: hostile, project: { slug: 'garden-000000', name: hostile } },
        detail: { touches: [touch(`${hostile}/a`)], prompts: { 1: hostile } },
      },
    ])
    for (const [path, html] of files) {
      const scripts = tagsNamed(html, 'script').filter(({ attributes }) => attributes['src'] === undefined)
      expect(scripts, path).toEqual([])
    }
    expect(textOf(files, page)).toContain(hostile)
  })

  it('include the number of changes that are not listed', async () => {
    const omitted = { touches: 12, failures: 0, programs: { runs: 0, failed: 0, durationMs: 0 } }
    const files = await acrossSite([{ detail: { touches: [touch('a.ts')], omitted } }])
    expect(textOf(files, page)).toContain('12 older changes of very long sessions are not listed.')
  })
})

describe('the page of the files of all projects', () => {
  it('lists the files with the most turns and the latest changes, after their projects', async () => {
    const project = (name: string) => ({ slug: `${name}-0`, name })
    const files = await acrossSite([
      {
        summary: { project: project('early'), startedAt: at(9) },
        detail: { touches: [touch('a', { at: at(1) }), touch('a', { at: at(1), turn: 2 })] },
      },
      {
        summary: { project: project('late'), startedAt: at(2) },
        detail: { touches: [touch('a', { at: at(2) }), touch('b', { at: at(3, 15) })] },
      },
      { summary: { project: project('talk'), startedAt: at(3) } },
    ])
    const text = textOf(files, 'files/index.html')
    const squeezed = text.replace(/\s+/g, ' ')
    expect(squeezed).toContain('Edits changed 3 files in 2 projects. Files that only commands wrote are not listed.')
    expect(squeezed).toContain('By project late 2 early 1')
    expect(squeezed).toContain('Most changed 2026-03-14aearly2 turns+2 −2')
    expect(squeezed).toMatch(/Latest 2026-03-15blate1 turn\+1 −1 2026-03-14alate1 turn\+1 −1 2026-03-14aearly/)
    expect(text).not.toContain('talk')
    const links = hrefs(files.get('files/index.html'))
    expect(links).toContain('late-0/index.html')
    expect(links).toContain(`late-0/index.html#${fileAnchor('b')}`)
  })
})

describe('the page of a project', () => {
  it('links to the files that most turns touched', async () => {
    const touches = [touch('a.ts'), touch('b.ts'), touch('b.ts', { turn: 2 })]
    const files = await acrossSite([{ detail: { touches } }])
    const links = hrefs(files.get('projects/garden-000000/index.html'))
    expect(links.filter((href) => href.includes('/files/garden'))).toEqual([
      `../../files/garden-000000/index.html#${fileAnchor('b.ts')}`,
      `../../files/garden-000000/index.html#${fileAnchor('a.ts')}`,
    ])
  })

  it('links to all files only if it does not name them all', async () => {
    const touches = Array.from({ length: 13 }, (_, index) => touch(`${index}.ts`))
    const files = await acrossSite([{ detail: { touches } }])
    expect(files.get('projects/garden-000000/index.html')).toContain('>All 13 files</a>')
  })
})
