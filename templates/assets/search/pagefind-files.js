// Prepares files of the index for Pagefind: the browser unpacks them, and the texts of pages are removed, because Pagefind
// would make excerpts of them that nobody sees.

const signature = new TextEncoder().encode('pagefind_dcd')

/** An index file unpacked, which Pagefind accepts too. */
export async function unpacked(bytes) {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  const { readable, writable } = new DecompressionStream('gzip')
  const writer = writable.getWriter()
  // An error here also appears below.
  writer.write(bytes).catch(() => {})
  writer.close().catch(() => {})
  return new Uint8Array(await new Response(readable).arrayBuffer())
}

/** A store that keeps the pages of the fragments that pass through `strip`, by the id that results have. */
export function pageStore() {
  const pages = new Map()
  const keep = (id, { url, content, anchors, ...rest }) => {
    pages.set(id, { path: url, content: content.replaceAll('\u200B', ''), anchors, ...rest })
    return { url, ...rest, content: '', anchors: [] }
  }
  return {
    pages,
    /**
     * Returns an unpacked fragment without its texts: of one page, whose id is the name of the file, or of several by their ids.
     * If there are several shards, ids begin with the folder of the shard, as the name of the file does.
     */
    strip(name, bytes) {
      const folder = name.replace(/[^/]*$/, '')
      const given = JSON.parse(new TextDecoder().decode(bytes.subarray(signature.length)))
      const kept =
        typeof given.content === 'string'
          ? keep(name, given)
          : Object.fromEntries(Object.entries(given).map(([id, page]) => [folder + id, keep(folder + id, page)]))
      const text = new TextEncoder().encode(JSON.stringify(kept))
      const whole = new Uint8Array(signature.length + text.length)
      whole.set(signature)
      whole.set(text, signature.length)
      return whole
    },
  }
}
