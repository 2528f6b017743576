/** The title of an agent's session is the name of its task, which may be any text. */
import { expect, test } from 'vitest'
import * as r from '../../helpers/records.ts'
import { buildSite, writeSession } from '../../helpers/site-build.ts'
import { useTempDir } from '../../helpers/temp.ts'
import { sampleOf } from '../../helpers/token-samples.ts'

const id = '019c0000-0000-7000-8000-000000000001'
const parent = '019c0000-0000-7000-8000-000000000002'

async function titleOf(name: string): Promise<{ title: string; all: string }> {
  const folder = useTempDir()
  const spawn = { parent_thread_id: parent, depth: 1, agent_path: `/root/${name}` }
  writeSession(folder, id, [r.answerItem('Done.')], { source: { subagent: { thread_spawn: spawn } } })
  const { texts } = await buildSite(folder, { search: true })
  const title = /<h1[^>]*>([^<]*)/.exec(texts.get(`sessions/${id}/index.html`) ?? '')?.[1] ?? ''
  return { title, all: [...texts.values()].join('\n') }
}

test('a name made of words is shown as words', async () => {
  expect(await titleOf('fix_gate_2')).toMatchObject({ title: 'fix gate 2' })
})

test("no part of a token in a task's name is shown", async () => {
  const token = `ghp_${sampleOf('{a:36}', 7)}`
  const { title, all } = await titleOf(token)
  expect(title).not.toBe('')
  expect(all).not.toContain(token.slice(4))
})
