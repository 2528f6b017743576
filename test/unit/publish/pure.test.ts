import { describe, expect, test } from 'vitest'
import {
  gitMessage,
  isPasswordOpen,
  readAuthor,
  readTree,
  withoutPassword,
} from '../../../src/features/publish/git-texts.ts'
import { sessionPages, titleOf } from '../../../src/features/publish/publish.ts'
import {
  explainS3Error,
  headersOf,
  isMissing,
  isNamedByContent,
  readS3Target,
} from '../../../src/features/publish/s3-fs.ts'
import { encodeJournal, ownedPaths } from '../../../src/features/publish/sync.ts'
import { isSigned, pagesWorkflow, signText } from '../../../src/features/publish/workflow-fs.ts'

test.each([
  ['assets/site.02e7ca3a47.css', true],
  ['assets/catalog.0848ce132c.js', true],
  ['assets/60a960a96dc2356156cff5d4aff43d54.png', true],
  ['pagefind/fragment/en_1122bbb.pf_fragment', true],
  ['pagefind/index/en_a6ce4a3.pf_index.js', true],
  // A sealed part of a locked site is named by its path.
  ['assets/60a960a96dc2356156cff5d4aff43d54.js', false],
  ['assets/site.css', false],
  ['pagefind/search.js', false],
  ['pagefind/pagefind-entry.json', false],
  ['sessions/0199a434-7c0e-7f27-bf35-403c78c2faa8/index.html', false],
  ['index.html', false],
])('`%s` may be cached forever: %s', (path, forGood) => {
  expect(isNamedByContent(path)).toBe(forGood)
  expect(headersOf(path, 'text/plain').CacheControl).toBe(forGood ? 'public, max-age=31536000, immutable' : 'no-cache')
})

test.each([
  ['s3://bucket', { bucket: 'bucket', prefix: '' }],
  ['s3://my.bucket/', { bucket: 'my.bucket', prefix: '' }],
  ['s3://bucket/team/logs', { bucket: 'bucket', prefix: 'team/logs/' }],
  ['s3://bucket//logs//', { bucket: 'bucket', prefix: 'logs/' }],
  ['/srv/www', undefined],
])('`%s` is read as a target in an object store', (address, place) => {
  expect(readS3Target(address)).toEqual(place)
})

test.each([
  ['s3://b/logs', 'The bucket in `--to` has no valid name: expected 3 to 63 letters'],
  ['s3://user:pass@bucket', 'The bucket in `--to` has no valid name: expected 3 to 63 letters'],
  ['s3://bucket/../logs', 'The prefix in `--to` is not valid'],
])('`%s` is refused as a target in an object store', (address, message) => {
  expect(() => readS3Target(address)).toThrow(message)
})

describe('errors of object stores', () => {
  const errorOf = (name: string, more: object = {}) => Object.assign(new Error('<xml>secret</xml>'), { name, ...more })
  const answer = (httpStatusCode: number) => ({ $metadata: { httpStatusCode } })

  test.each([
    [errorOf('NoSuchBucket', answer(404)), 'the bucket does not exist'],
    [errorOf('InternalError', answer(503)), 'the store says InternalError (HTTP 503)'],
    [errorOf('Error', { code: 'ECONNREFUSED' }), 'nothing answers at that address'],
    [new Error('outer', { cause: errorOf('Error', { code: 'ENOTFOUND' }) }), 'the host name is unknown'],
    [errorOf('TimeoutError'), 'no answer came in time; publish again to complete it'],
    [errorOf('SlowDown', answer(503)), 'the store asks to send less at once; publish again to complete it'],
    [errorOf('Unknown', answer(502)), 'the answer is HTTP 502; try again later'],
    [errorOf('Unknown', answer(307)), 'what answers there is no object store (HTTP 307); check `--endpoint`'],
    [errorOf('Error', answer(200)), 'what answers there is no object store (HTTP 200); check `--endpoint`'],
    [
      errorOf('PermanentRedirect', { ...answer(301), $response: { headers: { 'x-amz-bucket-region': 'eu-west-1' } } }),
      'the bucket is in another region, `eu-west-1`; give it with `--region`',
    ],
    [
      errorOf('AuthorizationHeaderMalformed', { ...answer(400), Region: 'eu west <1>' }),
      'the bucket is in another region; give it with `--region`',
    ],
    ['no error', 'the store gave no reason'],
  ])('are reported without the response that they quote: case %#', (error, words) => {
    expect(explainS3Error(error)).toBe(words)
  })

  test('a missing object is distinguished from a missing bucket', () => {
    expect(isMissing(errorOf('NoSuchKey'))).toBe(true)
    expect(isMissing(errorOf('NotFound', answer(404)))).toBe(true)
    expect(isMissing(errorOf('NoSuchBucket', answer(404)))).toBe(false)
    expect(isMissing(errorOf('AccessDenied', answer(403)))).toBe(false)
  })
})

describe('owned paths', () => {
  test('are those of a journal, without paths that lead out of the site', () => {
    const journal = encodeJournal(['b.html', 'a.html', 'b.html'])
    expect([...ownedPaths(undefined, journal)]).toEqual(['a.html', 'b.html'])
    const evil = JSON.stringify({ ...JSON.parse(journal), paths: ['../../etc/passwd', '/etc/passwd', 'a.html', 7] })
    expect([...ownedPaths(undefined, evil)]).toEqual(['a.html'])
  })

  test.each(['', 'null', '[]', '{"schema":"codex-export/publishing","version":2,"paths":["a"]}', '{"paths":["a"]}'])(
    'are none if the text is not a journal: %s',
    (text) => {
      expect([...ownedPaths(text, text)]).toEqual([])
    },
  )
})

test('user names and passwords are removed from addresses, and nothing else is', () => {
  expect(withoutPassword("fatal: unable to access 'https://sam:hunter2@example.org/a.git/': no")).toBe(
    "fatal: unable to access 'https://example.org/a.git/': no",
  )
  expect(withoutPassword('git@example.org:team/logs.git, sam@example.org')).toBe(
    'git@example.org:team/logs.git, sam@example.org',
  )
})

test.each([
  ['https://sam:p@ss/w@example.org/a.git', true],
  ['https://sam:p@ss@example.org/a.git', true],
  ['https://sam:p/w@example.org/a.git', true],
  ['https://sam:p#w@example.org/a.git', true],
  ['https://sam:p?w@example.org/a.git', true],
  ['https://sam:p%40ss%2Fw@example.org/a.git', false],
  ['https://sam@example.org/@scope/a.git', false],
  ['https://example.org:8080/a@b.git', false],
  ['ssh://git@example.org:22/a.git', false],
  ['git@example.org:team/a.git', false],
])('`%s` has a password that git would read differently: %s', (address, isOpen) => {
  expect(isPasswordOpen(address)).toBe(isOpen)
})

test('no part of such a password is repeated', () => {
  for (const address of [
    'https://sam:p@ss/w@example.org/a',
    'https://sam:p/w@example.org/a',
    'https://s:a@b@example.org/a',
  ]) {
    expect(withoutPassword(`cannot reach ${address}: no`)).toBe('cannot reach https://example.org/a: no')
  }
})

test('a tree listing is read with unusual names and with the mode of entries other than files', () => {
  const listing = '100644 blob aaaa\ta b.html\u0000120000 blob bbbb\tlink\u0000100644 blob cccc\tx\ty\u0000'
  expect([...readTree(listing)]).toEqual([
    ['a b.html', 'aaaa'],
    ['link', '120000'],
    ['x\ty', 'cccc'],
  ])
})

test('an author is read as a name and a mail address', () => {
  expect(readAuthor('Sam Vane <sam@example.org>')).toEqual({ name: 'Sam Vane', mail: 'sam@example.org' })
})

test('a generated file is recognised until somebody changes it', () => {
  const text = signText('name: x\non: push\n')
  expect(isSigned(text)).toBe(true)
  expect(isSigned(text.replaceAll('\n', '\r\n'))).toBe(true)
  expect(isSigned(text.replace('push', 'pull'))).toBe(false)
  expect(isSigned('name: x\n')).toBe(false)
})

test('a workflow quotes names, uses no secret and runs no command', () => {
  const text = pagesWorkflow({ file: '.github/workflows/x.yml', folder: 'my "site"', branch: 'a: b' })
  expect(text).toContain('branches: ["a: b"]')
  expect(text).toContain('path: "my \\"site\\""')
  expect(text).not.toMatch(/secrets\.|\brun:/)
  expect(text.match(/uses: .*/g)).toEqual([
    'uses: actions/checkout@v5',
    'uses: actions/configure-pages@v5',
    'uses: actions/upload-pages-artifact@v4',
    'uses: actions/deploy-pages@v4',
  ])
})

test('a workflow is triggered by its own branch and folder, whatever characters their names have', () => {
  const text = pagesWorkflow({ file: '.github/workflows/x.yml', folder: 'docs[1]/c++', branch: 'release+!' })
  expect(text).toContain(String.raw`branches: ["release\\+\\!"]`)
  expect(text).toContain(String.raw`paths: ["docs\\[1\\]/c\\+\\+/**", ".github/workflows/x.yml"]`)
  expect(text).toContain('path: "docs[1]/c++"')
})

test.each([
  ['<title>Fix &quot;a &lt; b&quot; &amp; c · Logs</title>', 'Fix "a < b" & c'],
  ['<title>It&#39;s &#x1f40b;</title>', "It's 🐋"],
  ['<title>Logs</title>', 'Logs'],
  ['<p>no title</p>', ''],
])('title of %s', (html, title) => {
  expect(titleOf(html, 'Logs')).toBe(title)
})

test('first pages of sessions are found among paths', () => {
  const paths = [
    'index.html',
    'sessions/a/index.html',
    'sessions/a/2.html',
    'sessions/a/index.md',
    'months/2026-03/index.html',
  ]
  expect(sessionPages(paths)).toEqual(['sessions/a/index.html'])
})

describe('what git says', () => {
  const closing = `fatal: Could not read from remote repository.

Please make sure you have the correct access rights
and the repository exists.
`
  test.each([
    ['ssh: Could not resolve hostname git.example.org: Name or service not known', 'Could not resolve hostname'],
    ["fatal: '/srv/none.git' does not appear to be a git repository", "'/srv/none.git' does not appear"],
    ["fatal: transport 'ext' not allowed", "transport 'ext' not allowed"],
    ['git@git.example.org: Permission denied (publickey).', 'Permission denied (publickey)'],
  ])('names the reason: %s', (reason, part) => {
    const message = gitMessage(`${reason}\n${closing}`)
    expect(message).toContain(part)
    expect(message).not.toContain('Please make sure')
  })

  const refused = (by: string): string => `To https://a:b@git.example.org/x.git
 ! [${by}
error: failed to push some refs to 'https://git.example.org/x.git'
hint: Updates were rejected
`
  test('names the reason of a hook', () => {
    const said = `remote: policy: 12 files are too large        \nremote: \n${refused('remote rejected] 1f -> gh-pages (pre-receive hook declined)')}`
    expect(gitMessage(said)).toBe(
      'git says: remote: policy: 12 files are too large ! [remote rejected] 1f -> gh-pages (pre-receive hook declined)',
    )
  })

  test.each([
    ['rejected] 1f -> gh-pages (stale info)', 'publish again'],
    ['remote rejected] 1f -> gh-pages (non-fast-forward)', '`--history`'],
    ['remote rejected] 1f -> gh-pages (protected branch hook declined)', '`--history`'],
    ['remote rejected] 1f -> gh-pages (branch is currently checked out)', '`--to-branch`'],
  ])('is followed by what to do: %s', (line, hint) => {
    const message = gitMessage(refused(line))
    expect(message).toContain(`! [${line}. `)
    expect(message).toContain(hint)
    expect(message).not.toContain('hint:')
  })
})
