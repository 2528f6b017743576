import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commandCollector, joinedCommands } from '../../../src/render/pages/command-runs.ts'
import type { CommandRuns } from '../../../src/transcript/summary.ts'
import { programAnchor } from '../../../src/transcript/urls.ts'
import { acrossSite, type SessionFacts, textOf } from '../../helpers/cross-session.ts'
import { detail, failure, summary, threadNumber } from '../../helpers/summary.ts'
import { tagsNamed } from '../../helpers/tags.ts'

const page = 'failures/index.html'
const runs = (count: number, failed = 0): CommandRuns => ({ runs: count, failed, durationMs: 0 })
const nothing = { touches: 0, failures: 0, programs: runs(0) }
const at = (minute: number): string => new Date(Date.UTC(2026, 2, 14, 9, minute)).toISOString()
/** A session with one failure in each of this many projects. */
const failingProjects = (count: number): SessionFacts[] =>
  Array.from({ length: count }, (_, index) => ({
    summary: { project: { slug: `p${index}-000000`, name: `p${index}` } },
    detail: { programs: { npm: runs(3, 3) }, failures: [failure('npm test', { at: at(index) })] },
  }))
const hrefs = (html = ''): string[] => tagsNamed(html, 'a').flatMap(({ attributes }) => attributes['href'] ?? [])

describe('the page of failed commands', () => {
  it('groups them by program, most failures first, with the share of runs', async () => {
    const files = await acrossSite([
      {
        summary: { title: 'Mend the gate', failuresLeft: 2 },
        detail: {
          programs: { npm: runs(10, 1), make: runs(4, 2), ls: runs(86) },
          failures: [
            failure('npm test', { at: at(1), exitCode: 7 }),
            failure('make all', { at: at(2), page: 3, anchor: 'l99' }),
          ],
        },
      },
    ])
    const text = textOf(files, page)
    expect(text).toContain('3 of 100 commands failed, 3\u00A0%; 2 were not fixed.')
    expect(text).toMatch(/make 2 of 4 runs failed, 50\u00A0%[\s\S]*npm 1 of 10 runs failed, 10\u00A0%/)
    expect(text).toMatch(/2026-03-14 09:01\s*npm test\s*garden · Mend the gate\s*exit 7/)
    expect(hrefs(files.get(page))).toContain(`../sessions/${threadNumber(1)}/3.html#l99`)
    expect(hrefs(files.get(page))).toContain(`#${programAnchor('make')}`)
    // Programs are headings, but no landmarks.
    const named = tagsNamed(files.get(page) ?? '', 'section').map(({ attributes }) => attributes['aria-labelledby'])
    expect(named).toEqual([undefined, undefined, undefined, undefined])
  })

  it('names the session next to the last part of a long project name', async () => {
    const name = 'git.example.com/ada/garden'
    const files = await acrossSite([
      {
        summary: { title: 'Mend the gate', project: { slug: 'garden-000000', name } },
        detail: { programs: { npm: runs(10, 1) }, failures: [failure('npm test', { at: at(1) })] },
      },
    ])
    expect(textOf(files, page)).toMatch(/npm test\s*garden · Mend the gate\s*exit/)
    expect(textOf(files, page)).toContain(name)
  })

  it.each([
    {
      parts: 'first',
      names: [
        'git.example.com/ada/garden',
        'old.example.com/ada/garden',
        'ada/gate',
        'gate',
        'ada/shed',
        'hut',
        'ada/hut',
      ],
      rows: [
        'garden (git) · Mend 0',
        'garden (old) · Mend 1',
        'gate (ada) · Mend 2',
        'hut (ada) · Mend 6',
        'hut · Mend 5',
        'shed · Mend 4',
      ],
    },
    {
      parts: 'nearest',
      names: ['git.example.com/ada/garden', 'garden'],
      rows: ['garden (ada) · Mend 0', 'garden · Mend 1'],
    },
    {
      parts: 'host',
      names: ['git.blue.example/ada/garden', 'git.green.example/ada/garden', '.old/shed', 'new/shed'],
      rows: ['garden (blue) · Mend 0', 'garden (green) · Mend 1', 'shed (.old) · Mend 2', 'shed (new) · Mend 3'],
    },
    {
      parts: 'middle',
      names: ['ada/blue/barn', 'ada/green/barn', 'ada/green/old/barn', 'ada/blue/new/barn'],
      rows: ['ada/blue/barn · Mend 0', 'ada/green/barn · Mend 1', 'barn (new) · Mend 3', 'barn (old) · Mend 2'],
    },
  ])(
    'tells projects apart that end in the same part by their $parts part, also from one without failures',
    async ({ names, rows }) => {
      const files = await acrossSite(
        names.map((name, index) => ({
          summary: { title: `Mend ${index}`, project: { slug: `p${index}-000000`, name } },
          detail:
            name === 'gate' ? {} : { programs: { npm: runs(1, 1) }, failures: [failure('npm test', { at: at(1) })] },
        })),
      )
      const found = textOf(files, page).match(/(?<=npm test)[\w/]+(?: \(\S+\))? · Mend \d/g)
      expect(found?.sort()).toEqual(rows)
    },
  )

  it('shows that a command timed out or was killed in place of its exit code', async () => {
    const failures = [
      failure('npm test', { at: at(1), exitCode: 124, outcome: 'timedOut' }),
      failure('npm start', { at: at(2), exitCode: 143, outcome: 'killed' }),
    ]
    const text = textOf(await acrossSite([{ detail: { programs: { npm: runs(2, 2) }, failures } }]), page)
    expect(text).toMatch(/npm test[\s\S]*timed out/)
    expect(text).toMatch(/npm start[\s\S]*killed/)
    expect(text).not.toMatch(/124|143/)
  })

  it('shows no exit code of a command that did not run', async () => {
    const { exitCode: _, ...blocked } = failure('rm -r build')
    const files = await acrossSite([{ detail: { programs: { rm: runs(1, 1) }, failures: [blocked] } }])
    expect(textOf(files, page)).toMatch(/rm -r build.*failed/s)
    expect(textOf(files, page)).not.toMatch(/exit/)
  })

  it('links what fixed a failure, also in a session of several pages', async () => {
    const fix = { script: 'npm test -- --once', page: 3, anchor: 'l99' }
    const failures = [failure('npm test', { page: 2, fix }), failure('npm start')]
    const session = { summary: { pages: 4 }, detail: { programs: { npm: runs(9, 2) }, failures } }
    const files = await acrossSite([session])
    for (const [path, up] of [
      [page, '..'],
      ['failures/garden-000000/index.html', '../..'],
    ] as const) {
      expect(textOf(files, path)).toMatch(/fixed by\s*npm test -- --once/)
      expect(textOf(files, path).match(/fixed by/g)).toHaveLength(1)
      expect(hrefs(files.get(path))).toContain(`${up}/sessions/${threadNumber(1)}/3.html#l99`)
    }
  })

  it('lists the newest first, whatever their session', async () => {
    const sessionWith = (...minutes: number[]): SessionFacts => ({
      detail: {
        programs: { npm: runs(9, 9) },
        failures: minutes.map((minute) => failure(`npm ${minute}`, { at: at(minute) })),
      },
    })
    const text = textOf(await acrossSite([sessionWith(1, 5), sessionWith(2, 6), sessionWith(3, 4)]), page)
    const places = [6, 5, 4, 3, 2, 1].map((minute) => text.indexOf(`2026-03-14 09:0${minute}`))
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(places[0]).toBeGreaterThan(0)
  })

  it('lists the newest of all projects, and says where the others are and how many have no list', async () => {
    const programs = Object.fromEntries(Array.from({ length: 130 }, (_, index) => [`tool${index}`, runs(80, 70)]))
    const failures = Object.keys(programs).flatMap((program) =>
      Array.from({ length: 70 }, (_, index) => failure(`${program} ${index}`, { at: at(index) })),
    )
    const omitted = { ...nothing, programs: runs(40, 30) }
    const files = await acrossSite([{ detail: { programs, failures, omitted } }])
    const html = files.get(page) ?? ''
    const text = textOf(files, page)
    expect(text).toContain('90 more programs failed 6,300 times in all.')
    expect(text).toContain('30 failures of sessions with very many programs are not named.')
    expect(text).toContain('9,130 of 10,440 commands failed')
    expect(hrefs(html).filter((href) => href.includes('#l'))).toHaveLength(6 * 8 + 34 * 2)
    expect(hrefs(html)).toContain('garden-000000/index.html')
    for (const path of [page, 'failures/garden-000000/index.html'])
      expect(textOf(files, path), path).toContain('Not listed: 90 programs with fewer failures.')
  })

  it.each([
    [120, undefined],
    [121, 'Not listed: 1 project with fewer failures.'],
    [200, 'Not listed: 80 projects with fewer failures.'],
  ])('says in the list of %i projects how many it does not name', async (count, said) => {
    const files = await acrossSite(failingProjects(count))
    const links = hrefs(files.get(page)).filter((href) => /^p\d+-000000/.test(href))
    expect(new Set(links).size).toBe(120)
    expect(/Not listed: [^.]*\./.exec(textOf(files, page))?.[0]).toBe(said)
  })

  it.each([
    [4, 'All: p0 3, p1 3, p2 3, p3 3'],
    [6, 'All: p0 3, p1 3, p2 3, p3 3, 2 more projects'],
  ])('names four of %i projects of a program, and says how many others there are', async (count, said) => {
    const files = await acrossSite(failingProjects(count))
    expect(
      files
        .get(page)
        ?.replace(/<[^>]*>/g, '')
        .split('\n'),
    ).toContain(said)
  })

  it('has pages of each project below 100 kB, with every kept failure, in any script', async () => {
    const script = `npm run ${'"日本"'.repeat(40)}`
    const title = '&'.repeat(300)
    const sessionAt = (index: number): SessionFacts => ({
      summary: { title: `${index} ${title}`, project: { slug: `p${index % 2}-000000`, name: `p${index % 2}` } },
      detail: {
        programs: { npm: runs(60, 50), make: runs(90, 40) },
        failures: [
          ...Array.from({ length: 50 }, (_, minute) => failure(script, { program: 'npm', at: at(minute) })),
          ...Array.from({ length: 40 }, (_, minute) => failure(`make ${minute}`, { at: at(minute) })),
        ],
      },
    })
    const files = await acrossSite(Array.from({ length: 8 }, (_, index) => sessionAt(index)))
    for (const slug of ['p0-000000', 'p1-000000']) {
      const pages = [...files].filter(([path]) => path.startsWith(`failures/${slug}/`))
      expect(pages.length).toBeGreaterThan(1)
      for (const [path, html] of pages) expect(Buffer.byteLength(html), path).toBeLessThan(100_000)
      const links = pages.flatMap(([, html]) => hrefs(html).filter((href) => href.includes('#l')))
      expect(links).toHaveLength(4 * 90)
      expect(textOf(files, `failures/${slug}/index.html`)).toContain(
        '360 of 600 commands failed, 60\u00A0%; all were fixed later.',
      )
      expect(textOf(files, `failures/${slug}/2.html`)).toMatch(/npm continued|make 160 of 360 runs failed/)
      const places = hrefs(files.get(`failures/${slug}/2.html`)).filter((href) => href.includes('#p-'))
      expect(places).toHaveLength(2)
    }
    expect(Buffer.byteLength(files.get(page) ?? '')).toBeLessThan(100_000)
    const projects = hrefs(files.get('projects/p0-000000/index.html'))
    expect(projects).toContain('../../failures/p0-000000/index.html')
  })

  it('names no program that never failed, and says if none failed or none is shown', async () => {
    const files = await acrossSite([{ detail: { programs: { ls: runs(3) } } }])
    expect(textOf(files, page)).toContain('No command failed.')
    expect(textOf(files, page)).not.toContain('ls')
    expect(textOf(await acrossSite([]), page)).toContain('No commands are shown here.')
  })

  it('keeps hostile scripts as text', async () => {
    const hostile = '<img src=x onerror=alert(1)>'
    const files = await acrossSite([
      {
        detail: {
          programs: { [hostile]: runs(1, 1) },
          failures: [failure('x', { program: hostile, script: hostile })],
        },
      },
    ])
    expect(tagsNamed(files.get(page) ?? '', 'img')).toEqual([])
    expect(textOf(files, page)).toContain(hostile)
  })
})

describe('commands that were collected project by project', () => {
  it('equal those of all sessions, also for programs that only another project names', () => {
    const name = fc.constantFrom('make', 'npm', 'ls')
    const session = fc.record({
      named: fc.dictionary(name, fc.record({ runs: fc.nat(9), failed: fc.nat(3), durationMs: fc.nat(99) })),
      failed: fc.array(fc.tuple(name, fc.nat(50)), { maxLength: 4 }),
      left: fc.nat(3),
    })
    const projects = fc.array(fc.array(session, { maxLength: 4 }), { maxLength: 4 })
    fc.assert(
      fc.property(projects, (archive) => {
        const [all, joined] = [commandCollector(2), joinedCommands(2)]
        let id = 0
        for (const sessions of archive) {
          const own = commandCollector(5)
          for (const { named, failed, left } of sessions) {
            id++
            const failures = failed.map(([script, minute], index) =>
              failure(script, { at: at(minute), anchor: `l${index}` }),
            )
            const omitted = { touches: 0, failures: 0, programs: runs(id, left) }
            const session = [
              summary({ threadId: threadNumber(id), failuresLeft: left }),
              detail({ programs: named, failures, omitted }),
            ] as const
            all.add(...session)
            own.add(...session)
          }
          joined.add(JSON.parse(JSON.stringify(own.part(2))))
        }
        expect(joined.programs()).toEqual(all.programs())
        expect([joined.unfixed(), joined.rest]).toEqual([all.unfixed(), all.rest])
      }),
    )
  })
})
