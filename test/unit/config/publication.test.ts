/** Settings of what is published: presets, kinds, decisions. */
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { readCuration } from '../../../src/config/curation.ts'
import { loadCuration } from '../../../src/config/load-fs.ts'

import { presets, visibilityFrom, visibilityOf } from '../../../src/config/publication.ts'
import { writeFolder } from '../../helpers/folder.ts'
import { useTempDir } from '../../helpers/temp.ts'

const base = { preset: 'public', visibility: {}, show: [], fold: [], omit: [] } as const

describe('visibility', () => {
  it('is that of the preset, then of single kinds, then of flags, and the last one wins', () => {
    expect(visibilityOf(base)).toEqual(presets.public)
    expect(visibilityOf({ ...base, visibility: { reasoning: 'show' } })).toEqual({
      ...presets.public,
      reasoning: 'show',
    })
    const flags = { show: ['reasoning', 'images', 'diffs'], fold: ['images', 'commands'], omit: ['commands'] } as const
    expect(visibilityOf({ ...base, visibility: { diffs: 'omit' }, ...flags })).toMatchObject({
      reasoning: 'show',
      images: 'fold',
      commands: 'omit',
      diffs: 'show',
    })
  })

  it('is taken from a configuration as it is', () => {
    const visibility = { prompts: 'show', reasoning: 'fold', stats: 'omit' }
    expect(visibilityFrom(visibility)).toEqual(visibility)
  })

  it('cannot be `fold` for a kind that cannot be folded', () => {
    expect(() => visibilityOf({ ...base, fold: ['stats'] })).toThrow(/does not take `stats`/)
    expect(visibilityFrom({ stats: 'fold' })).toBeUndefined()
  })

  it.each([[{ prompt: 'omit' }], [{ prompts: 'hide' }], ['omit'], [['prompts']], [null]])(
    'is rejected as %j in a configuration',
    (value) => {
      expect(visibilityFrom(value)).toBeUndefined()
    },
  )
})

describe('decisions', () => {
  const read = (entry: unknown) => readCuration({ sessions: { '0199a213': entry } }, '`curation.json`')

  it('are read with their selections', () => {
    expect(
      read({ exclude: ['turn:3', 'l120-l188', 'category:images'], title: ' A ', note: '*b*', hidden: true }),
    ).toEqual({
      '0199a213': {
        exclude: [
          { by: 'turn', from: 3, to: 3 },
          { by: 'line', from: 120, to: 188 },
          { by: 'category', category: 'images' },
        ],
        title: 'A',
        note: '*b*',
        hidden: true,
      },
    })
    expect(read({ hidden: false, star: false })).toEqual({ '0199a213': { exclude: [] } })
    expect(read({ star: true, tags: [' to show ', 'hinges', 'to show'] })).toEqual({
      '0199a213': { exclude: [], star: true, tags: ['to show', 'hinges'] },
    })
  })

  it.each([
    [{ exclude: 'turn:3' }, 'sessions["0199a213"].exclude'],
    [{ exclude: ['turn:1', 'turn 3'] }, 'sessions["0199a213"].exclude[1]'],
    [{ exclude: ['7-12'] }, 'sessions["0199a213"].exclude[0]'],
    [{ exclude: ['category:thoughts'] }, 'sessions["0199a213"].exclude[0]'],
    [{ title: 'two\nlines' }, 'sessions["0199a213"].title'],
    [{ note: 7 }, 'sessions["0199a213"].note'],
    [{ hidden: 'yes' }, 'sessions["0199a213"].hidden'],
    [{ star: 1 }, 'sessions["0199a213"].star'],
    [{ tags: 'hinges' }, 'sessions["0199a213"].tags'],
    [{ tags: Array.from({ length: 21 }, (_, index) => `tag ${index}`) }, 'sessions["0199a213"].tags'],
    [{ tags: ['a', ' '] }, 'sessions["0199a213"].tags[1]'],
    [{ tags: ['a\u202Eb'] }, 'sessions["0199a213"].tags[0]'],
    [{ tags: ['x'.repeat(41)] }, 'sessions["0199a213"].tags[0]'],
    [{ exlude: [] }, 'exlude'],
    [[], 'sessions["0199a213"]'],
  ])('that do not fit are reported by their key: %j', (entry, key) => {
    expect(() => read(entry)).toThrow(`\`${key}\``)
    expect(() => read(entry)).toThrow('`curation.json`')
  })

  it('may be in a file of their own, with or without a byte order mark', () => {
    const folder = useTempDir()
    writeFolder(folder, {
      'good.json': '\uFEFF{"sessions": {"0199": {"title": "A"}}}',
      'bad.json': '{"sessions": ',
      'other.json': '{"session": {}}',
      'twice.json': '{"sessions": {"0199": {"exclude": ["turn:1"]}, "0199": {"star": true}}}',
    })
    expect(loadCuration({ file: join(folder, 'good.json') })).toEqual({ '0199': { exclude: [], title: 'A' } })
    expect(() => loadCuration({ file: join(folder, 'bad.json') })).toThrow('`bad.json` is not JSON')
    expect(() => loadCuration({ file: join(folder, 'other.json') })).toThrow('unknown key `session`')
    expect(() => loadCuration({ file: join(folder, 'twice.json') })).toThrow('the key `0199` twice in one object')
    expect(() => loadCuration({ file: join(folder, 'none.json') })).toThrow('`none.json` cannot be read')
  })
})

test('there are no decisions without a source of them', () => {
  expect(loadCuration(undefined)).toEqual({})
})
