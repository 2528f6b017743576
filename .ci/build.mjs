#!/usr/bin/env node
// Builds `dist` from `src`: the program, its worker threads and the library entry in a few chunks, and the type declarations of
// that entry. Finding and opening 900 modules one by one would take longer than building a small site.
import { execFileSync } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { transcriptSchema } from './schema.mjs'

/** Paths of the declarations that `entry` imports, directly or indirectly, and of itself. */
function reachableDeclarations(entry) {
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

/** The folder of the package that contains a module; `undefined` for a module of our own. */
function packageFolder(module) {
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(module)?.[0]
}

/** Name, version and licence of packages, which must be shipped with copies of their code. */
function noticesOf(folders) {
  return folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find((entry) => /^licen[cs]e(?:\.\w+)?$/i.test(entry))
    const text = file === undefined ? `Licence: ${license}` : readFileSync(join(folder, file), 'utf8').trim()
    return `${name} ${version}\n\n${text}\n`
  })
}

/** Packages that users install for their types or their binary; what we use of their code is bundled nevertheless. */
const bundledDependencies = new Set(['satteri', 'unified', 'vfile'])

/**
 * The code of a package, changed so that the function `owner` keeps the closure of its latest call alive: `closure` is stored
 * before the statement `before`. Without that, V8 compiles the closure again after each full collection that finds none alive:
 * 10 to 20 times in a build of 140 MB, each time for some 30 ms.
 */
function keepClosure(code, owner, [before, closure]) {
  if (code.split(before).length !== 2) throw new Error(`${owner} no longer begins as expected`)
  return code.replace(before, `${owner}.last = ${closure};\n${before}`)
}

/** Changes to packages as they are bundled, by their file. Each throws if the code is not what it expects. */
const changes = {
  // Creating a segmenter and the pattern of all emoji would cost each call 40 ms, so they are created when a text first needs
  // them. The pattern is created from a string, because V8 parses regular expression literals when it loads the module.
  'string-width/index.js': (code) => {
    const eager = /^const (\w+) = (?:(new Intl\.Segmenter\(\))|\/(.*RGI_Emoji.*)\/v);$/gm
    const names = Array.from(code.matchAll(eager), ([, name]) => name)
    if (names.length !== 2) throw new Error('string-width no longer makes its segmenter and pattern as expected')
    const lazy = code.replaceAll(eager, (_, name, segmenter, pattern) => {
      const value = segmenter ?? `new RegExp(${JSON.stringify(pattern)}, 'v')`
      return `let made_${name};\nconst ${name} = () => (made_${name} ??= ${value});`
    })
    return names.reduce((text, name) => text.replaceAll(`${name}.`, `${name}().`), lazy)
  },
  // An error that is created as the module loads keeps the calls that loaded it alive, and with them all data of the first site.
  'highlight.js/lib/core.js': (code) => {
    const early = 'const MultiClassError = new Error();'
    if (!code.includes(early)) throw new Error('highlight.js no longer makes its error as expected')
    const withoutStack = code.replace(early, 'const MultiClassError = Object.create(Error.prototype);')
    return keepClosure(withoutStack, '_highlight', ['const keywordHits = Object.create(null);', 'processLexeme'])
  },
  'micromark/lib/create-tokenizer.js': (code) =>
    keepClosure(code, 'createTokenizer', ['let state = initialize.tokenize.call(context, effects);', 'effects']),
  'micromark/lib/initialize/text.js': (code) =>
    keepClosure(code, 'initializeText', ['const text = effects.attempt(constructs, start, notText);', 'start']),
  // `fetch` of a `data:` address loads Node's HTTP client, which takes 30 ms and more address space than some hosts allow.
  'zstddec/dist/zstddec-stream.mjs': (code) => {
    const hasFetch = 'typeof fetch !== "undefined"'
    if (!code.includes(hasFetch)) throw new Error('zstddec no longer starts as expected')
    return code.replace(hasFetch, 'false')
  },
  // Its binary is a package that only it depends on, so it must be resolved from its own folder, not from that of a chunk.
  'satteri/index.js': (code) => {
    const require = 'createRequire(import.meta.url)'
    if (!code.includes(require)) throw new Error('satteri no longer loads its binary as expected')
    return code.replace(require, `createRequire(${require}.resolve('satteri'))`)
  },
}

function changedPackages(root) {
  const name = (id) => relative(join(root, 'node_modules'), id).replaceAll('\\', '/')
  return {
    name: 'changed-packages',
    // Of the installed versions of string-width, the newest is used by all, because it has a fast path for ASCII.
    resolveId: (id) => (id === 'string-width' ? join(root, 'node_modules/string-width/index.js') : undefined),
    transform: (code, id) => changes[name(id)]?.(code),
  }
}

/** A character beyond ASCII where an escape would mean something else: after a backslash, or in a `String.raw` template. */
const unescapable = /(?<!\\)(?:\\\\)*\\[^\0-\x7F]|String\.raw`[^`]*[^\0-\x7F]/

/**
 * Code with all characters beyond ASCII as escapes. V8 keeps a module with a single character beyond Latin-1 in two bytes per
 * character, and reads it again for each function that it compiles.
 */
function inAscii({ fileName, code }) {
  const found = unescapable.exec(code)
  if (found !== null) throw new Error(`${fileName} has no escape for a character in ${JSON.stringify(found[0])}`)
  return code.replace(/[^\0-\x7F]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/**
 * Chunks for what the program loads at its start: finding and opening a module takes a millisecond, and each module that two
 * chunks share would become a separate one. The chunks in order, each without the modules of those before it: what every call
 * loads, what commands load, and what `search` needs to look through files; modules that the worker threads or the library
 * entry load too are in separate chunks.
 */
function startChunks(root) {
  const from = (...names) => new Set(names.map((name) => join(root, 'src', name)))
  const parts = {
    entry: from('cli/command.ts'),
    main: from('cli/main.ts', 'cli/world.ts'),
    commands: from('cli/parser.ts', 'program.ts'),
    search: from('features/terminal-search/query.ts', 'features/terminal-search/search.ts'),
  }
  const others = from(
    'index.ts',
    'worker.ts',
    'site/session-thread-fs.ts',
    'features/memory/page/session-memory.ts',
    'features/terminal-search/session.ts',
    'features/terminal-search/sessions.ts',
  )
  const groups = Object.entries(parts).flatMap(([name, ids]) => [
    { name: `${name}-shared`, test: (id) => ids.has(id) && others.has(id) },
    { name, test: (id) => ids.has(id) },
  ])
  return {
    // A group includes what its modules import, except for the modules of a group before it.
    groups: groups.map((group, index) => ({ ...group, priority: groups.length - index })),
    plugin: {
      name: 'start-chunks',
      buildEnd() {
        for (const ids of [...Object.values(parts), others])
          for (const id of ids) for (const next of this.getModuleInfo(id)?.importedIds ?? []) ids.add(next)
      },
    },
  }
}

/**
 * Bundles the program, its worker threads and the library entry. Packages under `dependencies` stay packages: native ones, those
 * that are loaded by path, and those whose types ours refer to. All others that `src` imports become part of the chunks.
 */
async function bundle(root, dist) {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const packages = Object.keys({ ...dependencies, ...peerDependencies }).filter(
    (name) => !bundledDependencies.has(name),
  )
  const { groups, plugin } = startChunks(root)
  const program = await rolldown({
    input: Object.fromEntries(['cli', 'index', 'worker'].map((name) => [name, join(root, `src/${name}.ts`)])),
    platform: 'node',
    external: (id) => packages.some((name) => id === name || id.startsWith(`${name}/`)),
    plugins: [changedPackages(root), plugin],
  })
  const { output } = await program.write({
    dir: dist,
    chunkFileNames: 'chunks/[name]-[hash].js',
    codeSplitting: { groups },
    comments: { jsdoc: false },
  })
  // Modules find templates and `package.json` by their own path; the folder of chunks is as deep as their folders in `src`.
  const misplaced = output.find(({ fileName, code }) => !fileName.includes('/') && code.includes('import.meta.url'))
  if (misplaced !== undefined)
    throw new Error(`${misplaced.fileName} asks for its own path, which is not that of a chunk`)
  for (const chunk of output) writeFileSync(join(dist, chunk.fileName), inAscii(chunk))
  const modules = output.flatMap(({ moduleIds }) => moduleIds)
  const folders = new Set(modules.map(packageFolder).filter((folder) => folder !== undefined))
  writeFileSync(join(dist, 'LICENSES.txt'), noticesOf([...folders].sort()).join(`\n${'-'.repeat(80)}\n\n`))
}

async function build(root) {
  const dist = join(root, 'dist')
  rmSync(dist, { recursive: true, force: true })
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
  execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' })
  const kept = reachableDeclarations(join(dist, 'index.d.ts'))
  for (const name of readdirSync(dist, { recursive: true })) {
    if (name.endsWith('.d.ts') && !kept.has(join(dist, name))) rmSync(join(dist, name))
  }
  describeOptions(join(dist, 'config/options'))
  await bundle(root, dist)
  const schema = transcriptSchema(join(root, 'src'))
  writeFileSync(join(dist, 'transcript.schema.json'), `${JSON.stringify(schema, undefined, 1)}\n`)
  chmodSync(join(dist, 'cli.js'), 0o755)
}

try {
  await build(resolve(import.meta.dirname, '..'))
} catch (error) {
  // The compiler has already printed its errors.
  if (typeof error?.status !== 'number') throw error
  process.exitCode = error.status
}
