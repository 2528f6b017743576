/** Whole files: invented rollouts of every kind keep their shape, but none of their words. */
import { readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { transcribe } from '../../../src/transcript.ts'
import { goldenCases } from '../../helpers/golden.ts'
import * as records from '../../helpers/records.ts'
import { metaLine, threadId } from '../../helpers/rollout.ts'
import { scrubFile } from '../../helpers/scrub.ts'
import { longWords, strayWordsOfLine } from '../../helpers/scrubbed-text.ts'
import { shapeOf } from '../../helpers/shape.ts'
import { useTempDir } from '../../helpers/temp.ts'

const sample = fileURLToPath(new URL('../../../fixtures/home', import.meta.url))

function sampleRollouts(): { name: string; input: string }[] {
  const entries = readdirSync(sample, { recursive: true, withFileTypes: true })
  const files = entries.filter(({ name }) => name.startsWith('rollout-'))
  return files.map(({ name, parentPath }) => ({ name, input: join(parentPath, name) }))
}

function linesOf(bytes: Buffer, path: string): string[] {
  const text = bytes.toString('utf8')
  return path.endsWith('.json') ? [text] : text.split('\n')
}

describe('a fixture of an invented rollout', () => {
  test.each([...goldenCases(), ...sampleRollouts()])(
    '$name gives the same structure and diagnostics as the rollout, and has none of its words',
    async ({ input }) => {
      const { bytes, diagnostics } = await scrubFile(input)
      const fixture = join(useTempDir(), basename(input).replace(/\.zst$/, ''))
      writeFileSync(fixture, bytes)
      const [before, after] = [await transcribe(input), await transcribe(fixture)]
      expect(diagnostics).toEqual([])
      expect(after.diagnostics.map(({ ruleId, line }) => [ruleId, line])).toEqual(
        before.diagnostics.map(({ ruleId, line }) => [ruleId, line]),
      )
      expect(shapeOf(after.session)).toEqual(shapeOf(before.session))
      expect(linesOf(bytes, input).flatMap(strayWordsOfLine)).toEqual([])
    },
  )
})

test('a picture that is too long for memory is replaced by the smallest one', async () => {
  const path = join(useTempDir(), 'rollout.jsonl')
  const url = `data:image/png;base64,iVBORw0KGgo${'A'.repeat(9 * 1024 * 1024)}`
  const shown = { type: 'message', role: 'user', content: [{ type: 'input_image', image_url: url }] }
  writeFileSync(
    path,
    `${metaLine({ id: threadId(1) })}\n${JSON.stringify({ timestamp: records.instant(1), ...records.item(shown) })}\n`,
  )
  const { bytes, lines } = await scrubFile(path)
  expect(lines).toBe(2)
  expect(JSON.parse(bytes.toString('utf8').split('\n')[1] ?? '').payload.content).toEqual([
    { type: 'input_image', image_url: records.pixelUrl },
  ])
})

test('a file of many lines is written completely and in order', async () => {
  const path = join(useTempDir(), 'rollout.jsonl')
  const count = 30_000
  const line = (number: number): string =>
    JSON.stringify({
      timestamp: records.instant(number),
      type: 'event_msg',
      payload: { type: 'agent_message', message: `some words ${number % 10_000}` },
    })
  writeFileSync(path, Array.from({ length: count }, (_, number) => `${line(number)}\n`).join(''))
  const { bytes, lines } = await scrubFile(path)
  const found = bytes.toString('utf8').trimEnd().split('\n')
  expect([lines, found.length]).toEqual([count, count])
  expect(
    found.every((text, number) => text.includes(records.instant(number)) && text.includes(` ${number % 10_000}"`)),
  ).toBe(true)
  expect(longWords(found.slice(0, 100).join(' ')).includes('words')).toBe(false)
})
