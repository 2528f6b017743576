/** The style sheet and the script of the site, under names that change with their content. */
import { createHash } from 'node:crypto'
import { ConfigError } from '../diagnostics/errors.ts'
import type { OutputFile } from '../model/output.ts'
import { assetPath } from '../model/urls.ts'
import { reasonOf } from '../util/reason.ts'
import {
  aloneScripts,
  inLockedSite,
  lockScripts,
  lockStyles,
  pageScripts,
  panelScripts,
  type ScriptName,
  searchScripts,
  siteScripts,
  styles,
} from './asset-parts.ts'
import { linkScript, type ScriptPart } from './link-script.ts'
import { linkStyle } from './link-style.ts'
import { paletteCss } from './palette.ts'
import { readSource } from './templates-fs.ts'

/** Files below `assets/`, and the names that pages link. */
export interface Assets {
  files: OutputFile[]
  css: string
  js: string
  /** Controls and answers of the search, loaded on first use. */
  searchJs: string
  /** Content of the style sheet, and of the script but for what needs a site, for pages that stand alone. */
  styleText: string
  scriptText: string
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
}

/**
 * Loads the parts of the style sheet, with the terminal colours added, and of the script, each joined to one file.
 * A part in `overrideDir`, for example `assets/tokens.css`, takes the place of the package's own.
 */
export async function loadAssets(overrideDir?: string, { locked = false }: AssetOptions = {}): Promise<Assets> {
  const partsOf = locked ? inLockedSite : same
  const parts = await Promise.all(styles.map((name) => readSource(`assets/${name}.css`, overrideDir)))
  const styleText = linkStyle([...parts.map(({ source }) => source), paletteCss()])
  const [page, site, alone, panel] = await Promise.all([
    readScripts(partsOf(pageScripts), overrideDir),
    readScripts(partsOf(siteScripts), overrideDir),
    readScripts(aloneScripts, overrideDir),
    readScripts(partsOf(panelScripts), overrideDir),
  ])
  const css = named('site', 'css', styleText)
  const js = named('site', 'js', link([...page, ...site]))
  const searchJs = named('search', 'js', link(panel))
  return {
    files: [css.file, js.file, searchJs.file],
    css: css.name,
    js: js.name,
    searchJs: searchJs.name,
    styleText,
    scriptText: link([...page, ...alone]),
  }
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
    throw new ConfigError(`The page script cannot be put together: ${reasonOf(cause)}`, { cause })
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
