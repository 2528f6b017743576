import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../helpers/cli.ts'
import { turnOf, writeSession } from '../helpers/site-build.ts'
import { useTempDir } from '../helpers/temp.ts'

const id = '019cebe6-48a0-7000-8000-00000000c0de'
const key = `ghp_${'Zk3Lq8Wm1Xv6'.repeat(3)}`

/** A home with one thread of two turns and a call that was cut off. */
function homeWithThread(): string {
  const home = useTempDir()
  const day = join(home, 'sessions/2026/03/14')
  mkdirSync(day, { recursive: true })
  const line = (type: string, payload: object): string =>
    JSON.stringify({ timestamp: '2026-03-14T09:26:10.000Z', type, payload })
  const item = (payload: object): string => line('response_item', payload)
  const prompt = (text: string): string[] => [
    item({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }),
    line('event_msg', { type: 'user_message', message: text, kind: 'plain' }),
  ]
  const head = { id, timestamp: '2026-03-14T09:26:10.000Z', cwd: '/home/sam/shop', originator: 'codex_exec' }
  const lines = [
    line('session_meta', head),
    ...prompt('Count the carts.'),
    line('turn_context', { cwd: '/home/sam/shop', model: 'gpt-5' }),
    item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Seven.' }] }),
    ...prompt(`Use ${key} now.`),
    item({ type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: 'c1' }),
  ]
  writeFileSync(join(day, `rollout-2026-03-14T09-26-10-${id}.jsonl`), `${lines.join('\n')}\n`)
  return home
}

test('prints JSON whose keys are all in docs/cli.md', async () => {
  const docs = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8')
  const text = /^## context\n[\s\S]*?(?=^## )/m.exec(docs)?.[0] ?? ''
  const run = await runCli(['context', id, '--codex-home', homeWithThread(), '--diff', '1..2', '--json'])
  const document = JSON.parse(run.stdout) as { items: object[] }
  for (const key of [document, ...document.items].flatMap((part) => Object.keys(part)))
    expect(text).toContain(`\`${key}\``)
})

test('prints the items of the memory, their sums, and what Codex added', async () => {
  const run = await runCli(['context', id.slice(0, 8), '--codex-home', homeWithThread()])
  expect(run.status, run.stderr).toBe(0)
  expect(run.stdout).toContain('after all 2 turns')
  expect(run.stdout).toMatch(/1 +userMessage +\d+ +1 +Count the carts\./)
  expect(run.stdout).toMatch(/5 +\+ +toolOutput +2 +2 +aborted/)
  expect(run.stdout).toMatch(/user messages +2/)
  expect(run.stderr).toContain('missing-output')
})

test('removes secrets, unless `--no-redact` is given', async () => {
  const home = homeWithThread()
  const shown = await runCli(['context', id, '--codex-home', home, '--json'])
  expect(shown.stdout).toContain('[redacted:github-token]')
  expect(shown.stdout).not.toContain(key)
  const whole = await runCli(['context', id, '--codex-home', home, '--json', '--no-redact'])
  expect(whole.stdout).toContain(key)
})

test('prints the memory after an earlier turn', async () => {
  const run = await runCli(['context', id, '--codex-home', homeWithThread(), '--json', '--at', '1'])
  const document = JSON.parse(run.stdout)
  expect(document).toMatchObject({ schema: 'codex-export/context', version: 1, turn: 1, turns: 2, model: 'gpt-5' })
  expect(document.items.map((item: { preview: string }) => item.preview)).toEqual(['Count the carts.', 'Seven.'])
})

test('refuses a turn or a session that does not exist', async () => {
  const home = homeWithThread()
  const late = await runCli(['context', id, '--codex-home', home, '--at', '3'])
  expect([late.status, late.stderr]).toEqual([2, expect.stringContaining('the session has 2 turns')])
  const single = writeSession(useTempDir(), id, turnOf('only'))
  const later = await runCli(['context', single, '--at', '2'])
  expect([later.status, later.stderr]).toEqual([2, expect.stringContaining('the session has 1 turn.')])
  const none = await runCli(['context', 'ffffffff', '--codex-home', home])
  expect([none.status, none.stderr]).toEqual([2, expect.stringContaining('No thread id starts with `ffffffff`')])
  const odd = await runCli(['context', id, '--codex-home', home, '--at', 'soon'])
  expect(odd.status).toBe(2)
})

test('lists the largest items first if asked for, with the same numbers', async () => {
  const run = await runCli(['context', id, '--codex-home', homeWithThread(), '--json', '--by', 'size'])
  const { items } = JSON.parse(run.stdout) as { items: { index: number; tokens: number }[] }
  expect(items.map(({ tokens }) => tokens)).toEqual(items.map(({ tokens }) => tokens).toSorted((a, b) => b - a))
  expect(items.map(({ index }) => index).toSorted()).toEqual([1, 2, 3, 4, 5])
})

test('prints complete items without their secrets', async () => {
  const home = homeWithThread()
  const run = await runCli(['context', id, '--codex-home', home, '--items'])
  const { items } = JSON.parse(run.stdout) as { items: { item: { type: string } }[] }
  expect(items.map(({ item }) => item.type)).toContain('function_call')
  expect(run.stdout).not.toContain(key)
  const one = await runCli(['context', id, '--codex-home', home, '--item', '3'])
  expect(JSON.parse(one.stdout)).toMatchObject({ type: 'message', role: 'user' })
  expect(one.stdout).toContain('[redacted:github-token]')
  const open = await runCli(['context', id, '--codex-home', home, '--item', '3', '--no-redact'])
  expect(open.stdout).toContain(key)
  const none = await runCli(['context', id, '--codex-home', home, '--item', '9'])
  expect([none.status, none.stderr]).toEqual([2, expect.stringContaining('There is no item 9')])
  const zero = await runCli(['context', id, '--codex-home', home, '--item', '0'])
  expect([zero.status, zero.stderr]).toEqual([2, expect.stringContaining('expected a whole number from 1')])
})

test('prints what left the memory and what was added between two turns', async () => {
  const home = homeWithThread()
  const run = await runCli(['context', id, '--codex-home', home, '--diff', '1..2'])
  expect(run.stdout).toContain('Since turn 1: 0 items of 0 tokens gone, 3 items of')
  expect(run.stdout).toMatch(/^\+ +3 +userMessage/m)
  const json = await runCli(['context', id, '--codex-home', home, '--diff', '1..2', '--json'])
  expect(JSON.parse(json.stdout).change).toMatchObject({ since: 1, removed: [], added: [{ index: 3 }, {}, {}] })
  for (const range of ['2..1', '0..2', '1', 'a..b']) {
    const refused = await runCli(['context', id, '--codex-home', home, '--diff', range])
    expect([range, refused.status]).toEqual([range, 2])
  }
})
