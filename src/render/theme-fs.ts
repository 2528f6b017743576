/** Checks a theme, the user's folder of templates: a file in it that replaces nothing would silently have no effect. */

import { readdir, readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { templatesFolder } from '../config/package-fs.ts'
import { type Diagnostic, diagnostic } from '../diagnostics/codes.ts'
import { ConfigError } from '../diagnostics/errors.ts'
import { closest } from '../util/closest.ts'
import { compareText } from '../util/compare.ts'
import { errorCode, reasonOf } from '../util/reason.ts'
import { removedParts, renamedParts } from './former-parts.ts'

/** Folders of templates: documents, and the partials that they include. */
export const templateKinds = ['html', 'partials'] as const

/** Throws a `ConfigError` for a folder that replaces nothing, and for a part whose name is misspelt or no longer used. */
export async function requireTheme(folder: string): Promise<void> {
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
