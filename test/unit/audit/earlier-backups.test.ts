import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { check } from '../../../src/features/audit/check.ts'
import { resumableNotes } from '../../../src/features/memory/files/backups-fs.ts'
import { walk } from '../../../src/rollout/discover/walk-fs.ts'
import { type PruneHome, pruneHome } from '../../helpers/prune.ts'
import { useTempDir } from '../../helpers/temp.ts'

/** A session with its backup at the place where an earlier version wrote it. */
async function earlier(): Promise<PruneHome & { bak: string; whole: string }> {
  const session = pruneHome(useTempDir())
  const whole = session.read()
  await session.prune({ exclude: ['3'], inPlace: true })
  const bak = `${session.path}.bak`
  renameSync(session.backup(), bak)
  return { ...session, bak, whole }
}

test('a backup of an earlier version is restored, with a warning that an old Codex may resume it', async () => {
  const { prune, restore, read, bak, whole, id } = await earlier()
  const warning = `Codex before 0.93 may resume \`${basename(bak)}\` instead of the session. \`codex-export restore ${id} --move-backups\` moves it`
  const { plan } = await prune()
  expect(plan.notes).toEqual([expect.stringContaining(warning)])
  expect(plan.items.map(({ state }) => state)).toContain('excluded')
  expect((await restore({ listBackups: true })).notes).toEqual([expect.stringContaining(warning)])
  expect((await restore()).notes).toEqual([expect.stringContaining(warning)])
  expect(read()).toBe(whole)
})

test('backups of earlier versions are moved on request, keep their numbers, and are found there', async () => {
  const session = await earlier()
  writeFileSync(`${session.path}.bak.2`, session.read())
  const { moved, notes } = await session.restore({ moveBackups: true })
  expect(moved).toEqual([
    { from: basename(session.bak), to: session.backup() },
    { from: `${basename(session.path)}.bak.2`, to: session.backup(2) },
  ])
  expect(notes).toEqual([])
  expect(session.names()).toEqual([basename(session.path)])
  expect((await session.prune()).plan.items.map(({ state }) => state)).toContain('excluded')
  await session.restore()
  expect(session.read()).toBe(session.whole)
  expect((await session.restore({ moveBackups: true })).moved).toEqual([])
})

test('a moved backup never overwrites another one', async () => {
  const session = await earlier()
  writeFileSync(session.backup(), 'another')
  const { moved } = await session.restore({ moveBackups: true })
  expect(moved).toEqual([{ from: basename(session.bak), to: session.backup(2) }])
  expect(session.names()).toEqual([basename(session.path)])
  expect(readFileSync(session.backup(), 'utf8')).toBe('another')
  expect(readFileSync(session.backup(2), 'utf8')).toBe(session.whole)
})

test('`check` reports drafts and backups that an old Codex may resume, until they are moved', async () => {
  const session = await earlier()
  const draft = join(dirname(session.path), `.${basename(session.path)}.codex-export`)
  writeFileSync(draft, 'half')
  const filters = { projects: [], since: undefined, until: undefined, ids: [], exclude: [], branches: [] }
  const found = async () => {
    const options = { homes: [{ path: session.home }], ...filters, archived: true, timeZone: 'UTC', plugins: [] }
    const { diagnostics } = await check(options as unknown as Parameters<typeof check>[0], session.host)
    return diagnostics.filter(({ ruleId }) => ruleId === 'resumable-backup').map(({ file }) => basename(file ?? ''))
  }
  expect(await found()).toEqual([basename(draft), basename(session.bak)])
  await session.restore({ moveBackups: true })
  expect(await found()).toEqual([basename(draft)])
})

test('backups of any version are no sessions, and the rollout knows them', async () => {
  const session = await earlier()
  await session.restore()
  const { files, diagnostics } = walk({ path: session.home, kind: 'home', label: '' })
  expect(files.map(({ path }) => path)).toEqual([session.path])
  expect(files[0]?.backups?.map(({ path }) => path)).toEqual([session.bak, session.backup(2)])
  expect(diagnostics).toEqual([])
  const inFolder = walk({ path: dirname(session.path), kind: 'folder', label: '' })
  expect(inFolder.files).toHaveLength(1)
})

test('only the rollout itself has a name below `sessions` that an old Codex takes for the session', async () => {
  const session = pruneHome(useTempDir())
  const seen = new Set<string>()
  const look = () => {
    for (const name of readdirSync(join(session.home, 'sessions'), { recursive: true, encoding: 'utf8' }))
      if (statSync(join(session.home, 'sessions', name)).isFile()) seen.add(name)
  }
  session.host.openProbe = () => {
    look()
    return { kind: 'closed' }
  }
  await session.prune({ exclude: ['3'], inPlace: true })
  await session.restore()
  look()
  const matches = [...seen].filter((name) => isSubsequence(session.id, name))
  expect(seen.size).toBeGreaterThan(2)
  expect(matches.map((name) => basename(name))).toEqual([basename(session.path)])
})

function isSubsequence(id: string, name: string): boolean {
  let at = 0
  for (const character of name) if (character === id[at]) at++
  return at === id.length
}

test('a made-up id in a file is quoted as one word in the suggested command', () => {
  expect(resumableNotes(['a.bak'], 'x; touch $HOME')).toEqual([
    expect.stringContaining("`codex-export restore 'x; touch $HOME' --move-backups`"),
  ])
})
