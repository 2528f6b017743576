/** What a diff and `grep` put before a line hides neither a secret nor a name in it, and is kept. */
import { expect, test } from 'vitest'
import { personalDefaults } from '../../../src/config/personal.ts'
import { redactor } from '../../../src/redact/redactor.ts'
import { personalSearch } from '../../../src/survey/privacy.ts'
import { emails, homeFolders, machines, person, prompts, userNames } from '../../helpers/personal.ts'
import { planted } from '../../helpers/planted.ts'

/** A removed and an added line of a diff, and lines around a hit, of one file and of several. */
const marks = ['-', '+', '3-', 'src/a-b.ts-12-']

const inLines = (text: string, mark: string): string =>
  text
    .split('\n')
    .map((line) => mark + line)
    .join('\n')
/** The name of a machine may itself begin with a number. */
const keepsMarks = (text: string, mark: string): boolean =>
  mark === '3-' || text.split('\n').every((line) => line.startsWith(mark))

test.each(marks)('secrets of every kind are found after `%s`', (mark) => {
  const left = planted(3).filter(({ text, secret }) => redactor().text(inLines(text, mark)).includes(secret))
  expect(left.map(({ kind }) => kind)).toEqual([])
})

test.each(marks)('names are found after `%s`', (mark) => {
  // After a sign, the space with which this list begins is that of an unchanged line.
  const forms = [...prompts, ...machines, ...homeFolders, ...userNames, ...emails].filter(
    ({ text }) => !(/^[+-]$/.test(mark) && text.startsWith(`  ${person.user}`.slice(1))),
  )
  const wrong = forms.flatMap(({ kind, text }) => {
    const own = redactor(personalSearch({ ...personalDefaults, emails: true }, '/home/builder')())
    own.learn([`/home/${person.user}/shop`], [])
    const shown = own.text(inLines(text, mark))
    return /quendolin|quill-box-7|zoë|nora/i.test(shown) || !keepsMarks(shown, mark) ? [`${kind}: ${shown}`] : []
  })
  expect(wrong).toEqual([])
})

test.each([
  ['the day of a log', '2026-12-01 10:00:00 quendolin-build started'],
  ['an item of a list', '- quendolin'],
  ['an option', '-q quendolin.txt\n-o quendolin.log'],
])('nothing is taken for such a mark: %s', (_, text) => {
  const own = redactor(personalSearch(personalDefaults, '/home/builder')())
  own.learn([`/home/${person.user}/shop`], [])
  expect(own.text(text)).toBe(text)
})
