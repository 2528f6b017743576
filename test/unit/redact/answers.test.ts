/** Answers that Codex calls secret, as `show` writes them. */
import { expect, test } from 'vitest'
import type { Session } from '../../../src/transcript/trast.ts'
import * as r from '../../helpers/records.ts'
import { showFrom, writeHome } from '../../helpers/show.ts'
import { threadNumber } from '../../helpers/summary.ts'
import { useTempDir } from '../../helpers/temp.ts'

const id = threadNumber(1)
const question = { id: 'key', header: 'Key', question: 'Which key?', isSecret: true, options: [] }
const records = ['open sesame', 'friend or foe'].flatMap((answer, index) => [
  r.call(`q${index}`, 'request_user_input', { questions: [question] }),
  r.output(`q${index}`, JSON.stringify({ answers: { key: { answers: [answer] } } })),
  ...r.command(`c${index}`, `echo ${answer} | login`),
])

test.each([{}, { redact: false }])('secret answers are numbered and counted with %o', async (options) => {
  const home = writeHome(useTempDir(), { [id]: [r.meta({ id, timestamp: r.instant(0) }), ...records] })
  const { text } = await showFrom(home, id, options)
  expect(text).toContain('Answer: \\[redacted:secret-answer]')
  expect(text).toContain('Answer: \\[redacted:secret-answer#2]')
  const json = await showFrom(home, id, { ...options, format: 'json' })
  const { session } = JSON.parse(json.text) as { session: Session }
  expect(session.stats.redacted['secret-answer']).toBeGreaterThanOrEqual(2)
})

test('secret answers are redacted in the commands that use them', async () => {
  const home = writeHome(useTempDir(), { [id]: [r.meta({ id, timestamp: r.instant(0) }), ...records] })
  const { text } = await showFrom(home, id)
  expect(text).not.toContain('open sesame')
  expect(text).toContain('echo [redacted:secret-answer#2] | login')
})
