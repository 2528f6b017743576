import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { type Run, requireBuild, runCli } from '../helpers/cli.ts'
import { type PruneHome, pruneHome } from '../helpers/prune.ts'
import { useTempDir } from '../helpers/temp.ts'

beforeAll(requireBuild)

/** A session, and a command about it. */
function session(): PruneHome & { run: (command: string, ...args: string[]) => Promise<Run> } {
  const folder = useTempDir()
  const home = pruneHome(folder)
  const options = { cwd: folder, env: { XDG_CACHE_HOME: join(folder, 'cache') } }
  return {
    ...home,
    run: (command, ...args) => runCli([command, home.id.slice(0, 8), '--codex-home', home.home, ...args], options),
  }
}

test('a plan is printed with paired items and what is saved, and nothing is written', async () => {
  const { run, read } = session()
  const before = read()
  const { status, stdout, stderr } = await run('prune', '--exclude', '3,99', '--exclude-category', 'Reasoning')
  expect(status, stderr).toBe(0)
  expect(stdout).toMatch(/^2 {2}exclude {4}reasoning/m)
  expect(stdout).toMatch(/^3 {2}exclude {4}toolCall/m)
  expect(stdout).toMatch(/^4 {2}exclude \+ {2}toolOutput/m)
  expect(stdout).toContain('`99` names no item; the last item is 9.')
  expect(stdout).toMatch(/remembers 9 items, about \d+ tokens; then 6 items, about \d+ tokens: \d+ fewer\./)
  expect(stdout).toContain(
    'Nothing was written: `--in-place` writes the rollout, `--new-thread` a new session, `--output FILE` a copy.',
  )
  expect(read()).toBe(before)
})

test('several categories can be given in one list', async () => {
  const { run } = session()
  const asList = await run('prune', '--exclude-category', 'reasoning, toolOutput,')
  expect(asList.status, asList.stderr).toBe(0)
  expect(asList.stdout).toMatch(/^2 {2}exclude {4}reasoning/m)
  expect(asList.stdout).toMatch(/^4 {2}exclude {4}toolOutput/m)
  expect(await run('prune', '--exclude-category', 'reasoning', '--exclude-category', 'toolOutput')).toEqual(asList)
})

test('a prune in place names its backup, can be read again, and is undone by restore', async () => {
  const { run, read, names, home, backups: kept } = session()
  const before = read()
  const pruned = await run('prune', '--exclude', '3', '--in-place')
  expect(pruned.stdout).toMatch(/Wrote the rollout. Its backup is `[^`]+\/codex-export-backups\/\w+\.bak`/)
  expect(pruned.stdout).toMatch(/; `codex-export restore [\w-]+ --codex-home [^`]+` restores it\./)
  expect((await run('prune')).stdout).toMatch(/^3 {2}excluded {2}toolCall/m)
  const list = await runCli(['list', '--json', '--codex-home', home])
  expect(JSON.parse(list.stdout)).toHaveLength(1)
  const backups = await run('restore', '--list')
  expect(backups.stdout).toMatch(
    /\.bak \([\d.]+ (?:bytes|KiB)\): 9 items, about \d+ tokens; 2 lines that the rollout lacks/,
  )
  const restored = await run('restore')
  expect(restored.stdout).toMatch(
    /Restored `[^`]+\.bak`: 2 lines came back\. The previous rollout is in `[^`]+\.2\.bak`\./,
  )
  expect(read()).toBe(before)
  expect([names().length, kept().length]).toEqual([1, 2])
})

test('JSON contains the complete result', async () => {
  const { run } = session()
  const { stdout } = await run('prune', '--delete', '1', '--in-place', '--json')
  const result = JSON.parse(stdout)
  expect(result).toMatchObject({ schema: 'codex-export/prune', version: 1, changes: true, before: { items: 9 } })
  expect(result.items[0]).toMatchObject({ index: 1, state: 'delete', along: false, category: 'userMessage' })
  expect(result.written.backup).toMatch(/\.bak$/)
  expect(JSON.parse((await run('restore', '--json')).stdout)).toMatchObject({
    schema: 'codex-export/restore',
    backups: [{ path: result.written.backup, lines: { onlyHere: 0, onlyThere: 1 } }],
  })
})

test.each([
  [['--exclude', 'tomorrow'], '`tomorrow` does not name items; use one of these forms: `3`, `7-12`'],
  [
    ['--exclude', 'category:toolcalls'],
    'There is no category `toolcalls`; the categories are userMessage, assistantMessage',
  ],
  [
    ['--exclude-category', 'nope'],
    'There is no category `nope`; the categories are userMessage, assistantMessage, reasoning',
  ],
  [['--delete', 'tool:apply_patch+over:9'], 'has no item of a tool `apply_patch`; there are shell_command.'],
  [['--exclude', '1', '--in-place', '--output', 'x.jsonl'], 'choose one.'],
  [['--interactive'], '`--interactive` needs a terminal'],
])('prune %j is refused in one line', async (args, message) => {
  const { run, read } = session()
  const before = read()
  const { status, stderr } = await run('prune', ...args)
  expect(status).toBe(2)
  expect(stderr).toContain(message)
  expect(read()).toBe(before)
})

test('an id that matches no thread is refused', async () => {
  const folder = useTempDir()
  const { home } = pruneHome(folder)
  const { status, stderr } = await runCli(['prune', 'ffff', '--codex-home', home], { cwd: folder })
  expect(status).toBe(2)
  expect(stderr).toContain('No thread id starts with `ffff`')
})

/** Runs the command on a terminal of `script`, types once the list is shown, and returns all that was shown. */
function onTerminal(home: PruneHome, folder: string, keys: string, early = ''): Promise<string> {
  const cli = join(import.meta.dirname, '../../dist/cli.js')
  const command = `'${process.execPath}' '${cli}' prune ${home.id} --codex-home '${home.home}'; echo status $?; stty -a`
  const env = { PATH: process.env['PATH'], TERM: 'xterm', HOME: folder, XDG_CACHE_HOME: join(folder, 'cache') }
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: folder,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let shown = ''
  let typed = false
  child.stdin.write(early)
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text
    if (typed || !shown.includes('? help')) return
    typed = true
    child.stdin.write(keys)
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => resolve(shown))
  })
}

const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false

test.skipIf(!hasScript)(
  'on a terminal items are marked in a list, and the terminal is restored afterwards',
  async () => {
    const folder = useTempDir()
    const home = pruneHome(folder)
    const before = home.read()
    const shown = await onTerminal(home, folder, 'jj \ry')
    expect(shown).toContain('\x1b[?1049h')
    expect(shown.lastIndexOf('\x1b[?1049l')).toBeGreaterThan(shown.lastIndexOf('\x1b[?1049h'))
    expect(shown).toContain('Wrote the rollout.')
    expect(shown).toMatch(/(?<!-)icanon/)
    expect(shown).toMatch(/(?<!-)echo /)
    expect(readFileSync(home.backup(), 'utf8')).toBe(before)
    expect(home.read()).not.toContain('call-1')
  },
)

test.skipIf(!hasScript)('keys that were typed before the list was shown mark and write nothing', async () => {
  const folder = useTempDir()
  const home = pruneHome(folder)
  const before = home.read()
  const shown = await onTerminal(home, folder, 'q', 'd\ry')
  expect(shown).not.toContain('Throw')
  expect(shown).toContain('Nothing was written.')
  expect(shown).toContain('status 0')
  expect(home.read()).toBe(before)
})

test.skipIf(!hasScript)('Ctrl-C in the list changes nothing and restores the terminal', async () => {
  const folder = useTempDir()
  const home = pruneHome(folder)
  const before = home.read()
  const shown = await onTerminal(home, folder, 'jj \x03')
  expect(shown).toContain('status 130')
  expect(shown).toMatch(/(?<!-)icanon/)
  expect(home.read()).toBe(before)
  expect(home.names()).toHaveLength(1)
})

test('the plan is printed before it is carried out, even if that is refused', async () => {
  const { run, path, read } = session()
  const before = read()
  utimesSync(path, new Date(), new Date())
  const { status, stdout, stderr } = await run('prune', '--exclude', '3', '--in-place')
  expect(status).toBe(2)
  expect(stdout).toMatch(/^3 {2}exclude {4}toolCall .*ls oil/m)
  expect(stderr).toContain('The session may be open')
  expect(read()).toBe(before)
})

test('`context` marks excluded items under the numbers of `prune`', async () => {
  const { run } = session()
  await run('prune', '--exclude', '3', '--in-place')
  const { stdout } = await run('context')
  expect(stdout).toMatch(/^3 +- +toolCall/m)
  expect(stdout).toMatch(/^5 +toolCall .*cat manual/m)
  expect(stdout).toContain('- 2 items excluded by `prune`')
  const { items } = JSON.parse((await run('context', '--json')).stdout)
  expect(
    items.filter(({ included }: { included: boolean }) => !included).map(({ index }: { index: number }) => index),
  ).toEqual([3, 4])
})
