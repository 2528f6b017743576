/** The audit of any bytes ends, finds what is planted wherever windows begin, and reads lists as they were written. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fileAudit } from '../../src/features/audit/file-audit.ts'
import { cborTexts } from '../../src/features/audit/file-formats.ts'
import { unpack } from '../../src/features/audit/site-fs.ts'
import { textScan } from '../../src/features/audit/text-scan.ts'
import { findSecrets } from '../../src/redact/find.ts'
import { planted } from '../helpers/planted.ts'

const key = planted().find(({ kind }) => kind === 'GitHub personal')?.secret ?? ''

/** The head of a CBOR item (RFC 8949, section 3). */
function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length])
  const bytes = Buffer.alloc(3)
  bytes[0] = (major << 5) | 25
  bytes.writeUInt16BE(length, 1)
  return bytes
}

type Item = string | number | readonly Item[]

function encode(item: Item): Buffer {
  if (typeof item === 'number') return head(0, item)
  if (typeof item === 'string') return Buffer.concat([head(3, Buffer.byteLength(item)), Buffer.from(item)])
  return Buffer.concat([head(4, item.length), ...item.map(encode)])
}

function textsOf(item: Item): string[] {
  if (typeof item === 'number') return []
  return typeof item === 'string' ? [item] : item.flatMap(textsOf)
}

const { item } = fc.letrec<{ item: Item }>((tie) => ({
  item: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.nat(60_000),
    fc.array(tie('item'), { maxLength: 5 }),
  ),
}))

test('the texts of any CBOR are read in order', () => {
  fc.assert(
    fc.property(item, (value) => {
      expect(cborTexts(encode(value))).toEqual(textsOf(value))
    }),
  )
})

test('bytes that are no CBOR are read without an error', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void cborTexts(bytes)))
})

test('a key is reported once with its line, however the text is cut and wherever windows end', () => {
  const lines = fc.array(fc.integer({ min: 0, max: 90_000 }), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(lines, fc.integer({ min: 1, max: 3_000_000 }), (places, size) => {
      const wanted = [...new Set(places)].toSorted((a, b) => a - b)
      const text = Array.from({ length: 90_001 }, (_, line) =>
        wanted.includes(line) ? key : 'A line of an answer.',
      ).join('\n')
      const found: (number | undefined)[] = []
      const scan = textScan({ findSecrets }, (_hit, _text, mark) => found.push(mark.line))
      let line = 1
      for (let at = 0; at < text.length; at += size) {
        const piece = text.slice(at, at + size)
        scan.write(piece, { line })
        line += piece.split('\n').length - 1
      }
      scan.end()
      expect(found).toEqual(wanted.map((place) => place + 1))
    }),
    { numRuns: 6 },
  )
})

test('any bytes are audited without an error under any name', async () => {
  const names = fc.constantFrom(
    'a.html',
    'a.svg',
    'a.css',
    'a.js',
    'a.png',
    'a.jpg',
    'a.gif',
    'a.webp',
    'a.pf_meta',
    'a.txt',
  )
  const starts = fc.constantFrom(
    '',
    '\x89PNG\r\n\x1A\n',
    '\xFF\xD8\xFF',
    'GIF89a',
    'RIFF0000WEBP',
    '\x1F\x8B\x08',
    '<p ',
    '<script>',
  )
  await fc.assert(
    fc.asyncProperty(names, starts, fc.uint8Array({ maxLength: 300 }), async (name, start, rest) => {
      const bytes = Buffer.concat([Buffer.from(start, 'latin1'), rest])
      const audit = fileAudit(name, bytes, { findSecrets, unpack, report: () => {}, foreign: { add: () => {} } })
      await audit.write(bytes)
      await audit.end()
    }),
  )
})
