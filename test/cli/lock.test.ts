import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Run, runCli } from '../helpers/cli.ts'
import { readFolder } from '../helpers/folder.ts'
import { openSite, siteBytes } from '../helpers/locked-site.ts'
import * as records from '../helpers/records.ts'
import { threadId } from '../helpers/rollout.ts'
import { shareTempDir, useTempDir } from '../helpers/temp.ts'

const password = 'tin drum, blue lantern'

/** Words that occur in the sessions, but not in anything that the package itself writes. */
const words = ['marmalade', 'quincunx', 'lighthouse', 'periwinkle', 'saltmarsh', 'zeppelin']

interface Workplace {
  cwd: string
  out: string
  /** Builds with these further flags. */
  build: (...args: string[]) => Promise<Run>
  /** Builds a locked site. */
  lock: (...args: string[]) => Promise<Run>
  setPassword: (text: string) => void
  /** Writes a session. */
  write: (number: number, folder: string, prompt: string, answer: string, outputs?: string) => void
}

/** A working folder with three sessions of two projects. */
function place(): Workplace {
  const made = placeIn(useTempDir())
  made.setPassword(password)
  made.write(1, '/home/sam/saltmarsh', 'Where is the marmalade?', 'In the quincunx.')
  made.write(2, '/home/sam/saltmarsh', 'Who keeps the lighthouse?', 'Nobody does.')
  made.write(3, '/home/sam/zeppelin', 'Plant a periwinkle', 'It is planted.', 'a long line of output\n'.repeat(20_000))
  return made
}

const shared = shareTempDir()
let built: Promise<string> | undefined

/** Like `place`, with a locked site without search, which is built once: each test changes a copy. */
async function lockedPlace(): Promise<Workplace> {
  built ??= (async () => {
    const { cwd, lock } = place()
    expect((await lock('--no-search')).status).toBe(0)
    cpSync(cwd, shared, { recursive: true, preserveTimestamps: true })
    return shared
  })()
  const cwd = useTempDir()
  cpSync(await built, cwd, { recursive: true, preserveTimestamps: true })
  return placeIn(cwd)
}

function placeIn(cwd: string): Workplace {
  const out = join(cwd, 'site')
  const logs = join(cwd, 'logs')
  const file = join(cwd, 'password')
  mkdirSync(logs, { recursive: true })
  const build = (...args: string[]): Promise<Run> => {
    const rest = [
      ['--cache', 'cache'],
      ['--format', 'html,md,json'],
    ].filter(([flag = '']) => !args.includes(flag))
    return runCli(['build', '--codex-home', 'logs', ...rest.flat(), ...args], { cwd })
  }
  return {
    cwd,
    out,
    build,
    lock: (...args) => build('--password-file', 'password', ...args),
    setPassword(text) {
      writeFileSync(file, `${text}\n`)
      chmodSync(file, 0o600)
    },
    write(number, folder, prompt, answer, output = 'nothing to see') {
      const id = threadId(number)
      const { envelopes, meta, userItem, item, answerItem } = records
      const call = { call_id: 'call-1', name: 'shell', arguments: JSON.stringify({ command: ['ls', '-l'] }) }
      const lines = envelopes([
        meta({ id, timestamp: records.instant(0), cwd: folder }),
        userItem(prompt),
        item({ type: 'function_call', ...call }),
        item({ type: 'function_call_output', call_id: 'call-1', output }),
        answerItem(answer),
      ])
      const text = lines.map((line) => JSON.stringify(line)).join('\n')
      writeFileSync(join(logs, `rollout-2026-03-14T09-00-0${number}-${id}.jsonl`), `${text}\n`)
    },
  }
}

/** Expects that no word, title, id or name of the sessions occurs in any byte or file name of a folder. */
function expectNothingReadable(out: string): void {
  const all = readFolder(out)
  const names = Object.keys(all).join('\n')
  const bytes = [...siteBytes(out).values()].join('\n').toLowerCase()
  const secret = [
    ...words,
    threadId(1),
    threadId(2),
    threadId(3),
    'sessions/',
    'projects/',
    'codex-export 0.',
    'planted',
  ]
  for (const word of secret) {
    expect(bytes.includes(word), `\`${word}\` in a file`).toBe(false)
    expect(names.includes(word), `\`${word}\` in a name`).toBe(false)
  }
  expect(names).toMatch(
    /^(?:(?:\.nojekyll|_headers|assets\/(?:[0-9a-f]{32}\.js|lock\.[0-9a-f]{10}\.(?:css|js))|favicon\.svg|index\.html|manifest\.json|pages\/[0-9a-f]{32}\.html|robots\.txt)(?:\n|$))+$/,
  )
}

describe('a locked site', () => {
  it('has the files of an open one, each sealed, and nothing else that is readable', async () => {
    const { out, build, lock, cwd } = place()
    expect(await lock()).toMatchObject({ status: 0, stdout: '' })
    expectNothingReadable(out)
    await build('--out', 'open', '--cache', 'other-cache')
    const open = readFolder(join(cwd, 'open'))
    const opened = await openSite(out, password)
    const twin = `sessions/${threadId(1)}/index.md`
    expect(open[twin]).toContain('Where is the marmalade?')
    for (const [path, { content }] of opened) {
      if (/\.(?:md|json|txt)$/.test(path)) expect(content.toString(), path).toBe(open[path])
    }
    const shared = (path: string): boolean => !/\.[0-9a-f]{8,}\.(?:js|css)$|^pagefind\//.test(path)
    const others = [
      '.nojekyll',
      '404.html',
      '_headers',
      'build-report.json',
      'favicon.svg',
      'llms.txt',
      'manifest.json',
    ]
    const expected = Object.keys(open).filter((path) => shared(path) && !others.includes(path) && path !== 'robots.txt')
    expect([...opened.keys()].filter(shared).sort()).toEqual(expected.sort())
    expect([...opened.keys()].filter((path) => path.startsWith('pagefind/')).length).toBeGreaterThan(3)
  })

  it('is unchanged, byte for byte, if nothing changed', async () => {
    const { out, cwd, lock } = place()
    await lock()
    const first = siteBytes(out)
    expect((await lock()).stderr).toMatch(/: 0 files written, \d+ unchanged, 0 removed\./)
    rmSync(join(cwd, 'cache/last-build.json'))
    expect((await lock()).stderr).toMatch(/: 0 files written, \d+ unchanged, 0 removed\./)
    expect(siteBytes(out)).toEqual(first)
  })

  it('keeps the ciphertext of a page that is rendered again with the same content', async () => {
    const { out, cwd, lock } = await lockedPlace()
    const first = siteBytes(out)
    rmSync(join(cwd, 'cache/index.json'))
    rmSync(join(cwd, 'cache/last-build.json'))
    expect((await lock('--no-search')).stderr).toMatch(/: 0 files written, \d+ unchanged, 0 removed\./)
    expect(siteBytes(out)).toEqual(first)
  })

  it('changes only the files of a session that changed, and those that list it', async () => {
    const { out, lock, write } = await lockedPlace()
    const before = siteBytes(out)
    write(2, '/home/sam/saltmarsh', 'Who keeps the lighthouse?', 'Nobody does, since last year.')
    await lock('--no-search')
    const after = siteBytes(out)
    const changed = [...after].filter(([path, bytes]) => before.get(path) !== bytes).map(([path]) => path)
    const opened = await openSite(out, password)
    const names = [...opened].filter(([, { sealed }]) => sealed.some((path) => changed.includes(path)))
    const own = `sessions/${threadId(2)}/`
    expect(names.map(([path]) => path)).toContain(`${own}index.html`)
    expect(names.map(([path]) => path).filter((path) => path.startsWith('sessions/') && !path.startsWith(own))).toEqual(
      [],
    )
    expect(opened.get(`${own}index.md`)?.content.toString()).toContain('since last year')
    expectNothingReadable(out)
  })

  it('makes a deleted file again, and keeps the others', async () => {
    const { out, lock } = await lockedPlace()
    const before = siteBytes(out)
    const deleted = (await openSite(out, password)).get(`sessions/${threadId(3)}/index.md`)?.sealed[0] ?? ''
    rmSync(join(out, deleted))
    expect((await lock('--no-search')).status).toBe(0)
    const after = siteBytes(out)
    expect([...after].filter(([path, bytes]) => before.get(path) !== bytes).map(([path]) => path)).toEqual([deleted])
    expect((await openSite(out, password)).has(`sessions/${threadId(3)}/index.md`)).toBe(true)
  })

  it('leaves no byte of an open site in the folder, and an open site none of it', async () => {
    const { out, build, lock } = place()
    await build()
    const open = readFolder(out)
    expect(Object.keys(open)).toContain(`sessions/${threadId(1)}/index.html`)
    await lock()
    expectNothingReadable(out)
    await build()
    expect(readFolder(out)).toEqual(open)
  })

  it('is sealed again, with another salt and other names, if the password changes', async () => {
    const { out, lock, setPassword } = await lockedPlace()
    const before = siteBytes(out)
    setPassword('another lantern, another drum')
    await lock('--no-search')
    const after = siteBytes(out)
    const same = [...after].filter(([path, bytes]) => before.get(path) === bytes).map(([path]) => path)
    expect(same.every((path) => /^(?:\.nojekyll|_headers|favicon\.svg|robots\.txt|assets\/lock\..+)$/.test(path))).toBe(
      true,
    )
    await expect(openSite(out, password)).rejects.toThrow('not the password')
    expect((await openSite(out, 'another lantern, another drum')).size).toBeGreaterThan(10)
  })

  it('is sealed again, with another salt, if the cache is lost', async () => {
    const { out, cwd, lock } = await lockedPlace()
    const before = siteBytes(out)
    rmSync(join(cwd, 'cache'), { recursive: true })
    await lock('--no-search')
    const after = siteBytes(out)
    const pages = [...after.keys()].filter((path) => path.startsWith('pages/'))
    expect(pages.length).toBeGreaterThan(5)
    expect(pages.filter((path) => before.has(path))).toEqual([])
    expect((await openSite(out, password)).size).toBeGreaterThan(10)
  })

  it('seals a theme too, except for its login page', async () => {
    const { out, cwd, lock } = place()
    mkdirSync(join(cwd, 'theme/assets'), { recursive: true })
    mkdirSync(join(cwd, 'theme/html'))
    const tokens = readFileSync(new URL('../../templates/assets/tokens.css', import.meta.url), 'utf8')
    const login = readFileSync(new URL('../../templates/html/lock.eta', import.meta.url), 'utf8')
    writeFileSync(join(cwd, 'theme/assets/theme.css'), '@layer theme { :root { --marmalade: 1 } }\n')
    writeFileSync(join(cwd, 'theme/assets/tokens.css'), tokens.replace('--r:', '--zeppelin: 2;\n    --r:'))
    writeFileSync(join(cwd, 'theme/html/lock.eta'), login.replace('This site is locked', 'Behind the harbour wall'))
    writeFileSync(join(cwd, 'site.config.mjs'), "export default { templatesDir: 'theme' }\n")
    await lock('--no-search')
    expectNothingReadable(out)
    expect(siteBytes(out).get('index.html')).toContain('Behind the harbour wall')
    const styles = [...(await openSite(out, password))].filter(([path]) => path.endsWith('.css'))
    expect(styles.map(([, { content }]) => /--zeppelin: 2;.*--marmalade: 1/s.test(content.toString()))).toEqual([true])
  })

  it('has new pages if the login page changes, and keeps everything else', async () => {
    const { out, cwd, lock } = await lockedPlace()
    const before = siteBytes(out)
    mkdirSync(join(cwd, 'theme/html'), { recursive: true })
    const login = readFileSync(new URL('../../templates/html/lock.eta', import.meta.url), 'utf8')
    writeFileSync(join(cwd, 'theme/html/lock.eta'), login.replace('This site is locked', 'Behind the harbour wall'))
    writeFileSync(join(cwd, 'site.config.mjs'), "export default { templatesDir: 'theme' }\n")
    await lock('--no-search')
    const after = siteBytes(out)
    expect([...after.keys()].sort()).toEqual([...before.keys()].sort())
    for (const [path, bytes] of after) {
      if (path.endsWith('.html')) expect(bytes, path).toContain('Behind the harbour wall')
      else expect(bytes === before.get(path), path).toBe(true)
    }
    expect((await openSite(out, password)).size).toBeGreaterThan(10)
  })

  it('is planned by --dry-run, which writes nothing', async () => {
    const { cwd, lock } = place()
    const run = await lock('--dry-run')
    expect(run.stderr).toContain('Would build 3 sessions: ')
    expect(readdirSync(cwd).sort()).toEqual(['logs', 'password'])
  })

  it('counts all pages of an open one except the 404 page, and has no report', async () => {
    const { out, build, lock } = place()
    const counts = (text: string): string => /on (\d+ pages)/.exec(text)?.[1] ?? ''
    const open = await build('--out', 'open', '--cache', 'other-cache', '--no-search')
    const locked = await lock('--no-search')
    expect(Number.parseInt(counts(open.stderr), 10) - Number.parseInt(counts(locked.stderr), 10)).toBe(1)
    expect(existsSync(join(out, 'build-report.json'))).toBe(false)
  })
})

describe('limits of a locked site', () => {
  it('it is not built without a valid password', async () => {
    const { out, cwd, build, lock, setPassword } = place()
    const missing = await build('--password-file', 'nowhere')
    expect(missing).toMatchObject({ status: 2, stdout: '' })
    expect(missing.stderr).toContain(`The password file \`${join(cwd, 'nowhere')}\` cannot be read: it does not exist.`)
    setPassword('')
    expect(await lock()).toMatchObject({ status: 2 })
    setPassword('short one')
    const short = await lock()
    expect(short).toMatchObject({ status: 2 })
    expect(short.stderr).toContain('shorter than 10 characters')
    expect(short.stderr).not.toContain('short one')
    expect(existsSync(out)).toBe(false)
  })

  it('it is not built with a password file in the site, which would be published', async () => {
    const { cwd, out, build, lock } = await lockedPlace()
    const before = readFolder(out)
    cpSync(join(cwd, 'password'), join(out, 'assets/password'))
    const run = await build('--password-file', join(out, 'assets/password'))
    expect(run.status).toBe(2)
    expect(run.stderr).toContain('is inside the output folder')
    rmSync(join(out, 'assets/password'))
    expect(readFolder(out)).toEqual(before)
    expect((await lock('--no-search')).status).toBe(0)
  })

  it('`open` and `search --open` say that it does not show the pages of sessions', async () => {
    const { cwd, lock } = place()
    await lock()
    const message = '` is locked, and its files do not show which sessions they hold: run `codex-export open --out '
    const opened = await runCli(['open', threadId(1), '--out', 'site'], { cwd })
    expect(opened).toMatchObject({ status: 2, stdout: '' })
    expect(opened.stderr).toContain(message)
    const found = await runCli(['search', 'marmalade', '--codex-home', 'logs', '--out', 'site', '--open'], { cwd })
    expect(found.status).toBe(2)
    expect(found.stderr).toContain(message)
    const none = await runCli(['search', 'marmalade', '--codex-home', 'logs', '--out', 'none', '--open'], { cwd })
    expect(none.stderr).toMatch(
      /needs a page of what was found in `.*none`: run `codex-export build --out .*none --codex-home logs` first/,
    )
  })

  it('it is not built without pages, which are needed to open it', async () => {
    const { lock } = place()
    const run = await lock('--format', 'md')
    expect(run).toMatchObject({ status: 2 })
    expect(run.stderr).toContain('`passwordFile` needs the format `html`')
  })

  it('options without effect are reported by every build', async () => {
    const { cwd, out, lock } = place()
    writeFileSync(join(cwd, 'site.config.mjs'), `export default { offline: true, siteUrl: 'https://example.com/a/' }\n`)
    for (let round = 0; round < 2; round++) {
      const run = await lock('--no-search')
      expect(run.status).toBe(0)
      expect(run.stderr).toContain('unused-option An option has no effect here. The site is locked: `siteUrl`')
      expect(run.stderr).toContain('The site is locked: `offline`')
    }
    expectNothingReadable(out)
    expect((await lock('--no-search', '--strict')).status).toBe(1)
  })
})
