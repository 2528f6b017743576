import { expect, test } from 'vitest'
import { buildJson, buildSummary, type SummaryContext } from '../../../src/cli/summary.ts'
import { resolveSettings } from '../../../src/config/resolve.ts'
import { diagnostic } from '../../../src/diagnostics/codes.ts'
import type { BuildResult } from '../../../src/site/types.ts'

const result: BuildResult = {
  out: '/home/sam/code/site',
  sessions: 421,
  rendered: 0,
  pages: 1204,
  failed: 0,
  warnings: 0,
  written: 37,
  kept: 3100,
  removed: 1,
  withdrawn: [],
  searched: 430,
  places: ['/home/sam/.codex'],
  found: 0,
  diagnostics: [],
}

function context(flags: Record<string, unknown> = {}, config?: Record<string, unknown>): SummaryContext {
  const cwd = '/home/sam/code'
  const path = {
    resolve: (base: string, end: string) => (end.startsWith('/') ? end : `${base}/${end}`),
    delimiter: ':',
  }
  const file = config === undefined ? undefined : { name: 'site.config.ts', folder: cwd, values: config }
  const inputs = { command: 'build' as const, flags, env: {}, config: file, cwd, homeDir: '/home/sam', path }
  return { ...resolveSettings(inputs), configName: 'site.config.ts', program: 'npx codex-export', args: [], cwd, flags }
}

test('the summary says what was built and what to open', () => {
  expect(buildSummary(result, context())).toBe(
    `Built 421 sessions on 1,204 pages, 430 pages in the search index: 37 files written, 3,100 unchanged, 1 removed.
Open site/index.html, or serve it on this machine:
  npx codex-export serve
`,
  )
})

test('without HTML there is no page to open', () => {
  const text = buildSummary({ ...result, pages: 0, searched: 0 }, context({ format: ['md'] }))
  expect(text.split('\n').slice(1)).toEqual(['The texts are below site/sessions.', ''])
})

test('sessions without a page are counted', () => {
  expect(buildSummary({ ...result, failed: 1 }, context())).toContain('1 removed. No page for 1 session.\n')
})

test('without search the command to serve is not mentioned', () => {
  const text = buildSummary({ ...result, searched: 0 }, context({ search: false }))
  expect(text).not.toContain('search')
  expect(text).toContain('Open site/index.html\n')
})

test('a folder outside the working folder is named in full', () => {
  expect(buildSummary({ ...result, out: '/srv/site' }, context())).toContain('Open /srv/site/index.html, or')
})

test('the command to serve repeats the flags, because it builds first', () => {
  const flags = {
    'codex-home': ['~/.codex', '/srv/my logs', '/srv/$odd'],
    out: 'elsewhere',
    archived: false,
    strict: true,
    json: true,
    format: ['html,md'],
  }
  expect(buildSummary(result, context(flags))).toContain(
    '\n  npx codex-export serve --codex-home ~/.codex --codex-home "/srv/my logs" --codex-home \'/srv/$odd\'' +
      ' --no-archived --out elsewhere --format html,md\n',
  )
})

test("if a configuration named the homes, the summary says how to read one's own", () => {
  const named = context({}, { homes: [{ path: 'fixtures/home' }] })
  expect(buildSummary(result, named)).toContain(
    'The sessions came from `homes` in site.config.ts. To read your own:\n  npx codex-export build --codex-home ~/.codex\n',
  )
  const own = context({ 'codex-home': '/home/sam/.codex' }, { homes: [{ path: 'fixtures/home' }] })
  expect(buildSummary(result, own)).not.toContain('To read your own')
})

test('a build without sessions says where it looked', () => {
  const empty = { ...result, sessions: 0, pages: 2, places: ['/home/sam/.codex', '/srv/logs'] }
  expect(buildSummary(empty, context())).toMatch(
    /^No sessions were found\. Looked in:\n {2}\/home\/sam\/\.codex\n {2}\/srv\/logs\nGive the folder .*\n(?:.*\n){2}Built 0 sessions/,
  )
})

test('a build whose filters match nothing says so, and how many sessions there are', () => {
  const empty = { ...result, sessions: 0, pages: 2, places: ['/srv/logs'], found: 71 }
  const args = ['build', '--codex-home', '/srv/logs', '--since', '7d']
  expect(buildSummary(empty, { ...context(), args })).toContain(
    ' `npx codex-export list --codex-home /srv/logs` shows projects and dates.\n',
  )
  expect(buildSummary(empty, context())).toMatch(
    /^No session passes the filters; 71 sessions found in:\n {2}\/srv\/logs\nFilters come from flags, .*\nBuilt 0 sessions/,
  )
})

test('a build that finds no sessions in the default home says where sample sessions are', () => {
  const empty = { ...result, sessions: 0, pages: 2, places: ['~/.codex'] }
  const hint = 'clone the source of codex-export, which has sample sessions, and run:\n  npm install && npm run demo'
  expect(buildSummary(empty, context())).toContain(hint)
  expect(buildSummary(result, context())).not.toContain('sample')
  expect(buildSummary(empty, context({ 'codex-home': ['/srv/logs'] }))).not.toContain('sample')
})

test('a dry run says what a build would do', () => {
  expect(buildSummary(result, context({ 'dry-run': true }))).toBe(
    'Would build 421 sessions: 37 files written, 3,100 unchanged, 1 removed. Nothing was written.\n',
  )
})

test('the result for programs is one JSON document', () => {
  const diagnostics = [diagnostic('damaged-line', { file: 'a.jsonl', line: 3 })]
  const document: unknown = JSON.parse(buildJson({ ...result, diagnostics }, 1234))
  expect(document).toEqual({
    schema: 'codex-export/build-result',
    version: 1,
    ...result,
    durationMs: 1234,
    diagnostics,
  })
})
