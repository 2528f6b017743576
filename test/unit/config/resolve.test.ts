import path from 'node:path'
import { expect, test } from 'vitest'
import { listPrices } from '../../../src/config/prices.ts'
import {
  configPath,
  type Inputs,
  type LoadedConfig,
  refuseMisspeltVariables,
  resolveSettings,
} from '../../../src/config/resolve.ts'
import { envName, options, settingNames } from '../../../src/config/schema.ts'
import { ConfigError, UsageError } from '../../../src/diagnostics/errors.ts'

const base: Inputs = {
  command: 'build',
  flags: {},
  env: {},
  cwd: '/home/sam/code',
  homeDir: '/home/sam',
  path: path.posix,
}

function config(values: Record<string, unknown>): LoadedConfig {
  return { name: 'site.config.ts', folder: '/home/sam/archive', values }
}

function settings(change: Partial<Inputs>) {
  return resolveSettings({ ...base, ...change }).settings
}

test('without any input every setting has its default', () => {
  expect(settings({})).toEqual({
    homes: [],
    out: '/home/sam/code/site',
    shards: '/home/sam/code/shards',
    cache: undefined,
    projects: [],
    since: undefined,
    until: undefined,
    ids: [],
    archived: undefined,
    formats: ['html', 'md'],
    search: true,
    searchOutputs: false,
    offline: false,
    passwordFile: undefined,
    redact: true,
    personal: { home: true, names: true, emails: false, roots: {} },
    redactEmails: false,
    preset: 'private',
    visibility: {},
    show: [],
    fold: [],
    omit: [],
    maxOutput: undefined,
    curation: undefined,
    branches: [],
    exclude: [],
    missing: 'remove',
    jobs: undefined,
    dryRun: false,
    strict: false,
    format: 'md',
    output: undefined,
    withAgents: false,
    maxInline: 20_971_520,
    port: 4173,
    open: false,
    watch: false,
    poll: false,
    frontMatter: false,
    json: false,
    quiet: false,
    verbose: false,
    regex: false,
    count: false,
    around: undefined,
    sarif: false,
    unknown: false,
    withdraw: false,
    configFile: undefined,
    title: 'Codex sessions',
    timeZone: 'UTC',
    language: 'en',
    description: undefined,
    siteUrl: undefined,
    templatesDir: undefined,
    prices: listPrices,
    plugins: [],
    publish: undefined,
    to: undefined,
    toBranch: undefined,
    history: undefined,
    siteName: undefined,
    endpoint: undefined,
    region: undefined,
    pathStyle: undefined,
    allowFindings: false,
    scanners: [],
    waivers: {},
    allowRemoval: false,
    allowUnredacted: false,
    replace: false,
    at: undefined,
    by: 'order',
    wholeItems: false,
    oneItem: undefined,
    diff: undefined,
    gist: false,
    assumeYes: false,
    excludeItems: [],
    excludeCategories: [],
    includeItems: [],
    deleteItems: [],
    newThread: false,
    replaceItems: [],
    replacement: '[output removed]',
    inPlace: false,
    interactive: false,
    force: false,
    assumeClosed: false,
    backup: undefined,
    undo: false,
    moveBackups: false,
    listBackups: false,
  })
})

test('flags override the environment, which overrides the file, which overrides the default', () => {
  const flags = { out: 'from-flag' }
  const env = { CODEX_EXPORT_OUT: 'from-env' }
  const file = config({ out: 'from-file' })
  const origin = (change: Partial<Inputs>) => {
    const resolved = resolveSettings({ ...base, ...change })
    return [resolved.settings.out, resolved.origins.out]
  }
  expect(origin({ flags, env, config: file })).toEqual(['/home/sam/code/from-flag', 'flags'])
  expect(origin({ env, config: file })).toEqual(['/home/sam/code/from-env', 'environment'])
  expect(origin({ config: file })).toEqual(['/home/sam/archive/from-file', 'config'])
  expect(origin({})).toEqual(['/home/sam/code/site', 'default'])
})

test('what one source excludes is not included again by another', () => {
  const flags = { 'exclude-id': ['0199a'] }
  const env = { CODEX_EXPORT_EXCLUDE_ID: '0199b,0199c' }
  const file = config({ exclude: ['0199d'] })
  expect(settings({ flags, env, config: file }).exclude).toEqual(['0199a', '0199b', '0199c', '0199d'])
  expect(settings({ env, config: file }).exclude).toEqual(['0199b', '0199c', '0199d'])
  expect(settings({ config: file }).exclude).toEqual(['0199d'])
  expect(settings({}).exclude).toEqual([])
  const omit = { flags: { omit: ['diffs'] }, env: { CODEX_EXPORT_OMIT: 'reasoning' } }
  expect(settings(omit).omit).toEqual(['diffs', 'reasoning'])
})

test('the switch for personal data turns all kinds on, keeping the roots of the file, or all off', () => {
  const file = config({ personal: { home: false, emails: true, roots: { '/srv/acme': 'customer' } } })
  const all = { home: true, names: true, emails: true, roots: { '/srv/acme': 'customer' } }
  expect(settings({ flags: { personal: true }, config: file }).personal).toEqual(all)
  expect(settings({ env: { CODEX_EXPORT_PERSONAL: 'yes' }, config: file }).personal).toEqual(all)
  const none = { home: false, names: false, emails: false, roots: {} }
  expect(settings({ flags: { personal: false }, config: file }).personal).toEqual(none)
  expect(settings({ flags: { personal: true }, config: config({ personal: false }) }).personal.home).toBe(true)
})

test('a switch that is turned off overrides as much as one that is turned on', () => {
  const env = { CODEX_EXPORT_SEARCH: '1' }
  expect(settings({ flags: { search: false }, env }).search).toBe(false)
  expect(settings({ env: { CODEX_EXPORT_SEARCH: 'off' }, config: config({ search: true }) }).search).toBe(false)
  expect(settings({ config: config({ search: false }) }).search).toBe(false)
  expect(settings({ flags: { archived: false } }).archived).toBe(false)
})

test('relative paths start at the working folder or that of the file, and `~` is the home folder', () => {
  const flags = { 'codex-home': ['../logs', '~/.codex', '~', '/abs', './~/odd', '~sam'] }
  expect(settings({ flags }).homes.map((home) => home.path)).toEqual([
    '/home/sam/logs',
    '/home/sam/.codex',
    '/home/sam',
    '/abs',
    '/home/sam/code/~/odd',
    '/home/sam/code/~sam',
  ])
  const file = config({ homes: [{ path: 'team', label: 'Team' }], templatesDir: '../my', cache: '~/c' })
  expect(settings({ config: file })).toMatchObject({
    homes: [{ path: '/home/sam/archive/team', label: 'Team' }],
    templatesDir: '/home/sam/my',
    cache: '/home/sam/c',
  })
})

test('a variable with several values is split', () => {
  const env = { CODEX_EXPORT_CODEX_HOME: '/a:/b', CODEX_EXPORT_PROJECT: 'shop, docs', CODEX_EXPORT_FORMAT: 'json,md' }
  expect(settings({ env })).toMatchObject({
    homes: [{ path: '/a' }, { path: '/b' }],
    projects: ['shop', 'docs'],
    formats: ['md', 'json'],
  })
  const windows = resolveSettings({
    ...base,
    cwd: 'C:\\code',
    homeDir: 'C:\\Users\\sam',
    path: path.win32,
    env: { CODEX_EXPORT_CODEX_HOME: 'D:\\logs;~\\.codex' },
  })
  expect(windows.settings.homes).toEqual([{ path: 'D:\\logs' }, { path: 'C:\\Users\\sam\\.codex' }])
})

test('an empty variable counts as not set', () => {
  expect(settings({ env: { CODEX_EXPORT_OUT: '', CODEX_EXPORT_SEARCH: '' } })).toMatchObject({
    out: '/home/sam/code/site',
    search: true,
  })
})

test('an option applies only to its own commands', () => {
  const env = { CODEX_EXPORT_PORT: 'not a port', CODEX_EXPORT_FORMAT: 'not a format' }
  expect(settings({ command: 'list', env })).toMatchObject({ port: 4173, formats: ['html', 'md'] })
  expect(settings({ command: 'show', flags: { format: 'json' } })).toMatchObject({ format: 'json' })
  expect(settings({ command: 'build', flags: { format: ['json'] } })).toMatchObject({ format: 'md', formats: ['json'] })
})

test('the file named by a flag or variable is known before it is loaded', () => {
  expect(configPath(base)).toBeUndefined()
  expect(configPath({ ...base, env: { CODEX_EXPORT_CONFIG: 'a.ts' } })).toBe('/home/sam/code/a.ts')
  expect(configPath({ ...base, env: { CODEX_EXPORT_CONFIG: 'a.ts' }, flags: { config: 'b.ts' } })).toBe(
    '/home/sam/code/b.ts',
  )
})

test.each([
  [{ flags: { port: 'abc' }, command: 'serve' }, '`--port` is `abc`; expected a whole number from 0 to 65535.'],
  [{ flags: { out: '' } }, '`--out` needs a value: the path of a folder.'],
  [{ flags: { out: false } }, '`--out` needs a value: the path of a folder.'],
  [{ flags: { 'exclude-id': [] } }, '`--exclude-id` needs a value: one or more texts.'],
  [{ flags: { out: ['a', 'b'] } }, '`--out` was given 2 times; give it once.'],
  [{ flags: { format: ['html', 'pdf'] } }, '`--format` is `html,pdf`; expected one or more of html, md, json.'],
  [{ flags: { format: 'pdf' }, command: 'show' }, '`--format` is `pdf`; expected one of md, html, json, text.'],
  [{ env: { CODEX_EXPORT_STRICT: 'perhaps' } }, '`CODEX_EXPORT_STRICT` is `perhaps`; expected true or false.'],
] as [Partial<Inputs>, string][])(
  'a wrong flag or variable is reported with what was expected: %j',
  (change, message) => {
    expect(() => settings(change)).toThrow(new UsageError(message))
  },
)

const circular: Record<string, unknown> = {}
circular['self'] = circular

test.each([
  [{ title: 12 }, '`title` in `site.config.ts` is `12`; expected one line of text.'],
  [{ jobs: Number.NaN }, '`jobs` in `site.config.ts` is `NaN`; expected a whole number from 1 to 64.'],
  [{ search: 'yes' }, '`search` in `site.config.ts` is `yes`; expected true or false.'],
  [{ timeZone: 'Mars' }, '`timeZone` in `site.config.ts` is `Mars`; expected an IANA time zone such as Europe/Berlin.'],
  [
    { homes: ['~/.codex'] },
    '`homes` in `site.config.ts` is `["~/.codex"]`; expected one or more folders of rollouts or rollout files; in a configuration file a list of { path, label }.',
  ],
  [
    { plugins: () => 1 },
    '`plugins` in `site.config.ts` is `function`; expected a list of unified plugins and of plugins from `definePlugin`, whose names and fields differ.',
  ],
  [
    { homes: [] },
    '`homes` in `site.config.ts` is `[]`; expected one or more folders of rollouts or rollout files; in a configuration file a list of { path, label }.',
  ],
  [{ ids: [] }, '`ids` in `site.config.ts` is `[]`; expected one or more texts.'],
  [{ title: circular }, '`title` in `site.config.ts` is `object`; expected one line of text.'],
  [{ title: null }, '`title` in `site.config.ts` is `null`; expected one line of text.'],
])('a wrong value in the file is reported with what was expected: case %#', (values, message) => {
  expect(() => settings({ config: config(values) })).toThrow(new ConfigError(message))
})

test('a long value is cut in the message', () => {
  const long = 'x'.repeat(500)
  expect(() => settings({ config: config({ language: long }) })).toThrow(`is \`${'x'.repeat(79)}…\``)
})

test('a wrong value in the file is an error even if a flag overrides it or the command does not use it', () => {
  const file = config({ out: 1 })
  expect(() => settings({ config: file, flags: { out: 'x' } })).toThrow(ConfigError)
  expect(() => settings({ config: file, command: 'list' })).toThrow(ConfigError)
})

test('an unknown key in the file is an error that suggests a similar one', () => {
  const wrong = () => settings({ config: config({ titel: 'x' }) })
  expect(wrong).toThrow(ConfigError)
  expect(wrong).toThrow('`site.config.ts` has the unknown key `titel`; did you mean `title`?')
  expect(() => settings({ config: config({ dryRun: true }) })).toThrow('unknown key `dryRun`')
  expect(() => settings({ config: config({ openGraphImages: true }) })).toThrow(
    'unknown key `openGraphImages`; docs/config.md lists the known ones.',
  )
})

test('a key in the file that is `undefined` counts as not set', () => {
  expect(settings({ config: config({ title: undefined }) }).title).toBe('Codex sessions')
})

test('the option table is consistent: help, commands, flags, defaults that fit their kind', () => {
  const flags = new Set<string>()
  for (const name of settingNames) {
    const option = options[name]
    expect(option.help, name).toMatch(/^[A-Z].*\.$/)
    expect(option.commands.length, name).toBeGreaterThan(0)
    expect(option.flag !== undefined || option.config, `${name} can be set`).toBe(true)
    for (const command of option.commands) {
      const key = `${command} --${option.flag ?? name}`
      expect(flags.has(key), `${key} stands for one thing`).toBe(false)
      flags.add(key)
    }
    const paths = { absolute: (text: string) => text, delimiter: ':' }
    const isEmptyList = Array.isArray(option.default) && option.default.length === 0
    if (option.default !== undefined && !isEmptyList)
      expect(option.kind.fromConfig(option.default, paths), name).toBeDefined()
  }
})

test('a misspelt variable is rejected, but not those of options and of other programs', () => {
  const check = (...names: string[]) => refuseMisspeltVariables(Object.fromEntries(names.map((name) => [name, 'x'])))
  expect(() => check('CODEX_EXPORT_PRESETS')).toThrow(
    new UsageError('Unknown variable `CODEX_EXPORT_PRESETS`; did you mean `CODEX_EXPORT_PRESET`?'),
  )
  expect(() => check('CODEX_EXPORT_REDACT_EMAIL')).toThrow('did you mean `CODEX_EXPORT_REDACT_EMAILS`?')
  check(...settingNames.flatMap((name) => envName(options[name]) ?? []))
  check('CODEX_EXPORT_CORPUS', 'CODEX_EXPORT_BROWSER', 'CODEX_EXPORT_TEST_REPORT', 'CODEX_HOME', 'OUTS')
  refuseMisspeltVariables({ CODEX_EXPORT_PRESETS: '' })
})

test.each([
  ['CODEX_EXPORT_DRY_RUN', 'give the flag `--dry-run`.'],
  ['CODEX_EXPORT_SHARD', 'give the flag `--shard`.'],
  ['CODEX_EXPORT_EXCLUDE', 'did you mean `CODEX_EXPORT_EXCLUDE_ID`?'],
  ['CODEX_EXPORT_HOMES', 'did you mean `CODEX_EXPORT_CODEX_HOME`?'],
  ['CODEX_EXPORT_VISIBILITY', 'set `visibility` in a configuration file.'],
  ['CODEX_EXPORT_TIMEZONE', 'set `timeZone` in a configuration file.'],
])('the variable %s, whose option has none, is rejected with a hint', (name, hint) => {
  expect(() => refuseMisspeltVariables({ [name]: '1' })).toThrow(
    new UsageError(`Unknown variable \`${name}\`; ${hint}`),
  )
})

test('every name of an option that is no variable is rejected as one', () => {
  const read = settingNames.flatMap((name) => envName(options[name]) ?? [])
  for (const name of settingNames.flatMap((key) => [key, options[key].flag ?? key])) {
    const variable = `CODEX_EXPORT_${name
      .replaceAll(/([A-Z])/g, '_$1')
      .replaceAll('-', '_')
      .toUpperCase()}`
    if (!read.includes(variable))
      expect(() => refuseMisspeltVariables({ [variable]: '1' }), variable).toThrow('Unknown')
  }
})

test('variables are named after flags', () => {
  expect(envName(options.homes)).toBe('CODEX_EXPORT_CODEX_HOME')
  expect(envName(options.dryRun)).toBeUndefined()
  expect(envName(options.title)).toBeUndefined()
})
