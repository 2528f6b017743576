/** The style sheet and the script of the site, under names that change with their content. */
import { createHash } from 'node:crypto'
import type { OutputFile } from '../model/output.ts'
import { assetPath } from '../model/urls.ts'
import { paletteCss } from './palette.ts'
import { readSource } from './templates-fs.ts'

/** Files below `assets/`, and the two names that pages link. */
export interface Assets {
  files: OutputFile[]
  css: string
  js: string
  /** Content of the style sheet, for pages that stand alone. */
  styleText: string
}

/** Parts below `templates/assets/` in the order in which they are joined; `tokens.css` orders the layers. */
const styles = ['tokens', 'base', 'layout', 'prose', 'session', 'items', 'work', 'times', 'lists', 'search', 'print']
const scripts = ['page', 'search']

/**
 * Loads the parts of the style sheet, with the terminal colours added, and of the script, each joined to one file.
 * A part in `overrideDir`, for example `assets/tokens.css`, takes the place of the package's own.
 */
export async function loadAssets(overrideDir?: string): Promise<Assets> {
  const join = async (names: string[], extension: string): Promise<string> => {
    const parts = await Promise.all(names.map((name) => readSource(`assets/${name}.${extension}`, overrideDir)))
    return parts.map(({ source }) => source).join('\n')
  }
  const styleText = `${await join(styles, 'css')}\n${paletteCss()}`
  const css = named('css', styleText)
  const js = named('js', await join(scripts, 'js'))
  return { files: [css.file, js.file], css: css.name, js: js.name, styleText }
}

function named(extension: string, content: string): { name: string; file: OutputFile } {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 10)
  const name = `site.${hash}.${extension}`
  return { name, file: { path: assetPath(name), content } }
}
