// Files of the index on their way to Pagefind: unpacked by the browser, and without the texts of pages, of which it
// would cut excerpts that nobody sees.

const signature = new TextEncoder().encode('pagefind_dcd')

/** A file of the index as Pagefind takes it when it is not packed. */
export async function unpacked(bytes) {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  const { readable, writable } = new DecompressionStream('gzip')
  const writer = writable.getWriter()
  // What fails here fails below too.
  writer.write(bytes).catch(() => {})
  writer.close().catch(() => {})
  return new Uint8Array(await new Response(readable).arrayBuffer())
}

/** Keeps the pages of the fragments that pass, by the id that a result has. */
export function pageStore() {
  const pages = new Map()
  const keep = (id, { url, content, anchors, ...rest }) => {
    pages.set(id, { path: url, content: content.replaceAll('\u200B', ''), anchors, ...rest })
    return { url, ...rest, content: '', anchors: [] }
  }
  return {
    pages,
    /**
     * Takes the texts out of an unpacked fragment: of one page, named like its file, or of several by their ids. The ids of
     * pages begin like the name with the folder of their shard, where there are several.
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
