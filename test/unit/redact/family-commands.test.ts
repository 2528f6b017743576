/** A value that one session reveals as a secret, in what commands print about sessions that belong together. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { list } from '../../../src/cli/list-sessions.ts'
import { type CheckOptions, check } from '../../../src/features/audit/check.ts'
import { context } from '../../../src/features/memory/context.ts'
import { type EditView, prune } from '../../../src/features/memory/prune.ts'
import { transcribe } from '../../../src/transcript.ts'
import { noise } from '../../helpers/planted.ts'
import { pruneNothing } from '../../helpers/prune.ts'
import * as r from '../../helpers/records.ts'
import { showFrom } from '../../helpers/show.ts'
import { writeSession } from '../../helpers/site-build.ts'
import { threadNumber } from '../../helpers/summary.ts'
import { everySession, quietHost } from '../../helpers/surroundings.ts'
import { useTempDir } from '../../helpers/temp.ts'

const [first, second] = [threadNumber(1), threadNumber(2)]
const secret = `${noise(5, 7)}x4Q${noise(6, 7)}`
const mark = '[redacted:named-secret]'
const asks = [r.userItem(`Use ${secret} here`), r.userEvent(`Use ${secret} here`), r.answerItem(`It was ${secret}.`)]
const reveals = r.command('tells', 'cat .env', 0, `DB_PASSWORD=${secret}\n`)

/** A home in which the second session repeats what the session `revealing` reveals. */
function homeWhere(revealing: string): { folder: string; homes: { path: string }[] } {
  const folder = useTempDir()
  writeSession(folder, first, [r.userItem('Hello there'), ...(revealing === first ? reveals : [])])
  writeSession(folder, second, [...asks, ...(revealing === second ? reveals : [])], { forked_from_id: first })
  return { folder, homes: [{ path: join(folder, 'home') }] }
}

describe.each([
  ['itself', second],
  ['its parent', first],
])('a value that %s reveals', (_name, revealing) => {
  test.each(['md', 'text', 'json', 'html'] as const)('is replaced by `show` as %s', async (format) => {
    const { folder } = homeWhere(revealing)
    const { text } = await showFrom(join(folder, 'home'), second, { format })
    expect(text).toContain('[redacted:named-secret')
    expect(text).not.toContain(secret)
  })

  test('is replaced by `context`', async () => {
    const { folder, homes } = homeWhere(revealing)
    const options = { homes, target: second, targetPath: join(folder, second), at: undefined }
    const result = await context(options, quietHost({ homeDir: folder }))
    expect(JSON.stringify(result)).toContain('It was [redacted:named-secret]')
    expect(JSON.stringify(result)).not.toContain(secret)
  })

  test('is replaced in the list of `prune`', async () => {
    const { folder, homes } = homeWhere(revealing)
    const seen: string[] = []
    await prune(
      {
        ...{ homes, target: second, targetPath: join(folder, second), ...pruneNothing },
        edit: async ({ items, textOf }: EditView) => {
          for (const [index, { preview }] of items.entries()) seen.push(preview, textOf(index + 1))
          return undefined
        },
      },
      quietHost({ homeDir: folder }),
    )
    expect(seen.join('\n')).toContain('[redacted:named-secret]')
    expect(seen.join('\n')).not.toContain(secret)
  })

  test('is replaced by `list`', async () => {
    const { folder, homes } = homeWhere(revealing)
    const { rows } = await list({ homes, ...everySession }, quietHost({ homeDir: folder }))
    expect(JSON.stringify(rows)).toContain('Use [redacted:named-secret] here')
    expect(JSON.stringify(rows)).not.toContain(secret)
  })

  test('is reported by `check`, wherever it is repeated', async () => {
    const { folder, homes } = homeWhere(revealing)
    const options = { homes, ...everySession, plugins: [] } as unknown as CheckOptions
    const { findings } = await check(options, quietHost({ homeDir: folder }))
    const places = findings.filter(({ ruleId, session }) => ruleId === 'secret/named-secret' && session === second)
    expect(places.map(({ field }) => field)).toEqual(expect.arrayContaining(['prompt', 'answer']))
    expect(JSON.stringify(findings)).not.toContain(secret)
  })
})

test.each([
  ['in lowercase', secret.toLowerCase(), mark],
  ['in capitals', secret.toUpperCase(), mark],
  ['with words glued to it', `fix-${secret}-soon_x`, `fix-${mark}-soon_x`],
  ['by its end', `…${secret.slice(-9)}`, `…${mark}`],
  ['over two lines', `${secret.slice(0, 9)}\n${secret.slice(9)}`, mark],
])(
  'a value that another session reveals is replaced by `list` where it is written %s',
  async (_name, written, shown) => {
    const folder = useTempDir()
    const prompt = `Use ${written} here`
    writeSession(folder, first, [r.userItem('Hello there'), ...reveals])
    writeSession(folder, second, [r.userItem(prompt), r.userEvent(prompt)], { forked_from_id: first })
    const homes = [{ path: join(folder, 'home') }]
    const { rows } = await list({ homes, ...everySession }, quietHost({ homeDir: folder }))
    expect(JSON.stringify(rows)).toContain(`Use ${shown} here`)
  },
)

test('a value that the session reveals is replaced by `check` where it is the type of an unknown record', async () => {
  const folder = useTempDir()
  const odd = [secret, secret, secret.toUpperCase()].map((word) => ({ type: `odd_${word}`, payload: {} }))
  writeSession(folder, second, [...odd, ...reveals])
  const homes = [{ path: join(folder, 'home') }]
  const options = { homes, ...everySession, plugins: [] } as unknown as CheckOptions
  const { diagnostics } = await check(options, quietHost({ homeDir: folder }))
  expect(diagnostics[0]?.message).toContain(`odd_${mark}\`: 3 lines`)
  expect(JSON.stringify(diagnostics)).not.toContain(secret)
})

test('a value that the session itself reveals later is replaced in the tree that `transcribe` returns', async () => {
  const folder = useTempDir()
  const path = writeSession(folder, second, [...asks, ...reveals])
  const transcript = await transcribe(path)
  expect(JSON.stringify(transcript)).not.toContain(secret)
})
