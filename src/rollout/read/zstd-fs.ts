/** Decompresses zstd with Node if it can (22.15 and later), else with WebAssembly. */

import { Readable, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as zlib from 'node:zlib'
import { type ByteSource, pieces, UnreadableFileError } from './source.ts'
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
  await decoder.init()
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
