import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { personalDefaults } from '../../src/model/personal.ts'
import { findSecrets } from '../../src/redact/find.ts'
import { personalSearch } from '../../src/redact/personal/search.ts'
import { type Redactor, redactor } from '../../src/redact/redactor.ts'
import { rules } from '../../src/redact/rules/all.ts'
import { secretAt } from '../../src/redact/secret-at.ts'
import { emails, homeFolders, nothingPersonal, person, prompts, userNames } from '../helpers/personal.ts'
import { planted } from '../helpers/planted.ts'

const secrets = planted(40).map(({ text }) => text)
const around = fc.constantFrom(' ', '\n', '"', "'", '=', ': ', ', ', 'key', 'token=', '\\n', '\u001B[1m', '…', 'ä', '/')
const piece = fc.oneof(fc.constantFrom(...secrets), around, fc.string({ maxLength: 30 }), fc.lorem({ maxCount: 5 }))
const texts = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))

/** What the rules find when each of them is tried at each character. */
function fullScan(text: string): [start: number, end: number][] {
  const found: [number, number][] = []
  for (const rule of rules) {
    for (let place = 0; place < text.length; place++) {
      const secret = secretAt(text, place, rule)
      if (secret !== undefined) found.push([secret.start, secret.end])
    }
  }
  return found
}

describe('redaction', () => {
  test('finds by anchors all that the rules find when they are tried at every character', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const taken = findSecrets(text)
        for (const [start, end] of fullScan(text)) {
          const covered = taken.some((finding) => finding.start <= start && end <= finding.end)
          expect(covered, `${start}-${end} of ${JSON.stringify(text)}`).toBe(true)
        }
      }),
      { numRuns: 60 },
    )
  })

  test('gives findings in order that do not overlap', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const found = findSecrets(text)
        for (const [index, { start, end }] of found.entries()) {
          expect(start).toBeLessThan(end)
          expect(end).toBeLessThanOrEqual(found[index + 1]?.start ?? text.length)
        }
      }),
    )
  })

  test('changes nothing in what it has redacted', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const once = redactor().text(text)
        expect(redactor().text(once)).toBe(once)
      }),
    )
  })
})

describe('personal data', () => {
  const search = personalSearch({ ...personalDefaults, emails: true, roots: { '/srv/lab': 'lab' } }, '/root')
  const people = [...homeFolders, ...userNames, ...prompts, ...emails].map(({ text }) => text)
  const word = fc.oneof(fc.constantFrom(...people, ...nothingPersonal, '/srv/lab/x', '/root/x', person.user), piece)
  const mixed = fc.array(fc.tuple(word, around), { maxLength: 10 }).map((pairs) => pairs.flat().join(''))

  function own(): Redactor {
    const made = redactor(search())
    made.learn([`/home/${person.user}/shop`], [])
    return made
  }

  test('change nothing more once they are replaced', () => {
    fc.assert(
      fc.property(mixed, (text) => {
        const once = own().text(text)
        expect(own().text(once)).toBe(once)
      }),
      { numRuns: 300 },
    )
  })

  test('leave no secret that stands beside them', () => {
    fc.assert(
      fc.property(mixed, fc.constantFrom(...planted(41)), mixed, (before, { text, secret }, after) => {
        expect(own().text(`${before} ${text} ${after}`)).not.toContain(secret)
      }),
      { numRuns: 300 },
    )
  })
})
