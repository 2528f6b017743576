/** zstd, decompressed by Node where it can (22.15 and later), else by WebAssembly. */

import { Readable, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as zlib from 'node:zlib'
import { type ByteSource, pieces, VanishedFileError } from './source.ts'
import { frameAt } from './zstd-frames.ts'

const pieceBytes = 16 * 1024

/** The types of Node 20 do not know the decoder that later versions have. */
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
 * Decompresses the first `end` bytes of a source, all frames. Throws where they are broken or cut off, after what
 * could be decoded before that place. A reader may go away early.
 */
export async function* decompress(
  source: ByteSource,
  end: number = source.size,
  native: boolean = hasNativeZstd,
): AsyncGenerator<Uint8Array> {
  try {
    yield* native ? byNode(source, end) : byWasm(source, end)
  } catch (cause) {
    // The decoders' own words differ; reports must not depend on the version of Node.
    throw cause instanceof VanishedFileError ? cause : new Error('its zstd data is broken or cut off', { cause })
  }
}

/**
 * Node ends its stream behind the first frame, so each gets a decoder. Node 22 says nothing of a frame that is cut off, which
 * its own headers tell.
 */
async function* byNode(source: ByteSource, end: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < end; ) {
    const frame = frameAt(source, start, end)
    if (!frame.isSkipped) {
      const decoder = createDecoder?.()
      if (decoder === undefined) throw new Error('this Node has no zstd')
      // Errors of the input arrive at the decoder, whose end is awaited below; later input is not wanted.
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
    giveBack(parts)
  }
}

/** The next bytes of the library's decoder; `undefined` at its end. Throws where it is stuck. */
function nextPart(parts: Iterator<Uint8Array>): Uint8Array | undefined {
  // The library repeats a failed step for ever; a sound step takes at least one byte of the piece.
  for (let idle = 0; idle <= pieceBytes; idle++) {
    const { done, value } = parts.next()
    if (done) return undefined
    if (value.length > 0) return value
  }
  throw new Error('zstd makes no progress')
}

/** Lets a decoder whose reader went away end the piece that it has: only at its end it gives its memory back. */
function giveBack(parts: Iterator<Uint8Array>): void {
  try {
    while (nextPart(parts) !== undefined);
  } catch {
    // It ends in the middle of its data, or is stuck there.
  }
}
