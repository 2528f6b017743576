import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { CommandRuns } from '../../../src/transcript/summary.ts'
import { programAnchor } from '../../../src/transcript/urls.ts'
import { acrossSite, type Told, textOf } from '../../helpers/cross-session.ts'
import { failure, threadNumber } from '../../helpers/summary.ts'
import { tagsNamed } from '../../helpers/tags.ts'

const page = 'failures/index.html'
const runs = (count: number, failed = 0): CommandRuns => ({ runs: count, failed, durationMs: 0 })
const nothing = { touches: 0, failures: 0, programs: runs(0) }
const at = (minute: number): string => new Date(Date.UTC(2026, 2, 14, 9, minute)).toISOString()
const hrefs = (html = ''): string[] => tagsNamed(html, 'a').flatMap(({ attributes }) => attributes['href'] ?? [])

describe('the page of failed commands', () => {
  it('groups them by program, most failures first, with the share of runs', async () => {
    const files = await acrossSite([
      {
        summary: { title: 'Mend the gate' },
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
    expect(text).toContain('3 of 100 commands failed, 3 %.')
    expect(text).toMatch(/make 2 of 4 runs failed, 50 %[\s\S]*npm 1 of 10 runs failed, 10 %/)
    expect(text).toMatch(/2026-03-14 09:01\s*npm test\s*exit 7\s*garden · Mend the gate/)
    expect(hrefs(files.get(page))).toContain(`../sessions/${threadNumber(1)}/3.html#l99`)
    expect(hrefs(files.get(page))).toContain(`#${programAnchor('make')}`)
  })

  it('tells what ran out of its time and what was killed', async () => {
    const failures = [
      failure('npm test', { at: at(1), exitCode: 124, outcome: 'timedOut' }),
      failure('npm start', { at: at(2), exitCode: 143, outcome: 'killed' }),
    ]
    const text = textOf(await acrossSite([{ detail: { programs: { npm: runs(2, 2) }, failures } }]), page)
    expect(text).toMatch(/npm test\s*timed out, exit 124/)
    expect(text).toMatch(/npm start\s*killed, exit 143/)
  })

  it('lists the newest first, whatever session they are of', async () => {
    const told = (...minutes: number[]): Told => ({
      detail: {
        programs: { npm: runs(9, 9) },
        failures: minutes.map((minute) => failure(`npm ${minute}`, { at: at(minute) })),
      },
    })
    const text = textOf(await acrossSite([told(1, 5), told(2, 6), told(3, 4)]), page)
    const places = [6, 5, 4, 3, 2, 1].map((minute) => text.indexOf(`2026-03-14 09:0${minute}`))
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(places[0]).toBeGreaterThan(0)
  })

  it('says how many failures it does not list', async () => {
    const programs = Object.fromEntries(Array.from({ length: 130 }, (_, index) => [`tool${index}`, runs(80, 70)]))
    const failures = Object.keys(programs).flatMap((program) =>
      Array.from({ length: 70 }, (_, index) => failure(`${program} ${index}`, { at: at(index) })),
    )
    const omitted = { ...nothing, programs: runs(40, 30) }
    const files = await acrossSite([{ detail: { programs, failures, omitted } }])
    const html = files.get(page) ?? ''
    const text = textOf(files, page)
    expect(text).toContain('and 20 older failures')
    expect(text).toContain('and 60 older failures')
    expect(text).toContain('30 more programs failed 2,100 times in all.')
    expect(text).toContain('30 failures of sessions with very many programs are not named.')
    expect(text).toContain('9,130 of 10,440 commands failed')
    expect(hrefs(html).filter((href) => href.includes('#l'))).toHaveLength(20 * 50 + 80 * 10)
    expect(gzipSync(html).length).toBeLessThan(300_000)
  })

  it('names no program that only ever did well, and says so where none failed', async () => {
    const files = await acrossSite([{ detail: { programs: { ls: runs(3) } } }])
    expect(textOf(files, page)).toContain('No command failed.')
    expect(textOf(files, page)).not.toContain('ls')
    expect(textOf(await acrossSite([]), page)).toContain('No command failed.')
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
