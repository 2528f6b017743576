/** Which language a file or a fence is written in, by the names of highlight.js. */

/** Languages that are coloured, each with the tags of fences and the extensions of files that mean it. */
const names: Readonly<Record<string, string>> = {
  bash: 'sh zsh ksh fish bashrc zshrc',
  c: 'h',
  cpp: 'c++ cc cxx hpp hh hxx',
  csharp: 'cs c#',
  css: '',
  diff: 'patch',
  dockerfile: 'docker containerfile',
  go: 'golang',
  graphql: 'gql',
  ini: 'toml cfg conf properties editorconfig',
  java: '',
  javascript: 'js jsx mjs cjs',
  json: 'jsonc json5 jsonl ipynb webmanifest',
  kotlin: 'kt kts',
  less: '',
  lua: '',
  makefile: 'mk make',
  markdown: 'md mdx mkd',
  nix: '',
  objectivec: 'm mm objc',
  perl: 'pl pm',
  php: '',
  powershell: 'ps1 psm1 pwsh',
  python: 'py pyi pyw',
  r: '',
  ruby: 'rb gemfile rakefile gemspec',
  rust: 'rs',
  scala: 'sc sbt',
  scss: '',
  shell: 'console shellsession',
  sql: '',
  swift: '',
  typescript: 'ts tsx mts cts',
  xml: 'html htm xhtml svg vue svelte plist xsd xsl',
  yaml: 'yml',
}

const byName = new Map<string, string>(
  Object.entries(names).flatMap(([language, others]) =>
    [language, ...others.split(' ')].filter((name) => name !== '').map((name) => [name, language] as const),
  ),
)

/** Names of the languages that are coloured. */
export const languages: readonly string[] = Object.keys(names)

/** The language that the tag of a fence means, in any case. */
export function languageOfTag(tag: string): string | undefined {
  return byName.get(tag.toLowerCase())
}

/** The language of a file by its extension, or by its whole name, as in `Makefile` and `Dockerfile.test`. */
export function languageOfPath(path: string): string | undefined {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).toLowerCase()
  if (name.startsWith('dockerfile')) return 'dockerfile'
  return byName.get(name.slice(name.lastIndexOf('.') + 1))
}
