/** Decompresses zstd with Node if it can (22.15 and later), else with WebAssembly. */

import { Readable, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as zlib from 'node:zlib'
import { type ByteSource, fileFault, pieces, UnreadableFileError } from './source.ts'
import { frameAt } from './zstd-frames.ts'

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
  try {
    yield* native ? byNode(source, end) : byWasm(source, end)
  } catch (cause) {
    // The decoders' messages differ, and reports must not depend on the version of Node.
    throw fileFault(cause) === undefined
      ? new UnreadableFileError('its zstd data is broken or cut off', { cause })
      : cause
  }
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
      pipeline(Readable.from(pieces(source, { start, end: frame.end ?? end, size: pieceBytes })), decoder).catch(
        () => {},
      )
      yield* decoder
    }
    if (frame.end === undefined) throw new Error('a frame is cut off')
    start = frame.end
  }
}

async function* byWasm(source: ByteSource, end: number): AsyncGenerator<Uint8Array> {
  const { ZSTDDecoder } = await import('zstddec/stream')
  const decoder = new ZSTDDecoder()
  await decoder.init()
  let wanted = true
  const parts = decoder.decodeStreaming(
    (function* () {
      for (const piece of pieces(source, { end, size: pieceBytes })) {
        if (!wanted) return
        yield piece
      }
    })(),
  )
  try {
    for (let part = nextPart(parts); part !== undefined; part = nextPart(parts)) yield part
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
