/** What style sheets and scripts load from outside the site, as far as their text tells. */
import { addressKind, trimAddress } from './addresses.ts'

/** An address in a text, by the place where it stands. */
export interface Load {
  at: number
  address: string
}

const inStyles =
  /url\(\s{0,8}(?:"(?<double>[^"\n]{0,2048})"|'(?<single>[^'\n]{0,2048})'|(?<bare>[^\s"'()]{0,2048}))|@import\s{1,8}["'](?<imported>[^"'\n]{0,2048})/gi
const inScripts =
  /\b(?:fetch|import|importScripts|open|sendBeacon|Worker|SharedWorker|EventSource|WebSocket|XMLHttpRequest)\s{0,4}\(\s{0,4}(?:["'`](?:GET|POST|HEAD)["'`]\s{0,4},\s{0,4})?["'`](?<address>(?:(?:https?|wss?):)?\/\/[^"'`\n]{1,2048})|\bfrom\s{0,4}["'](?<module>https?:\/\/[^"'\n]{1,2048})/g

/** Addresses of other hosts that a style sheet loads. */
export function styleLoads(text: string): Load[] {
  return loads(text, inStyles)
}

/** Addresses of other hosts that a script names where it asks for something. */
export function scriptLoads(text: string): Load[] {
  return loads(text, inScripts)
}

function loads(text: string, pattern: RegExp): Load[] {
  return Array.from(text.matchAll(pattern), ({ index, groups = {} }) => ({
    at: index,
    address: trimAddress(Object.values(groups).find((value) => value !== undefined) ?? ''),
  })).filter(({ address }) => addressKind(address) === 'web')
}
