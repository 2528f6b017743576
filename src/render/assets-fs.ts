/** The style sheet and the script of the site, under names that change with their content. */

import { createHash } from 'node:crypto'
import type { DesignTokens } from '../config/plugins.ts'
import { ConfigError } from '../diagnostics/errors.ts'
import { assetPath } from '../transcript/urls.ts'
import { reasonOf } from '../util/reason.ts'
import type { OutputFile } from './output.ts'
import { paletteCss } from './palette.ts'
import type { PageAssets } from './site-info.ts'
import { readSource } from './templates-fs.ts'

/** Files below `assets/`, and what pages know of them. */
export interface Assets {
  files: OutputFile[]
  page: PageAssets
}

/** The style sheet and the script of the login page. */
export interface LockAssets {
  files: OutputFile[]
  css: string
  js: string
}

/** For what kind of site. */
export interface AssetOptions {
  /** Its files are sealed and come by the script of the login page. */
  locked?: boolean
  /** Values of custom properties in place of those of the style sheet. */
  tokens?: DesignTokens | undefined
}

/** Those of the package alone, with a lock and without. */
const own = new Map<boolean, Assets>()

/**
 * Loads the parts of the style sheet, with the terminal colours added, and of the script, each joined to one file.
 * A part in `overrideDir`, for example `assets/tokens.css`, takes the place of the package's own. Without such parts and
 * tokens they are made once, as with `loadTemplates`.
 */
export async function loadAssets(
  overrideDir?: string,
  { locked = false, tokens = {} }: AssetOptions = {},
): Promise<Assets> {
  if (overrideDir !== undefined || Object.keys(tokens).length > 0) return await linkAssets(overrideDir, locked, tokens)
  const assets = own.get(locked) ?? (await linkAssets(overrideDir, locked, tokens))
  own.set(locked, assets)
  return assets
}

async function linkAssets(overrideDir: string | undefined, locked: boolean, tokens: DesignTokens): Promise<Assets> {
  const partsOf = locked ? inLockedSite : same
  const plain = await Promise.all(plainStyles.map((name) => readSource(`assets/${name}.css`, overrideDir)))
  const [style, page, site, panel, find, curation, filters, plainScript] = await Promise.all([
    siteStyle(overrideDir, tokens),
    readScripts(partsOf(pageScripts), overrideDir),
    readScripts(partsOf(siteScripts), overrideDir),
    readScripts(partsOf(panelScripts), overrideDir),
    readScripts(partsOf(findScripts), overrideDir),
    readScripts(partsOf(curationScripts), overrideDir),
    readScripts(partsOf(filterScripts), overrideDir),
    readScripts(plainScripts, overrideDir),
  ])
  const css = named('site', 'css', style)
  const js = named('site', 'js', link([...page, ...site]))
  const searchJs = named('search', 'js', link(panel))
  const findJs = named('find', 'js', link(find))
  const curationJs = named('curation', 'js', link(curation))
  const filterJs = named('filters', 'js', link(filters))
  return {
    files: [css.file, js.file, searchJs.file, findJs.file, curationJs.file, filterJs.file],
    page: {
      css: css.name,
      js: js.name,
      searchJs: searchJs.name,
      findJs: findJs.name,
      curationJs: curationJs.name,
      filterJs: filterJs.name,
      plainStyle: linkStyle(plain.map(({ source }) => source)),
      plainScript: link(plainScript),
    },
  }
}

/** The style sheet, and the script but for what needs a site, of a page that stands alone. */
export async function loadStandaloneAssets(
  overrideDir?: string,
  tokens: DesignTokens = {},
): Promise<{ style: string; script: string }> {
  const [style, parts] = await Promise.all([
    siteStyle(overrideDir, tokens),
    readScripts([...pageScripts, ...aloneScripts], overrideDir),
  ])
  return { style, script: link(parts) }
}

async function siteStyle(overrideDir: string | undefined, tokens: DesignTokens): Promise<string> {
  const parts = await Promise.all(styles.map((name) => readSource(`assets/${name}.css`, overrideDir)))
  const sources = parts.map(({ source }) => source)
  return linkStyle([...sources, paletteCss(), tokensCss(tokens, sources.join('\n'))])
}

/** Loads the script that searches in the browser; the build puts the index and Pagefind into it. */
export async function loadSearchScript(overrideDir?: string, { locked = false }: AssetOptions = {}): Promise<string> {
  return link(await readScripts(locked ? inLockedSite(searchScripts) : searchScripts, overrideDir))
}

/** Loads the style sheet and the script of the login page of a locked site: the package's own, for all can read them. */
export async function loadLockAssets(): Promise<LockAssets> {
  const read = async (path: string): Promise<string> => (await readSource(path)).source
  const parts = await Promise.all(lockStyles.map((name) => read(`${name}.css`)))
  const scripts = await Promise.all(lockScripts.map(async (name) => ({ name, source: await read(`lock/${name}.js`) })))
  const css = named('lock', 'css', linkStyle(parts))
  const js = named('lock', 'js', link(scripts))
  return { files: [css.file, js.file], css: css.name, js: js.name }
}

/** Rules that give custom properties other values; throws a `ConfigError` for one that no style sheet has. */
function tokensCss(tokens: DesignTokens, styles: string): string {
  const entries = Object.entries(tokens)
  if (entries.length === 0) return ''
  for (const [name] of entries)
    if (!new RegExp(`(?:^|[\\s;{])${name}\\s*:`).test(styles))
      throw new ConfigError(`No style sheet has the design token \`${name}\`; \`templates/assets/tokens.css\` has all.`)
  return `@layer theme {\n:root {\n${entries.map(([name, value]) => `${name}: ${value};`).join('\n')}\n}\n}`
}

/** The script and the style sheet that `serve` adds to pages while sessions are written: no part of any site. */
export async function loadLiveAssets(): Promise<{ css: string; js: string }> {
  const read = async (path: string): Promise<string> => (await readSource(`live/${path}`)).source
  const scripts = await Promise.all(['patch', 'live'].map(async (name) => ({ name, source: await read(`${name}.js`) })))
  return { css: linkStyle([await read('live.css')]), js: link(scripts) }
}

/** Parts of a script as they are. */
function same(names: readonly ScriptName[]): readonly ScriptName[] {
  return names
}

function readScripts(names: readonly ScriptName[], overrideDir: string | undefined): Promise<ScriptPart[]> {
  return Promise.all(
    names.map(async (name) => {
      const { part, as } = typeof name === 'string' ? { part: name, as: name } : name
      return { name: as, source: (await readSource(`assets/${part}.js`, overrideDir)).source }
    }),
  )
}

function link(parts: readonly ScriptPart[]): string {
  try {
    return linkScript(parts)
  } catch (cause) {
    throw new ConfigError(`The page script cannot be linked: ${reasonOf(cause)}`, { cause })
  }
}

function named(base: string, extension: string, content: string): { name: string; file: OutputFile } {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 10)
  const name = `${base}.${hash}.${extension}`
  return { name, file: { path: assetPath(name), content } }
}

/** Loads the service worker of a site whose files have the given hash together. */
export async function loadWorker(build: string, overrideDir?: string): Promise<OutputFile> {
  const { source } = await readSource('sw.js', overrideDir)
  return { path: 'sw.js', content: `const build = '${build.slice(0, 16)}'\n${source}` }
}

// Which parts below `templates/assets/` make the style sheet and the scripts, in the order in which they are joined.

/** Parts of the style sheet; `tokens` orders the layers. */
const styles: readonly string[] = [
  ...[
    'tokens',
    'base',
    'top',
    'layout',
    'prose',
    'session',
    'side',
    'timeline',
    'items',
    'work',
    'story',
    'code',
    'agent',
    'times',
    'find',
  ],
  ...['lines', 'lists', 'home', 'plots', 'search', 'controls', 'edges', 'theme', 'print'],
]

/** Parts of the style of the page for what is not there. */
const plainStyles: readonly string[] = ['tokens', 'base', 'plain']

/** Its script. */
export const plainScripts: readonly ScriptName[] = ['way-home']

/** What every page can do. */
export const pageScripts: readonly ScriptName[] = [
  ...['make', 'dom', 'keep', 'address', 'theme', 'hold', 'walk', 'folds', 'views', 'places', 'outline', 'times'],
  ...['copy', 'changes', 'pictures', 'help', 'keys'],
]

/** What needs other files of the site. */
export const siteScripts: readonly ScriptName[] = [
  ...[
    'site-file',
    'curation-call',
    'calendar',
    'filters-call',
    'arrange',
    'search-call',
    'search',
    'find-load',
    'work-open',
  ],
  ...['find-call', 'sieve', 'offline'],
]

/** Controls and answers of the search. They ask `search-open`, which says where answers come from. */
const boxScripts: readonly ScriptName[] = [
  ...['find-text', 'marks', 'search-state', 'search-hits', 'search-fields', 'search-complete', 'search-box'],
]

/** The script with those, which a page of the site loads on first use. */
export const panelScripts: readonly ScriptName[] = [
  ...['make', 'keep', 'address', 'site-file', 'search-open', 'signs', 'search-grammar', 'search-parts', 'search-query'],
  ...['hold', 'search-recent', ...boxScripts],
  'search-hand',
]

/** The find of a session, which a page of the site loads on first use. */
export const findScripts: readonly ScriptName[] = [
  ...['make', 'address', 'site-file', 'hold', 'signs'],
  ...['find-text', 'find-pages', 'find-shown', 'find-bar', 'find-hand'],
]

/** Stars, tags and notes of the reader, which a page of the site loads where there are some, or on first use. */
export const curationScripts: readonly ScriptName[] = [
  ...['make', 'keep', 'address', 'curation-kept', 'curation-shown', 'curation-panel', 'curation-hand'],
]

/** The filters of the start page, which it loads on first use. */
export const filterScripts: readonly ScriptName[] = [
  ...['make', 'address', 'site-file', 'catalog', 'rows', 'filters', 'filters-hand'],
]

/** What a page that stands alone has in place of all that: the search and the find of what it holds itself. */
export const aloneScripts: readonly ScriptName[] = [
  ...['signs', 'search-grammar', 'search-parts', 'search-query', 'search-places'],
  ...[{ part: 'search-inside', as: 'search-open' }, { part: 'search-forget', as: 'search-recent' }, ...boxScripts],
  ...[{ part: 'search-near', as: 'search-call' }, 'search'],
  ...[{ part: 'find-alone', as: 'find-pages' }, 'find-shown', 'find-bar'],
  ...[{ part: 'find-near', as: 'find-load' }, 'find-call'],
]

/** The script that searches the index of a site, loaded on first use. */
export const searchScripts: readonly ScriptName[] = [
  ...['site-file', 'signs', 'search-grammar', 'search-parts', 'search-query', 'search-places', 'search-words'],
  ...['search-sessions', 'search-ask', 'search-load', 'search-pages', 'search-engine'],
]

/** What stands in for parts of these scripts in a locked site; `undefined` where there is nothing for them to do. */
const lockedParts: Readonly<Record<string, string | undefined>> = {
  address: 'lock-address',
  'curation-call': 'lock-curation',
  'site-file': 'lock-file',
  'search-load': 'lock-load',
  'search-recent': 'search-forget',
  offline: undefined,
  'work-open': undefined,
}

/** Parts of a script in a locked site. */
export function inLockedSite(names: readonly ScriptName[]): ScriptName[] {
  return names.flatMap((name): ScriptName[] => {
    if (typeof name !== 'string' || !Object.hasOwn(lockedParts, name)) return [name]
    const part = lockedParts[name]
    return part === undefined ? [] : [{ part, as: name }]
  })
}

/** Parts of the style sheet of the login page of a locked site, below `templates/`. */
const lockStyles: readonly string[] = ['assets/tokens', 'assets/base', 'lock/lock']

/** Parts of its script, below `templates/lock/`. */
const lockScripts: readonly string[] = [
  ...['bytes', 'keys', 'sealed', 'kept', 'files', 'links', 'scroll', 'pictures', 'page', 'text', 'lock'],
]

/** Name of a part, without its extension; `as` where it stands in for another that the parts behind it import. */
type ScriptName = string | { part: string; as: string }

// The parts of the page script, written as ES modules, as one classic script: browsers load no module from `file:`.

/** A part, named without `.js`. */
interface ScriptPart {
  name: string
  source: string
}

/**
 * Joins parts to one script in strict mode. A part imports by name, on one line or several, from parts before it;
 * whatever it does not export it has to itself. Indentation and lines that hold a comment alone are left out.
 * @throws Error for an import or export of any other form, and for one that leads nowhere.
 */
export function linkScript(parts: readonly ScriptPart[]): string {
  const exportsOf = new Map<string, readonly string[]>()
  const linked = parts.map((part) => {
    const names: string[] = []
    const source = withoutIndentation(part.source.replace(comments, ''))
      .replace(imports, importer(part, exportsOf))
      .replace(exported, (_, declaration, name) => {
        names.push(name)
        return declaration
      })
    const odd = /^(?:import|export)\b(?!\().*/m.exec(source)?.[0]
    if (odd !== undefined) throw new Error(`\`${part.name}.js\` has an import or export that cannot be linked: ${odd}`)
    if (taken.test(part.source) && part.source.search(imports) !== -1)
      throw new Error(`\`${part.name}.js\` imports from other parts and declares \`parts\`, by which they are linked`)
    exportsOf.set(part.name, names)
    return `parts['${part.name}'] = (() => {\n${source.trim()}\nreturn { ${names.join(', ')} }\n})()`
  })
  // A block, so that no name becomes one of the page's.
  return `'use strict';{\nconst parts = {};\n${linked.join(';\n')}\n}\n`
}

const comments = /^[ \t]*(?:\/\/.*|\/\*\*(?:[^*]|\*(?!\/))*\*\/[ \t]*)\n/gm
const imports = /^import \{([^}]*)\} from '\.\/([\w-]+)\.js';?$/gm
const taken = /^(?:export )?(?:const|let|var|function|class) parts\b/m
const exported = /^export ((?:(?:async )?function\*?|const|class) (\w+))/gm

/** Leaves white space alone where it may be part of a string: a template or a string that goes on over a line's end. */
function withoutIndentation(source: string): string {
  const goesOn = (line: string) =>
    line.endsWith('\\') || (line.includes('`') && (line.match(/(?<!\\)`/g) ?? []).length % 2 === 1)
  return source.split('\n').some(goesOn) ? source : source.replace(/^\s+/gm, '')
}

/** Makes an import a reading of what an earlier part gave. */
function importer(part: ScriptPart, exportsOf: ReadonlyMap<string, readonly string[]>) {
  return (_: string, list: string, from: string): string => {
    const names = list.split(',').flatMap((entry) => entry.trim().match(/^\w+/)?.[0] ?? [])
    const known = exportsOf.get(from)
    if (known === undefined)
      throw new Error(`\`${part.name}.js\` imports from \`${from}.js\`, which is not a part before it`)
    const missing = names.find((name) => !known.includes(name))
    if (missing !== undefined)
      throw new Error(`\`${part.name}.js\` imports \`${missing}\`, which \`${from}.js\` does not export`)
    return `const {${list.replace(/\b as \b/g, ': ')}} = parts['${from}']`
  }
}

// The parts of the style sheet as one, without what only those who write it read.

/** A string, which stays; comments with the white space around them, or the white space that begins a line. */
const token = /("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|(?:\s*\/\*.*?\*\/)+\s*|\n\s+/gs

/** Joins parts of a style sheet in their order, without comments, indentation and empty lines. */
export function linkStyle(parts: readonly string[]): string {
  // Something stays between words: a comment parts them too.
  const text = parts.join('\n').replace(token, (all, string) => string ?? (all.includes('\n') ? '\n' : ' '))
  return `${text.trim()}\n`
}
