/** Where sealed files lie: by keyed names that tell nothing of what is in them. */
import { assetPath } from '../model/urls.ts'

/** Path of the login page that opens a page; that of the start page is where hosts look for it. */
export function lockedPage(path: string, name: string): string {
  return path === 'index.html' ? path : `pages/${name}.html`
}

/** Path of the script that hands over a part of a file. */
export function lockedPart(name: string): string {
  return assetPath(`${name}.js`)
}

/** Text of that script. */
export function partScript(name: string, sealed: Uint8Array): string {
  return `codexSealed("${name}","${base64(sealed)}")\n`
}

/** Bytes as pages hold them. */
export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}
