/**
 * A field: the programming languages of the files that a session changed. Rows of lists show it, the start page and the
 * search filter by it, and the search finds sessions by its words.
 *
 *     import { defineConfig } from 'codex-export'
 *     import { languages } from './languages.ts'
 *
 *     export default defineConfig({ plugins: [languages] })
 */
import { definePlugin } from 'codex-export'
import { visit } from 'unist-util-visit'

const names: Readonly<Record<string, string>> = {
  c: 'C',
  cpp: 'C++',
  cs: 'C#',
  css: 'CSS',
  go: 'Go',
  java: 'Java',
  js: 'JavaScript',
  kt: 'Kotlin',
  php: 'PHP',
  py: 'Python',
  rb: 'Ruby',
  rs: 'Rust',
  sh: 'Shell',
  sql: 'SQL',
  swift: 'Swift',
  ts: 'TypeScript',
  tsx: 'TypeScript',
}

export const languages = definePlugin({
  name: 'languages',
  cacheKey: '1',
  fields: { language: { label: 'Language', column: true, filter: true, search: true } },
  session: () => {
    const found = new Set<string>()
    return {
      page: (tree) =>
        visit(tree, 'fileChange', ({ path }) => {
          const name = names[path.replace(/^.*\./, '')]
          if (name !== undefined) found.add(name)
        }),
      end: () => ({ fields: { language: [...found].sort() } }),
    }
  },
})
