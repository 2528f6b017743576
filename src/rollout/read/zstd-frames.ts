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

/** Gives a little-endian number of up to four bytes; `undefined` where the bytes end before it does. */
type NumberAt = (position: number, length: number) => number | undefined

/** Empty blocks stand close together: read one by one, each would be a call of the system. */
const windowBytes = 4096

function numbersIn(source: ByteSource, end: number): NumberAt {
  const window = Buffer.alloc(windowBytes)
  let [from, to] = [0, 0]
  return (position, length) => {
    if (position + length > end) return undefined
    if (position < from || position + length > to) {
      from = position
      to = position + source.read(window, 0, Math.min(windowBytes, end - position), position)
    }
    return window.readUIntLE(position - from, length)
  }
}

/** Whether a frame is one that decoders skip, and the place behind it: `undefined` where it goes on behind `end`, or is none. */
export interface FrameEnd {
  isSkipped: boolean
  end: number | undefined
}

/** Where the frame ends that begins at `start` of the first `end` bytes. */
export function frameAt(source: ByteSource, start: number, end: number): FrameEnd {
  const numberAt = numbersIn(source, end)
  const magic = numberAt(start, magicBytes)
  const isSkipped = magic !== undefined && (magic & ~15) >>> 0 === skippedMagic
  let place = isSkipped ? endOfSkipped(numberAt, start) : undefined
  if (magic === frameMagic) place = endOfBlocks(numberAt, start)
  return { isSkipped, end: place !== undefined && place <= end ? place : undefined }
}

function endOfSkipped(numberAt: NumberAt, start: number): number | undefined {
  const length = numberAt(start + magicBytes, 4)
  return length === undefined ? undefined : start + magicBytes + 4 + length
}

/** Bytes of a frame's header behind the one that describes it: window, dictionary, size of the content. */
function fieldBytes(descriptor: number): number {
  const isOneSegment = (descriptor & 32) !== 0
  const sizeFlag = descriptor >> 6
  // A window is told where the content is not one segment; the smallest size of that has no flag.
  const size = isOneSegment && sizeFlag === 0 ? 1 : (contentBytes[sizeFlag] ?? 0)
  return (isOneSegment ? 0 : 1) + (dictionaryBytes[descriptor & 3] ?? 0) + size
}

function endOfBlocks(numberAt: NumberAt, start: number): number | undefined {
  const descriptor = numberAt(start + magicBytes, 1)
  if (descriptor === undefined) return undefined
  let at = start + magicBytes + 1 + fieldBytes(descriptor)
  for (;;) {
    const header = numberAt(at, blockHeader)
    if (header === undefined) return undefined
    // One byte stands for a block that repeats it.
    at += blockHeader + (((header >> 1) & 3) === 1 ? 1 : header >> 3)
    if ((header & 1) === 1) return at + ((descriptor & 4) === 0 ? 0 : checksum)
  }
}
