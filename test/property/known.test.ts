/** Families of sessions that reveal and repeat values, built at once and step by step. */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { noise } from '../helpers/planted.ts'
import * as r from '../helpers/records.ts'
import { buildSite, writeSession } from '../helpers/site-build.ts'
import { filesWith, siteTexts } from '../helpers/site-text.ts'
import { threadNumber } from '../helpers/summary.ts'
import { useTempDir } from '../helpers/temp.ts'

const values = [
  ...[1, 3].map((seed) => `${noise(seed, 7)}x4Q${noise(seed + 1, 7)}`),
  // Lines are searched for the longest part of this value, which is a word.
  `pass)${noise(5, 2)}]4Q(${noise(6, 3)}{${noise(7, 3)}`,
]
const formsOf = (value: string): string[] => [
  ...[value, value.toUpperCase(), Buffer.from(value).toString('hex')],
  ...[value.slice(3), value.slice(9)],
]
const reveals = (value: string, key: string): r.Json[] => r.command(key, 'cat .env', 0, `DB_PASSWORD=${value}\n`)
const echoes: readonly ((value: string, key: string) => r.Json[])[] = [
  (value) => [r.userItem(`Use ${value} at the door`), r.userEvent(`Use ${value} at the door`)],
  (value) => [r.answerItem(`It is \`${value}\`, or ${encodeURIComponent(value)}.`)],
  (value, key) => r.command(key, `./login '${value}'`, 1, `error: ${JSON.stringify({ value })}\n`),
  (value, key) => r.command(key, 'cat log', 0, `${'line of a log\n'.repeat(900)}${value}\n`),
  (value) => [r.reasoningItem([`They gave ${value}`])],
  (value) => [r.answerItem(`It is ${value.toUpperCase()}, or ${Buffer.from(value).toString('hex')}.`)],
  (value) => [
    r.answerItem(`It ends with …${value.slice(3)}, and in two lines:\n${value.slice(0, 9)}\n${value.slice(9)}`),
  ],
]

/** What a record does: with `kind` 0 it reveals a value, otherwise it repeats it. */
const step = fc.record({ value: fc.nat(values.length - 1), kind: fc.nat(echoes.length) })
/** Records of each session of a family. Each session is a fork of an earlier one. */
const family = fc.array(fc.record({ steps: fc.array(step, { maxLength: 6 }), parent: fc.nat() }), {
  minLength: 1,
  maxLength: 4,
})

test('no value that a session of a family reveals is in a byte of the site, whatever was built before', async () => {
  await fc.assert(
    fc.asyncProperty(family, fc.nat(), async (sessions, cut) => {
      const [folder, fresh] = [useTempDir(), useTempDir()]
      const write = (index: number, isCut: boolean): void => {
        const { steps, parent } = sessions[index] ?? { steps: [], parent: 0 }
        const kept = isCut ? steps.slice(0, cut % (steps.length + 1)) : steps
        const records = kept.flatMap(({ value, kind }, place) => {
          const put = kind === 0 ? reveals : echoes[kind - 1]
          return put?.(values[value] ?? '', `c${place}`) ?? []
        })
        const head = index === 0 ? {} : { forked_from_id: threadNumber(1 + (parent % index)) }
        writeSession(folder, threadNumber(index + 1), [r.userItem('Hello there'), ...records], head)
      }
      for (const index of sessions.keys()) write(index, true)
      await buildSite(folder)
      for (const index of sessions.keys()) write(index, false)
      const { texts } = await buildSite(folder)

      const revealed = new Set(
        sessions.flatMap(({ steps }) => steps.flatMap(({ value, kind }) => (kind === 0 ? [value] : []))),
      )
      for (const value of revealed) {
        for (const form of formsOf(values[value] ?? '')) expect(filesWith(texts, form)).toEqual([])
      }
      cpSync(join(folder, 'home'), join(fresh, 'home'), { recursive: true, preserveTimestamps: true })
      await buildSite(fresh)
      expect(siteTexts(join(folder, 'site'))).toEqual(siteTexts(join(fresh, 'site')))
    }),
    { numRuns: 6 },
  )
}, 120_000)
