/** Bytes that are no text: packed ones, pictures, and others, of which the printable parts are read. */
import { hasAt, isGzip, latin1, printableRuns } from './bytes.ts'
import { cborTexts } from './cbor.ts'
import { type FileTools, hitReporter, reportingScan } from './file-tools.ts'
import { pictureMetadata } from './picture-metadata.ts'
import type { HitOptions } from './text-hits.ts'
import type { Mark } from './text-scan.ts'

/** Reads bytes; `path` is that of the file where they are a file of their own. */
export function auditBytes(bytes: Uint8Array, tools: FileTools, mark: Mark, path?: string): void {
  if (isGzip(bytes)) {
    const content = tools.unpack(bytes, 'gzip')
    if (content === undefined) tools.report('unread-content', mark, 'It does not unpack.')
    else auditUnpacked(content, tools, mark)
  } else auditPicture(bytes, tools, mark, path)
}

function auditPicture(bytes: Uint8Array, tools: FileTools, mark: Mark, path = ''): void {
  const metadata = pictureMetadata(bytes)
  if (metadata === undefined) {
    if (/\.(?:png|jpe?g|gif|webp)$/i.test(path)) tools.report('unread-content', mark, 'It is no whole picture.')
    scanWhole(printableRuns(bytes), tools, mark)
    return
  }
  for (const { kind, bytes: content, packedFrom } of metadata) {
    tools.report('picture-metadata', mark, `Kind: ${kind}.`)
    scanWhole(latin1(content), tools, mark)
    const text = packedFrom === undefined ? undefined : tools.unpack(content.subarray(packedFrom), 'zlib')
    if (text !== undefined) scanWhole(latin1(text), tools, mark)
  }
}

const pagefindMark = 'pagefind_dcd'

/** A part of the search index: texts of pages as JSON, or words as CBOR; the words have lost their case. */
function auditUnpacked(content: Uint8Array, tools: FileTools, mark: Mark): void {
  const bytes = hasAt(content, 0, pagefindMark) ? content.subarray(pagefindMark.length) : content
  // Paths in a program are those of the machine on which its maker built it.
  const isProgram = hasAt(bytes, 0, '\0asm')
  const isJson = hasAt(bytes, 0, '{') && bytes.at(-1) === 0x7d
  scanWhole(isJson ? Buffer.from(bytes).toString('utf8') : wordsOf(bytes), tools, mark, {
    anyCase: !isJson,
    secretsOnly: isProgram,
  })
}

/** The words of a list, one a line; of a program and of what is no list, the printable parts. */
function wordsOf(bytes: Uint8Array): string {
  const texts = hasAt(bytes, 0, '\0asm') ? undefined : cborTexts(bytes)
  return texts?.join('\n') ?? printableRuns(bytes)
}

function scanWhole(text: string, tools: FileTools, mark: Mark, options: Omit<HitOptions, 'findSecrets'> = {}): void {
  const report = hitReporter(tools)
  const scan = reportingScan(tools, options, (hit, window) => report(hit, window, mark))
  scan.write(text, mark)
  scan.end()
}
