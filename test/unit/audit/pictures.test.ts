/** Metadata in each picture format: what is reported, and what belongs to the picture. */
import { describe, expect, test } from 'vitest'
import { pictureMetadata } from '../../../src/features/audit/file-formats.ts'

function bytes(...parts: readonly (string | readonly number[])[]): Buffer {
  return Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  )
}

function kinds(picture: Uint8Array): string[] | undefined {
  return pictureMetadata(picture)?.map(({ kind }) => kind)
}

/** A segment of a JPEG. */
function segment(marker: number, content: string): Buffer {
  return bytes([0xff, marker, 0, content.length + 2], content)
}

function jpeg(...segments: readonly Buffer[]): Buffer {
  const scan = bytes([0xff, 0xda, 0, 4, 0, 0], 'pixels', [0xff, 0xd9])
  return Buffer.concat([bytes([0xff, 0xd8]), segment(0xe0, 'JFIF\0'), ...segments, scan])
}

function gif(...blocks: readonly Buffer[]): Buffer {
  const picture = bytes([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0])
  return Buffer.concat([
    bytes('GIF89a', [1, 0, 1, 0, 0x80, 0, 0], [0, 0, 0, 255, 255, 255]),
    ...blocks,
    picture,
    bytes(';'),
  ])
}

function extension(label: number, content: string): Buffer {
  return bytes([0x21, label, content.length], content, [0])
}

function webp(...chunks: readonly (readonly [string, string])[]): Buffer {
  const body = Buffer.concat(
    chunks.map(([name, content]) => {
      const length = Buffer.alloc(4)
      length.writeUInt32LE(content.length)
      return bytes(name, [...length], content, content.length % 2 === 1 ? [0] : [])
    }),
  )
  const size = Buffer.alloc(4)
  size.writeUInt32LE(body.length + 4)
  return bytes('RIFF', [...size], 'WEBP', [...body])
}

/** Exif with a single entry, the orientation. */
const turned = bytes('II*\0', [8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0]).toString('latin1')

describe('the metadata of a JPEG', () => {
  test('includes comments, Exif, XMP and segments of programs', () => {
    const found = kinds(
      jpeg(
        segment(0xfe, 'made by ada'),
        segment(0xe1, 'Exif\0\0MM*\0 a camera and a place, and more'),
        segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0<x/>'),
        segment(0xed, 'Photoshop 3.0\0'),
      ),
    )
    expect(found).toEqual(['comment', 'Exif', 'XMP', 'APP13'])
  })

  test('does not include colours and the orientation, which belong to the picture', () => {
    expect(
      kinds(jpeg(segment(0xe2, 'ICC_PROFILE\0abc'), segment(0xee, 'Adobe\0'), segment(0xe1, `Exif\0\0${turned}`))),
    ).toEqual([])
  })

  test('includes bytes after its end', () => {
    expect(kinds(bytes([...jpeg()], 'more'))).toEqual(['behind the picture'])
  })

  test('includes thumbnails, and comments between the scans', () => {
    expect(kinds(jpeg(segment(0xe0, 'JFXX\0\x10 pixels')))).toEqual(['thumbnail'])
    expect(kinds(jpeg(segment(0xe0, 'JFIF\0\x01\x02\0\0\x01\0\x01\x01\x01rgb')))).toEqual(['thumbnail'])
    const again = [...segment(0xfe, 'made by ada'), 0xff, 0xda, 0, 4, 0, 0, 0x70, 0xff, 0, 0x70, 0xff, 0xd9]
    expect(kinds(bytes([...jpeg().subarray(0, -2)], again))).toEqual(['comment'])
  })

  test('includes a second picture after it, as phones add one with its own location', () => {
    expect(kinds(bytes([...jpeg()], [...jpeg(segment(0xfe, 'made by ada'))]))).toEqual(['behind the picture'])
  })

  test('is read even if the pixels break off', () => {
    expect(kinds(jpeg(segment(0xfe, 'made by ada')).subarray(0, -4))).toEqual(['comment'])
  })

  test('is unknown if the segments break off', () => {
    expect(kinds(jpeg(segment(0xfe, 'made by ada')).subarray(0, 12))).toBeUndefined()
  })
})

describe('the metadata of a GIF', () => {
  test('includes comments, but not timing and loops', () => {
    const loop = bytes([0x21, 0xff, 11], 'NETSCAPE2.0', [3, 1, 0, 0, 0])
    expect(kinds(gif(loop, extension(0xf9, '\0\0\0\0'), extension(0xfe, 'made by ada')))).toEqual(['comment'])
    expect(kinds(gif(loop))).toEqual([])
    expect(kinds(gif(bytes([0x21, 0xff, 11], 'ANIMEXTS1.0', [3, 1, 0, 0, 0])))).toEqual([])
  })

  test('includes a comment that begins like a loop, and an unknown application', () => {
    expect(kinds(gif(extension(0xfe, 'NETSCAPE2.0 by ada')))).toEqual(['comment'])
    expect(kinds(gif(extension(0xff, 'XMP DataXMP')))).toEqual(['extension'])
  })

  test('includes bytes after its end, and is unknown if the file breaks off', () => {
    expect(kinds(bytes([...gif()], 'more'))).toEqual(['behind the picture'])
    expect(kinds(gif().subarray(0, -1))).toBeUndefined()
  })
})

describe('the metadata of a WebP', () => {
  test('includes Exif and XMP, but neither the orientation nor the pixels', () => {
    expect(kinds(webp(['VP8 ', 'pixels'], ['EXIF', 'MM*\0 a camera and a place, and more'], ['XMP ', '<x/>']))).toEqual(
      ['Exif', 'XMP'],
    )
    expect(kinds(webp(['VP8 ', 'pixel'], ['EXIF', turned]))).toEqual([])
  })

  test('includes chunks of programs, even inside a frame', () => {
    const frame = `${'\0'.repeat(16)}VP8 \x02\0\0\0pxXMP \x04\0\0\0<x/>`
    expect(kinds(webp(['VP8X', 'size'], ['ANMF', frame], ['mine', 'made by ada']))).toEqual(['XMP', 'mine'])
  })

  test('is unknown if a frame breaks off, and includes a frame within a frame', () => {
    const head = '\0'.repeat(16)
    expect(kinds(webp(['VP8X', 'size'], ['ANMF', `${head}VP8 \x09\0\0\0px`]))).toBeUndefined()
    expect(kinds(webp(['VP8X', 'size'], ['ANMF', `${head}words`]))).toBeUndefined()
    const inner = `${head}XMP \x04\0\0\0<x/>`
    expect(kinds(webp(['ANMF', `${head}ANMF${String.fromCharCode(inner.length)}\0\0\0${inner}`]))).toEqual(['ANMF'])
  })

  test('includes bytes after its end', () => {
    expect(kinds(bytes([...webp(['VP8 ', 'pixels'])], 'more'))).toEqual(['behind the picture'])
  })
})

describe('the metadata of a PNG', () => {
  const chunk = (name: string, content: string): Buffer => bytes([0, 0, 0, content.length], name, content, [0, 0, 0, 0])
  const png = (...chunks: readonly Buffer[]): Buffer =>
    Buffer.concat([
      bytes('\x89PNG\r\n\x1A\n'),
      chunk('IHDR', 'size'),
      ...chunks,
      chunk('IDAT', 'px'),
      chunk('IEND', ''),
    ])

  test('includes chunks of programs, but neither colours nor frames', () => {
    expect(kinds(png(chunk('iCCP', 'colours'), chunk('acTL', 'frames'), chunk('prVt', 'made by ada')))).toEqual([
      'prVt',
    ])
  })

  test('is unknown if chunks have no valid names', () => {
    expect(kinds(png(chunk('\0\x01\x02\x03', 'x')))).toBeUndefined()
  })
})

test('other bytes are no picture', () => {
  expect(kinds(bytes('BM no picture'))).toBeUndefined()
})
