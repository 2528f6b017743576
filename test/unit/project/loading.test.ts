/** What a command loads determines how fast it answers. */
import { readFileSync } from 'node:fs'
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

it.each(['cli/list-rows.ts', 'features/audit/check.ts'])(
  '%s loads neither templates nor a Markdown engine nor the search',
  (path) => {
    const loaded = [...loadedBy(path)]
    expect(loaded.length).toBeGreaterThan(20)
    expect(
      loaded.filter((name) =>
        /^(?:render\/(?:templates|pages)|search\/(?:pagefind|ahead))|^mdast-|^micromark/.test(name),
      ),
    ).toEqual([])
  },
)

it('the list of sessions loads no tree plugins or nodes, and no parser of scripts and command lines', () => {
  const loaded = [...loadedBy('cli/list-rows.ts')]
  expect(
    loaded.filter((name) =>
      /^(?:transcript\/(?:plugins|\w+-node|preset)|rollout\/(?:script|shell)|site\/slices)|^(?:unified|unbash|acorn)/.test(
        name,
      ),
    ),
  ).toEqual([])
})

it.each(['cli/list-sessions.ts', 'site/build.ts'])(
  '%s loads no reader and no redaction before it knows that something changed',
  (path) => {
    const loaded = [...loadedBy(path)]
    expect(loaded.length).toBeGreaterThan(20)
    expect(
      loaded.filter((name) =>
        /^(?:redact|render\/transcript|rollout\/read|survey\/(?:scan|survey|lineage))/.test(name),
      ),
    ).toEqual([])
  },
)

it('`show` loads only what all formats share', () => {
  const loaded = [...loadedBy('cli/show/show.ts')]
  expect(loaded.length).toBeGreaterThan(20)
  expect(
    loaded.filter((name) =>
      /^render\/(?:templates|assets|transcript\/(?:hast|mdast|text|serialize))|^remark/.test(name),
    ),
  ).toEqual([])
})
