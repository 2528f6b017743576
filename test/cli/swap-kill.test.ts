/** Kills during a real swap of real sites, and what readers find then. */
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { requireBuild, runCli } from '../helpers/cli.ts'
import { readFolder, writeFolder } from '../helpers/folder.ts'
import { readersFaults } from '../helpers/readers-eyes.ts'
import { swapIn } from '../helpers/swap-child.ts'
import { buildSites } from '../helpers/swapped-sites.ts'
import { shareTempDir, useTempDir } from '../helpers/temp.ts'

type Files = Record<string, string>

const kills = 32
const foreign: Files = { CNAME: 'example.org', '.git/HEAD': 'ref: refs/heads/main', 'sessions/mine/notes.txt': 'mine' }

const shared = shareTempDir()
let sites = { old: '', next: '' }

beforeAll(async () => {
  requireBuild()
  sites = await buildSites(shared)
}, 120_000)

/** The files that readers see, without staging. */
function seen(out: string): Files {
  return Object.fromEntries(Object.entries(readFolder(out)).filter(([path]) => !path.startsWith('.staging-')))
}

test('wherever a swap is killed, every page has what it loads, and the next command completes it', async () => {
  const folder = useTempDir()
  const [old, next] = [readFolder(sites.old), readFolder(sites.next)]
  const prepared = (name: string): string => {
    const out = join(folder, name)
    cpSync(sites.old, out, { recursive: true, preserveTimestamps: true })
    writeFolder(out, foreign)
    return out
  }
  const steps = await swapIn(sites.next, prepared('counted'))
  expect(seen(join(folder, 'counted'))).toEqual({ ...next, ...foreign })
  expect(steps).toBeGreaterThan(kills)
  const outcomes = new Set<string>()
  for (let number = 0; number < kills; number++) {
    const step = Math.round((number * Number(steps)) / (kills - 1))
    const out = prepared(`killed-${number}`)
    expect(await swapIn(sites.next, out, step)).toBe('killed')
    const found = seen(out)
    expect(readersFaults({ found, old, next }), `killed at change ${step} of ${steps}`).toEqual([])
    expect(found).toMatchObject(foreign)
    outcomes.add(found['index.html'] === next['index.html'] ? 'new' : 'old')
    if (number % 10 > 0) continue
    const check = await runCli(['check', out, '--json', '--no-config'], { cwd: folder })
    expect(JSON.parse(check.stdout).findings, check.stderr).not.toContainEqual(
      expect.objectContaining({ level: 'fatal' }),
    )
    expect([
      { ...old, ...foreign },
      { ...next, ...foreign },
    ]).toContainEqual(seen(out))
  }
  expect(outcomes).toEqual(new Set(['old', 'new']))
}, 600_000)

test('an interrupted swap is completed by `publish`, which then publishes a complete site', async () => {
  const folder = useTempDir()
  const out = join(folder, 'site')
  cpSync(sites.old, out, { recursive: true, preserveTimestamps: true })
  expect(await swapIn(sites.next, out, 40)).toBe('killed')
  const run = await runCli(['publish', 'dir', '--to', 'public', '--out', out, '--no-config'], { cwd: folder })
  expect(run.status, run.stderr).toBe(0)
  expect(readFolder(join(folder, 'public'))).toEqual(readFolder(sites.next))
  expect(readdirSync(out).filter((name) => name.startsWith('.staging-'))).toEqual([])
}, 120_000)

test('an output folder that is a link and contains foreign files keeps all of that', async () => {
  const folder = useTempDir()
  mkdirSync(join(folder, 'disk'))
  symlinkSync(join(folder, 'disk'), join(folder, 'site'))
  cpSync(sites.old, join(folder, 'disk'), { recursive: true, preserveTimestamps: true })
  writeFolder(join(folder, 'disk'), foreign)
  expect(await swapIn(sites.next, join(folder, 'site'))).toBeGreaterThan(0)
  expect(readFolder(join(folder, 'disk'))).toEqual({ ...readFolder(sites.next), ...foreign })
}, 120_000)
