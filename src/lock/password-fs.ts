/** Reads the password of a locked site from its file. */
import { readFileSync, statSync } from 'node:fs'
import { type Diagnostic, diagnostic } from '../diagnostics/codes.ts'
import { UsageError } from '../diagnostics/errors.ts'
import { reasonOf } from '../util/reason.ts'
import { passwordOf, refusalOf, weaknessOf } from './password.ts'

/** A password file holds one line; whatever is larger was named by mistake. */
const mostBytes = 4096

/** The password, with what is to be said about it and its file. Throws a `UsageError` that tells what to do. */
export function readPassword(path: string): { password: string; diagnostics: Diagnostic[] } {
  const { text, mode } = read(path)
  const password = passwordOf(text)
  const refused = refusalOf(password)
  if (refused !== undefined) {
    throw new UsageError(
      `The password file \`${path}\` cannot be used: ${refused}. Put a longer password on its only line.`,
    )
  }
  const diagnostics: Diagnostic[] = []
  // On Windows the mode says nothing about who may read.
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    diagnostics.push(diagnostic('password-readable', {}, `Run \`chmod 600\` on \`${path}\`.`))
  }
  const weakness = weaknessOf(password)
  if (weakness !== undefined) diagnostics.push(diagnostic('password-weak', {}, weakness))
  return { password, diagnostics }
}

function read(path: string): { text: string; mode: number } {
  try {
    const { mode, size } = statSync(path)
    if (size > mostBytes) throw new Error(`it has ${size} bytes`)
    return { text: readFileSync(path, 'utf8'), mode }
  } catch (cause) {
    throw new UsageError(`The password file \`${path}\` cannot be read: ${reasonOf(cause)}.`, { cause })
  }
}
