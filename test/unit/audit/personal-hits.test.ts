/** Personal data that the audit finds by its form: all that redaction replaces, and nothing that it keeps. */
import { describe, expect, test } from 'vitest'
import { personalDefaults } from '../../../src/config/personal.ts'
import { findHits } from '../../../src/features/audit/text-scan.ts'
import { redactor } from '../../../src/redact/redactor.ts'
import { personalSearch } from '../../../src/survey/privacy.ts'
import { homeFolders } from '../../helpers/personal.ts'

const rules = (text: string): string[] => findHits(text, { findSecrets: () => [] }).map(({ ruleId }) => ruleId)
const redacted = (text: string): string => redactor(personalSearch(personalDefaults, '/root')()).text(text)

/** Notations that only redaction reads. */
const unread = new Set(['FreeBSD', 'hexadecimal digits'])

describe('a home folder is found, and its replacement is not', () => {
  test.each(homeFolders.filter(({ kind }) => !unread.has(kind)))('$kind', ({ text, shown }) => {
    expect(rules(text)).toContain('personal/home-folder')
    expect(rules(shown)).toEqual([])
  })
})

test.each([
  '/home/linuxbrew/.linuxbrew/bin/node',
  'GET /home/index.html',
  'import "/home/view.tsx"',
  'https://x.example/home/ada and https://x.example/Users/guide',
  '/Users/Shared/x and C:\\Users\\Public\\x and c:\\users\\public',
  'GET /api/users/12345, https://x.example/users/ada, router.get("/users/me"), src/users/list.ts',
  '~/home/ada, $X/home/ada, ./home/ada, */home/ada, @/home/ada',
  '"D:\\\\work\\\\home\\\\page", "\\\\app\\\\home\\\\page", "src\\\\app\\\\home\\\\page"',
  'D:\\work\\home\\page',
  '/home/$USER/x and /home/<name>/x',
])('what redaction keeps is no finding: %s', (text) => {
  expect(redacted(text)).toBe(text)
  expect(rules(text)).toEqual([])
})
