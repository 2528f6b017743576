#!/usr/bin/env node
// The floors of `src`: each folder may import itself and the folders before it in this table, never one after it.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

/** One row per folder, from the lowest floor up. */
export const floors = [
  ['util', 'helpers that know nothing of Codex'],
  ['diagnostics', 'messages for people, under rule ids'],
  ['config', 'settings: one schema, and where they are read from'],
  ['rollout', 'the files of Codex: found, read, parsed'],
  ['transcript', 'the tree, its plugins, statistics and receipt'],
  ['redact', 'secrets, personal data, pictures; what is published'],
  ['survey', 'threads: catalog, lineage, scan, page borders'],
  ['render', 'trees and sites as HTML, Markdown and text'],
  ['search', 'what is indexed, and Pagefind'],
  ['site', 'the build: its stages, cache and output folder'],
  ['cli', 'the program: parser, terminal, build, list, show, serve'],
  ['features/scrub', 'scrub: fixtures from private rollouts'],
  ['features/terminal-search', 'search: turns of the sessions themselves'],
  ['features/mcp', 'mcp: the search, for agents'],
  ['features/lock', 'sites under a password'],
  ['features/memory', 'context, prune, restore, and their page'],
  ['features/audit', 'check'],
  ['features/publish', 'publish: asks the audit first'],
  ['features/setup', 'init, open, doctor, completion'],
  ['features/share', 'share: one session for somebody else, after the audit'],
]

/** Imports in a source folder that lead up, as `file imports file`; files at its root may import all. */
export function importsUp(src) {
  const floorOf = (file) => floors.findIndex(([folder]) => file.startsWith(`${folder}/`))
  const files = readdirSync(src, { recursive: true }).filter((name) => name.endsWith('.ts'))
  return files.flatMap((file) => {
    const floor = floorOf(file)
    if (floor < 0) return file.includes('/') ? [`${file} is on no floor`] : []
    return (
      importsOf(readFileSync(join(src, file), 'utf8'))
        .map((target) => relative(src, resolve(src, dirname(file), target)))
        // Parts of the page script that the program reads too; they import nothing of it.
        .filter((target) => !target.startsWith('../templates/assets/'))
        .filter((target) => floorOf(target) > floor || floorOf(target) < 0)
        .map((target) => `${file} imports ${target}, which is above it`)
    )
  })
}

/** Relative modules that a text imports, exports from, or loads. */
function importsOf(text) {
  return [...text.matchAll(/(?:\bfrom|\bimport\(|^import)\s*'(\.[^']+)'/gm)].map(([, target]) => target)
}

if (process.argv[1] === import.meta.filename) {
  const up = importsUp(resolve(process.argv[2] ?? 'src'))
  for (const line of up) process.stderr.write(`floors: ${line}\n`)
  process.exitCode = up.length === 0 ? 0 : 1
}
