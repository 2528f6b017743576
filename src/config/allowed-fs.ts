/** Which programs of folders the user allowed, kept by path and hash, a small file for each. */
import { chmodSync, lstatSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { sha256 } from '../util/hash.ts'
import { makePrivate } from '../util/private-folder-fs.ts'
import { type CacheHost, userCache } from '../util/user-cache-fs.ts'
import type { ImportGraph } from './import-graph-fs.ts'

type Program = Pick<ImportGraph, 'file' | 'hash'>

/** Whether a program was allowed as it is, as it was before a change, or never. */
export function recallAllowed({ file, hash }: Program, host: CacheHost): 'allowed' | 'changed' | 'never' {
  const answer = answerFile(file, host)
  try {
    if (!isOurs(answer)) return 'never'
    const [knownHash, ...knownFile] = readFileSync(answer, 'utf8').trimEnd().split('\n')
    if (knownFile.join('\n') !== file) return 'never'
    return knownHash === hash ? 'allowed' : 'changed'
  } catch {
    return 'never'
  }
}

/** Remembers that the user allowed a program. Throws the error of the system. */
export function rememberAllowed({ file, hash }: Program, host: CacheHost): void {
  const answer = answerFile(file, host)
  makePrivate(dirname(answer))
  const draft = `${answer}.${process.pid}.tmp`
  writeFileSync(draft, `${hash}\n${file}\n`, { mode: 0o600 })
  chmodSync(draft, 0o600)
  renameSync(draft, answer)
}

function answerFile(file: string, host: CacheHost): string {
  return join(userCache(host), 'codex-export', 'allowed', sha256(file).slice(0, 32))
}

/** Nobody else may have written the answer, nor may write one: neither the file nor its folder. */
function isOurs(answer: string): boolean {
  return [answer, dirname(answer)].every((path) => {
    const { uid, mode } = lstatSync(path)
    return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)
  })
}
