/** A failing disk and a kill, at every single change that a build makes on disk. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { UsageError } from '../../../src/diagnostics/errors.ts'
import type { BeforeStep, DiskStep } from '../../../src/site/output/disk-fs.ts'
import { encodeManifest } from '../../../src/site/output/paths.ts'
import { openStagingArea, settleOutput } from '../../../src/site/output/staging-fs.ts'
import { sha256 } from '../../../src/util/hash.ts'
import { readFolder, writeFolder } from '../../helpers/folder.ts'
import { useTempDir } from '../../helpers/temp.ts'

type Files = Record<string, string>

const oldSite: Files = {
  'index.html': 'old home',
  'assets/old.css': 'old look',
  'sessions/a/index.html': 'old a',
  'sessions/b/index.html': 'old b',
  'sessions/same/index.html': 'same',
  shape: 'a file that becomes a folder',
  'form/x': 'a folder that becomes a file',
}
const newSite: Files = {
  'index.html': 'new home',
  'assets/new.css': 'new look',
  'sessions/a/index.html': 'new a',
  'sessions/c/index.html': 'new c',
  'sessions/same/index.html': 'same',
  'shape/x': 'inside',
  form: 'file',
}
const foreign: Files = { CNAME: 'example.com', 'sessions/b/notes.txt': 'mine', '.git/HEAD': 'ref' }

async function build(out: string, files: Files, beforeStep?: BeforeStep): Promise<void> {
  const stage = await openStagingArea(out, beforeStep === undefined ? {} : { beforeStep })
  try {
    for (const [path, content] of Object.entries(files)) stage.put({ path, content })
    await stage.commit()
  } catch (error) {
    await stage.abort()
    throw error
  }
}

/** The content of a folder with this site and the foreign files. */
function folderOf(files: Files): Files {
  const manifest = encodeManifest(Object.entries(files).map(([path, content]) => ({ path, hash: sha256(content) })))
  return { ...foreign, ...files, 'manifest.json': manifest }
}

async function prepared(): Promise<string> {
  const out = join(useTempDir(), 'site')
  await build(out, oldSite)
  writeFolder(out, foreign)
  expect(readFolder(out)).toEqual(folderOf(oldSite))
  return out
}

/** The changes on disk of a build of the new site over the old one. */
async function steps(): Promise<DiskStep[]> {
  const seen: DiskStep[] = []
  await build(await prepared(), newSite, (step) => seen.push(step))
  return seen
}

/** From the n-th change, every change fails, as if the process had been killed. */
function killAt(n: number): BeforeStep {
  let count = 0
  return () => {
    if (++count >= n) throw new Error('killed')
  }
}

/** Only the n-th change fails. */
function failAt(n: number, code: string): BeforeStep {
  let count = 0
  return () => {
    if (++count === n) throw Object.assign(new Error(`${code}: injected`), { code })
  }
}

function isStaging(name: string): boolean {
  return name.startsWith('.staging-')
}

test('a build makes the changes that the tests below interrupt', async () => {
  const actions = (await steps()).map(({ action }) => action)
  expect(new Set(actions)).toEqual(new Set(['folder', 'write', 'sync', 'rename', 'aside', 'remove']))
  expect(actions.length).toBeGreaterThan(25)
})

test('the journal is written before the site changes, and the manifest after the start page', async () => {
  const paths = (await steps()).map(({ action, path }) => `${action} ${path.replace(/^.*\/site\/?/, '')}`)
  const journal = paths.findIndex((step) => step.startsWith('rename') && step.endsWith('/journal.json'))
  const first = paths.findIndex((step) => /^(rename|aside|remove) (?!\.staging)/.test(step))
  const installed = paths.filter((step) => /^rename (?!\.staging)/.test(step))
  expect(journal).toBeGreaterThan(0)
  expect(first).toBeGreaterThan(journal)
  expect(installed.indexOf('rename manifest.json')).toBe(installed.indexOf('rename index.html') + 1)
  expect(installed.indexOf('rename assets/new.css')).toBeLessThan(installed.indexOf('rename sessions/a/index.html'))
})

test('after a kill at any change, opening the output makes the site completely old or completely new', async () => {
  const total = (await steps()).length
  const outcomes = new Set<string>()
  for (let n = 1; n <= total; n++) {
    const out = await prepared()
    await expect(build(out, newSite, killAt(n)), `killed at change ${n}`).rejects.toThrow('killed')
    const begun = readdirSync(out).some(
      (name) => isStaging(name) && readdirSync(join(out, name)).includes('journal.json'),
    )
    const stage = await openStagingArea(out)
    await stage.abort()
    const found = readFolder(out)
    const which = found['index.html'] === newSite['index.html'] ? newSite : oldSite
    expect(found, `killed at change ${n}`).toEqual(folderOf(which))
    expect(stage.recovery, `killed at change ${n}`).toBe(begun ? 'completed' : 'none')
    outcomes.add(which === newSite ? 'new' : 'old')
  }
  expect(outcomes).toEqual(new Set(['old', 'new']))
})

test('a kill before the journal is written leaves the old site unchanged, even without a next build', async () => {
  const all = await steps()
  const journal = all.findIndex(({ action, path }) => action === 'rename' && path.endsWith('journal.json'))
  for (let n = 1; n <= journal + 1; n++) {
    const out = await prepared()
    await expect(build(out, newSite, killAt(n))).rejects.toThrow('killed')
    const found = Object.entries(readFolder(out)).filter(([path]) => !isStaging(path))
    expect(Object.fromEntries(found)).toEqual(folderOf(oldSite))
  }
})

test('a kill while a swap is being completed is repaired by the opening after that', async () => {
  const journalAt = (await steps()).findIndex(({ path }) => path.endsWith('journal.json')) + 1
  for (const first of [journalAt + 3, journalAt + 9]) {
    for (let second = 1; second < 30; second++) {
      const out = await prepared()
      await expect(build(out, newSite, killAt(first))).rejects.toThrow('killed')
      await openStagingArea(out, { beforeStep: killAt(second) })
        .then((stage) => stage.abort())
        .catch(() => undefined)
      const stage = await openStagingArea(out)
      await stage.abort()
      expect(readFolder(out), `killed at ${first}, then at ${second}`).toEqual(folderOf(newSite))
    }
  }
})

test('a swap whose new files are lost is undone', async () => {
  const all = await steps()
  const start = all.findIndex(({ action, path }) => action === 'rename' && path.endsWith('journal.json')) + 2
  for (let n = start; n < start + 12; n++) {
    const out = await prepared()
    await expect(build(out, newSite, killAt(n))).rejects.toThrow('killed')
    const staging = readdirSync(out).find(isStaging) ?? ''
    rmSync(join(out, staging, 'new'), { recursive: true })
    const stage = await openStagingArea(out)
    await stage.abort()
    expect(stage.recovery).toBe('undone')
    expect(readFolder(out), `killed at change ${n}`).toEqual(folderOf(oldSite))
  }
})

test('a file that somebody creates after the kill in place of a removed one stays', async () => {
  const all = await steps()
  const removal = all.findIndex(({ action, path }) => action === 'rename' && /staging-[^/]+\/o\d+$/.test(path))
  const last = all.findLastIndex(({ action, path }) => action === 'rename' && /staging-[^/]+\/o\d+$/.test(path))
  expect(last).toBeGreaterThan(removal)
  const out = await prepared()
  await expect(build(out, newSite, killAt(last + 2))).rejects.toThrow('killed')
  writeFolder(out, { 'sessions/b/index.html': 'mine' })
  await (await openStagingArea(out)).abort()
  expect(readFolder(out)).toEqual({ ...folderOf(newSite), 'sessions/b/index.html': 'mine' })
})

test('a swap with a damaged journal is refused and nothing changes', async () => {
  const all = await steps()
  const start = all.findIndex(({ action, path }) => action === 'rename' && path.endsWith('journal.json')) + 4
  const out = await prepared()
  await expect(build(out, newSite, killAt(start))).rejects.toThrow('killed')
  const staging = readdirSync(out).find(isStaging) ?? ''
  writeFolder(out, { [`${staging}/journal.json`]: '{' })
  const before = readFolder(out)
  await expect(openStagingArea(out)).rejects.toThrow('is damaged')
  expect(readFolder(out)).toEqual(before)
})

describe.each(['ENOSPC', 'EACCES'])('%s at any change', (code) => {
  test('is reported, and either the old site is unchanged or the new one is in place', async () => {
    const total = (await steps()).length
    for (let n = 1; n <= total; n++) {
      const out = await prepared()
      const error = await build(out, newSite, failAt(n, code)).catch((cause: unknown) => cause)
      expect(error, `failed at change ${n}`).toBeInstanceOf(UsageError)
      expect(error).toHaveProperty('message', expect.stringMatching(/^Cannot write `.+`: .+ \((ENOSPC|EACCES)\)\. /))
      const stage = await openStagingArea(out)
      await stage.abort()
      const found = readFolder(out)
      const isNew = found['index.html'] === newSite['index.html']
      expect(found, `failed at change ${n}`).toEqual(folderOf(isNew ? newSite : oldSite))
      const outcome = isNew ? /The new site is in place/ : /is unchanged|No build was started/
      expect(error, `failed at change ${n}`).toHaveProperty('message', expect.stringMatching(outcome))
    }
  })
})

test('a disk that fills up while files are staged leaves the old site immediately', async () => {
  const out = await prepared()
  let writes = 0
  const beforeStep: BeforeStep = ({ action }) => {
    if (action === 'write' && ++writes === 3) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
  }
  await expect(build(out, newSite, beforeStep)).rejects.toThrow(
    /^Cannot write `.+`: the disk is full \(ENOSPC\)\. The old site is unchanged\.$/,
  )
  expect(readFolder(out)).toEqual(folderOf(oldSite))
})

test('a disk that is full at any change of a first build is not said to leave an old site', async () => {
  const recorded: DiskStep[] = []
  await build(join(useTempDir(), 'site'), newSite, (step) => recorded.push(step))
  expect(recorded.length).toBeGreaterThan(10)
  for (let n = 1; n <= recorded.length; n++) {
    const out = join(useTempDir(), 'site')
    const error = await build(out, newSite, failAt(n, 'ENOSPC')).catch((cause: unknown) => cause)
    expect(error, `failed at change ${n}`).toBeInstanceOf(UsageError)
    const message = expect.stringMatching(
      /\(ENOSPC\)\. (?:No site was made\.|No build was started\.|The new site is in place)/,
    )
    expect(error, `failed at change ${n}`).toHaveProperty('message', message)
  }
})

test('a file that the disk refuses is named with the folder of the site', async () => {
  const out = join(useTempDir(), 'site')
  const beforeStep: BeforeStep = ({ action, path }) => {
    if (action === 'write' && path.endsWith('index.html')) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
  }
  await expect(build(out, newSite, beforeStep)).rejects.toThrow(
    `Cannot write \`${join(out, 'index.html')}\`: the disk is full (ENOSPC). No site was made.`,
  )
})

test('an error that is not a disk failure is thrown unchanged', async () => {
  const out = await prepared()
  const bug = new TypeError('a bug')
  const beforeStep: BeforeStep = ({ action }) => {
    if (action === 'aside') throw bug
  }
  await expect(build(out, newSite, beforeStep)).rejects.toBe(bug)
})

/** Stages the given files in a separate process, which kills itself at a change, or prints `staged` and waits. */
const childProgram = `
const [jiti, module, out, files, change] = process.argv.slice(1)
const { createJiti } = await import(jiti)
const { openStagingArea } = await createJiti(module).import(module)
let count = 0
const beforeStep = () => {
  if (++count === Number(change)) process.kill(process.pid, 'SIGKILL')
}
const stage = await openStagingArea(out, { beforeStep })
for (const [path, content] of Object.entries(JSON.parse(files))) stage.put({ path, content })
if (change === '0') {
  process.stdout.write('staged')
  setInterval(() => {}, 1000)
} else {
  await stage.commit()
}
`

function startChild(out: string, change: number) {
  const jiti = import.meta.resolve('jiti')
  const module = new URL('../../../src/site/output/staging-fs.ts', import.meta.url).pathname
  const input = ['--input-type=module', '-e', childProgram, jiti, module, out, JSON.stringify(newSite), String(change)]
  return spawn(process.execPath, input, { stdio: ['ignore', 'pipe', 'inherit'] })
}

describe('a killed process', () => {
  test('in the middle of a swap leaves a site that the next build completes', async () => {
    const all = await steps()
    const home = all.findIndex(({ action, path }) => action === 'rename' && path.endsWith('/site/index.html'))
    const out = await prepared()
    const [, signal] = await once(startChild(out, home + 1), 'exit')
    expect(signal).toBe('SIGKILL')
    expect(readdirSync(out).filter(isStaging)).toHaveLength(1)
    expect(readFolder(out)).toMatchObject({ 'index.html': 'old home', 'sessions/a/index.html': 'new a' })
    const stage = await openStagingArea(out)
    await stage.abort()
    expect(stage.recovery).toBe('completed')
    expect(readFolder(out)).toEqual(folderOf(newSite))
  })

  test('is completed by a reader, who changes nothing if there is no site or no swap', async () => {
    const all = await steps()
    const home = all.findIndex(({ action, path }) => action === 'rename' && path.endsWith('/site/index.html'))
    const out = await prepared()
    expect(settleOutput(out)).toBe('none')
    await once(startChild(out, home + 1), 'exit')
    expect(settleOutput(out)).toBe('completed')
    expect(readFolder(out)).toEqual(folderOf(newSite))
    const other = await prepared()
    await once(startChild(other, 8), 'exit')
    const before = readFolder(other)
    expect(settleOutput(other)).toBe('none')
    expect(readFolder(other)).toEqual(before)
  })

  test('that stages files locks out other builds while it runs, and leaves no files', async () => {
    const out = await prepared()
    const running = startChild(out, 0)
    try {
      await once(running.stdout, 'data')
      await expect(openStagingArea(out)).rejects.toThrow('Another build is writing to')
    } finally {
      running.kill('SIGKILL')
    }
    await once(running, 'exit')
    const stage = await openStagingArea(out)
    await stage.abort()
    expect(stage.recovery).toBe('none')
    expect(readFolder(out)).toEqual(folderOf(oldSite))
  })
})
