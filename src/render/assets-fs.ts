/** The style sheet and the script of the site, under names that change with their content. */

import { createHash } from 'node:crypto'
import type { DesignTokens } from '../config/plugins.ts'
import { ConfigError } from '../diagnostics/errors.ts'
import { assetPath } from '../transcript/urls.ts'
import { reasonOf } from '../util/reason.ts'
import {
  aloneScripts,
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
  styles,
} from './asset-parts.ts'
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
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 10)
  const name = `${base}.${hash}.${extension}`
  return { name, file: { path: assetPath(name), content } }
}

/** Loads the service worker of a site whose files have the given hash together. */
export async function loadWorker(build: string, overrideDir?: string): Promise<OutputFile> {
  const { source } = await readSource('sw.js', overrideDir)
  return { path: 'sw.js', content: `const build = '${build.slice(0, 16)}'\n${source}` }
}
