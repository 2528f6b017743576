/** `pagefind-entry.json`, which says how the files of an index are named. */

interface Language {
  hash: string
  wasm: string | null
  page_count: number
}

/** The one language of an index: all pages are indexed in the same. */
export function entryLanguage(entry: string): Language | undefined {
  // Pagefind of our own pinned version has written it a moment ago.
  const { languages } = JSON.parse(entry) as { languages: Record<string, Language> }
  return Object.values(languages)[0]
}
