/** Where zstd frames end, by their headers and those of their blocks (RFC 8878, 3.1). Nothing is decompressed. */

import type { ByteSource } from './source.ts'

const magicBytes = 4
const frameMagic = 0xfd2fb528
/** The last four bits number the frames that a decoder skips. */
const skippedMagic = 0x184d2a50
const blockHeader = 3
const checksum = 4
/** Bytes of a dictionary's id and of the content's size, by the flags that tell them. */
const dictionaryBytes = [0, 1, 2, 4]
const contentBytes = [0, 2, 4, 8]

/** Bits of the byte that describes a frame. */
interface Descriptor {
  dictionary: number
  hasChecksum: boolean
  isOneSegment: boolean
  content: number
}

function descriptorOf(byte: number): Descriptor {
  return { dictionary: byte & 3, hasChecksum: (byte & 4) !== 0, isOneSegment: (byte & 32) !== 0, content: byte >> 6 }
}

/** A little-endian number of up to four bytes; `undefined` where the source ends before it does. */
function numberAt(source: ByteSource, position: number, length: number, end: number): number | undefined {
  if (position + length > end) return undefined
  const bytes = Buffer.alloc(length)
  source.read(bytes, 0, length, position)
  return bytes.readUIntLE(0, length)
}

/** Whether a frame is one that decoders skip, and the place behind it: `undefined` where it goes on behind `end`, or is none. */
export interface FrameEnd {
  isSkipped: boolean
  end: number | undefined
}

/** Where the frame ends that begins at `start` of the first `end` bytes. */
export function frameAt(source: ByteSource, start: number, end: number): FrameEnd {
  const magic = numberAt(source, start, magicBytes, end)
  if (magic !== undefined && (magic & ~15) >>> 0 === skippedMagic) {
    const length = numberAt(source, start + magicBytes, 4, end)
    return { isSkipped: true, end: within(length === undefined ? undefined : start + magicBytes + 4 + length, end) }
  }
  const descriptor = magic === frameMagic ? numberAt(source, start + magicBytes, 1, end) : undefined
  return { isSkipped: false, end: descriptor === undefined ? undefined : endOfBlocks(source, start, descriptor, end) }
}

function endOfBlocks(source: ByteSource, start: number, byte: number, end: number): number | undefined {
  const { dictionary, hasChecksum, isOneSegment, content } = descriptorOf(byte)
  // A window is told where the content is not one segment; the smallest size of that has no flag.
  const size = content === 0 && isOneSegment ? 1 : (contentBytes[content] ?? 0)
  let at = start + magicBytes + 1 + (isOneSegment ? 0 : 1) + (dictionaryBytes[dictionary] ?? 0) + size
  for (;;) {
    const header = numberAt(source, at, blockHeader, end)
    if (header === undefined) return undefined
    // One byte stands for a block that repeats it.
    at += blockHeader + (((header >> 1) & 3) === 1 ? 1 : header >> 3)
    if ((header & 1) === 1) return within(at + (hasChecksum ? checksum : 0), end)
  }
}

const within = (place: number | undefined, end: number): number | undefined =>
  place !== undefined && place <= end ? place : undefined
