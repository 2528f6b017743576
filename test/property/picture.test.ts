import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pictureMetadata } from '../../src/features/audit/file-formats.ts'
import { withoutMetadata } from '../../src/redact/picture-metadata.ts'
import { exif, gifWith, jpegWith, type PictureFormat, pictures, pngWith, webpWith } from '../helpers/pictures.ts'

const formats = Object.keys(pictures) as PictureFormat[]
const data = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes))
const letters = fc.stringMatching(/^[a-z][A-Za-z]{3}$/)

/** Metadata of any name and content around the pixels, by format. */
const dressed: Readonly<Record<PictureFormat, fc.Arbitrary<Buffer>>> = {
  png: fc.array(fc.tuple(fc.constantFrom('tEXt', 'iTXt', 'zTXt', 'eXIf', 'tIME', 'caBX'), data)).map(pngWith),
  jpg: fc.array(fc.tuple(fc.constantFrom(0xe1, 0xe2, 0xe3, 0xed, 0xef, 0xfe), data)).map(jpegWith),
  webp: fc.array(fc.tuple(fc.oneof(letters, fc.constantFrom('EXIF', 'XMP ')), data)).map((chunks) => webpWith(chunks)),
  gif: fc
    .array(
      fc.tuple(
        fc.constantFrom(0xfe, 0x01, 0xce),
        fc.array(
          data.filter(({ length }) => length > 0),
          { maxLength: 3 },
        ),
      ),
    )
    .map(gifWith),
}

test.each(formats)('everything except the pixels of a %s is removed, and they stay byte for byte', (format) => {
  fc.assert(
    fc.property(dressed[format], data, (bytes, trailing) => {
      const shown = Buffer.from(withoutMetadata(Buffer.concat([bytes, trailing])) ?? [])
      expect(shown.equals(pictures[format])).toBe(true)
    }),
  )
})

test('any bytes give a picture that does not change again, or none', () => {
  const broken = fc.tuple(fc.constantFrom(...formats), fc.array(fc.tuple(fc.nat(300), fc.nat(255)), { maxLength: 4 }))
  const cut = fc.tuple(broken, fc.nat(400)).map(([[format, changes], length]) => {
    const bytes = Buffer.from(pictures[format])
    for (const [place, value] of changes) if (place < bytes.length) bytes[place] = value
    return bytes.subarray(0, length)
  })
  fc.assert(
    fc.property(fc.oneof(cut, data), (bytes) => {
      const once = withoutMetadata(bytes)
      if (once === undefined) return
      expect(once.length).toBeLessThanOrEqual(bytes.length + 2)
      const twice = withoutMetadata(once)
      expect(twice === undefined ? undefined : Buffer.from(twice).equals(Buffer.from(once))).toBe(true)
    }),
    { numRuns: 2000 },
  )
})

const camera = fc.tuple(fc.nat(9), fc.boolean()).map(([orientation, little]) => exif(orientation, 'a place', little))
const headed = (...heads: readonly string[]): fc.Arbitrary<Buffer> =>
  fc
    .tuple(fc.constantFrom(...heads), fc.oneof(data, camera))
    .map(([head, bytes]) => Buffer.concat([Buffer.from(head, 'latin1'), bytes]))
const block = fc.oneof(
  data.filter(({ length }) => length > 0),
  headed('NETSCAPE2.0', 'NETSCAPE3.0', 'ANIMEXTS1.0', 'ICCRGBG1012').map((bytes) => bytes.subarray(0, 11)),
)
const webpChunk = (content: fc.Arbitrary<Buffer>): fc.Arbitrary<[string, Buffer]> =>
  fc.tuple(fc.constantFrom('VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP', 'EXIF', 'XMP '), content)
const frame = fc
  .tuple(fc.array(webpChunk(data), { maxLength: 3 }), fc.nat(3))
  .map(([chunks, cut]) =>
    Buffer.concat([
      Buffer.alloc(16 - cut),
      webpWith(chunks).subarray(webpWith([]).length, cut === 0 ? undefined : -cut),
    ]),
  )

/** Parts from which pictures are drawn, and parts that look like them. */
const kept: Readonly<Record<PictureFormat, fc.Arbitrary<Buffer>>> = {
  png: fc.array(fc.tuple(fc.constantFrom('iCCP', 'sPLT', 'acTL', 'fcTL', 'fdAT', 'eXIf', 'tEXt'), data)).map(pngWith),
  jpg: fc
    .array(
      fc.tuple(
        fc.constantFrom(0xe0, 0xe1, 0xe2, 0xe3, 0xee, 0xdb, 0xda, 0xfe),
        headed('JFIF\0', 'JFXX\0', 'Exif\0\0', 'ICC_PROFILE\0', 'Adobe', 'Ado', ''),
      ),
    )
    .map(jpegWith),
  webp: fc.array(webpChunk(fc.oneof(data, camera, frame)), { maxLength: 5 }).map((chunks) => webpWith(chunks)),
  gif: fc.array(fc.tuple(fc.constantFrom(0xff, 0xf9, 0xfe, 0x01), fc.array(block, { maxLength: 3 }))).map(gifWith),
}

test.each(formats)('a %s without its metadata has none in the audit', (format) => {
  fc.assert(
    fc.property(kept[format], data, (bytes, trailing) => {
      const shown = withoutMetadata(Buffer.concat([bytes, trailing]))
      if (shown !== undefined) expect(pictureMetadata(shown)).toEqual([])
    }),
    { numRuns: 500 },
  )
})
