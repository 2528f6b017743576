/** Small pictures of every format, and functions that add words as metadata. */

/** A picture of three by two, red and blue, in each format. */
export const pictures = {
  png: bytesOf(
    'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAAHUlEQVR4AWL6z8DwH4QZgICJkYGBkZEByGX4/x8AAAD//2mQthsAAAAGSURBVAMAXyYHASGK6JkAAAAASUVORK5CYII=',
  ),
  jpg: bytesOf(
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAACAAMDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAb/xAAZEAEBAQADAAAAAAAAAAAAAAABAgAREiH/xAAVAQEBAAAAAAAAAAAAAAAAAAABBf/EABoRAAICAwAAAAAAAAAAAAAAAAABA3ECMjP/2gAMAwEAAhEDEQA/AIsC5Ks7Uhyvq5ma3HoqCXplbP/Z',
  ),
  webp: bytesOf(
    'UklGRnQAAABXRUJQVlA4WAoAAAAQAAAAAgAAAQAAQUxQSAcAAAAA//8AAP//AFZQOCBGAAAA0AIAnQEqAwACAALATCWoAnRHAH6AZYB+gALdntvgAAD+9b7Z3AjLZt/6jT4W8///Wh//6jT4W8/9rJ+eLG8wH8AvF/gAAA==',
  ),
  gif: bytesOf('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'),
} as const

/** A format that pages show. */
export type PictureFormat = keyof typeof pictures

function bytesOf(base64: string): Buffer {
  return Buffer.from(base64, 'base64')
}

/** A PNG with chunks after its header. */
export function pngWith(chunks: readonly (readonly [name: string, data: Buffer])[]): Buffer {
  const { png } = pictures
  const made = chunks.map(([name, data]) => Buffer.concat([number(data.length), Buffer.from(name), data, number(0)]))
  return Buffer.concat([png.subarray(0, 33), ...made, png.subarray(33)])
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** A JPEG with segments after its first one. */
export function jpegWith(segments: readonly (readonly [marker: number, data: Buffer])[]): Buffer {
  const { jpg } = pictures
  const made = segments.map(([marker, data]) => {
    const head = Buffer.from([0xff, marker, 0, 0])
    head.writeUInt16BE(2 + data.length, 2)
    return Buffer.concat([head, data])
  })
  return Buffer.concat([jpg.subarray(0, 20), ...made, jpg.subarray(20)])
}

/** A WebP with chunks at its end. */
export function webpWith(chunks: readonly (readonly [name: string, data: Buffer])[], flags = 0): Buffer {
  const made = chunks.map(([name, data]) => {
    const size = Buffer.alloc(4)
    size.writeUInt32LE(data.length)
    return Buffer.concat([Buffer.from(name), size, data, Buffer.alloc(data.length % 2)])
  })
  const whole = Buffer.concat([pictures.webp, ...made])
  whole.writeUInt32LE(whole.length - 8, 4)
  whole.writeUInt8(whole.readUInt8(20) | flags, 20)
  return whole
}

/** A GIF with extensions after its header. */
export function gifWith(extensions: readonly (readonly [label: number, blocks: readonly Buffer[]])[]): Buffer {
  const { gif } = pictures
  const made = extensions.map(([label, blocks]) =>
    Buffer.concat([
      Buffer.from([0x21, label]),
      ...blocks.flatMap((block) => [Buffer.from([block.length]), block]),
      Buffer.from([0]),
    ]),
  )
  return Buffer.concat([gif.subarray(0, 19), ...made, gif.subarray(19)])
}

/** EXIF as cameras write it: an orientation, and a description in words. */
export function exif(orientation: number, words: string, little = false): Buffer {
  const text = Buffer.from(`${words}\0`)
  const block = Buffer.alloc(38 + text.length)
  const short = (value: number, at: number): void =>
    void (little ? block.writeUInt16LE(value, at) : block.writeUInt16BE(value, at))
  const long = (value: number, at: number): void =>
    void (little ? block.writeUInt32LE(value, at) : block.writeUInt32BE(value, at))
  block.write(little ? 'II' : 'MM')
  short(42, 2)
  long(8, 4)
  short(2, 8)
  for (const [at, tag, type, count] of [
    [10, 0x010e, 2, text.length],
    [22, 0x0112, 3, 1],
  ] as const) {
    short(tag, at)
    short(type, at + 2)
    long(count, at + 4)
  }
  long(38, 18)
  short(orientation, 30)
  text.copy(block, 38)
  return block
}

/** A picture of the format with words in every place for metadata. */
export function pictureWith(format: PictureFormat, words: string): Buffer {
  const text = Buffer.from(words)
  const camera = exif(6, words)
  if (format === 'png')
    return Buffer.concat([
      pngWith([
        ['tEXt', Buffer.concat([Buffer.from('Comment\0'), text])],
        ['iTXt', Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\0\0\0\0'), text])],
        ['zTXt', Buffer.concat([Buffer.from('Comment\0\0'), text])],
        ['eXIf', camera],
        ['tIME', Buffer.alloc(7)],
        ['prVt', text],
      ]),
      text,
    ])
  if (format === 'jpg')
    return Buffer.concat([
      jpegWith([
        [0xe0, Buffer.concat([Buffer.from('JFXX\0'), text])],
        [0xe1, Buffer.concat([Buffer.from('Exif\0\0'), camera])],
        [0xe1, Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0'), text])],
        [0xe2, Buffer.concat([Buffer.from('MPF\0'), text])],
        [0xed, Buffer.concat([Buffer.from('Photoshop 3.0\0'), text])],
        [0xfe, text],
      ]),
      text,
    ])
  if (format === 'webp')
    return Buffer.concat([
      webpWith(
        [
          ['EXIF', camera],
          ['XMP ', text],
          ['priv', text],
        ],
        0x0c,
      ),
      text,
    ])
  return Buffer.concat([
    gifWith([
      [0xfe, [text]],
      [0xff, [Buffer.from('XMP DataXMP'), text]],
      [0x01, [Buffer.alloc(12), text]],
    ]),
    text,
  ])
}
