/** Reads the file with decisions about single sessions. */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { ConfigError } from '../diagnostics/errors.ts'
import type { Curation } from '../model/publication.ts'
import { reasonOf } from '../util/reason.ts'
import { readCuration } from './curation.ts'
import type { CurationSource } from './settings.ts'

/** The decisions that a setting holds or names. Throws a `ConfigError` for a file that is missing or does not fit. */
export function loadCuration(source: CurationSource | undefined): Curation {
  if (source === undefined) return {}
  if ('sessions' in source) return readCuration({ sessions: source.sessions }, '`curation`')
  const name = `\`${basename(source.file)}\``
  return readCuration(parse(readText(source.file, name), name), name)
}

function readText(file: string, name: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  } catch (cause) {
    throw new ConfigError(`The curation file ${name} cannot be read: ${reasonOf(cause)}.`, { cause })
  }
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ConfigError(`The curation file ${name} is not JSON: ${reasonOf(cause)}.`, { cause })
  }
}
