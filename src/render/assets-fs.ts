/** The style sheet and the script of the site, under names that change with their content. */
import { createHash } from 'node:crypto'
import { ConfigError } from '../diagnostics/errors.ts'
import type { OutputFile } from '../model/output.ts'
import { assetPath } from '../model/urls.ts'
import { reasonOf } from '../util/reason.ts'
import { linkScript, type ScriptPart } from './link-script.ts'
import { linkStyle } from './link-style.ts'
import { paletteCss } from './palette.ts'
import { readSource } from './templates-fs.ts'

/** Files below `assets/`, and the two names that pages link. */
export interface Assets {
  files: OutputFile[]
  css: string
  js: string
  /** Content of the style sheet, and of the script but for what needs a site, for pages that stand alone. */
  styleText: string
  scriptText: string
}

/** Parts below `templates/assets/` in the order in which they are joined; `tokens.css` orders the layers. */
const styles = [
  ...[
    'tokens',
    'base',
    'top',
    'layout',
    'prose',
    'session',
    'timeline',
    'items',
    'work',
    'code',
    'agent',
    'times',
    'lists',
    'home',
    'plots',
    'search',
  ],
  ...['controls', 'theme', 'print'],
]

/** The interface of the search; `search-open` before it says where answers come from. */
const searchParts = ['search-state', 'search-hits', 'search-fields', 'search-box', 'marks', 'search']

/** Parts of the script: what every page can do, then what needs other files of the site. */
const pageScripts = [
  ...['dom', 'keep', 'theme', 'walk', 'views', 'folds', 'places', 'outline', 'times', 'copy', 'pictures', 'print'],
  ...['help', 'keys'],
]
const siteScripts = ['calendar', 'catalog', 'rows', 'filters', 'search-open', ...searchParts, 'offline']

/** The same where a page stands alone: what it holds is searched in it, without an index. */
const insideParts = ['search-query', 'search-places', 'search-inside', ...searchParts]

/**
 * Loads the parts of the style sheet, with the terminal colours added, and of the script, each joined to one file.
 * A part in `overrideDir`, for example `assets/tokens.css`, takes the place of the package's own.
 */
export async function loadAssets(overrideDir?: string): Promise<Assets> {
  const read = (names: readonly string[], extension: string) =>
    Promise.all(
      names.map(async (name) => ({ name, ...(await readSource(`assets/${name}.${extension}`, overrideDir)) })),
    )
  const parts = await read(styles, 'css')
  const styleText = linkStyle([...parts.map(({ source }) => source), paletteCss()])
  const [page, site, alone] = await Promise.all([
    read(pageScripts, 'js'),
    read(siteScripts, 'js'),
    read(insideParts, 'js'),
  ])
  // The interface asks for `search-open` and is given the search that the page has.
  const inside = alone.map((part) => (part.name === 'search-inside' ? { ...part, name: 'search-open' } : part))
  const css = named('css', styleText)
  const js = named('js', link([...page, ...site]))
  return { files: [css.file, js.file], css: css.name, js: js.name, styleText, scriptText: link([...page, ...inside]) }
}

/** Parts of the script that searches in the browser; it is loaded on first use. */
const searchScripts = ['search-query', 'search-places', 'search-ask', 'search-correct', 'search-load', 'search-engine']

/** Loads the script that searches in the browser; the build puts the index and Pagefind into it. */
export async function loadSearchScript(overrideDir?: string): Promise<string> {
  return link(
    await Promise.all(
      searchScripts.map(async (name) => ({ name, ...(await readSource(`assets/${name}.js`, overrideDir)) })),
    ),
  )
}

function link(parts: readonly ScriptPart[]): string {
  try {
    return linkScript(parts)
  } catch (cause) {
    throw new ConfigError(`The page script cannot be put together: ${reasonOf(cause)}`, { cause })
  }
}

function named(extension: string, content: string): { name: string; file: OutputFile } {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 10)
  const name = `site.${hash}.${extension}`
  return { name, file: { path: assetPath(name), content } }
}

/** Loads the service worker of a site whose files have the given hash together. */
export async function loadWorker(build: string, overrideDir?: string): Promise<OutputFile> {
  const { source } = await readSource('sw.js', overrideDir)
  return { path: 'sw.js', content: `const build = '${build.slice(0, 16)}'\n${source}` }
}
