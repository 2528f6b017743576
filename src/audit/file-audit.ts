/** Reads one file of a site, whatever it is, and reports what should not be in it. */
import { hostOf } from './addresses.ts'
import { auditBytes } from './bytes-audit.ts'
import { type FileKind, fileKind } from './file-kind.ts'
import { type FileTools, scanOf } from './file-tools.ts'
import { type Load, scriptLoads, styleLoads } from './loads.ts'
import { type PageFacts, pageAudit } from './page.ts'

/** Takes the bytes of a file in pieces. */
export interface FileAudit {
  write(bytes: Uint8Array): Promise<void>
  /** Facts of a page; `undefined` for other files. */
  end(): Promise<PageFacts | undefined>
}

/** HTML that is longer is hard to load for readers; pictures that stand in it do not count. */
const longestPage = 1 << 20
/** Other files than pages and texts are read whole up to here. */
const longestWhole = 64 << 20

/** The audit of the file at a path of the site; `start` is the beginning of its bytes. */
export function fileAudit(path: string, start: Uint8Array, tools: FileTools): FileAudit {
  const kind = fileKind(path, start)
  if (kind === 'page' || kind === 'markup') return markupAudit(kind === 'page', tools)
  if (kind === 'text') return textAudit(tools)
  return wholeAudit(path, kind, tools)
}

function markupAudit(isPage: boolean, tools: FileTools): FileAudit {
  const decoder = new TextDecoder()
  let size = 0
  const page = pageAudit({
    isPage,
    texts: scanOf(tools),
    attributes: scanOf(tools, 'In an attribute. '),
    report: tools.report,
    onPicture(address, mark) {
      size -= address.length
      const base64 = address.slice(address.indexOf(',') + 1)
      auditBytes(Buffer.from(base64, 'base64'), tools, mark)
    },
  })
  return {
    write(bytes) {
      size += bytes.length
      return page.write(decoder.decode(bytes, { stream: true }))
    },
    async end() {
      await page.write(decoder.decode())
      const facts = await page.end()
      if (isPage && size > longestPage)
        tools.report('oversized-page', {}, `Size: ${(size / longestPage).toFixed(1)} MiB.`)
      return facts
    },
  }
}

function textAudit(tools: FileTools): FileAudit {
  const decoder = new TextDecoder()
  const scan = scanOf(tools)
  let line = 1
  const take = (text: string): void => {
    scan.write(text, { line })
    line += text.split('\n').length - 1
  }
  return {
    async write(bytes) {
      take(decoder.decode(bytes, { stream: true }))
    },
    async end() {
      take(decoder.decode())
      scan.end()
      return undefined
    },
  }
}

/** Reads a file that must be seen whole: what it packs, encodes or loads may lie anywhere in it. */
function wholeAudit(path: string, kind: FileKind, tools: FileTools): FileAudit {
  const pieces: Uint8Array[] = []
  let size = 0
  return {
    async write(bytes) {
      size += bytes.length
      if (size <= longestWhole) pieces.push(bytes)
      else pieces.length = 0
    },
    async end() {
      if (size > longestWhole) tools.report('unread-content', {}, 'It is longer than 64 MiB.')
      else if (kind === 'bytes') auditBytes(Buffer.concat(pieces), tools, {}, path)
      else auditCode(Buffer.concat(pieces).toString('utf8'), kind, tools)
      return undefined
    },
  }
}

/** A style sheet or script: its text, what it loads, and the bytes that it holds in base64. */
function auditCode(text: string, kind: FileKind, tools: FileTools): void {
  const scan = scanOf(tools)
  scan.write(text, { line: 1 })
  scan.end()
  const tell = ({ at, address }: Load): void => {
    const line = text.slice(0, at).split('\n').length
    tools.report('external-request', { line }, `It asks \`${hostOf(address)}\`.`)
  }
  for (const load of kind === 'style' ? styleLoads(text) : scriptLoads(text)) tell(load)
  if (kind === 'style') return
  for (const [, base64 = ''] of text.matchAll(/["'`]([A-Za-z0-9+/]{64,}={0,2})["'`]/g)) {
    auditBytes(Buffer.from(base64, 'base64'), tools, {})
  }
}
