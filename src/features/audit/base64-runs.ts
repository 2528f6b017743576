/** Text that stands in another one in base64: a key does not become public by being encoded. */

/** A run of base64 and what it says; `end` is exclusive. */
export interface Base64Run {
  start: number
  end: number
  decoded: string
}

const run = /[A-Za-z0-9+/_-]{32,}={0,2}/g
/** Enough to tell text from other bytes. */
const sampled = 48

/** The runs of base64 in a text, at least 32 characters long, that decode to text. */
export function base64Runs(text: string): Base64Run[] {
  const found: Base64Run[] = []
  for (const { 0: match, index } of text.matchAll(run)) {
    if (!isText(decode(match.slice(0, sampled)))) continue
    const decoded = decode(match)
    if (isText(decoded)) found.push({ start: index, end: index + match.length, decoded })
  }
  return found
}

function decode(base64: string): string {
  return Buffer.from(base64, 'base64').toString('latin1')
}

/** Whether nearly all characters are printable ASCII or white space: names and hashes that look like base64 are not. */
function isText(decoded: string): boolean {
  const odd = decoded.match(/[^\t\n\r\x20-\x7E]/g)?.length ?? 0
  return odd * 16 <= decoded.length
}
