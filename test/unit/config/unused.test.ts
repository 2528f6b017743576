import path from 'node:path'
import { expect, test } from 'vitest'
import { refuseContradictions, resolveSettings, unusedFlags } from '../../../src/config/resolve.ts'
import type { Command } from '../../../src/config/schema.ts'

function resolved(command: Command, flags: Record<string, unknown>, env: Record<string, string> = {}) {
  return resolveSettings({ command, flags, env, cwd: '/code', homeDir: '/home/sam', path: path.posix })
}

test.each([
  ['build', { poll: true }, undefined, ['`--poll` does nothing without `--watch`.']],
  ['build', { poll: true, watch: true }, undefined, []],
  ['build', { shards: 'x' }, undefined, ['`--shards` does nothing without `--shard`.']],
  [
    'build',
    { shard: '1/2', out: 'x' },
    undefined,
    ['`--out` does nothing without a site to write: a shard is written below `--shards`.'],
  ],
  ['merge', { shards: 'x', out: 'x' }, undefined, []],
  ['show', { 'max-inline': '20m' }, undefined, ['`--max-inline` does nothing without the format `html`.']],
  ['show', { 'max-inline': '20m', format: 'html' }, undefined, []],
  [
    'search',
    { context: '2', count: true },
    undefined,
    ['`--context` does nothing without lines to print: `--count` prints numbers.'],
  ],
  ['search', { context: '2' }, undefined, []],
  [
    'context',
    { by: 'size', item: '3' },
    undefined,
    ['`--by` does nothing without a list of items: `--item` prints one.'],
  ],
  [
    'context',
    { items: true, item: '3' },
    undefined,
    ['`--items` does nothing without a list of items: `--item` prints one.'],
  ],
  [
    'context',
    { by: 'size', diff: '1..2' },
    undefined,
    ['`--by` does nothing without a list of items: `--diff` prints what changed.'],
  ],
  ['context', { by: 'size', diff: '1..2', json: true }, undefined, []],
  [
    'search',
    { count: true, out: 'x' },
    undefined,
    ['`--out` does nothing without turns to link or open: `--count` prints numbers.'],
  ],
  ['search', { count: true, open: true, out: 'x' }, undefined, []],
  [
    'restore',
    { list: true, force: true },
    undefined,
    ['`--force` does nothing without a backup to restore: `--list` changes nothing.'],
  ],
  [
    'check',
    { unknown: true, omit: 'prompts' },
    undefined,
    ['`--omit` does nothing without texts to check: `--unknown` looks at the format alone.'],
  ],
  [
    'build',
    { shard: '1/2', 'allow-removal': true },
    undefined,
    ['`--allow-removal` does nothing without a site to write: a shard is written below `--shards`.'],
  ],
  [
    'serve',
    { 'front-matter': true, format: 'html' },
    undefined,
    ['`--front-matter` does nothing without the format `md`.'],
  ],
  ['prune', { replacement: 'x', exclude: '3' }, undefined, ['`--replacement` does nothing without `--replace`.']],
  ['prune', { replacement: 'x', replace: '3' }, undefined, []],
  ['prune', { replacement: 'x' }, undefined, []],
  ['share', { yes: true }, undefined, ['`--yes` does nothing without `--gist` or `--to`.']],
  [
    'publish',
    { history: true, region: 'eu' },
    'dir',
    ['`--region` does nothing without the target `s3`.', '`--history` does nothing without the target `git`.'],
  ],
  ['publish', { history: true, 'to-branch': 'pages' }, 'git', []],
  [
    'check',
    { project: 'shop' },
    'site',
    ['`--project` does nothing without sessions to check: a site is read as it is.'],
  ],
  ['check', { project: 'shop' }, undefined, []],
] as [Command, Record<string, unknown>, string | undefined, string[]][])(
  '%s %j: an option without effect is reported',
  (command, flags, argument, texts) => {
    expect(unusedFlags(command, resolved(command, flags), argument)).toEqual(texts)
  },
)

test('variables without effect are not reported, because they are set for many calls', () => {
  expect(unusedFlags('build', resolved('build', {}, { CODEX_EXPORT_POLL: 'true' }), undefined)).toEqual([])
})

test('options that ask for replacements are rejected if redaction is off', () => {
  const check = (flags: Record<string, unknown>, env?: Record<string, string>) => () =>
    refuseContradictions('show', resolved('show', flags, env))
  expect(check({ redact: false, 'redact-emails': true })).toThrow('but `--redact-emails` asks for replacements')
  expect(check({ redact: false }, { CODEX_EXPORT_REDACT_EMAILS: 'true' })).not.toThrow()
  expect(check({ redact: false, personal: true })).toThrow('but `--personal` asks for replacements')
  expect(check({ redact: false })).not.toThrow()
  expect(check({ redact: false, personal: false })).not.toThrow()
  expect(check({ 'redact-emails': true })).not.toThrow()
})
