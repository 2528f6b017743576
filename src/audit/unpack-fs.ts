/** Unpacks what a browser would, up to a limit: a small file may hold gigabytes. */
import { gunzipSync, inflateSync } from 'node:zlib'

const longest = 64 << 20

/** What a gzip file or a zlib stream holds; `undefined` where it is broken or longer than 64 MiB. */
export function unpack(bytes: Uint8Array, by: 'gzip' | 'zlib'): Uint8Array | undefined {
  try {
    const options = { maxOutputLength: longest }
    return by === 'gzip' ? gunzipSync(bytes, options) : inflateSync(bytes, options)
  } catch {
    // It is told as content that could not be read.
    return undefined
  }
}
