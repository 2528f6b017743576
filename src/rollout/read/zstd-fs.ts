/** Decompresses zstd with Node if it can (22.15 and later), else with WebAssembly. */

import { Readable, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as zlib from 'node:zlib'
import { type ByteSource, pieces, UnreadableFileError } from './source.ts'

const pieceBytes = 16 * 1024

/** The types of Node 20 lack the decoder of later versions. */
type ZstdModule = { createZstdDecompress?: () => Transform }
const createDecoder = (zlib as ZstdModule).createZstdDecompress

/** Whether this Node decompresses zstd itself. */
export const hasNativeZstd: boolean = createDecoder !== undefined

/** Whether bytes begin like a zstd file: a frame, or a frame to skip (RFC 8878, 3.1). */
export function isZstd(start: Uint8Array): boolean {
  const [first = 0, second, third, fourth] = start
  if (first === 0x28) return second === 0xb5 && third === 0x2f && fourth === 0xfd
  return first >= 0x50 && first <= 0x5f && second === 0x2a && third === 0x4d && fourth === 0x18
}

/**
 * Decompresses all frames in the first `end` bytes of a source. If they are broken or cut off, throws after yielding what
 * could be decoded before. The consumer may stop early.
 */
export async function* decompress(
  source: ByteSource,
  end: number = source.size,
  native: boolean = hasNativeZstd,
): AsyncGenerator<Uint8Array> {
  yield* native ? byNode(source, end) : byWasm(source, end)
}

/** The bytes that go into a decoder, and what went wrong with them: only what the decoder itself throws is damage. */
interface Input {
  bytes: Generator<Uint8Array>
  fault?: unknown
}

function inputOf(bytes: Iterable<Uint8Array>): Input {
  const input: Input = { bytes: watched() }
  function* watched(): Generator<Uint8Array> {
    try {
      yield* bytes
    } catch (error) {
      input.fault = error
      throw error
    }
  }
  return input
}

/** The decoders' messages differ, and reports must not depend on the version of Node. */
function damage(cause?: unknown): UnreadableFileError {
  return new UnreadableFileError('its zstd data is broken or cut off', { cause })
}

/**
 * Node ends its stream after the first frame, so each frame gets a decoder. Node 22 does not report a frame that is cut
 * off, so this is checked with the frame's own headers.
 */
async function* byNode(source: ByteSource, end: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < end; ) {
    const frame = frameAt(source, start, end)
    if (!frame.isSkipped) {
      const decoder = createDecoder?.()
      if (decoder === undefined) throw new Error('this Node has no zstd')
      // Errors of the input reach the decoder, whose end is awaited below; if the consumer stops early, the rejection
      // does not matter.
      const input = inputOf(pieces(source, { start, end: frame.end ?? end, size: pieceBytes }))
      pipeline(Readable.from(input.bytes), decoder).catch(() => {})
      try {
        yield* decoder
      } catch (cause) {
        throw input.fault ?? damage(cause)
      }
    }
    if (frame.end === undefined) throw damage()
    start = frame.end
  }
}

async function* byWasm(source: ByteSource, end: number): AsyncGenerator<Uint8Array> {
  const { ZSTDDecoder } = await import('zstddec/stream')
  const decoder = new ZSTDDecoder()
  try {
    await decoder.init()
  } catch (cause) {
    throw new UnreadableFileError(
      'it is compressed with zstd, for which this Node needs WebAssembly, which does not start here; Node 22.15 and later need none',
      { cause },
    )
  }
  let wanted = true
  const input = inputOf(
    (function* () {
      for (const piece of pieces(source, { end, size: pieceBytes })) {
        if (!wanted) return
        yield piece
      }
    })(),
  )
  const parts = decoder.decodeStreaming(input.bytes)
  try {
    for (let part = nextPart(parts); part !== undefined; part = nextPart(parts)) yield part
  } catch (cause) {
    throw input.fault ?? damage(cause)
  } finally {
    wanted = false
    drain(parts)
  }
}

/** The next bytes from the library's decoder; `undefined` at its end. Throws if it is stuck. */
function nextPart(parts: Iterator<Uint8Array>): Uint8Array | undefined {
  // The library repeats a failed step forever; a successful one consumes at least one byte of the piece.
  for (let idle = 0; idle <= pieceBytes; idle++) {
    const { done, value } = parts.next()
    if (done) return undefined
    if (value.length > 0) return value
  }
  throw new Error('zstd makes no progress')
}

/** Lets a decoder whose consumer stopped finish its current piece: it releases its memory only at its end. */
function drain(parts: Iterator<Uint8Array>): void {
  try {
    while (nextPart(parts) !== undefined);
  } catch {
    // Its data ends in the middle, or it is stuck.
  }
}

// Where frames end, by their headers and those of their blocks (RFC 8878, 3.1). Nothing is decompressed.

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
interface FrameEnd {
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
