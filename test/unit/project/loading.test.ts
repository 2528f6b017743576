/** What a command loads determines how fast it answers. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const source = fileURLToPath(new URL('../../../src/', import.meta.url))

/** Modules and packages that a module of `src` loads before its first line runs, directly or indirectly. */
function loadedBy(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found
  found.add(path)
  const text = readFileSync(join(source, path), 'utf8')
  for (const [, what = '', from = ''] of text.matchAll(/^(?:import|export) (?:([^'"=;]*?) from )?'([^']+)'/gm)) {
    const isLoaded = !/^type\s/.test(what) && !/^\{(?:\s*type [^,}]+,?)+\s*\}/.test(what)
    if (isLoaded && from.startsWith('.')) loadedBy(relative(source, join(source, dirname(path), from)), found)
    else if (isLoaded) found.add(from)
  }
  return found
}

/** Everything that a module of `src` could load: modules, and packages that some module imports. */
const loadable = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .flatMap((path) => {
    const text = readFileSync(join(source, path), 'utf8')
    const packages = [...text.matchAll(/\b(?:from |require\(|load\(|import\()'([^'.][^']*)'/g)].map(
      ([, name = '']) => name,
    )
    return [path.replaceAll('\\', '/'), ...packages]
  })

/** What a module loads of modules and packages whose names begin like one of the given; each of these must exist. */
function loadedOf(path: string, beginnings: readonly string[]): string[] {
  const begins = (name: string): boolean => beginnings.some((beginning) => name.startsWith(beginning))
  const missing = beginnings.filter((beginning) => !loadable.some((name) => name.startsWith(beginning)))
  if (missing.length > 0) throw new Error(`nothing has a name that begins like ${missing.join(' or ')}`)
  return [...loadedBy(path)].filter(begins)
}

it.each(['cli/list-rows.ts', 'features/audit/check.ts'])(
  '%s loads neither templates nor a Markdown engine nor the search',
  (path) => {
    expect(loadedBy(path).size).toBeGreaterThan(20)
    expect(loadedOf(path, ['render/templates', 'render/pages', 'search/pagefind', 'mdast-', 'micromark'])).toEqual([])
  },
)

it('the list of sessions loads no tree plugins or nodes, and no parser of scripts and command lines', () => {
  const trees = ['transcript/plugins', 'transcript/preset', 'transcript/nodes', 'site/slices', 'unified']
  const parsers = ['rollout/script', 'rollout/shell', 'unbash', 'acorn']
  expect(loadedBy('cli/list-rows.ts').size).toBeGreaterThan(20)
  expect(loadedOf('cli/list-rows.ts', [...trees, ...parsers])).toEqual([])
})

it.each(['cli/list-sessions.ts', 'site/build.ts'])(
  '%s loads no reader and no redaction before it knows that something changed',
  (path) => {
    const survey = ['survey/scan', 'survey/survey', 'survey/lineage']
    expect(loadedBy(path).size).toBeGreaterThan(20)
    expect(loadedOf(path, ['redact', 'render/transcript', 'rollout/read', ...survey])).toEqual([])
  },
)

it('`show` loads only what all formats share', () => {
  const parts = ['hast', 'mdast', 'text', 'serialize'].map((part) => `render/transcript/${part}`)
  expect(loadedBy('cli/show/show.ts').size).toBeGreaterThan(20)
  expect(loadedOf('cli/show/show.ts', ['render/templates', 'render/assets', 'remark', ...parts])).toEqual([])
})

it('the program loads no reader of sessions before it knows which command was called', () => {
  const readers = [
    'rollout/read',
    'rollout/shell',
    'rollout/script',
    'transcript/plugins',
    'redact',
    'render/transcript',
  ]
  expect(loadedBy('program.ts').size).toBeGreaterThan(20)
  expect(loadedOf('program.ts', [...readers, 'unbash', 'acorn', 'pagefind'])).toEqual([])
})
