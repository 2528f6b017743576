/** Files that we write beside somebody's own, told apart from theirs by their first lines. */
import { sha256 } from '../util/hash.ts'

const sumLine = '# Checksum of the rest: '

/** A text with a head that says who wrote it and proves that nobody changed it. Comments begin with `#`. */
export function signText(command: string, text: string): string {
  const note = `# Written by \`codex-export publish ${command}\`, which replaces it as long as nobody else changed it.`
  return `${note}\n${sumLine}${checksum(text)}\n${text}`
}

/** Whether a text was made by `signText` and not changed since. Line ends of Windows are no change. */
export function isSigned(text: string): boolean {
  const [, sum, ...rest] = text.replaceAll('\r\n', '\n').split('\n')
  return sum === `${sumLine}${checksum(rest.join('\n'))}`
}

function checksum(text: string): string {
  return sha256(text).slice(0, 16)
}
