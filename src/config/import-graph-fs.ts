/** Reads and hashes a program in a folder with everything that it imports, without running any of it. */

import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, extname, join, relative, resolve } from 'node:path'
import process from 'node:process'
import { type CacheHost, cachePath, makePrivate, writeInOneStep } from '../util/files-fs.ts'
import { sha256 } from '../util/hash.ts'

/** A program and what it imports. */
export interface ImportGraph {
  /** Real path of the program. */
  file: string
  /** Hash of the program and of every file that its imports may refer to, including files that do not exist. */
  hash: string
  /** The text of the program that was hashed. */
  source: string
  /** The files that it imports, relative to its folder. */
  imports: readonly string[]
  /** SHA-256 of the text of the program and of each module that it imports. */
  texts: ReadonlySet<string>
  /** Reasons why something that it loads may be unknown, such as `import(` in `site.config.ts`; empty if there are none. */
  unclear: readonly string[]
}

/** Endings to try for a name without one, whichever program resolves it. */
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

/** Modules of Node through which a program can run code that it does not import. */
const runners = /^(?:node:)?(?:module|vm|worker_threads|child_process|cluster|wasi|inspector|repl|sea|test)(?:\/|$)/

// A configuration has a few imports. The limits keep an unknown folder from making a command busy.
const maxReferences = 300
const maxFiles = 100
const maxFileBytes = 256 * 1024

interface Walk {
  root: string
  /** Hash of each file that was looked for, by path; `absent` if it does not exist. */
  states: Map<string, string>
  texts: Set<string>
  /** Modules still to be looked for: their names, and the files that import them. */
  waiting: { specifier: string; from: string }[]
  unclear: Set<string>
}

const absent = 'absent'

/**
 * Reads a program, given by its absolute path, and what it imports. Throws the error of the system if the file does not exist.
 */
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

/** Reads each file that a module name may refer to. */
function follow(specifier: string, from: string, walk: Walk): void {
  if (specifier === 'codex-export' || (isBuiltin(specifier) && !runners.test(specifier))) return
  // Packages, `#names` and paths of a tsconfig.json are resolved through files whose changes would not be noticed.
  if (!/^(?:\.{0,2}[/\\]|\.{1,2}$)/.test(specifier) || /[?#%]/.test(specifier)) {
    doubt(specifier, from, walk)
    return
  }
  for (const folder of new Set([dirname(from), dirname(realpathSync(from))])) {
    const base = resolve(folder, specifier)
    // A package in a folder names its main file.
    if (readBytes(join(base, 'package.json'), walk) !== undefined) doubt(specifier, from, walk)
    const typed = base.replace(/\.([cm]?)js(x?)$/, '.$1ts$2')
    const candidates = [base, typed, ...endings.map((ending) => `${base}${ending}`)]
    for (const path of [...candidates, ...endings.map((ending) => join(base, `index${ending}`))]) readModule(path, walk)
  }
}

/** Reads a module once, and notes what it imports; returns its text, empty if it does not exist or was already read. */
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

/** Reads a file and notes its hash; `undefined` if it does not exist or must not be read. */
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
    doubt(stat.isFile() ? 'the size or number of files' : 'something that is not a file', path, walk)
  } catch (error) {
    const { code = 'an error' } = error as NodeJS.ErrnoException // what `node:fs` throws
    if (code !== 'ENOTDIR') doubt(code, path, walk)
  }
  return undefined
}

function doubt(what: string, path: string, walk: Walk): void {
  walk.unclear.add(`\`${what}\` in \`${relative(walk.root, path)}\``)
}

// What a configuration file loads, as far as its text shows.

const ownImport = /\bimport\s*\{\s*defineConfig\s*,?\s*\}\s*from\s*(['"])codex-export\1/

/**
 * Whether a configuration file certainly imports nothing but `defineConfig` of this package. Only words are examined, so a file
 * that merely mentions imports counts as one that has some.
 */
export function isSelfContained(source: string): boolean {
  return !/\b(?:import|require|from)\b/.test(source.replace(ownImport, ''))
}

/** The modules that a program may load. */
interface ModuleLoads {
  /** Names of modules as written, without repeats. */
  specifiers: readonly string[]
  /** Words by which it may load something that its text does not name, such as `import(`, without repeats. */
  unclear: readonly string[]
}

/** A word that loads modules or turns text into code. `x.from(…)` is not such a word. */
const words =
  /(?<![\w$])(?:import|require|(?<!\.)from|eval|Function|createRequire|getBuiltinModule|dlopen|importScripts)(?![\w$])/g

/**
 * Type imports, which are removed before anything is loaded. They contain no quotes and brackets but their own, so nothing can
 * hide in them.
 */
const typeImport = /\bimport\s+type\s+(?:\{[^{}'"`()]*\}|\*\s*as\s+[\w$]+|[\w$]+)\s*from\s*(['"])[^'"`\n\\]*\1/g

/** A name in quotes or backticks, without escapes. A template with `${` is unclear. */
const literal = /(?:'([^'\\\n]*)'|"([^"\\\n]*)"|`([^`\\$]*)`)/.source

const named = new RegExp(String.raw`\s*${literal}`, 'y')
const called = new RegExp(String.raw`\s*\(\s*${literal}\s*[,)]`, 'y')
/** What may follow `import` or `from` without being a module's name: a clause, a word of prose, a call of something else. */
const harmless: Readonly<Record<string, RegExp>> = {
  import: /(?!\s*(?:\(|['"`]|\/[/*]|\.(?!\s*meta\b)))/y,
  from: /(?!\s*(?:['"`]|\/[/*]))/y,
}

/**
 * What the text of a module loads. Examines words, not syntax, so that nothing in the text can hide an import: names in comments
 * and strings count too, and anything unclear is reported as such.
 */
export function moduleLoads(source: string): ModuleLoads {
  const text = withoutEscapes(source).replace(typeImport, '')
  const specifiers = new Set<string>()
  const unclear = new Set<string>()
  for (const { 0: word, index } of text.matchAll(words)) {
    const end = index + word.length
    const name = specifierAt(text, word, end)
    if (name !== undefined) specifiers.add(name)
    else if (!matchAt(harmless[word], text, end)) unclear.add(text[end] === '(' ? `${word}(` : word)
  }
  return { specifiers: [...specifiers], unclear: [...unclear] }
}

/** The module named after a word. */
function specifierAt(text: string, word: string, end: number): string | undefined {
  const forms = { import: [named, called], from: [named], require: [called] }[word] ?? []
  for (const form of forms) {
    const found = matchAt(form, text, end)
    if (found) return found[1] ?? found[2] ?? found[3] ?? ''
  }
  return undefined
}

function matchAt(pattern: RegExp | undefined, text: string, at: number): RegExpExecArray | null {
  if (pattern === undefined) return null
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** Replaces escapes, because names may be written as character codes inside and outside strings. */
function withoutEscapes(source: string): string {
  return source.replace(/\\u\{?([\da-f]{1,6})\}?|\\x([\da-f]{2})/gi, (whole, long?: string, short?: string) => {
    const code = Number.parseInt(long ?? short ?? '', 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

// The programs of folders that the user allowed, in one small file each, found by path and hash.

type Program = Pick<ImportGraph, 'file' | 'hash'>

/** Whether a program was allowed in its present form, only in an earlier one, or never. */
export function recallAllowed({ file, hash }: Program, host: CacheHost): 'allowed' | 'changed' | 'never' {
  const answer = answerFile(file, host)
  try {
    if (!isOurs(answer)) return 'never'
    const [knownHash, ...knownFile] = readFileSync(answer, 'utf8').trimEnd().split('\n')
    if (knownFile.join('\n') !== file) return 'never'
    return knownHash === hash ? 'allowed' : 'changed'
  } catch {
    return 'never'
  }
}

/** Records that the user allowed a program. Throws the error of the system. */
export function rememberAllowed({ file, hash }: Program, host: CacheHost): void {
  const answer = answerFile(file, host)
  makePrivate(dirname(answer))
  writeInOneStep(answer, `${hash}\n${file}\n`)
}

function answerFile(file: string, host: CacheHost): string {
  return cachePath(host, 'allowed', sha256(file).slice(0, 32))
}

/** Whether nobody else can have written the answer or can write one: neither the file nor its folder. */
function isOurs(answer: string): boolean {
  return [answer, dirname(answer)].every((path) => {
    const { uid, mode } = lstatSync(path)
    return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)
  })
}
