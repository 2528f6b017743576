/** Reads templates from the package and from the user's folder. */

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { templatesFolder } from '../config/package-fs.ts'
import { ConfigError } from '../diagnostics/errors.ts'
import { compareText } from '../util/compare.ts'
import { reasonOf } from '../util/reason.ts'
import { compileTemplates, type TemplateSource, type Templates } from './templates.ts'
import { requireTheme, templateKinds } from './theme-fs.ts'

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
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}
