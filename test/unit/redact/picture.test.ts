import { imageSize } from 'image-size'
import { describe, expect, test } from 'vitest'
import { assetSink } from '../../../src/redact/picture.ts'
import { orientationIn, withoutMetadata } from '../../../src/redact/picture-metadata.ts'

import {
  exif,
  gifWith,
  jpegWith,
  type PictureFormat,
  pictures,
  pictureWith,
  pngWith,
  webpWith,
} from '../../helpers/pictures.ts'

const formats = Object.keys(pictures) as PictureFormat[]
const words = 'open sesame'

const stripped = (bytes: Buffer): Buffer => Buffer.from(withoutMetadata(bytes) ?? [])

describe.each(formats)('a picture as %s', (format) => {
  const plain = pictures[format]

  test('stays the same if it has no metadata', () => {
    expect(stripped(plain).equals(plain)).toBe(true)
  })

  test('loses its words, and keeps its pixels and its size', () => {
    const bytes = pictureWith(format, words)
    expect(bytes.includes(words)).toBe(true)
    const shown = stripped(bytes)
    expect(shown.includes(words)).toBe(false)
    const { width, height, type } = imageSize(plain)
    expect(imageSize(shown)).toMatchObject({ width, height, type })
    if (format === 'png' || format === 'gif') expect(shown.equals(plain)).toBe(true)
  })

  test('is rejected if its parts cannot be followed', () => {
    const body = format === 'jpg' ? 25 : plain.length - 3
    expect(withoutMetadata(plain.subarray(0, body))).toBeUndefined()
    expect(withoutMetadata(plain.subarray(0, 12))).toBeUndefined()
  })
})

test('restart markers and escaped bytes belong to a scan', () => {
  const markers = Array.from({ length: 8 }, (_, number) => [0xff, 0xd0 + number, 0x55]).flat()
  const jpg = Buffer.concat([
    pictures.jpg.subarray(0, -2),
    Buffer.from([...markers, 0xff, 0]),
    pictures.jpg.subarray(-2),
  ])
  expect(stripped(jpg).equals(jpg)).toBe(true)
})

test('a file that is no picture is rejected', () => {
  expect(withoutMetadata(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toBeUndefined()
  expect(withoutMetadata(Buffer.alloc(0))).toBeUndefined()
})

describe('the orientation of a picture', () => {
  test.each([2, 3, 6, 8])('is kept if a camera turned the picture: %d', (orientation) => {
    for (const little of [false, true]) {
      const camera = exif(orientation, words, little)
      const jpg = stripped(jpegWith([[0xe1, Buffer.concat([Buffer.from('Exif\0\0'), camera])]]))
      const at = jpg.indexOf('Exif\0\0')
      expect(orientationIn(jpg.subarray(at + 6))).toBe(orientation)
      expect(jpg.includes(words)).toBe(false)
      const webp = stripped(webpWith([['EXIF', camera]], 0x08))
      expect(orientationIn(webp.subarray(webp.indexOf('EXIF') + 8))).toBe(orientation)
      expect(webp.readUInt8(20) & 0x0c).toBe(0x08)
      expect(webp.readUInt32LE(4)).toBe(webp.length - 8)
    }
  })

  test.each([1, 0, 9])('is removed with the rest if it says nothing: %d', (orientation) => {
    const camera = exif(orientation, words)
    expect(stripped(jpegWith([[0xe1, Buffer.concat([Buffer.from('Exif\0\0'), camera])]])).equals(pictures.jpg)).toBe(
      true,
    )
    expect(stripped(webpWith([['EXIF', camera]], 0x08)).equals(pictures.webp)).toBe(true)
  })
})

test('the colour profile and the repetitions of a picture are kept', () => {
  const profile = Buffer.from('a profile of colours')
  expect(stripped(pngWith([['iCCP', profile]])).equals(pngWith([['iCCP', profile]]))).toBe(true)
  const icc = jpegWith([[0xe2, Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x01'), profile])]])
  expect(stripped(icc).equals(icc)).toBe(true)
  for (const application of ['NETSCAPE2.0', 'ANIMEXTS1.0']) {
    const loop = gifWith([[0xff, [Buffer.from(application), Buffer.from([1, 0, 0])]]])
    expect(stripped(loop).equals(loop)).toBe(true)
  }
})

test('a picture with a frame whose chunks cannot be followed is rejected, not emptied', () => {
  const chunk = Buffer.concat([Buffer.from('VP8 '), Buffer.from([4, 0, 0, 0]), Buffer.from('pxls')])
  const whole = webpWith([['ANMF', Buffer.concat([Buffer.alloc(16), chunk])]])
  expect(stripped(whole).equals(whole)).toBe(true)
  const cut = webpWith([['ANMF', Buffer.concat([Buffer.alloc(16), chunk.subarray(0, -1)])]])
  expect(withoutMetadata(cut)).toBeUndefined()
  expect(withoutMetadata(webpWith([['ANMF', Buffer.alloc(15)]]))).toBeUndefined()
})

test('a frame within a frame is removed with its contents', () => {
  const inner = Buffer.concat([Buffer.alloc(16), Buffer.from('XMP '), Buffer.from([4, 0, 0, 0]), Buffer.from('<x/>')])
  const nested = webpWith([['ANMF', inner]]).subarray(webpWith([]).length)
  const shown = stripped(webpWith([['ANMF', Buffer.concat([Buffer.alloc(16), nested])]]))
  expect(shown.equals(webpWith([['ANMF', Buffer.alloc(16)]]))).toBe(true)
})

test('the JPEG segment that says how colours are encoded keeps only that', () => {
  const own = Buffer.from('Adobe\0\x64\0\0\0\0\x01', 'latin1')
  const long = jpegWith([[0xee, Buffer.concat([own, Buffer.from(words)])]])
  expect(stripped(long).equals(jpegWith([[0xee, own]]))).toBe(true)
})

test('the thumbnail in the head of a JPEG is removed', () => {
  const { jpg } = pictures
  const head = Buffer.concat([jpg.subarray(0, 20), Buffer.alloc(12, 7)])
  head.writeUInt16BE(28, 4)
  head.set([2, 2], 18)
  expect(stripped(Buffer.concat([head, jpg.subarray(20)])).equals(jpg)).toBe(true)
})

describe('pictures of a site', () => {
  function stored(bytes: Buffer, whole: boolean) {
    const files: Uint8Array[] = []
    const asset = assetSink((_, file) => files.push(file), { keepsMetadata: whole })({
      base64: bytes.toString('base64'),
    })
    return { asset, file: Buffer.from(files[0] ?? []) }
  }

  test.each(formats)('are stored without metadata, or whole if nothing is redacted: %s', (format) => {
    const bytes = pictureWith(format, words)
    const { asset, file } = stored(bytes, false)
    expect(file.includes(words)).toBe(false)
    expect(asset).toMatchObject({ bytes: file.length, asset: expect.stringMatching(/^[0-9a-f]{32}\./) })
    expect(stored(bytes, true).file.equals(bytes)).toBe(true)
  })

  test('are left out and marked as broken if they are damaged', () => {
    const damaged = pictures.png.subarray(0, 60)
    expect(stored(damaged, false)).toMatchObject({
      asset: { mediaType: 'image/png', broken: true },
      file: Buffer.alloc(0),
    })
    expect(stored(damaged, false).asset).not.toHaveProperty('asset')
  })
})
