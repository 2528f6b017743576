/** Decisions about single sessions, over several builds of one site. */
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { personalDefaults } from '../../../src/config/personal.ts'
import * as r from '../../helpers/records.ts'
import { threadId } from '../../helpers/rollout.ts'
import { buildSite, publicationWith, turnOf, writeSession } from '../../helpers/site-build.ts'
import { filesWith } from '../../helpers/site-text.ts'
import { useTempDir } from '../../helpers/temp.ts'

const [first, second] = [threadId(1), threadId(2)]
const page = `sessions/${first}/index.html`

/** A folder with two sessions: three turns in the first, one in the second. */
function place(): string {
  const folder = useTempDir()
  writeSession(folder, first, ['quokka', 'numbat', 'wombat'].flatMap(turnOf))
  writeSession(folder, second, turnOf('bilby'))
  return folder
}

function rolloutOf(folder: string, id: string): string {
  return join(folder, 'home/sessions/2026/03/14', `rollout-2026-03-14T09-00-00-${id}.jsonl`)
}

/** Changes a file, but always sets the same time; if its size is the same too, a build cannot notice. */
function rewriteUnseen(path: string, change: (text: string) => string): void {
  writeFileSync(path, change(readFileSync(path, 'utf8')))
  utimesSync(path, 1_700_000_000, 1_700_000_000)
}

describe('an excluded turn', () => {
  it('is nowhere in the site, its index and lists, and leaves a line', async () => {
    const publication = publicationWith({ [first]: { exclude: ['turn:2'] } })
    const { texts, result } = await buildSite(place(), { publication, search: true })
    expect(filesWith(texts, 'numbat')).toEqual([])
    expect(filesWith(texts, 'quokkaoutput')).not.toEqual([])
    expect(texts.get(page)).toContain('1 turn was left out')
    expect(texts.get(page)).toContain('Turn 3')
    expect(texts.get(page)).toContain('Left out: 1 turn.')
    expect(result.diagnostics).toEqual([])
  })

  it('is no longer the source of the title', async () => {
    const publication = publicationWith({ [first]: { exclude: ['turn:1'] } })
    const { texts } = await buildSite(place(), { publication })
    expect(filesWith(texts, 'quokka')).toEqual([])
    expect(texts.get('index.html')).toContain('numbat prompt')
  })

  it('leaves a session without a prompt untitled', async () => {
    const publication = publicationWith({ [second]: { exclude: ['turn:1'] } })
    const { texts } = await buildSite(place(), { publication })
    expect(filesWith(texts, 'bilby')).toEqual([])
    expect(texts.get('index.html')).toContain('Untitled session')
  })

  it('is not shown by a fork that copied it', async () => {
    const folder = useTempDir()
    const origin = threadId(7)
    const fork = threadId(8)
    writeSession(folder, origin, ['quokka', 'numbat'].flatMap(turnOf))
    const copy = ['quokka', 'numbat'].flatMap(turnOf)
    writeSession(folder, fork, [
      r.meta({ id: origin, timestamp: r.instant(0), cwd: '/home/ada/engine' }),
      ...copy,
      ...turnOf('wombat'),
    ])
    const publication = publicationWith({ [origin]: { exclude: ['turn:2'] } })
    const { texts } = await buildSite(folder, { publication })
    const hits = filesWith(texts, 'numbatoutput')
    expect(hits).toEqual([])
    expect(filesWith(texts, 'wombatoutput')).not.toEqual([])
  })

  it('is not in the memory of a fork that inherited it by reference, nor is a hidden session', async () => {
    const folder = useTempDir()
    const ordinals = (records: readonly r.Json[], from: number): r.Json[] =>
      records.map((record, index) => ({ ...record, ordinal: from + index }))
    const copied = r.envelopes(['quokka', 'numbat'].flatMap(turnOf))
    const path = writeSession(folder, first, ordinals(copied, 1), { history_mode: 'paginated' })
    const ends = { end_ordinal_exclusive: copied.length + 1, end_byte_offset: statSync(path).size }
    const base = { thread_id: first, ...ends }
    const head = { history_mode: 'paginated', forked_from_id: first, history_base: base }
    writeSession(folder, second, ordinals(r.envelopes(['bilby', 'wombat'].flatMap(turnOf)), copied.length + 2), head)
    const memory = `sessions/${second}/context.html`
    expect((await buildSite(folder)).texts.get(memory)).toContain('numbat prompt')
    const cut = publicationWith({ [first]: { exclude: ['turn:2'] } })
    const hidden = publicationWith({ [first]: { hidden: true } })
    for (const publication of [cut, hidden]) {
      const { texts } = await buildSite(folder, { publication })
      expect(filesWith(texts, 'numbat')).toEqual([])
      expect(texts.get(`sessions/${second}/index.html`)).toContain('bilby prompt')
    }
    expect(filesWith((await buildSite(folder, { exclude: [first] })).texts, 'quokka')).toEqual([])
  })
})

describe('a selection', () => {
  it('is reported if it matches nothing', async () => {
    const publication = publicationWith({ [first]: { exclude: ['turn:9', 'turn:1', 'l900-l901'] } })
    const { result } = await buildSite(place(), { publication })
    expect(result.diagnostics.map(({ ruleId, message }) => [ruleId, /`(.+)`/.exec(message)?.[1]])).toEqual([
      ['unused-selection', 'turn:9'],
      ['unused-selection', 'l900-l901'],
    ])
  })
})

describe('an item', () => {
  it('is excluded by the lines of its anchor', async () => {
    // The command of the first turn is on lines 4 and 5.
    const publication = publicationWith({ [first]: { exclude: ['l4'] } })
    const { texts } = await buildSite(place(), { publication })
    expect(filesWith(texts, 'quokkascript')).toEqual([])
    expect(filesWith(texts, 'quokkaoutput')).toEqual([])
    expect(filesWith(texts, 'quokka answer')).not.toEqual([])
    expect(texts.get(page)).toContain('1 item was left out')
  })
})

describe('title and note', () => {
  it('are on the page, in lists and in Markdown, without secrets', async () => {
    const token = `ghp_${'A1b2C3d4E5f6G7h8I9j0'.repeat(2).slice(0, 36)}`
    const decision = { title: 'How the gate closed', note: `Read **this** <b>first</b>, not ${token}` }
    const { texts } = await buildSite(place(), { publication: publicationWith({ [first.slice(0, 36)]: decision }) })
    for (const path of [page, 'index.html', `sessions/${first}/index.md`, `sessions/${first}/index.json`])
      expect(texts.get(path), path).toContain('How the gate closed')
    expect(texts.get(page)).toContain('Read <strong>this</strong>')
    expect(texts.get(page)).not.toContain('<b>first</b>')
    expect(filesWith(texts, token)).toEqual([])
  })
})

describe('star and tags', () => {
  it('are text on the page and in rows, and filter the start page, without secrets', async () => {
    const token = `ghp_${'A1b2C3d4E5f6G7h8I9j0'.repeat(2).slice(0, 36)}`
    const decision = { star: true, tags: ['<b>to show</b>', 'hinges', token] } as const
    const { texts } = await buildSite(place(), { publication: publicationWith({ [first.slice(0, 36)]: decision }) })
    const shown = '&lt;b&gt;to show&lt;/b&gt;'
    expect(texts.get(page)).toContain(`★ ${shown}, hinges`)
    const index = texts.get('index.html') ?? ''
    expect(index).toContain(`<i class="tag">★</i><i class="tag">${shown}</i><i class="tag">hinges</i>`)
    expect(index).toContain('<option value="★">★ Starred</option>')
    expect(index).toContain('<option value="hinges">hinges</option>')
    expect(filesWith(texts, '<b>to show</b>').filter((path) => path.endsWith('.html'))).toEqual([])
    const markdown = texts.get(`sessions/${first}/index.md`) ?? ''
    expect(markdown).toMatch(/- Starred: yes\n- Tags: .*hinges/)
    expect(markdown).not.toContain('<b>to show</b>')
    // Texts begin with their path.
    const { session } = JSON.parse((texts.get(`sessions/${first}/index.json`) ?? '').replace(/^.*\n/, ''))
    expect(session).toMatchObject({
      star: true,
      tags: ['<b>to show</b>', 'hinges', expect.not.stringContaining('ghp_')],
    })
    expect(filesWith(texts, token)).toEqual([])
  })
})

describe('a hidden session', () => {
  it('is removed from output, lists and index by the next build', async () => {
    const folder = place()
    const before = await buildSite(folder, { search: true })
    expect(filesWith(before.texts, 'bilby')).not.toEqual([])
    const publication = publicationWith({ [second]: { hidden: true } })
    const { texts } = await buildSite(folder, { search: true, publication })
    expect(filesWith(texts, 'bilby')).toEqual([])
    expect(filesWith(texts, second)).toEqual([])
  })

  it('is removed in the same way as one that is excluded by id', async () => {
    const folder = place()
    const { texts } = await buildSite(folder, { exclude: [second] })
    expect(filesWith(texts, second)).toEqual([])
  })
})

describe('a change of the curation', () => {
  it('renders only the sessions again that it concerns', async () => {
    const folder = place()
    rewriteUnseen(rolloutOf(folder, first), (text) => text)
    await buildSite(folder, { publication: publicationWith({}) })
    // If the first rollout were read again, other words would be found in it.
    rewriteUnseen(rolloutOf(folder, first), (text) => text.replaceAll('quokka', 'QUOKKA'))
    const change = { publication: publicationWith({ [second]: { title: 'Other' } }) }
    const { texts } = await buildSite(folder, change)
    expect(texts.get(`sessions/${second}/index.html`)).toContain('<h1>Other</h1>')
    expect(texts.get(page)).toContain('quokkaoutput')
    expect((await buildSite(folder, change)).result.written).toBe(0)
  })

  it('is reported if it names no session, and refused if it names several', async () => {
    const folder = place()
    const { result } = await buildSite(folder, { publication: publicationWith({ ffff: { title: 'Gone' } }) })
    expect(result.diagnostics.map(({ ruleId }) => ruleId)).toEqual(['unknown-curation'])
    await expect(
      buildSite(folder, { publication: publicationWith({ '0198c0de': { title: 'Both' } }) }),
    ).rejects.toThrow(/is the start of several thread ids/)
  })
})

describe('a session whose rollout was deleted', () => {
  const keep = { missing: 'keep', search: true } as const

  it('is removed from the site by default', async () => {
    const folder = place()
    await buildSite(folder)
    rmSync(rolloutOf(folder, second))
    expect(filesWith((await buildSite(folder)).texts, 'bilby')).toEqual([])
  })

  /** A folder in which the second rollout is deleted after a build. */
  async function withoutSecond(change: Parameters<typeof buildSite>[1] = keep): Promise<string> {
    const folder = place()
    await buildSite(folder, change)
    rmSync(rolloutOf(folder, second))
    return folder
  }

  const keptPage = `sessions/${second}/index.html`

  it('with `missing: keep` keeps page, twin, list rows and search records, and says so', async () => {
    const folder = await withoutSecond()
    const { texts, result } = await buildSite(folder, keep)
    expect(texts.get(keptPage)).toContain('Source gone.')
    expect(texts.get(`sessions/${second}/index.md`)).toContain('bilbyoutput')
    expect(texts.get('index.html')).toContain('source gone')
    expect(result.searched).toBe(2)
    expect(result.diagnostics.map(({ ruleId }) => ruleId)).toEqual(['kept-session'])
    expect(result.sessions).toBe(2)
  })

  it('with `missing: keep` stays the same over further builds', async () => {
    const folder = await withoutSecond()
    const once = await buildSite(folder, keep)
    writeSession(folder, threadId(3), turnOf('potoroo'))
    const twice = await buildSite(folder, keep)
    expect(twice.texts.get(keptPage)).toBe(once.texts.get(keptPage))
    rmSync(rolloutOf(folder, threadId(3)))
    const third = await buildSite(folder, keep)
    expect(third.result.sessions).toBe(3)
    expect(third.texts.get(`sessions/${threadId(3)}/index.html`)).toContain('Source gone.')
  })

  it('is an ordinary session again if the rollout comes back', async () => {
    const folder = await withoutSecond()
    await buildSite(folder, keep)
    writeSession(folder, second, turnOf('bilby'))
    const { texts, result } = await buildSite(folder, keep)
    expect(texts.get(keptPage)).not.toContain('Source gone.')
    expect(texts.get('index.html')).not.toContain('source gone')
    expect(result.diagnostics).toEqual([])
  })

  it('is kept by a build with other formats, with all that its page loads', async () => {
    const folder = await withoutSecond()
    const old = (await buildSite(folder, keep)).texts
    const { texts } = await buildSite(folder, { ...keep, formats: ['html', 'md'] })
    expect(texts.get(keptPage)).toContain('Source gone.')
    const loaded = [...(texts.get(keptPage) ?? '').matchAll(/assets\/([\w.-]+)"/g)].map(([, name]) => `assets/${name}`)
    expect(loaded.length).toBeGreaterThan(1)
    for (const path of loaded) expect(texts.get(path), path).toBe(old.get(path))
    expect(texts.get('index.html')).toContain('bilby prompt')
  })

  it('is removed by an exclusion, by id or by curation', async () => {
    for (const change of [
      { publication: publicationWith({ [second]: { hidden: true } }) },
      { exclude: [second.slice(0, 36)] },
    ]) {
      const folder = await withoutSecond()
      await buildSite(folder, keep)
      const { texts } = await buildSite(folder, { ...keep, ...change })
      expect(filesWith(texts, 'bilby')).toEqual([])
    }
  })

  it('is removed and reported if less is published than before', async () => {
    const folder = await withoutSecond()
    const publication = publicationWith({}, { toolOutput: 'omit' })
    const { texts, result } = await buildSite(folder, { ...keep, publication })
    expect(filesWith(texts, 'bilby')).toEqual([])
    expect(result.diagnostics.map(({ ruleId }) => ruleId)).toEqual(['lost-session'])
  })

  it('keeps its pages if the cache is lost, and reports that no list shows it', async () => {
    const folder = await withoutSecond()
    rmSync(join(folder, 'cache'), { recursive: true })
    const { texts, result } = await buildSite(folder, keep)
    expect(texts.get(keptPage)).toContain('bilby prompt')
    expect(texts.get('index.html')).not.toContain('bilby')
    expect(result.diagnostics.map(({ ruleId }) => ruleId)).toEqual(['unlisted-session'])
    const again = await buildSite(folder, keep)
    expect(again.texts.get(keptPage)).toContain('bilby prompt')
  })

  it.each([
    ['e-mail addresses', { ...personalDefaults, emails: true }],
    ['the name of a folder', { ...personalDefaults, roots: { '/work/secret-client': 'client' } }],
  ])('is removed if the cache is lost and %s are replaced since', async (_, personal) => {
    const folder = await withoutSecond()
    rmSync(join(folder, 'cache'), { recursive: true })
    const { texts, result } = await buildSite(folder, { ...keep, personal })
    expect(filesWith(texts, 'bilby')).toEqual([])
    expect(filesWith(texts, 'secret-client')).toEqual([])
    expect(result.diagnostics.map(({ ruleId }) => ruleId)).toEqual(['lost-session'])
  })

  it('is removed if the cache is lost and less is published than before', async () => {
    const folder = await withoutSecond()
    rmSync(join(folder, 'cache'), { recursive: true })
    const publication = publicationWith({}, { toolOutput: 'omit' })
    const { texts, result } = await buildSite(folder, { ...keep, publication })
    expect(filesWith(texts, 'bilby')).toEqual([])
    expect(result.diagnostics.map(({ ruleId }) => ruleId)).toEqual(['lost-session'])
  })
})
