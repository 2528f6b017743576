/** The style sheet and the scripts of the site, under names that change with their content. */

import type { DesignTokens } from '../config/plugins.ts'
import { ConfigError } from '../diagnostics/errors.ts'
import { assetPath } from '../transcript/urls.ts'
import { sha256 } from '../util/hash.ts'
import { reasonOf } from '../util/reason.ts'
import {
  curationScripts,
  filterScripts,
  findScripts,
  inLockedSite,
  linkScript,
  linkStyle,
  lockScripts,
  lockStyles,
  pageScripts,
  panelScripts,
  plainScripts,
  plainStyles,
  type ScriptName,
  type ScriptPart,
  searchScripts,
  siteScripts,
  standaloneScripts,
  styles,
} from './asset-parts.ts'
import type { OutputFile } from './output.ts'
import { paletteCss } from './palette.ts'
import type { PageAssets } from './site-info.ts'
import { readSource } from './templates-fs.ts'

/** Files below `assets/`, and what pages need to know about them. */
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

/** The kind of site that the assets are for. */
interface AssetOptions {
  /** The site's files are sealed, and the script of the login page opens them. */
  locked?: boolean
  /** Values of custom properties that replace those of the style sheet. */
  tokens?: DesignTokens | undefined
}

/** Assets made only of the package's own parts, by whether the site is locked. */
const packageAssets = new Map<boolean, Assets>()

/**
 * Loads the parts of the style sheet, adds the terminal colours and joins them to one file; does the same for each script.
 * A part in `overrideDir`, for example `assets/tokens.css`, replaces the package's own. Without `overrideDir` and tokens
 * the assets are made once per process, as in `loadTemplates`.
 */
export async function loadAssets(
  overrideDir?: string,
  { locked = false, tokens = {} }: AssetOptions = {},
): Promise<Assets> {
  if (overrideDir !== undefined || Object.keys(tokens).length > 0) return await linkAssets(overrideDir, locked, tokens)
  const assets = packageAssets.get(locked) ?? (await linkAssets(overrideDir, locked, tokens))
  packageAssets.set(locked, assets)
  return assets
}

async function linkAssets(overrideDir: string | undefined, locked: boolean, tokens: DesignTokens): Promise<Assets> {
  const script = async (names: readonly ScriptName[]): Promise<string> =>
    link(await readScripts(locked ? inLockedSite(names) : names, overrideDir))
  const plain = await Promise.all(plainStyles.map((name) => readSource(`assets/${name}.css`, overrideDir)))
  const [style, page, search, find, curation, filters, plainScript] = await Promise.all([
    siteStyle(overrideDir, tokens),
    script([...pageScripts, ...siteScripts]),
    script(panelScripts),
    script(findScripts),
    script(curationScripts),
    script(filterScripts),
    script(plainScripts),
  ])
  const css = named('site', 'css', style)
  const js = named('site', 'js', page)
  const searchJs = named('search', 'js', search)
  const findJs = named('find', 'js', find)
  const curationJs = named('curation', 'js', curation)
  const filterJs = named('filters', 'js', filters)
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
      plainScript,
    },
  }
}

/** The style sheet and the script of a standalone page; the script leaves out what needs other files of the site. */
export async function loadStandaloneAssets(
  overrideDir?: string,
  tokens: DesignTokens = {},
): Promise<{ style: string; script: string }> {
  const [style, parts] = await Promise.all([
    siteStyle(overrideDir, tokens),
    readScripts([...pageScripts, ...standaloneScripts], overrideDir),
  ])
  return { style, script: link(parts) }
}

async function siteStyle(overrideDir: string | undefined, tokens: DesignTokens): Promise<string> {
  const parts = await Promise.all(styles.map((name) => readSource(`assets/${name}.css`, overrideDir)))
  const sources = parts.map(({ source }) => source)
  return linkStyle([...sources, paletteCss(), tokensCss(tokens, sources.join('\n'))])
}

/** Loads the script that searches in the browser; the build adds the index and Pagefind to it. */
export async function loadSearchScript(overrideDir?: string, { locked = false }: AssetOptions = {}): Promise<string> {
  return link(await readScripts(locked ? inLockedSite(searchScripts) : searchScripts, overrideDir))
}

/** Loads the style sheet and script of a locked site's login page: the package's own, because anyone can read them. */
export async function loadLockAssets(): Promise<LockAssets> {
  const read = async (path: string): Promise<string> => (await readSource(path)).source
  const parts = await Promise.all(lockStyles.map((name) => read(`${name}.css`)))
  const scripts = await Promise.all(lockScripts.map(async (name) => ({ name, source: await read(`lock/${name}.js`) })))
  const css = named('lock', 'css', linkStyle(parts))
  const js = named('lock', 'js', link(scripts))
  return { files: [css.file, js.file], css: css.name, js: js.name }
}

/** Rules that set custom properties to other values; throws a `ConfigError` for a property that no style sheet has. */
function tokensCss(tokens: DesignTokens, styles: string): string {
  const entries = Object.entries(tokens)
  if (entries.length === 0) return ''
  for (const [name] of entries)
    if (!new RegExp(`(?:^|[\\s;{])${name}\\s*:`).test(styles))
      throw new ConfigError(`No style sheet has the design token \`${name}\`; \`templates/assets/tokens.css\` has all.`)
  return `@layer theme {\n:root {\n${entries.map(([name, value]) => `${name}: ${value};`).join('\n')}\n}\n}`
}

/** The script and the style sheet that `serve` adds to pages while sessions are being written; never part of a site. */
export async function loadLiveAssets(): Promise<{ css: string; js: string }> {
  const read = async (path: string): Promise<string> => (await readSource(`live/${path}`)).source
  const scripts = await Promise.all(['patch', 'live'].map(async (name) => ({ name, source: await read(`${name}.js`) })))
  return { css: linkStyle([await read('live.css')]), js: link(scripts) }
}

function readScripts(names: readonly ScriptName[], overrideDir: string | undefined): Promise<ScriptPart[]> {
  return Promise.all(
    names.map(async (name) => {
      const { part, as } = typeof name === 'string' ? { part: name, as: name } : name
      return { name: as, file: part, source: (await readSource(`assets/${part}.js`, overrideDir)).source }
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
  const name = `${base}.${sha256(content).slice(0, 10)}.${extension}`
  return { name, file: { path: assetPath(name), content } }
}

/** Loads the service worker of a site; `build` is the hash of all its files. */
export async function loadWorker(build: string, overrideDir?: string): Promise<OutputFile> {
  const { source } = await readSource('sw.js', overrideDir)
  return { path: 'sw.js', content: `const build = '${build.slice(0, 16)}'\n${source}` }
}
