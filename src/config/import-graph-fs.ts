/** A program of a folder with all that it imports: read and hashed, and nothing of it run. */
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, extname, join, relative, resolve } from 'node:path'
import { sha256 } from '../util/hash.ts'
import { moduleLoads } from './imports.ts'

/** A program and what it imports. */
export interface ImportGraph {
  /** Real path of the program. */
  file: string
  /** Of the program and of every file that its imports may mean, those that are not there included. */
  hash: string
  /** Its text, as it was hashed. */
  source: string
  /** The files that it imports, from its folder on. */
  imports: readonly string[]
  /** SHA-256 of the text of the program and of each module that it imports. */
  texts: ReadonlySet<string>
  /** What keeps all of it from being known, such as `import(` in `site.config.ts`; empty where nothing does. */
  unclear: readonly string[]
}

/** The files that a name without its ending may mean, whoever resolves it. */
const endings = [
  '.js',
  '.mjs',
  '.cjs',
  '.ts',
  '.mts',
  '.cts',
  '.tsx',
  '.jsx',
  '.mtsx',
  '.ctsx',
  '.json',
  '.node',
  '.wasm',
]

/** Modules of Node by which a program can run what it does not import. */
const runners = /^(?:node:)?(?:module|vm|worker_threads|child_process|cluster|wasi|inspector|repl|sea|test)(?:\/|$)/

// A configuration has a few imports. What a stranger's folder holds must not keep a command busy.
const maxReferences = 300
const maxFiles = 100
const maxFileBytes = 256 * 1024

interface Walk {
  root: string
  /** Hash of each file that was looked for, by its path; `absent` where there is none. */
  states: Map<string, string>
  texts: Set<string>
  /** Names of modules that are still to be looked for, and the file that each stands in. */
  waiting: { specifier: string; from: string }[]
  unclear: Set<string>
}

const absent = 'absent'

/** Reads a program, whose path is absolute, and what it imports. Throws the error of the system where there is no such file. */
export function readImportGraph(path: string): ImportGraph {
  const walk: Walk = { root: dirname(path), states: new Map(), texts: new Set(), waiting: [], unclear: new Set() }
  const source = readModule(path, walk)
  let references = 0
  for (let next = walk.waiting.pop(); next !== undefined; next = walk.waiting.pop()) {
    references += 1
    if (references > maxReferences) {
      doubt('the number of imports', path, walk)
      break
    }
    follow(next.specifier, next.from, walk)
  }
  const states = [...walk.states].sort(([a], [b]) => (a < b ? -1 : 1))
  const imports = states.filter(([name, state]) => state !== absent && name !== path)
  return {
    file: realpathSync(path),
    hash: sha256(states.map(([name, state]) => `${state} ${name}`).join('\n')),
    source,
    imports: imports.map(([name]) => relative(walk.root, name)),
    texts: walk.texts,
    unclear: [...walk.unclear],
  }
}

/** Reads each file that a name may mean. */
function follow(specifier: string, from: string, walk: Walk): void {
  if (specifier === 'codex-export' || (isBuiltin(specifier) && !runners.test(specifier))) return
  // Packages, `#names` and paths of a tsconfig.json are found by way of files that may change unseen.
  if (!/^(?:\.{0,2}[/\\]|\.{1,2}$)/.test(specifier) || /[?#%]/.test(specifier)) {
    doubt(specifier, from, walk)
    return
  }
  for (const folder of new Set([dirname(from), dirname(realpathSync(from))])) {
    const base = resolve(folder, specifier)
    // A package in a folder names its main file.
    if (readBytes(join(base, 'package.json'), walk) !== undefined) doubt(specifier, from, walk)
    const typed = base.replace(/\.([cm]?)js(x?)$/, '.$1ts$2')
    const beside = [base, typed, ...endings.map((ending) => `${base}${ending}`)]
    for (const path of [...beside, ...endings.map((ending) => join(base, `index${ending}`))]) readModule(path, walk)
  }
}

/** The text of a module; notes, once, what it imports. Empty where there is no such file. */
function readModule(path: string, walk: Walk): string {
  if (walk.states.has(path)) return ''
  const text = readBytes(path, walk)?.toString('utf8')
  if (text === undefined) return ''
  walk.texts.add(sha256(text))
  const ending = extname(path)
  if (ending === '.json') return text
  if (ending === '.node' || ending === '.wasm') doubt('machine code', path, walk)
  const { specifiers, unclear } = moduleLoads(text)
  for (const specifier of specifiers) walk.waiting.push({ specifier, from: path })
  for (const word of unclear) doubt(word, path, walk)
  return text
}

/** The bytes of a file, whose hash is noted; `undefined` where there is none that is to be read. */
function readBytes(path: string, walk: Walk): Buffer | undefined {
  const bytes = bytesOf(path, walk)
  walk.states.set(path, bytes === undefined ? absent : sha256(bytes))
  return bytes
}

function bytesOf(path: string, walk: Walk): Buffer | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat === undefined || stat.isDirectory()) return undefined
    if (stat.isFile() && stat.size <= maxFileBytes && walk.texts.size < maxFiles) return readFileSync(path)
    doubt(stat.isFile() ? 'the size or number of files' : 'something that is no file', path, walk)
  } catch (error) {
    const { code = 'an error' } = error as NodeJS.ErrnoException // what `node:fs` throws
    if (code !== 'ENOTDIR') doubt(code, path, walk)
  }
  return undefined
}

function doubt(what: string, path: string, walk: Walk): void {
  walk.unclear.add(`\`${what}\` in \`${relative(walk.root, path)}\``)
}
