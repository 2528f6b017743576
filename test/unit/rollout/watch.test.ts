/** Changes of sources are noticed, whatever makes them, by file system events and by polling. */
import { appendFileSync, mkdirSync, renameSync, rmSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { findRoots } from '../../../src/rollout/discover/homes-fs.ts'
import { watchRoots } from '../../../src/rollout/discover/watch-fs.ts'
import { writeFolder } from '../../helpers/folder.ts'
import { useTempDir } from '../../helpers/temp.ts'

const day = 'sessions/2026/03/14'
const name = 'rollout-2026-03-14T09-00-00-019ceab0-8f00-7000-8000-000000000001.jsonl'

const acts: [what: string, act: (home: string) => void][] = [
  ['grew', (home) => appendFileSync(join(home, day, name), '{}\n')],
  ['was added', (home) => writeFileSync(join(home, day, name.replace('01.jsonl', '02.jsonl')), '{}\n')],
  ['began on a new day', (home) => writeFolder(home, { [`sessions/2027/01/01/${name}`]: '{}\n' })],
  [
    'was replaced by an editor',
    (home) => {
      writeFileSync(join(home, day, 'draft~'), '{}\n{}\n')
      renameSync(join(home, day, 'draft~'), join(home, day, name))
    },
  ],
  [
    'was archived',
    (home) => {
      mkdirSync(join(home, 'archived_sessions'), { recursive: true })
      renameSync(join(home, day, name), join(home, 'archived_sessions', name))
    },
  ],
  ['was removed', (home) => rmSync(join(home, day, name))],
  ['got a name', (home) => writeFileSync(join(home, 'session_index.jsonl'), '{}\n')],
]

/** A watched home with one rollout; `notified` counts the notifications. */
function watchHome(poll: boolean) {
  const folder = useTempDir()
  const home = join(folder, 'home')
  writeFolder(home, { [`${day}/${name}`]: '{}\n' })
  const notified = vi.fn()
  const rootsOf = () => findRoots([home], { env: {}, homeDir: folder, mayMiss: () => true }).roots
  const watch = watchRoots({ rootsOf, changed: notified, poll })
  onTestFinished(watch.close)
  return { home, notified }
}

test.each(acts)('file system events show that a rollout %s', async (_, act) => {
  const { home, notified } = watchHome(false)
  act(home)
  await vi.waitFor(() => expect(notified).toHaveBeenCalled(), 10_000)
})

test('a rollout that grows in a folder created later is noticed, too', async () => {
  const { home, notified } = watchHome(false)
  writeFolder(home, { [`sessions/2027/01/01/${name}`]: '{}\n' })
  await vi.waitFor(() => expect(notified).toHaveBeenCalled(), 10_000)
  await vi.waitFor(() => {
    notified.mockClear()
    appendFileSync(join(home, 'sessions/2027/01/01', name), '{}\n')
    return vi.waitFor(() => expect(notified).toHaveBeenCalled(), 200)
  }, 10_000)
})

test('each of two rollouts in one folder is noticed', async () => {
  const folder = useTempDir()
  const names = [name, name.replace('01.jsonl', '02.jsonl')]
  for (const one of names) writeFileSync(join(folder, one), '{}\n')
  const notified = vi.fn()
  const rootsOf = () => names.map((one) => ({ path: join(folder, one), kind: 'file' as const, label: '' }))
  const watch = watchRoots({ rootsOf, changed: notified })
  onTestFinished(watch.close)
  for (const one of names) {
    notified.mockClear()
    appendFileSync(join(folder, one), '{}\n')
    await vi.waitFor(() => expect(notified).toHaveBeenCalled(), 10_000)
  }
})

test.each(['sessions', ''])('goes on with a folder that is removed and made again: home/%s', async (inner) => {
  const { home, notified } = watchHome(false)
  rmSync(join(home, inner), { recursive: true })
  writeFolder(home, { [`${day}/${name}`]: '{}\n' })
  // First the removal is noticed, and what was made.
  await vi.waitFor(() => expect(notified).toHaveBeenCalled(), 10_000)
  for (let round = 0; round < 3; round++)
    await vi.waitFor(() => {
      notified.mockClear()
      appendFileSync(join(home, day, name), '{}\n')
      return vi.waitFor(() => expect(notified).toHaveBeenCalled(), 200)
    }, 10_000)
})

test('polling notices changes, and that a whole home disappears and comes back', async () => {
  const { home, notified } = watchHome(true)
  appendFileSync(join(home, day, name), '{}\n')
  await vi.waitFor(() => expect(notified).toHaveBeenCalledTimes(1), 10_000)
  rmSync(home, { recursive: true })
  await vi.waitFor(() => expect(notified.mock.calls.length).toBeGreaterThan(1), 10_000)
  const before = notified.mock.calls.length
  writeFolder(home, { [`${day}/${name}`]: '{}\n' })
  await vi.waitFor(() => expect(notified.mock.calls.length).toBeGreaterThan(before), 10_000)
})

test('a log that Codex writes next to its sessions is no change', async () => {
  const { home, notified } = watchHome(false)
  const names: (string | null)[] = []
  const own = watch(home, (_, changed) => names.push(changed))
  onTestFinished(() => own.close())
  writeFileSync(join(home, 'history.jsonl'), '{}\n')
  // The system reports one change to all watchers before it reports the next.
  await vi.waitFor(() => expect(names).toContain('history.jsonl'), 10_000)
  expect(notified).not.toHaveBeenCalled()
  writeFileSync(join(home, 'session_index.jsonl'), '{}\n')
  await vi.waitFor(() => expect(notified).toHaveBeenCalled(), 10_000)
})
