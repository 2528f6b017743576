import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unified } from 'unified'
import { expect, test } from 'vitest'
import { type RedactOptions, redactTranscript, transcribe } from '../../../src/index.ts'
import type { Session } from '../../../src/transcript/trast.ts'
import { planted } from '../../helpers/planted.ts'
import * as r from '../../helpers/records.ts'
import { dialogue } from '../../helpers/slice.ts'
import { threadNumber } from '../../helpers/summary.ts'
import { useTempDir } from '../../helpers/temp.ts'

const secret = planted()[0]?.secret ?? ''
const id = threadNumber(1)

function rollout(): string {
  const path = join(useTempDir(), `rollout-2026-03-14T09-00-00-${id}.jsonl`)
  const prompt = `Use ${secret} in /home/quendolin/shop and tell quendolin@example.org`
  const records = [r.meta({ id, timestamp: r.instant(0), cwd: '/home/quendolin/shop' }), r.userItem(prompt)]
  writeFileSync(
    path,
    r
      .envelopes(records)
      .map((record) => `${JSON.stringify(record)}\n`)
      .join(''),
  )
  return path
}

function redacted(session: Session, options: RedactOptions = {}): Promise<Session> {
  return unified().use(redactTranscript, options).run(structuredClone(session)) as Promise<Session>
}

test('a program gets the tree of a rollout redacted, unless it disables that', async () => {
  const path = rollout()
  const { session, facts } = await transcribe(path)
  expect(dialogue(session)).toEqual(['U Use [redacted:openai-key] in ~/shop and tell quendolin@example.org'])
  expect(JSON.stringify([session, facts])).not.toContain(secret)
  expect(session).toMatchObject({ cwd: '~/shop', stats: { redacted: { 'openai-key': expect.any(Number) } } })
  const { session: whole } = await transcribe(path, { redact: false })
  expect(dialogue(whole)).toEqual([`U Use ${secret} in /home/quendolin/shop and tell quendolin@example.org`])
  const { session: mild } = await transcribe(path, { personal: { home: false, emails: true } })
  expect(dialogue(mild)).toEqual(['U Use [redacted:openai-key] in /home/user/shop and tell [redacted:email]'])
})

test('a tree from elsewhere is redacted by a plugin, which counts what it did', async () => {
  const { session } = await transcribe(rollout(), { redact: false })
  const tree = await redacted(session)
  expect(dialogue(tree)).toEqual(['U Use [redacted:openai-key] in ~/shop and tell quendolin@example.org'])
  expect(tree.stats.redacted).toMatchObject({ 'openai-key': expect.any(Number), 'home-folder': expect.any(Number) })
  expect(await redacted(tree)).toEqual(tree)
  expect(dialogue(await redacted(session, { emails: true, home: false }))).toEqual([
    'U Use [redacted:openai-key] in /home/user/shop and tell [redacted:email]',
  ])
})
