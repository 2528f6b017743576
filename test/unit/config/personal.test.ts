import path from 'node:path'
import { expect, test } from 'vitest'
import { personalDefaults, personalFrom, personalOff } from '../../../src/config/personal.ts'
import { type Inputs, resolveSettings } from '../../../src/config/resolve.ts'

test('a policy keeps the defaults of what it does not mention', () => {
  const roots = { '/srv/work/client': 'client-a', '~/lab': 'lab', 'C:\\Work': 'work', '\\\\files\\team': 'team' }
  expect(personalFrom({})).toEqual(personalDefaults)
  expect(personalFrom({ emails: true, roots })).toEqual({ ...personalDefaults, emails: true, roots })
})

test.each([
  ['a list', []],
  ['a text', 'all'],
  ['an unknown key', { email: true }],
  ['no answer to a question', { home: 'yes' }],
  ['a relative folder', { roots: { 'work/client': 'client-a' } }],
  ['the root folder', { roots: { '/': 'all' } }],
  ['a name of two lines', { roots: { '/srv/work': 'a\nb' } }],
  ['a name that is no text', { roots: { '/srv/work': 1 } }],
  ['a list of roots', { roots: ['/srv/work'] }],
])('%s is no policy', (_, value) => {
  expect(personalFrom(value)).toBeUndefined()
})

const inputs: Inputs = { command: 'build', flags: {}, env: {}, cwd: '/work', homeDir: '/home/sam', path: path.posix }
const config = { name: 'site.config.ts', folder: '/work', values: { personal: { roots: { '/srv/x': 'x' } } } }

test('the flag turns all of it off, whatever the configuration says', () => {
  expect(resolveSettings({ ...inputs, config }).settings.personal.roots).toEqual({ '/srv/x': 'x' })
  expect(resolveSettings({ ...inputs, config, flags: { personal: false } }).settings.personal).toEqual(personalOff)
  const off = { ...config, values: { personal: false } }
  expect(resolveSettings({ ...inputs, config: off }).settings.personal).toEqual(personalOff)
})
