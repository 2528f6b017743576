/** UTF-16 to UTF-8: Windows tools rewrite rollouts so (rollout-format 9, hazard 9). */

/** The UTF-16 encoding that a byte order mark names. */
export function utf16Of(start: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le'
  return start[0] === 0xfe && start[1] === 0xff ? 'utf-16be' : undefined
}

/** Passes bytes on; where the first ones are a UTF-16 byte order mark, as UTF-8 without mark. */
export async function* asUtf8(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  let first = true
  for await (const chunk of chunks) {
    if (first) {
      const encoding = utf16Of(chunk)
      if (encoding !== undefined) decoder = new TextDecoder(encoding)
      first = false
    }
    yield decoder === undefined ? chunk : Buffer.from(decoder.decode(chunk, { stream: true }))
  }
  if (decoder !== undefined) yield Buffer.from(decoder.decode())
}
