/** zstd files made by hand (RFC 8878), because Node 20 cannot compress. */

/** Magic number, then a frame header without checksum and content size, for a window of 128 KiB. */
const frameStart = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38]

/** A frame that stores bytes in raw blocks. */
export function zstdFrame(content: string | Uint8Array, blockBytes: number = 128 * 1024): Buffer {
  const bytes = Buffer.from(content)
  const parts: Uint8Array[] = [Buffer.from(frameStart)]
  for (let at = 0; at === 0 || at < bytes.length; at += blockBytes) {
    const block = bytes.subarray(at, at + blockBytes)
    parts.push(blockHeader(0, block.length, at + blockBytes >= bytes.length), block)
  }
  return Buffer.concat(parts)
}

/** A frame of `blocks` times 128 KiB of one byte, with four bytes of the file for each. */
export function zstdBomb(blocks: number): Buffer {
  const parts: Uint8Array[] = [Buffer.from(frameStart)]
  for (let block = 1; block <= blocks; block++) {
    parts.push(blockHeader(1, 128 * 1024, block === blocks), Buffer.from('x'))
  }
  return Buffer.concat(parts)
}

/** `type` 0 is a raw block, 1 a repeated byte. */
function blockHeader(type: number, size: number, last: boolean): Buffer<ArrayBuffer> {
  const header = Buffer.alloc(3)
  header.writeUIntLE((size << 3) | (type << 1) | Number(last), 0, 3)
  return header
}
