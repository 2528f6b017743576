/** Files as they are stored, piece by piece. */
import { closeSync, openSync, readSync } from 'node:fs'

/** The bytes of a file; each piece is a buffer of its own. Throws the error of the system. */
export function* filePieces(path: string): Generator<Uint8Array> {
  const descriptor = openSync(path, 'r')
  try {
    for (;;) {
      const buffer = Buffer.allocUnsafe(1 << 18)
      const length = readSync(descriptor, buffer)
      if (length === 0) return
      yield buffer.subarray(0, length)
    }
  } finally {
    closeSync(descriptor)
  }
}
