#!/usr/bin/env node
// Makes `dist` anew from `src`: the program, its threads and the entry in a few chunks, and the declarations that an importer sees.
// To find and open 900 modules one by one takes longer than to build a small site.
import { execFileSync } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { transcriptSchema } from './schema.mjs'

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

/** The package that holds a module, as the path of its folder; `undefined` for a module of our own. */
function packageFolder(module) {
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(module)?.[0]
}

/** Name, version and licence of packages, as they ask to be shipped with copies of their code. */
function noticesOf(folders) {
  return folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find((entry) => /^licen[cs]e(?:\.\w+)?$/i.test(entry))
    const text = file === undefined ? `Licence: ${license}` : readFileSync(join(folder, file), 'utf8').trim()
    return `${name} ${version}\n\n${text}\n`
  })
}

/** Packages that are installed for their types or their binary; what we use of their code is bundled with the rest. */
const bundledToo = new Set(['satteri', 'unified', 'vfile'])

/**
 * A package's code in which the functions that a call makes for itself live on until the next call. V8 compiles them again
 * after each full collection that finds none of them alive: 10 to 20 times in a build of 140 MB, each for some 30 ms.
 */
function keptAlive(code, owner, [place, closure]) {
  if (code.split(place).length !== 2) throw new Error(`${owner} no longer begins as expected`)
  return code.replace(place, `${owner}.last = ${closure};\n${place}`)
}

/** Changes to packages as they are bundled, by their file. Each throws where the package is no longer what it was. */
const changes = {
  // A segmenter and the pattern of all emoji, 40 ms in every call, made when a text first needs them; the pattern from a
  // text, because V8 reads literals as it loads them.
  'string-width/index.js': (code) => {
    const eager = /^const (\w+) = (?:(new Intl\.Segmenter\(\))|\/(.*RGI_Emoji.*)\/v);$/gm
    const names = Array.from(code.matchAll(eager), ([, name]) => name)
    if (names.length !== 2) throw new Error('string-width no longer makes its segmenter and pattern as expected')
    const lazy = code.replaceAll(eager, (_, name, made, pattern) => {
      const value = made ?? `new RegExp(${JSON.stringify(pattern)}, 'v')`
      return `let made_${name};\nconst ${name} = () => (made_${name} ??= ${value});`
    })
    return names.reduce((text, name) => text.replaceAll(`${name}.`, `${name}().`), lazy)
  },
  // An error that is made as the module loads holds the calls that loaded it, and with them all that a first small site knew.
  'highlight.js/lib/core.js': (code) => {
    const early = 'const MultiClassError = new Error();'
    if (!code.includes(early)) throw new Error('highlight.js no longer makes its error as expected')
    const whole = code.replace(early, 'const MultiClassError = Object.create(Error.prototype);')
    return keptAlive(whole, '_highlight', ['const keywordHits = Object.create(null);', 'processLexeme'])
  },
  'micromark/lib/create-tokenizer.js': (code) =>
    keptAlive(code, 'createTokenizer', ['let state = initialize.tokenize.call(context, effects);', 'effects']),
  'micromark/lib/initialize/text.js': (code) =>
    keptAlive(code, 'initializeText', ['const text = effects.attempt(constructs, start, notText);', 'start']),
  // Its binary is a package that only it depends on, and is looked for from its own place.
  'satteri/index.js': (code) => {
    const own = 'createRequire(import.meta.url)'
    if (!code.includes(own)) throw new Error('satteri no longer loads its binary as expected')
    return code.replace(own, `createRequire(${own}.resolve('satteri'))`)
  },
}

function changedPackages(root) {
  const name = (id) => relative(join(root, 'node_modules'), id).replaceAll('\\', '/')
  return {
    name: 'changed-packages',
    // One string-width of those that are installed: the newest has a short way for ASCII.
    resolveId: (id) => (id === 'string-width' ? join(root, 'node_modules/string-width/index.js') : undefined),
    transform: (code, id) => changes[name(id)]?.(code),
  }
}

/** A sign that is not ASCII, where an escape would say something else: behind a backslash, or in a text that is taken as it stands. */
const unescapable = /(?<!\\)(?:\\\\)*\\[^\0-\x7F]|String\.raw`[^`]*[^\0-\x7F]/

/**
 * Code with all signs that are not ASCII as escapes. V8 keeps a module with one sign beyond Latin-1 in two bytes a sign, and reads
 * it again for each function that it compiles.
 */
function inAscii({ fileName, code }) {
  const found = unescapable.exec(code)
  if (found !== null) throw new Error(`${fileName} has no escape for a sign in ${JSON.stringify(found[0])}`)
  return code.replace(/[^\0-\x7F]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/**
 * Chunks of what calls of the program load as they start: to find and open a module takes a millisecond, and each that two
 * parts share would be one. In parts, each without what stands in one before: what every call loads, what commands load, and what the
 * search of the terminal looks through files by; each apart from what the threads or the entry load too.
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
    // A group takes what its modules import along, but for that of a group before it.
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
 * Bundles the program, its threads and the entry. Packages under `dependencies` stay packages: native ones, those that are loaded by
 * path, and those whose types our own refer to. All others that `src` imports become part of the chunks.
 */
async function bundle(root, dist) {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const packages = Object.keys({ ...dependencies, ...peerDependencies }).filter((name) => !bundledToo.has(name))
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
  // Modules find templates and the package's own file from the folder of chunks, as deep as their own in `src`.
  const misplaced = output.find(({ fileName, code }) => !fileName.includes('/') && code.includes('import.meta.url'))
  if (misplaced !== undefined)
    throw new Error(`${misplaced.fileName} asks for its own place, which is not that of a chunk`)
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
  const kept = reached(join(dist, 'index.d.ts'))
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
  // The compiler has told its errors itself.
  if (typeof error?.status !== 'number') throw error
  process.exitCode = error.status
}
