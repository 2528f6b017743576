/** Choosing what is published on the command line and in the configuration file. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCli } from '../helpers/cli.ts'
import { everyKindId, writeEveryKind } from '../helpers/every-kind.ts'
import { writeFolder } from '../helpers/folder.ts'
import * as r from '../helpers/records.ts'
import { filesWith, siteTexts } from '../helpers/site-text.ts'
import { threadNumber } from '../helpers/summary.ts'
import { useTempDir } from '../helpers/temp.ts'

/** A working folder with a home of one session with every kind of content. */
function place(files: Record<string, string> = {}): { cwd: string; env: Record<string, string> } {
  const cwd = useTempDir()
  writeEveryKind(cwd)
  writeFolder(cwd, files)
  return { cwd, env: { XDG_CACHE_HOME: join(cwd, 'cache') } }
}

const build = ['build', '--codex-home', 'home', '--no-search']

const config = (text: string) =>
  `import { defineConfig } from 'codex-export'\nexport default defineConfig({ homes: [{ path: 'home' }], search: false, ${text} })\n`

describe('build', () => {
  it('uses a preset, which flags for single kinds override', async () => {
    const options = place()
    const run = await runCli([...build, '--preset', 'public', '--show', 'reasoning', '--omit', 'plans,errors'], options)
    expect(run).toMatchObject({ status: 0 })
    const texts = siteTexts(join(options.cwd, 'site'))
    for (const word of ['possumprinted', 'bilbydeveloper', 'kowariplan', 'bandicooterror', 'codex resume'])
      expect(filesWith(texts, word), word).toEqual([])
    for (const word of ['numbatthought', 'wombatanswer', 'brolgaline'])
      expect(filesWith(texts, word), word).not.toEqual([])
  })

  it('uses the same from the environment and the configuration file', async () => {
    const options = place({ 'site.config.ts': config(`preset: 'team', visibility: { plans: 'omit' }`) })
    const run = await runCli(['build'], { ...options, env: { ...options.env, CODEX_EXPORT_OMIT: 'errors' } })
    expect(run).toMatchObject({ status: 0 })
    const texts = siteTexts(join(options.cwd, 'site'))
    for (const word of ['kowariplan', 'bandicooterror', 'platypusclient'])
      expect(filesWith(texts, word), word).toEqual([])
    expect(filesWith(texts, 'possumprinted')).not.toEqual([])
  })

  it.each([
    [['--omit', 'thoughts'], '`--omit` is `thoughts`; expected one or more of prompts, answers'],
    [['--fold', 'stats'], '`--fold` does not take `stats`'],
    [['--preset', 'friends'], 'expected one of private, team, public'],
    [['--curation', 'none.json'], 'The curation file `none.json` cannot be read'],
  ])('refuses %j', async (flags, message) => {
    const run = await runCli([...build, ...flags], place())
    expect(run.status).toBe(2)
    expect(run.stderr).toContain(message)
  })

  it('uses a limit of outputs from the configuration file', async () => {
    const options = place({ 'site.config.ts': config(`maxOutput: '100'`) })
    expect(await runCli(['build'], options)).toMatchObject({ status: 0 })
    const texts = siteTexts(join(options.cwd, 'site'))
    expect(filesWith(texts, 'left out by the settings of this site')).not.toEqual([])
    expect(filesWith(texts, 'possumlong line\n'.repeat(9))).toEqual([])
  })

  it('names the key of a curation that is not valid', async () => {
    const decisions = { sessions: { [everyKindId]: { exclude: ['turn 3'] } } }
    const options = place({ 'curation.json': JSON.stringify(decisions) })
    const run = await runCli([...build, '--curation', 'curation.json'], options)
    expect(run.status).toBe(2)
    expect(run.stderr).toContain(`\`sessions["${everyKindId}"].exclude[0]\` in \`curation.json\``)
  })

  it('notices a change of the curation file even if no rollout changed', async () => {
    const file = (title: string) => JSON.stringify({ sessions: { [everyKindId]: { title } } })
    const options = place({ 'site.config.ts': config(`curation: 'curation.json'`), 'curation.json': file('One') })
    expect(await runCli(['build'], options)).toMatchObject({ status: 0 })
    const page = join(options.cwd, 'site/sessions', everyKindId, 'index.html')
    expect(readFileSync(page, 'utf8')).toContain('<h1>One</h1>')
    writeFileSync(join(options.cwd, 'curation.json'), file('Two'))
    expect(await runCli(['build'], options)).toMatchObject({ status: 0 })
    expect(readFileSync(page, 'utf8')).toContain('<h1>Two</h1>')
    expect((await runCli(['build'], options)).stderr).toContain(': 0 files written')
  })

  it('reads decisions in the configuration itself', async () => {
    const decisions = `curation: { sessions: { '${everyKindId}': { hidden: true } } }`
    const options = place({ 'site.config.ts': config(decisions) })
    expect((await runCli(['build'], options)).stderr).toContain('Built 0 sessions')
  })
})

describe('show', () => {
  const show = (...flags: string[]) => ['show', everyKindId, '--codex-home', 'home', ...flags]

  it.each(['md', 'text', 'json', 'html'])('omits the same content as %s', async (format) => {
    const run = await runCli(show('--preset', 'public', '--format', format), place())
    expect(run.status).toBe(0)
    expect(run.stdout).toContain('wombatanswer')
    for (const word of ['possumprinted', 'numbatthought', 'bilbydeveloper', '7654321', 'codex resume'])
      expect(run.stdout, word).not.toContain(word)
  })

  it('applies decisions, but shows a hidden session that is named', async () => {
    const decisions = { sessions: { [everyKindId]: { hidden: true, title: 'Chosen', exclude: ['turn:1'] } } }
    const options = place({ 'curation.json': JSON.stringify(decisions) })
    const run = await runCli(show('--curation', 'curation.json'), options)
    expect(run.status).toBe(0)
    expect(run.stdout).toContain('# Chosen')
    expect(run.stdout).toContain('1 turn was left out')
    expect(run.stdout).not.toContain('wombatanswer')
  })
})

describe('list', () => {
  it('selects by branch and excludes ids', async () => {
    const id = threadNumber(2)
    const records = r.envelopes([r.meta({ id, git: { branch: 'main' } }), r.userItem('Oil it'), r.userEvent('Oil it')])
    const text = records.map((record) => `${JSON.stringify(record)}\n`).join('')
    const options = place({ [`home/sessions/2026/03/14/rollout-2026-03-14T08-00-00-${id}.jsonl`]: text })
    const list = async (...flags: string[]): Promise<string[]> => {
      const { stdout } = await runCli(['list', '--codex-home', 'home', '--json', ...flags], options)
      return JSON.parse(stdout).map((session: { id: string }) => session.id)
    }
    expect((await list()).toSorted()).toEqual([everyKindId, id].sort())
    expect(await list('--branch', 'main')).toEqual([id])
    expect(await list('--branch', 'other')).toEqual([])
    expect(await list('--exclude-id', everyKindId.slice(0, 36))).toEqual([id])
  })
})
