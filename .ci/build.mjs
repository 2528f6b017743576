#!/usr/bin/env node
// Makes `dist` anew from `src`: what is not there any more must not be shipped, nor declarations that no importer sees.
import { execFileSync } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'

/** The declarations that `entry` leads to, itself among them, as paths. */
function reached(entry) {
  const found = new Set([entry])
  for (const file of found) {
    for (const [, target] of readFileSync(file, 'utf8').matchAll(
      /(?:\bfrom|\bimport\(|^import)\s*['"](\.[^'"]+)['"]/gm,
    )) {
      found.add(resolve(dirname(file), target.replace(/\.[jt]s$/, '.d.ts')))
    }
  }
  return found
}

/** Gives each key of a configuration file its help as a comment, which editors show. */
function describeOptions(folder) {
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.d.ts'))) {
    const file = join(folder, name)
    const rows = /^ {4}readonly \w+: \{\n(?: {8}.*\n)*? {8}readonly help: (['"])(.*)\1;$/gm
    const text = readFileSync(file, 'utf8')
    writeFileSync(
      file,
      text.replace(rows, (row, _, help) => `    /** ${help} */\n${row}`),
    )
  }
}

function build(root) {
  const dist = join(root, 'dist')
  rmSync(dist, { recursive: true, force: true })
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
  execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' })
  const kept = reached(join(dist, 'index.d.ts'))
  for (const name of readdirSync(dist, { recursive: true })) {
    if (name.endsWith('.d.ts') && !kept.has(join(dist, name))) rmSync(join(dist, name))
  }
  describeOptions(join(dist, 'config/options'))
  chmodSync(join(dist, 'cli.js'), 0o755)
}

try {
  build(resolve(import.meta.dirname, '..'))
} catch (error) {
  // The compiler has told its errors itself.
  if (typeof error?.status !== 'number') throw error
  process.exitCode = error.status
}
