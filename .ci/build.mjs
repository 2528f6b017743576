#!/usr/bin/env node
// Makes `dist` anew from `src`: what is not there any more must not be shipped, nor declarations that no importer sees.
import { execFileSync } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, rmSync } from 'node:fs'
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

function build(root) {
  const dist = join(root, 'dist')
  rmSync(dist, { recursive: true, force: true })
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
  execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' })
  const kept = reached(join(dist, 'index.d.ts'))
  for (const name of readdirSync(dist, { recursive: true })) {
    if (name.endsWith('.d.ts') && !kept.has(join(dist, name))) rmSync(join(dist, name))
  }
  chmodSync(join(dist, 'cli.js'), 0o755)
}

try {
  build(resolve(import.meta.dirname, '..'))
} catch (error) {
  // The compiler has told its errors itself.
  if (typeof error?.status !== 'number') throw error
  process.exitCode = error.status
}
