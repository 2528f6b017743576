/** Files of any size without their whole content in memory. */
import { closeSync, openSync, readSync } from 'node:fs'

/** The bytes of a file, piece by piece; a piece holds only until the next. Throws the error of the system. */
export function* filePieces(path: string): Generator<Uint8Array> {
  const descriptor = openSync(path, 'r')
  try {
    const buffer = Buffer.allocUnsafe(1 << 20)
    for (;;) {
      const length = readSync(descriptor, buffer)
      if (length === 0) return
      yield buffer.subarray(0, length)
    }
  } finally {
    closeSync(descriptor)
  }
}
