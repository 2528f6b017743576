/** What is left of a secret if Codex, a tool or a page cuts a text inside it. */
import { describe, expect, test } from 'vitest'
import { findSecrets } from '../../../src/redact/find.ts'

/** Random values; each is cut at every third character. */
const secrets = [
  { kind: 'a token', before: 'GITHUB_TOKEN=', value: 'ghp_R8mW2kXv7TqLz4BnYc6HdJ1sPf9GaEu3Zo5i', after: '' },
  {
    kind: 'a named key',
    before: 'AWS_SECRET_ACCESS_KEY=',
    value: 'k9Xw2RvTz7LqM4nBc8YdHs1JpFg6GaEuZo3i5WtK',
    after: '',
  },
  {
    kind: 'hexadecimal digits',
    before: 'SECRET_KEY=',
    value: '7c41f09ab3d25e8817f60c9d4ba2e35f90d81c6e4b7a23f5',
    after: '',
  },
  {
    kind: 'a signed token',
    before: 'Authorization: Bearer ',
    value:
      'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEiLCJyb2xlIjoib3duZXIiLCJuIjo0ODIxN30.Zk3xQ8vW1tYp6RcLs0HbNm5JgUe2TfDa9KiOqXwVr7E',
    after: '',
  },
  {
    kind: 'a password',
    before: 'DATABASE_URL=postgres://ada:',
    value: 'hunter2-Wombat-77!',
    after: '@db.example:5432/shop',
  },
]

const marks = [
  '…231 tokens truncated…',
  '…1042 chars truncated…',
  '\n[... output truncated to fit 17250 bytes ...]\n\n',
  '<truncated>',
  '[truncated]',
]

/** A shorter part does not let anybody guess the rest. */
const minPart = 16

function hiddenOf(text: string, start: number, end: number): number {
  const covered = findSecrets(text).map((found) => [Math.max(start, found.start), Math.min(end, found.end)] as const)
  return covered.reduce((sum, [from, to]) => sum + Math.max(0, to - from), 0)
}

describe.each(secrets)('$kind', ({ before, value, after }) => {
  test.each(marks)('leaves no rest after %j', (mark) => {
    for (let cut = 3; value.length - cut >= minPart; cut += 3) {
      const head = `ok${mark}`
      const text = `${head}${value.slice(cut)}${after}\nnext line\n`
      expect({ cut, hidden: hiddenOf(text, head.length, head.length + value.length - cut) }).toEqual({
        cut,
        hidden: value.length - cut,
      })
    }
  })

  test.each([...marks.filter((mark) => !mark.startsWith('\n')), '...', '…'])(
    'leaves no beginning before %j',
    (mark) => {
      for (let cut = minPart; cut < value.length; cut += 3) {
        const text = `ok\n${before}${value.slice(0, cut)}${mark} and more\n`
        const start = 3 + before.length
        expect({ cut, hidden: hiddenOf(text, start, start + cut) }).toEqual({ cut, hidden: cut })
      }
    },
  )
})

test.each([
  'src/…12 tokens truncated…ferences/getting-started/installation.md: ok',
  '…12 tokens truncated…createTranscriptRenderer(options)',
  '…12 tokens truncated…com.example.shop.checkout.PaymentController',
  '…12 tokens truncated…2026-11-20T10:00:00.000Z INFO started',
  '[... omitted 12 of 300 lines ...]\n\nuser-session-handler.test.ts',
  '…12 tokens truncated…SCREAMING_SNAKE_CASE_NAME = 1',
  'see https://example.org:8443… and http://localhost:3000',
  'postgres://ada:<password>…',
  'redis://cache:6379',
  'postgres://user:password…',
  'git clone ssh://git@example.org:ada/shop.git',
  'the rest was omitted) understanding-of-the-thing',
])('%j is not redacted', (text) => {
  expect(findSecrets(text)).toEqual([])
})
