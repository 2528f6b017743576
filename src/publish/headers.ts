/** Headers that an object store keeps with each file. */

/** Headers in the names of the S3 interface. */
export interface StoredHeaders {
  ContentType: string
  CacheControl: string
  ContentDisposition?: string
}

/**
 * Files that are named by their content: the same name never holds anything else. Sealed parts of a locked site,
 * `assets/….js`, are named by their path and hold something new after each change.
 */
const hashed =
  /^assets\/[\w-]+\.[0-9a-f]{10,}\.(?:js|css)$|^assets\/[0-9a-f]{32,}\.(?!js$)\w+$|^pagefind\/.*\.pf_\w+(?:\.js)?$/

/** Whether a path of the site holds a hash of the file's content. */
export function isNamedByContent(path: string): boolean {
  return hashed.test(path)
}

/** Headers of a file: what is named by its content is kept for good, everything else is asked for again. */
export function headersOf(path: string, type: string): StoredHeaders {
  const headers = {
    ContentType: type,
    CacheControl: isNamedByContent(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
  }
  // Out of a transcript and opened by itself, it would be a document that may run scripts.
  if (type.startsWith('image/svg') && path.startsWith('assets/'))
    return { ...headers, ContentDisposition: 'attachment' }
  return headers
}
