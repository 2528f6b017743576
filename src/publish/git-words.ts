/** Texts that git takes and gives. */

/** A text without the user names and passwords of addresses in it. */
export function withoutPassword(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s/@'"]+@/gi, '$1')
}

/** Blob ids by path, from `git ls-tree -r -z`. What is no plain file has the kind in place of an id. */
export function readTree(listing: string): Map<string, string> {
  const entries = listing.split('\0').filter((entry) => entry !== '')
  return new Map(
    entries.map((entry) => {
      const [facts = '', path = ''] = splitOnce(entry, '\t')
      const [mode = '', , id = ''] = facts.split(' ')
      return [path, mode === '100644' ? id : mode]
    }),
  )
}

/** Lines for `git update-index -z --index-info` that put blobs at paths. */
export function indexLines(blobs: Iterable<readonly [path: string, id: string]>): string {
  return [...blobs].map(([path, id]) => `100644 ${id}\t${path}\0`).join('')
}

/** Lines for `git update-index -z --index-info` that take paths out. */
export function removalLines(paths: Iterable<string>): string {
  return [...paths].map((path) => `0 ${'0'.repeat(40)}\t${path}\0`).join('')
}

/** Name and mail of an author written as `Name <mail>`. */
export function readAuthor(author: string): { name: string; mail: string } {
  const [name = '', mail = ''] = splitOnce(author, '<')
  return { name: name.trim(), mail: mail.replace(/>.*$/, '') }
}

function splitOnce(text: string, mark: string): [string, string] {
  const place = text.indexOf(mark)
  return place === -1 ? [text, ''] : [text.slice(0, place), text.slice(place + mark.length)]
}
