/** What follows from a row of the option table without changing another file. */
import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { resolveSettings } from '../../../src/config/resolve.ts'
import { options, pageSettings, settingNames, settingsOf } from '../../../src/config/schema.ts'
import { commands } from '../../../src/program.ts'
import { pageView } from '../../../src/render/pages/page-view.ts'
import { siteInfo } from '../../helpers/render.ts'
import { plainBuild } from '../../helpers/surroundings.ts'

test('a command gets the settings that it takes, and no others', () => {
  const { settings } = resolveSettings({ command: 'show', flags: {}, env: {}, cwd: '/', homeDir: '/', path: posix })
  for (const { name } of commands) {
    const taken = settingNames.filter((key) => options[key].commands.includes(name))
    expect(settingsOf(name, settings), name).toEqual(Object.fromEntries(taken.map((key) => [key, settings[key]])))
  }
})

test('settings that pages depend on reach every page and its template, and no others do', () => {
  const names = settingNames.filter((name) => options[name].pages)
  expect(Object.keys(pageSettings(plainBuild())).sort()).toEqual(names.toSorted())
  const { settings } = pageView('stats/index.html', 'Stats', siteInfo(plainBuild({ offline: true })))
  expect(settings).toMatchObject({ offline: true, timeZone: 'UTC' })
  expect(settings).not.toHaveProperty('out')
})
