import path from 'node:path'
import { expect, test } from 'vitest'
import { cardFontOf } from '../../../src/cli/settings.ts'
import { resolveSettings } from '../../../src/config/resolve.ts'
import { ConfigError } from '../../../src/diagnostics/errors.ts'

/** The font that a configuration names. */
function fontOf(values: Record<string, unknown>) {
  const config = { name: 'site.config.ts', folder: '/home/sam/logs', values }
  const inputs = {
    command: 'build',
    flags: {},
    env: {},
    cwd: '/home/sam',
    homeDir: '/home/sam',
    path: path.posix,
  } as const
  return cardFontOf(resolveSettings({ ...inputs, config }))
}

const siteUrl = 'https://example.org/'
const openGraphFont = 'fonts/Inter.ttf'

test('pictures are drawn where they are asked for, in a font beside the configuration', () => {
  expect(fontOf({ siteUrl, openGraphFont })).toEqual({})
  expect(fontOf({ siteUrl, openGraphFont, openGraphImages: true })).toEqual({
    cardFont: '/home/sam/logs/fonts/Inter.ttf',
  })
})

test('what pictures need beside is told', () => {
  expect(() => fontOf({ openGraphFont, openGraphImages: true })).toThrow(ConfigError)
  expect(() => fontOf({ openGraphFont, openGraphImages: true })).toThrow('needs `siteUrl`')
  expect(() => fontOf({ siteUrl, openGraphImages: true })).toThrow('needs `openGraphFont`')
})
