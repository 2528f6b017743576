import { expect, test } from 'vitest'
import * as kinds from '../../../src/config/kinds.ts'
import { plugins, tokens } from '../../../src/config/plugins.ts'

const paths: kinds.PathReader = { absolute: (path) => `/base/${path}`, delimiter: ':' }

test.each([
  [kinds.text, 'Our sessions', 'Our sessions'],
  [kinds.text, '  ', undefined],
  [kinds.text, 'two\nlines', undefined],
  [kinds.text, 'bell \u0007', undefined],
  [kinds.folder, 'site', '/base/site'],
  [kinds.folder, '', undefined],
  [kinds.folder, 'a\0b', undefined],
  [kinds.toggle, 'true', true],
  [kinds.toggle, 'YES', true],
  [kinds.toggle, '1', true],
  [kinds.toggle, 'off', false],
  [kinds.toggle, '0', false],
  [kinds.toggle, 'maybe', undefined],
  [kinds.toggle, '', undefined],
  [kinds.port, '0', 0],
  [kinds.port, '65535', 65_535],
  [kinds.port, '65536', undefined],
  [kinds.port, '-1', undefined],
  [kinds.port, '80.5', undefined],
  [kinds.port, '1e3', undefined],
  [kinds.fromOne, '0', undefined],
  [kinds.fromOne, '12', 12],
  [kinds.fromZero, '0', 0],
  [kinds.fromZero, '12', 12],
  [kinds.fromZero, '-1', undefined],
  [kinds.timeZone, 'Europe/Berlin', 'Europe/Berlin'],
  [kinds.timeZone, 'UTC', 'UTC'],
  [kinds.timeZone, 'Mars/Olympus', undefined],
  [kinds.timeZone, '', undefined],
  [kinds.language, 'pt-br', 'pt-BR'],
  [kinds.language, 'not a tag', undefined],
  [kinds.language, '', undefined],
  [kinds.size, '0', 0],
  [kinds.size, '500k', 512_000],
  [kinds.size, '20M', 20_971_520],
  [kinds.size, '1.5m', undefined],
  [kinds.size, '-1', undefined],
  [kinds.size, '5kb', undefined],
  [kinds.size, '', undefined],
  [kinds.siteUrl, 'https://Example.org/logs', 'https://example.org/logs/'],
  [kinds.siteUrl, 'http://localhost:4173/', 'http://localhost:4173/'],
  [kinds.siteUrl, 'https://example.org/a b', undefined],
  [kinds.siteUrl, 'https://example.org/?page=1', undefined],
  [kinds.siteUrl, 'https://example.org/#top', undefined],
  [kinds.siteUrl, 'https://sam:secret@example.org/', undefined],
  [kinds.siteUrl, 'javascript:alert(1)', undefined],
  [kinds.siteUrl, '//example.org/', undefined],
  [kinds.siteUrl, 'example.org', undefined],
] as [kinds.Kind<unknown>, string, unknown][])('a text is read by its kind: case %#, %j', (kind, text, value) => {
  expect(kind.fromText([text], paths)).toBe(value)
})

test('a number in a configuration is a number, or a text with one', () => {
  for (const kind of [kinds.port, kinds.turnNumber, kinds.fromOne, kinds.fromZero, kinds.jobs]) {
    expect(kind.fromConfig(2, paths)).toBe(2)
    expect(kind.fromConfig('2', paths)).toBe(2)
    for (const other of [-1, 1.5, 1e21, Number.NaN, [2], true, null])
      expect(kind.fromConfig(other, paths)).toBeUndefined()
  }
})

test('a value of a choice must be one of its words', () => {
  const kind = kinds.choice(['md', 'html'])
  expect(kind.fromText(['html'], paths)).toBe('html')
  expect(kind.fromText(['HTML'], paths)).toBeUndefined()
  expect(kind.fromText(['toString'], paths)).toBeUndefined()
  expect(kind.fromConfig('md', paths)).toBe('md')
  expect(kind.fromConfig(['md'], paths)).toBeUndefined()
})

test('several values of a choice are in the order of the choice, each once', () => {
  const kind = kinds.choices(['html', 'md', 'json'])
  expect(kind.fromText(['json, html', 'html'], paths)).toEqual(['html', 'json'])
  expect(kind.fromText(['html,'], paths)).toBeUndefined()
  expect(kind.fromText(['html,pdf'], paths)).toBeUndefined()
  expect(kind.fromConfig(['md', 'html'], paths)).toEqual(['html', 'md'])
  expect(kind.fromConfig([], paths)).toBeUndefined()
  expect(kind.fromConfig('html', paths)).toBeUndefined()
})

test('texts may be given several times, and none may be blank', () => {
  const kind = kinds.texts
  expect(kind.fromText(['shop', 'docs, too'], paths)).toEqual(['shop', 'docs, too'])
  expect(kind.fromText(['shop', ' '], paths)).toBeUndefined()
  expect(kind.split?.('shop, docs', paths)).toEqual(['shop', 'docs'])
  expect(kind.fromConfig(['shop', 1], paths)).toBeUndefined()
})

test('homes are paths on the command line and objects in a configuration', () => {
  expect(kinds.homes.fromText(['a', 'b'], paths)).toEqual([{ path: '/base/a' }, { path: '/base/b' }])
  expect(kinds.homes.split?.('a:b:', paths)).toEqual(['a', 'b'])
  const written = [{ path: 'a', label: 'Alice' }, { path: 'b' }]
  expect(kinds.homes.fromConfig(written, paths)).toEqual([{ path: '/base/a', label: 'Alice' }, { path: '/base/b' }])
})

test.each([
  [['a']],
  [[{}]],
  [[{ path: 1 }]],
  [[{ path: 'a', name: 'b' }]],
  [[{ path: 'a', label: '' }]],
  [[null]],
  ['a'],
])('a value that is no list of homes is rejected: %j', (written) => {
  expect(kinds.homes.fromConfig(written, paths)).toBeUndefined()
})

test.each([
  [{ name: 'own' }, true],
  [{ name: 'own', tree: [() => undefined], session: () => undefined, pages: () => [] }, true],
  [
    { name: 'own', fields: { ticket: { label: 'Ticket', column: true } }, nav: [{ text: 'Own', path: 'own.html' }] },
    true,
  ],
  [{ name: '' }, false],
  [{ name: 'own', colour: 'red' }, false],
  [{ name: 'own', tree: [{ name: 'inner' }] }, false],
  [{ name: 'own', session: 'x' }, false],
  [{ name: 'own', fields: { Ticket: { label: 'Ticket' } } }, false],
  [{ name: 'own', fields: { ticket: { label: 'Ticket', column: 'yes' } } }, false],
  [{ name: 'own', fields: { ticket: {} } }, false],
  [{ name: 'own', tokens: { accent: 'red' } }, false],
])('a plugin of the site is accepted or rejected: %j', (plugin, fits) => {
  expect(plugins.fromConfig([plugin], paths) !== undefined).toBe(fits)
})

test('two plugins must not have the same name or the same field', () => {
  const field = { ticket: { label: 'Ticket' } }
  expect(plugins.fromConfig([{ name: 'one' }, { name: 'one' }], paths)).toBeUndefined()
  const two = [
    { name: 'one', fields: field },
    { name: 'two', fields: field },
  ]
  expect(plugins.fromConfig(two, paths)).toBeUndefined()
})

test.each([
  ['light-dark(#fff, rgb(0 0 0 / 50%))', true],
  ['Charter, "Iowan Old Style", serif', true],
  ['calc(1px + 2rem)', true],
  ['red; color: blue', false],
  ['red } body { color: blue', false],
  ['url(https://elsewhere.test/x)', false],
  ['URL(x.png)', false],
  ['image-set("x.png" 1x)', false],
  ['calc(1px', false],
  ['"open', false],
  ['red /* rest', false],
  ['\\75rl(x)', false],
  ['red\n', false],
  [' ', false],
])('a value of a design token is accepted or rejected: %s', (value, fits) => {
  expect(tokens.fromConfig({ '--accent': value }, paths) !== undefined).toBe(fits)
})

test('unified plugins are functions, functions with options, or presets', () => {
  const plugin = (): undefined => undefined
  const list = [plugin, [plugin, { deep: true }], { plugins: [plugin] }]
  expect(plugins.fromConfig(list, paths)).toBe(list)
  expect(plugins.fromConfig([plugin, 'remark-toc'], paths)).toBeUndefined()
  expect(plugins.fromConfig([[{ plugins: [] }]], paths)).toBeUndefined()
  expect(plugins.fromConfig([{}], paths)).toBeUndefined()
  expect(plugins.fromConfig(plugin, paths)).toBeUndefined()
})
