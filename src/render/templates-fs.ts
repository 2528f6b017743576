/** Reads templates from the package and from a theme, the user's own folder, and checks the theme. */

import { readdir, readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { templatesFolder } from '../config/package-fs.ts'
import { type Diagnostic, diagnostic } from '../diagnostics/codes.ts'
import { ConfigError } from '../diagnostics/errors.ts'
import { closest } from '../util/closest.ts'
import { compareText } from '../util/compare.ts'
import { errorCode, reasonOf } from '../util/reason.ts'
import { compileTemplates, type TemplateSource, type Templates } from './templates.ts'

let packageTemplates: Templates | undefined

/**
 * Loads all templates. Without `overrideDir` this happens once: a process that builds repeatedly keeps the templates it
 * began with, as it keeps its code. A file of the same name below `overrideDir`, for example `html/session.eta`, replaces
 * the package's own; files of other names serve pages of plugins.
 */
export async function loadTemplates(overrideDir?: string): Promise<Templates> {
  if (overrideDir === undefined) {
    packageTemplates ??= await compile()
    return packageTemplates
  }
  await requireTheme(overrideDir)
  return await compile(overrideDir)
}

async function compile(overrideDir?: string): Promise<Templates> {
  const folders = overrideDir === undefined ? [templatesFolder] : [templatesFolder, overrideDir]
  const found = await Promise.all(folders.flatMap((folder) => templateKinds.map((kind) => namesIn(folder, kind))))
  const names = [...new Set(found.flat())]
  const sources = await Promise.all(names.map((name) => readSource(`${name}.eta`, overrideDir)))
  return compileTemplates(new Map(sources.map((source, index) => [names[index] ?? '', source])))
}

/** Names of the templates of a kind in a folder, sorted, so that their order does not depend on the file system. */
async function namesIn(folder: string, kind: string): Promise<string[]> {
  const files = await readdir(join(folder, kind)).catch((error: unknown) => {
    if (folder !== templatesFolder && isMissing(error)) return []
    throw error
  })
  return files
    .filter((file) => file.endsWith('.eta'))
    .map((file) => `${kind}/${file.slice(0, -'.eta'.length)}`)
    .sort(compareText)
}

/** The text of a file below the templates folder, or of the user's file that replaces it. */
export async function readSource(file: string, overrideDir?: string): Promise<TemplateSource> {
  if (overrideDir !== undefined) {
    try {
      const path = join(overrideDir, file)
      return { source: await readFile(path, 'utf8'), file: path, isTheme: true }
    } catch (cause) {
      if (!isMissing(cause))
        throw new ConfigError(`Cannot read \`${join(overrideDir, file)}\`: ${reasonOf(cause)}.`, { cause })
    }
  }
  return { source: await readFile(join(templatesFolder, file), 'utf8'), file }
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')
}

// Checks of a theme, the user's folder of templates: a file in it that replaces nothing would silently have no effect.

/** Folders of templates: documents, and the partials that they include. */
const templateKinds = ['html', 'partials'] as const

/** Throws a `ConfigError` for a folder that replaces nothing, and for a part whose name is misspelt or no longer used. */
async function requireTheme(folder: string): Promise<void> {
  const names = await readdir(folder).catch((cause: unknown) => {
    const reason = errorCode(cause) === 'ENOTDIR' ? 'it is not a folder' : reasonOf(cause)
    throw new ConfigError(`Cannot read templates from \`${folder}\`: ${reason}.`, { cause })
  })
  const known = [...templateKinds, 'assets', 'sw.js']
  if (!names.some((name) => known.includes(name))) {
    const list = known.map((name) => `\`${name}\``).join(', ')
    throw new ConfigError(`\`${folder}\` replaces no template: it has none of ${list}.`)
  }
  // Templates may have new names, but the list of parts is fixed.
  const own = await partsIn(templatesFolder)
  for (const name of await newPartsIn(folder, own)) refuseMisspelt(name, own)
}

/**
 * Throws for a part that replaces none but whose name is a former one, is close to that of a part of the package, or is in
 * another folder. Other files may be sources of the theme.
 */
function refuseMisspelt(name: string, own: readonly string[]): void {
  const current = renamedParts.get(name)
  if (current !== undefined)
    throw new ConfigError(`\`${name}\` in \`templatesDir\` replaces nothing; it is called \`${current}\` now.`)
  if (removedParts.includes(name)) return
  const meant = own.find((part) => posix.basename(part) === posix.basename(name)) ?? closestIn('assets', name, own)
  if (meant !== undefined)
    throw new ConfigError(`\`${name}\` in \`templatesDir\` replaces nothing; did you mean \`${meant}\`?`)
}

/**
 * Returns a finding for each file of a theme that is never used: parts that replace none, partials that nothing includes and,
 * unless plugins may have pages of their own, documents that replace none.
 */
export async function unusedThemeFiles(folder: string, hasPlugins: boolean): Promise<Diagnostic[]> {
  const [own, theirs] = await Promise.all([templatesFolder, folder].map(templatesIn))
  const included = new Set<string>()
  for (const source of [...(own?.values() ?? []), ...(theirs?.values() ?? [])])
    for (const [, name = ''] of source.matchAll(/@((?:html|partials)\/[\w-]+)/g)) included.add(`${name}.eta`)
  const templates = [...(theirs?.keys() ?? [])].filter((name) => !own?.has(name) && !included.has(name))
  const parts = await newPartsIn(folder, await partsIn(templatesFolder))
  return [...templates.filter((name) => !hasPlugins || name.startsWith('partials/')), ...parts]
    .sort(compareText)
    .map((file) => diagnostic('unused-theme-file', { file }, adviceFor(file, [...(own?.keys() ?? [])])))
}

function adviceFor(file: string, templates: readonly string[]): string {
  if (removedParts.includes(file)) return 'This version has no such part any more: delete the file.'
  const meant = file.endsWith('.eta') ? closestIn(posix.dirname(file), file, templates) : undefined
  return meant === undefined ? 'It replaces nothing, and nothing includes it.' : `Did you mean \`${meant}\`?`
}

/** The path below `folder` that is closest to a misspelt one. The folder and `.eta` do not count: they are the same in both. */
function closestIn(folder: string, path: string, paths: readonly string[]): string | undefined {
  const start = `${folder}/`
  const nameOf = (each: string): string => each.slice(start.length).replace(/\.eta$/, '')
  const named = new Map(paths.filter((each) => each.startsWith(start)).map((each) => [nameOf(each), each]))
  return named.get(closest(nameOf(path), [...named.keys()]) ?? '')
}

/** The sources of the templates of a folder by their paths. */
async function templatesIn(folder: string): Promise<Map<string, string>> {
  const sources = new Map<string, string>()
  for (const kind of templateKinds) {
    const files = await readdir(join(folder, kind)).catch(() => [])
    for (const file of files.filter((name) => name.endsWith('.eta')))
      sources.set(`${kind}/${file}`, await readFile(join(folder, kind, file), 'utf8'))
  }
  return sources
}

/** Paths of the parts of a theme that replace none of the package's `own`. */
async function newPartsIn(folder: string, own: readonly string[]): Promise<string[]> {
  const given = await partsIn(folder).catch(() => [])
  return given.filter((part) => !own.includes(part))
}

/** Paths of the style sheets and scripts in `assets` below a folder. */
async function partsIn(folder: string): Promise<string[]> {
  const paths = await readdir(join(folder, 'assets'), { recursive: true })
  return paths.filter((path) => /\.(?:css|js)$/.test(path)).map((path) => `assets/${path.replaceAll('\\', '/')}`)
}

// Former names of files that themes may still have, so that a build can say what became of them.

/** Parts of scripts of versions up to 0.2, which were all in one folder: by current folder, the former and the current name. */
const moved: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  curation: {
    'curation-call': 'load',
    'curation-hand': 'entry',
    'curation-kept': 'store',
    'curation-panel': 'panel',
    'curation-shown': 'shown',
  },
  lists: { 'filters-call': 'load-filters', 'filters-hand': 'filters-entry' },
  standalone: {
    'find-alone': 'find-pages',
    'find-near': 'load-find',
    'search-inside': 'search',
    'search-near': 'load-box',
  },
  find: {
    'find-bar': 'bar',
    'find-call': 'open',
    'find-hand': 'entry',
    'find-load': 'load',
    'find-pages': 'pages',
    'find-shown': 'shown',
    'find-text': 'text',
  },
  locked: {
    'lock-address': 'address',
    'lock-curation': 'curation',
    'lock-file': 'site-file',
    'lock-load': 'index-files',
  },
  search: {
    'search-ask': 'ask',
    'search-box': 'box',
    'search-call': 'load-box',
    'search-complete': 'complete',
    'search-days': 'days',
    'search-engine': 'engine',
    'search-fields': 'fields',
    'search-forget': 'no-recent',
    'search-grammar': 'grammar',
    'search-hand': 'entry',
    'search-hits': 'hits',
    'search-load': 'index-files',
    'search-open': 'load-index',
    'search-pages': 'pagefind-files',
    'search-parts': 'parts',
    'search-places': 'places',
    'search-query': 'query',
    'search-recent': 'recent',
    'search-sessions': 'sessions',
    'search-state': 'state',
    'search-words': 'words',
    search: 'open',
  },
}

/** The current paths of renamed files, by former path. Files that only moved are found by their name. */
export const renamedParts: ReadonlyMap<string, string> = new Map(
  Object.entries(moved).flatMap(([folder, names]) =>
    Object.entries(names).map(([former, current]): [string, string] => [
      `assets/${former}.js`,
      `assets/${folder}/${current}.js`,
    ]),
  ),
)

/** Files that nothing has taken the place of. */
const removedParts: readonly string[] = [
  'assets/page.js',
  'assets/print.js',
  'assets/search-correct.js',
  'partials/turns.eta',
]
