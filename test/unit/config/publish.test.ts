import { expect, test } from 'vitest'
import type { Kind, PathReader } from '../../../src/config/kinds.ts'
import { branch, endpoint, place, region, workflowName } from '../../../src/config/publish.ts'
import { options } from '../../../src/config/schema.ts'

const paths: PathReader = { absolute: (path) => `/base/${path}`, delimiter: ':' }

test.each([
  [place, 'public', '/base/public'],
  [place, '~/public', '/base/~/public'],
  [place, 's3://bucket/logs', 's3://bucket/logs'],
  [place, 'https://git.example.org/team/logs.git', 'https://git.example.org/team/logs.git'],
  [place, 'git@example.org:team/logs.git', 'git@example.org:team/logs.git'],
  [place, 'C:\\site', '/base/C:\\site'],
  [place, '--upload-pack=touch', undefined],
  [place, 'a\nb', undefined],
  [place, 's3://', undefined],
  [place, 's3:bucket', undefined],
  [place, 'https://', undefined],
  [place, '', undefined],
  [branch, 'gh-pages', 'gh-pages'],
  [branch, 'sites/logs', 'sites/logs'],
  [branch, '--force', undefined],
  [branch, 'a..b', undefined],
  [branch, 'a//b', undefined],
  [branch, 'a.lock', undefined],
  [branch, 'a/', undefined],
  [branch, 'a b', undefined],
  [branch, 'a/.b', undefined],
  [branch, 'a.lock/b', undefined],
  [branch, 'HEAD', undefined],
  [branch, 'refs/heads/gh-pages', undefined],
  [branch, 'a:refs/heads/main', undefined],
  [workflowName, 'my-site.example', 'my-site.example'],
  [workflowName, '-x', undefined],
  [workflowName, '../x', undefined],
  [region, 'eu-central-1', 'eu-central-1'],
  [region, 'eu central', undefined],
  [endpoint, 'https://storage.example.org', 'https://storage.example.org'],
  [endpoint, 'http://127.0.0.1:9000/', 'http://127.0.0.1:9000/'],
  [endpoint, 'https://key:secret@storage.example.org', undefined],
  [endpoint, 'storage.example.org', undefined],
] as [Kind<string | undefined>, string, string | undefined][])(
  'a publishing option is accepted or rejected: case %#, %j',
  (kind, text, value) => {
    expect(kind.fromText([text], paths)).toBe(value)
    expect(kind.fromConfig(text, paths)).toBe(value)
  },
)

test('the object in a configuration file is read key by key, and its paths become absolute', () => {
  const written = {
    target: 'git',
    to: '../remote',
    branch: 'pages',
    history: true,
    author: 'Sam Vane <sam@example.org>',
  }
  expect(options.publish.kind.fromConfig(written, paths)).toEqual({ ...written, to: '/base/../remote' })
  expect(options.publish.kind.fromConfig({ target: 'dir', to: undefined }, paths)).toEqual({ target: 'dir' })
})

test.each([
  [{ target: 'ftp' }],
  [{ target: 'netlify' }],
  [{ to: 7 }],
  [{ history: 'yes' }],
  [{ author: 'Sam' }],
  [{ author: 'Sam\nEvil <a@b>' }],
  [{ secretKey: 'x' }],
  [{ toString: 'x' }],
  [[]],
  ['dir'],
  [null],
] as [unknown][])('an object that does not fit is rejected as a whole: %j', (written) => {
  expect(options.publish.kind.fromConfig(written, paths)).toBeUndefined()
})
