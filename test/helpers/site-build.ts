/** Builds sites of invented sessions with the use case itself, repeatedly into one folder. */

import { join } from 'node:path'
import { type Curation, publishAll, type SessionCuration, type Visibility } from '../../src/config/publication.ts'
import { parseSelection } from '../../src/config/selectors.ts'
import { features } from '../../src/program.ts'
import { build } from '../../src/site/build.ts'
import type { BuildOptions, BuildResult } from '../../src/site/types.ts'
import { writeFolder } from './folder.ts'
import * as r from './records.ts'
import { siteTexts } from './site-text.ts'
import { plainBuild, quietHost } from './surroundings.ts'

/** A built site. */
export interface TestSite {
  result: BuildResult
  /** The result of `siteTexts`. */
  texts: Map<string, string>
}

/** Builds `home` to `site` below a folder, with its cache next to it, at a time in milliseconds. */
export async function buildSite(
  folder: string,
  change: Partial<BuildOptions> = {},
  now = Date.parse('2026-03-20T00:00:00Z'),
): Promise<TestSite> {
  const out = join(folder, 'site')
  const options: BuildOptions = {
    ...plainBuild(),
    homes: [{ path: join(folder, 'home') }],
    title: 'Gates',
    siteUrl: 'https://example.org/',
    out,
    cache: join(folder, 'cache'),
    formats: ['html', 'md', 'json'],
    search: false,
    searchOutputs: true,
    dryRun: false,
    ...change,
  }
  const result = await build(options, quietHost({ now: () => now, homeDir: '/home/ada' }), features)
  return { result, texts: siteTexts(out) }
}

/** Writes a session into `home` below a folder, with fields of its head, and returns the path of its rollout. */
export function writeSession(folder: string, id: string, records: readonly r.Json[], head: r.Json = {}): string {
  const path = `home/sessions/2026/03/14/rollout-2026-03-14T09-00-00-${id}.jsonl`
  const lines = r.envelopes([r.meta({ id, timestamp: r.instant(0), cwd: '/home/ada/engine', ...head }), ...records])
  writeFolder(folder, { [path]: lines.map((record) => `${JSON.stringify(record)}\n`).join('') })
  return join(folder, path)
}

/** Writes a family of three sessions; the last one shows what is secret in all of them. */
export function writeSecretFamily(folder: string, ids: readonly [string, string, string], secret: string): void {
  const [first, second, third] = ids
  writeSession(folder, first, [r.userItem('What was it?'), r.answerItem(`It was ${secret}.`)])
  writeSession(folder, second, [r.userItem('And now?'), r.answerItem('See there.')], { forked_from_id: first })
  const secretCommand = r.command('tells', 'cat .env', 0, `DB_PASSWORD=${secret}\n`)
  writeSession(folder, third, [r.userItem('Look'), ...secretCommand], { forked_from_id: second })
}

/** A turn of four or five lines: prompt, its event, a command, an answer. */
export function turnOf(word: string): r.Json[] {
  return [
    r.userItem(`${word} prompt`),
    r.userEvent(`${word} prompt`),
    ...r.command(`call-${word}`, `make ${word}script`, 2, `${word}output\n`),
    r.answerItem(`${word} answer`),
  ]
}

/** Decisions about texts, as a configuration would contain them. */
export function publicationWith(
  sessions: Readonly<Record<string, Partial<Omit<SessionCuration, 'exclude'>> & { exclude?: readonly string[] }>>,
  visibility: Partial<Visibility> = {},
): NonNullable<BuildOptions['publication']> {
  const curation: Curation = Object.fromEntries(
    Object.entries(sessions).map(([id, { exclude = [], ...rest }]) => {
      const selections = exclude.flatMap((text) => parseSelection(text) ?? [])
      if (selections.length < exclude.length) throw new Error(`no selections: ${exclude.join(', ')}`)
      return [id, { ...rest, exclude: selections }]
    }),
  )
  return { visibility: { ...publishAll.visibility, ...visibility }, curation }
}
