/** Finds where zstd frames end from their headers and those of their blocks (RFC 8878, 3.1). Nothing is decompressed. */

import type { ByteSource } from './source.ts'

const magicBytes = 4
const frameMagic = 0xfd2fb528
/** Magic number of frames that decoders skip; its last four bits are arbitrary. */
const skippedMagic = 0x184d2a50
const blockHeader = 3
const checksum = 4
/** Lengths of the dictionary id and of the content size, indexed by their flags. */
const dictionaryBytes = [0, 1, 2, 4]
const contentBytes = [0, 2, 4, 8]

/** Returns a little-endian number of up to four bytes; `undefined` if the bytes end before it does. */
type NumberAt = (position: number, length: number) => number | undefined

/** Headers of empty blocks are close together: reading them one by one would need a system call for each. */
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

/** Whether decoders skip a frame, and the offset after it: `undefined` if it extends beyond `end`, or is not a frame. */
export interface FrameEnd {
  isSkipped: boolean
  end: number | undefined
}

/** Finds the end of the frame that begins at `start`, within the first `end` bytes. */
export function frameAt(source: ByteSource, start: number, end: number): FrameEnd {
  const numberAt = numbersIn(source, end)
  const magic = numberAt(start, magicBytes)
  const isSkipped = magic !== undefined && (magic & ~15) >>> 0 === skippedMagic
  let next = isSkipped ? endOfSkipped(numberAt, start) : undefined
  if (magic === frameMagic) next = endOfBlocks(numberAt, start)
  return { isSkipped, end: next !== undefined && next <= end ? next : undefined }
}

function endOfSkipped(numberAt: NumberAt, start: number): number | undefined {
  const length = numberAt(start + magicBytes, 4)
  return length === undefined ? undefined : start + magicBytes + 4 + length
}

/** Length of the header fields after the frame header descriptor: window, dictionary, content size. */
function fieldBytes(descriptor: number): number {
  const isOneSegment = (descriptor & 32) !== 0
  const sizeFlag = descriptor >> 6
  // The window is given unless the content is one segment; then a content size flag of 0 means one byte.
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
    // A block that repeats one byte stores only that byte.
    at += blockHeader + (((header >> 1) & 3) === 1 ? 1 : header >> 3)
    if ((header & 1) === 1) return at + ((descriptor & 4) === 0 ? 0 : checksum)
  }
}
