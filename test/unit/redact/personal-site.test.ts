/** Personal data in every place of a session, and every byte that is made of it. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { list } from '../../../src/cli/list-sessions.ts'
import type { ShowOptions } from '../../../src/cli/show/target.ts'
import { personalDefaults, personalOff } from '../../../src/config/personal.ts'
import { features } from '../../../src/program.ts'
import { build } from '../../../src/site/build.ts'
import type { Session } from '../../../src/transcript/trast.ts'
import { emails, homeFolders, machines, type Personal, person, prompts, userNames } from '../../helpers/personal.ts'
import { places, textsBelow, wholeBuild } from '../../helpers/planted-site.ts'
import * as r from '../../helpers/records.ts'
import { type Shown, showFrom, writeHome } from '../../helpers/show.ts'
import { threadNumber } from '../../helpers/summary.ts'
import { everySession, quietHost } from '../../helpers/surroundings.ts'
import { shareTempDir } from '../../helpers/temp.ts'

const folder = shareTempDir()
const personal = { ...personalDefaults, emails: true, roots: { '/srv/secret-client': 'client-a' } }
/** Prompts come first, because they reveal the name of the machine. */
const planted: readonly Personal[] = [
  ...prompts,
  ...machines,
  ...homeFolders,
  ...userNames,
  ...emails,
  { kind: 'a root', text: '/srv/secret-client/src/a.ts', shown: 'client-a/src/a.ts' },
]
const cwd = `/home/${person.user}/shop`

/** In a path, an address or among words a name stands for itself; as a whole file it would be alone. */
const unlike = new Set(['path', 'coloured output', 'wrapped output', 'web page', 'address in prose', 'comment in code'])
/** These reveal a name only if they are a line of their own. */
const alone = new Set([
  ...planted.filter(({ isLine }) => isLine).map(({ kind }) => kind),
  ...['whoami', 'whoami of Windows', 'ids of an account', 'who is logged in', 'a rule of sudo'],
  ...['a log', 'a log with instants', 'a log of processes'],
])

/** Places in which a text is a line of its own. */
const lines = new Set(['output', 'long output'])

function records(): r.Json[] {
  const own = places.filter(([name]) => !unlike.has(name))
  const texts = planted.map(({ kind, text }) => ({ kind, rule: '', secret: text, text }))
  const work = [
    ...r.command('w1', `cat ${cwd}/notes.txt`, 0, 'notes\n'),
    r.customCall('w2', 'apply_patch', `*** Begin Patch\n*** Add File: ${cwd}/src/new.ts\n+one\n*** End Patch`),
    r.customOutput('w2', 'Success. Updated the following files:\nA src/new.ts'),
  ]
  const head = { id: threadNumber(1), timestamp: r.instant(0), cwd, git: { branch: 'main' } }
  return [
    r.meta(head),
    ...own.flatMap(([name, put]) =>
      texts.flatMap((text) => (alone.has(text.kind) && !lines.has(name) ? [] : put(text))),
    ),
    ...work,
  ]
}

/** Which names of the person are left in a text. */
function leftIn(text: string): string[] {
  const plain = text.replace(/<[^>]*>/g, '').replaceAll(/\u001B\[[\d;]*m/g, '')
  const wanted = [person.user, person.host, person.email, 'Quendolin', 'secret-client', 'nora', 'zoë']
  return wanted.filter((word) => [text, plain].some((form) => form.includes(word)))
}

let home = ''

/** The thread in each format, made once. */
const shown = new Map<ShowOptions['format'], Promise<Shown>>()
function shownAs(format: ShowOptions['format']): Promise<Shown> {
  const made = shown.get(format) ?? showFrom(home, threadNumber(1), { format, personal })
  shown.set(format, made)
  return made
}

beforeAll(async () => {
  home = writeHome(folder, { [threadNumber(1)]: records() })
  const name = { id: threadNumber(1), thread_name: `Work in ${cwd}`, updated_at: r.instant(0) }
  writeFileSync(join(home, 'session_index.jsonl'), `${JSON.stringify(name)}\n`)
  await build(wholeBuild(home, folder, { personal }), quietHost({ homeDir: '/home/builder' }), features)
})

describe('personal data in every place', () => {
  test('is left in no byte of the site, even with its search index unpacked', () => {
    const survivors = textsBelow(join(folder, 'site')).flatMap(({ path, texts }) =>
      texts.flatMap((text) => leftIn(text)).map((word) => `${word}: ${path}`),
    )
    expect(survivors).toEqual([])
  })

  test('is left in no row of `list`', async () => {
    const { rows } = await list(
      { homes: [{ path: home }], ...everySession, personal },
      quietHost({ homeDir: '/home/builder' }),
    )
    expect(rows).toMatchObject([{ cwds: ['~/shop'], project: 'shop', title: 'Work in ~/shop' }])
    expect(leftIn(JSON.stringify(rows))).toEqual([])
  })

  test.each(['md', 'text', 'html', 'json'] as const)('is left in no transcript shown as %s', async (format) => {
    const { text, diagnostics } = await shownAs(format)
    expect(leftIn(text)).toEqual([])
    expect(leftIn(JSON.stringify(diagnostics))).toEqual([])
  })

  test.each([{ personal: personalOff }, { redact: false }])('is all kept with %o', async (options) => {
    const { text } = await showFrom(home, threadNumber(1), { format: 'json', ...options })
    expect(leftIn(text)).toContain(person.user)
    expect(leftIn(text)).toContain(person.host)
  })

  test('is replaced alike in the folder of a session and in its paths', async () => {
    const { text } = await shownAs('json')
    const { session } = JSON.parse(text) as { session: Session }
    expect(session.cwd).toBe('~/shop')
    const paths = text.match(/"path":"[^"]*new\.ts"/g)
    expect(paths).toEqual(['"path":"~/shop/src/new.ts"'])
    const page = await shownAs('html')
    expect(page.text).toContain('>src/new.ts<')
  })

  test('is counted by rule in the receipt', async () => {
    const { text } = await shownAs('json')
    const { redacted } = (JSON.parse(text) as { session: Session }).session.stats
    expect(Object.keys(redacted).sort()).toEqual(['email', 'home-folder', 'host-name', 'project-root', 'user-name'])
    expect(redacted['home-folder']).toBeGreaterThan(homeFolders.length)
  })
})
