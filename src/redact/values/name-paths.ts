/** Names that bind no value because they are parts of paths: files, images, endpoints, keys of stores. */

/** Whether a telling name between two offsets is part of a path. */
export function isPartOfPath(text: string, start: number, end: number): boolean {
  return (
    isFile(text, start, end) || isImage(text, start, end) || isEndpoint(text, start, end) || isInPath(text, start, end)
  )
}

const sourceFile =
  /\.(?:[cm]?[jt]sx?|md|py|rs|go|rb|java|kt|swift|c|h|cpp|cs|php|lua|html|css|scss|vue|ya?ml|toml|json|pem|sh|txt)$/

/** Whether the name is a file: `src/token.js:12:`, `src/token.ts`. */
function isFile(text: string, start: number, end: number): boolean {
  const name = text.slice(start, end)
  if (!name.includes('.')) return false
  if (artifact.test(name)) return true
  if (/["'`)]/.test(text.charAt(end)) && sourceFile.test(name)) return true
  return text[end] === ':' && /^:\d{1,6}(?:[:-]|\s|$)/.test(text.slice(end, end + 9))
}

const imageHead =
  /(?:(?:^|[\s"'`=(,])(?:[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,}|localhost)(?::\d{2,5})?\/(?:[a-z\d._-]+\/){0,6}|(?:\b[Ii]mage["']?[ \t]?[:=][ \t]?["']?|FROM (?:--platform=\S{1,40} )?|docker (?:pull|push|run|tag|inspect|rmi) )(?:[\w.:-]+\/){0,6})$/
const imageTag = /^:[\w.-]{1,128}(?:@sha256:|["'`\s,)\]\\]|$)/

/** Whether the name is that of an image followed by its tag: `ghcr.io/ada/token-service:1.4`. */
function isImage(text: string, start: number, end: number): boolean {
  if (text[end] !== ':' || !imageTag.test(text.slice(end, end + 140))) return false
  return imageHead.test(text.slice(Math.max(0, start - 160), start))
}

const addressHead = /:\/\/[^\s"'`]{1,160}\/$/

/** `https://x.internal/oauth/token` before other words of a command, and `checksum/secret: …`. */
function isEndpoint(text: string, start: number, end: number): boolean {
  if (text[start - 1] !== '/') return false
  if (/(?:checksum|hash|digest)\/$/.test(text.slice(Math.max(0, start - 10), start))) return true
  if (!/^["'`]?(?:\s|$)/.test(text.slice(end, end + 2))) return false
  return addressHead.test(text.slice(Math.max(0, start - 170), start))
}

const artifact = /\.(?:tar|t?gz|t?[bx]z2?|zip|whl|jar|deb|rpm|exe|dmg|iso|crate|gem|nupkg|apk)$/

const pathAfter = /^:[A-Za-z][A-Za-z_-]{1,40}:(?=[\w*{<$-])/
const pathBefore = /(?:^|[\s"'`(])[a-z][a-z_-]{1,40}:(?:[a-z_-]{2,40}:)*$/

/** `token:usage:…`, `cache:token:…`: a name in a path of names, as key-value stores use. */
function isInPath(text: string, start: number, end: number): boolean {
  if (text[end] !== ':' || !/^:[\w*{<$-]/.test(text.slice(end, end + 2))) return false
  if (pathAfter.test(text.slice(end, end + 44))) return true
  return (
    text[start - 1] === ':' &&
    !/pass/i.test(text.slice(start, end)) &&
    pathBefore.test(text.slice(Math.max(0, start - 90), start))
  )
}
