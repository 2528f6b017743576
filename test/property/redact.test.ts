import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { personalDefaults } from '../../src/config/personal.ts'
import { findSecrets } from '../../src/redact/find.ts'
import { type Redactor, redactor } from '../../src/redact/redactor.ts'
import { type Rule, secretsAt } from '../../src/redact/rule.ts'
import { rules } from '../../src/redact/rules/all.ts'
import { beginSearch } from '../../src/redact/search.ts'
import { rangeIn, viewOf, withoutEscapes } from '../../src/redact/view.ts'
import { personalSearch } from '../../src/survey/privacy.ts'

import { emails, homeFolders, nothingPersonal, person, prompts, userNames } from '../helpers/personal.ts'
import { noise, planted } from '../helpers/planted.ts'

const secrets = planted(40).map(({ text }) => text)
const around = fc.constantFrom(' ', '\n', '"', "'", '=', ': ', ', ', 'key', 'token=', '\\n', '\u001B[1m', '…', 'ä', '/')
const piece = fc.oneof(fc.constantFrom(...secrets), around, fc.string({ maxLength: 30 }), fc.lorem({ maxCount: 5 }))
const texts = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))

function standsAt(text: string, place: number, { anchors, follows = '' }: Rule): boolean {
  return anchors.some(
    (anchor) => text.startsWith(anchor, place) && new RegExp(`^(?:${follows})`).test(text.slice(place + anchor.length)),
  )
}

function straysIn(text: string, { anchors, pattern }: Rule): boolean {
  for (let place = 0; pattern !== undefined && place < text.length; place++) {
    pattern.lastIndex = place
    if (pattern.test(text) && !anchors.some((anchor) => text.startsWith(anchor, place))) return true
  }
  return false
}

/** What the rules find if each of them is tried at each character. */
function fullScan(text: string): [start: number, end: number][] {
  const found: [number, number][] = []
  beginSearch(text)
  for (const rule of rules) {
    for (let place = 0; place < text.length; place++) {
      // A reader begins at an anchor and what must follow it; patterns contain both.
      if (rule.read !== undefined && !standsAt(text, place, rule)) continue
      for (const { start, end } of secretsAt(text, place, rule)) found.push([start, end])
    }
  }
  return found
}

describe('redaction', () => {
  test('matches a pattern only where one of its anchors begins', () => {
    const texts = planted(7).flatMap(({ text }) => [text, `https://example.com/a-path/${text}`])
    const strays = rules.filter((rule) => texts.some((text) => straysIn(text, rule)))
    expect(strays.map(({ pattern }) => String(pattern))).toEqual([])
  })

  test('finds by anchors everything that the rules find when tried at every character', () => {
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

  test('gives ordered findings that do not overlap', () => {
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

  test('does not change a text that it has redacted', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const once = redactor().text(text)
        expect(redactor().text(once)).toBe(once)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('the reading of backslash escapes', () => {
  const escapes =
    /(?<!\\)\\+(?:(?:u\{?001[Bb]\}?|x1[Bb]|033|e)\[[0-9;]{0,24}m|u\{?00([2-7][0-9A-Fa-f])\}?|x([2-7][0-9A-Fa-f])|([nrt])|(["'/`$_*~.=+ -]))/g
  const meant = (_: string, unicode?: string, hex?: string, letter?: string, sign?: string): string => {
    const code = unicode ?? hex
    if (letter !== undefined) return letter === 't' ? '\t' : '\n'
    return sign ?? (code === undefined ? '' : String.fromCharCode(Number.parseInt(code, 16)))
  }
  const bits = [
    '\\',
    '\\\\',
    'n',
    'r',
    't',
    '"',
    '_',
    'u0041',
    'u{005f}',
    'u001b[1;31m',
    'x5F',
    'x1B[m',
    '033[0m',
    'e[1m',
    'u',
    'x',
    'é',
    ' ',
    'k',
  ]

  test('is what a pattern gives for a line, with each character at its place', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...bits), { maxLength: 24 }), (pieces) => {
        const text = pieces.join('')
        const wanted = text.replace(escapes, meant)
        const [view] = withoutEscapes(viewOf(text))
        expect(view?.text ?? text).toBe(wanted)
        if (view === undefined) return
        for (let place = 0; place < wanted.length; place++) {
          const [start, end] = rangeIn(view, place, place + 1)
          expect(text.slice(start, end).replace(escapes, meant)).toBe(wanted[place])
        }
      }),
      { numRuns: 1000 },
    )
  })
})

describe('a value after a telling name', () => {
  const printable = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index))
  /** At least eight characters, with letters and digits that no word has. */
  const values = fc
    .tuple(fc.array(fc.constantFrom(...printable), { minLength: 4, maxLength: 20 }), fc.nat())
    .map(([signs, seed]) => `${noise(seed, 6)}4${signs.join('')}7${noise(seed + 1, 3)}2${noise(seed + 2, 5)}`)
  /** What random values once resembled: sentences with punctuation, addresses, code, commands, numbers, words. */
  const resembling = [
    ['TJAzzv4%d<F!!>', '!7tne2QLDxR'],
    ['KPY5jS4LG://7u', '9GfN^nl-7PKr2eYB11'],
    ['kFvwcc4(sX+O_k"`', ';fj?V979182KuzXW'],
    ["DzjMam4!.`Q<R'", '}kud|I7etM2bysuw'],
    ['MsbnUY4(ho48', '76B22lsqyj'],
    ['JUHSCi4[&&`]_', ';$7ngU2T96aF'],
    ['C9gpY34PW:`76', 'Ga2cjjmB'],
    ['3844964}}ju<|', 'D7jOD2wVblh'],
    ['SNqcvk4+S+X', '=b76152yzkqc'],
    ["VyPma54(%g'8;LWEUJ=Y", ',74WJ2JE9z7'],
    ['KsVDe84![^]', '7Lnk2Rm5BU'],
  ].map((pieces) => pieces.join(''))
  const names = fc.constantFrom('DB_PASSWORD', 'export API_TOKEN', 'SESSION_SECRET', '-PGPASSWORD')

  test('is never left at the beginning of a line, and the lines around it stay', () => {
    fc.assert(
      fc.property(names, values, (name, value) => {
        const text = redactor().text(`HOST=db\n${name}=${value}\nPORT=5432\n`)
        expect(text).not.toContain(value)
        expect(text.startsWith(`HOST=db\n${name}=`) && text.endsWith('\nPORT=5432\n')).toBe(true)
      }),
      { numRuns: 500, examples: resembling.map((value) => ['DB_PASSWORD', value]) },
    )
  })

  /** Values with a separator, a name and `=` inside, as in lists of pairs, before random characters. */
  const small = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz')
  const pairLike = fc
    .tuple(fc.nat(), fc.constantFrom('(%g', "'k8", '[x_', '{%', '`q'), fc.constantFrom(',', ';', '&'), fc.nat())
    .chain(([seed, open, sign, other]) =>
      fc.array(small, { minLength: 3, maxLength: 8 }).map((letters) => {
        const name = seed % 2 === 0 ? letters.join('') : letters.join('').toUpperCase()
        return `${noise(seed, 7)}4${open}8${sign}${name}=${noise(other, 4)}7${noise(other + 1, 6)}`
      }),
    )

  test('never keeps its end if that resembles another pair after an open bracket or quote', () => {
    fc.assert(
      fc.property(names, pairLike, (name, value) => {
        expect(redactor().text(`HOST=db\n${name}=${value}\nPORT=5432\n`)).not.toContain(value.slice(-7))
      }),
      // The name of a program without a `=` after it would end it.
      { numRuns: 500, examples: [['DB_PASSWORD', `${noise(3, 7)}4[x_8;env=${noise(4, 4)}7${noise(5, 6)}`]] },
    )
  })

  test.each([
    ['PASSWORD=aB3dE5gH7jK9;DB_HOST=localhost', ';DB_HOST=localhost'],
    ['PASSWORD=aB3dE5gH7jK9;PGHOST=db.internal', ';PGHOST=db.internal'],
    ['PASSWORD=aB3dE5gH7jK9;Database=shop;Uid=sam', ';Database=shop;Uid=sam'],
    ['PASSWORD=aB3(dE5)gH7jK9&user=sam', '&user=sam'],
  ])('ends before another pair with a pronounceable name: %s', (text, rest) => {
    expect(redactor().text(`${text}\n`)).toBe(`PASSWORD=[redacted:named-secret]${rest}\n`)
  })

  test('is never left between quotes that it does not contain, and what follows them stays', () => {
    fc.assert(
      fc.property(names, values, fc.constantFrom('"', "'"), (name, given, quote) => {
        const value = given.replaceAll(/["'\\`]/g, '+')
        const text = redactor().text(`${name}=${quote}${value}${quote} npm start && echo done\n`)
        expect(text).toBe(`${name}=${quote}[redacted:named-secret]${quote} npm start && echo done\n`)
      }),
      { numRuns: 500, examples: resembling.map((value) => ['SESSION_SECRET', value, '"']) },
    )
  })

  test('is never left in JSON, at any depth', () => {
    fc.assert(
      fc.property(values, fc.nat({ max: 3 }), (value, depth) => {
        let text = JSON.stringify({ password: value, host: 'db' })
        for (let level = 0; level < depth; level++) text = JSON.stringify({ text })
        const encoded = JSON.stringify(value).slice(1, -1)
        expect(redactor().text(text)).not.toContain(depth === 0 ? encoded : value.replaceAll(/["\\]/g, '').slice(-6))
      }),
      { numRuns: 500 },
    )
  })
})

describe('personal data', () => {
  const search = personalSearch({ ...personalDefaults, emails: true, roots: { '/srv/lab': 'lab' } }, '/root')
  const people = [...homeFolders, ...userNames, ...prompts, ...emails].map(({ text }) => text)
  const filler = fc
    .tuple(
      fc.constantFrom('lorem ipsum dolor sit amet ', 'const name = item.name\n', '{"key":"value"},', '/usr/lib/x'),
      fc.nat(60),
    )
    .map(([text, times]) => text.repeat(times))
  const word = fc.oneof(
    fc.constantFrom(...people, ...nothingPersonal, '/srv/lab/x', '/root/x', person.user),
    piece,
    filler,
  )
  const mixed = fc.array(fc.tuple(word, around), { maxLength: 10 }).map((pairs) => pairs.flat().join(''))

  function own(): Redactor {
    const made = redactor(search())
    made.learn([`/home/${person.user}/shop`], [])
    return made
  }

  test('does not change again after it was replaced', () => {
    fc.assert(
      fc.property(mixed, (text) => {
        const once = own().text(text)
        expect(own().text(once)).toBe(once)
      }),
      { numRuns: 1000 },
    )
  })

  test('is found next to parts that are removed anyway as it is without them', () => {
    fc.assert(
      fc.property(mixed, fc.nat(40), fc.nat(40), (text, first, second) => {
        const known = search().people
        known?.learn(`/home/${person.user}/shop`)
        const all = known?.find(text) ?? []
        const parts = [all[first % all.length], all[second % all.length]].flatMap((part) => part ?? [])
        const covered = parts.toSorted((a, b) => a.start - b.start)
        const isCovered = ({ start, end }: { start: number; end: number }): boolean =>
          covered.some((part) => part.start <= start && end <= part.end)
        const others = known?.find(text, covered).filter((finding) => !isCovered(finding))
        expect(others).toEqual(all.filter((finding) => !isCovered(finding)))
      }),
      { numRuns: 300 },
    )
  })

  test('leaves no secret next to it', () => {
    fc.assert(
      fc.property(mixed, fc.constantFrom(...planted(41)), mixed, (before, { text, secret }, after) => {
        expect(own().text(`${before} ${text} ${after}`)).not.toContain(secret)
      }),
      { numRuns: 300 },
    )
  })
})
