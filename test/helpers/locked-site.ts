/** A locked site on disk, read with its password and without. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeManifest } from '../../src/site/output/paths.ts'
import { type Keys, nameOf, sealedIn, unlock, unseal } from './unlock.ts'

/** A file of the site as it would be without a lock, and the sealed files that contain it. */
export interface OpenedFile {
  content: Buffer
  /** Paths of its parts, in order. */
  sealed: string[]
}

/** Content of the manifest's files by path, as Latin-1: a character for each byte. */
export function siteBytes(out: string): Map<string, string> {
  const decoded = decodeManifest(readFileSync(join(out, 'manifest.json'), 'utf8'))
  if ('problem' in decoded) throw new Error(decoded.problem)
  return new Map(Object.keys(decoded.manifest.files).map((path) => [path, readFileSync(join(out, path), 'latin1')]))
}

/** The keys that a password derives for the site; throws if it is not the site's password. */
async function keysOf(out: string, password: string): Promise<Keys> {
  const page = readFileSync(join(out, 'index.html'), 'utf8')
  const fact = (name: string): string => new RegExp(` data-${name}="([^"]+)"`).exec(page)?.[1] ?? ''
  const keys = await unlock(password, { salt: fact('salt'), rounds: Number(fact('rounds')) })
  if (keys.check !== fact('check')) throw new Error('This is not the password of the site')
  return keys
}

/** Opens every sealed file; the result maps the paths that they would have without a lock. */
export async function openSite(out: string, password: string): Promise<Map<string, OpenedFile>> {
  const keys = await keysOf(out, password)
  const parts = new Map<string, { at: string; path: string; parts: number; version: string; body: Buffer }>()
  for (const [at, text] of siteBytes(out)) {
    if (!/^(?:index\.html|pages\/\w{32}\.html|assets\/\w{32}\.js)$/.test(at)) continue
    const { name, sealed } = sealedIn(text)
    const { header, body } = await unseal(keys, name, sealed)
    parts.set(name, { at, ...header, body })
  }
  const files = new Map<string, OpenedFile>()
  for (const path of new Set([...parts.values()].map((part) => part.path))) {
    const first = parts.get(await nameOf(keys, path))
    const names = await Promise.all(Array.from({ length: first?.parts ?? 0 }, (_, part) => nameOf(keys, path, part)))
    const found = names.map((name) => parts.get(name))
    if (found.includes(undefined) || first === undefined) throw new Error(`A part of \`${path}\` is missing`)
    if (found.some((part) => part?.version !== first.version)) throw new Error(`Parts of \`${path}\` do not fit`)
    const content = Buffer.concat(found.map((part) => part?.body ?? Buffer.alloc(0)))
    files.set(path, { content, sealed: found.map((part) => part?.at ?? '') })
  }
  return files
}
