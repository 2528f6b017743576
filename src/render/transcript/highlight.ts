/** The interface to the highlighter, and the languages it knows. The engine may change, the few kinds of token may not. */

/** What a piece of code is, as far as colours distinguish it. Each kind is a class of the style sheet. */
export type TokenKind = 'hk' | 'hs' | 'hc' | 'hn' | 'hf' | 'ht' | 'ha' | 'hi' | 'hx'

/** A run of code of one kind; without a kind it has the colour of the text around it. */
export interface Token {
  text: string
  kind?: TokenKind
}

/** Splits code into tokens, whose texts add up to the code; `undefined` if the language is not known. Never throws. */
export type Highlight = (code: string, language: string) => Token[] | undefined

/**
 * A highlighter that remembers its results: the work page and the story contain the same code, and all calls that a script
 * made contain the script.
 */
export function rememberColours(highlight: Highlight): Highlight {
  const cache = new Map<string, Map<string, Token[] | undefined>>()
  return (code, language) => {
    const ofLanguage = cache.get(language) ?? new Map<string, Token[] | undefined>()
    cache.set(language, ofLanguage)
    if (!ofLanguage.has(code)) ofLanguage.set(code, highlight(code, language))
    return ofLanguage.get(code)
  }
}

/** Appends text to a list of tokens; extends the last token if it is of the same kind. Empty text adds nothing. */
export function appendToken(tokens: Token[], text: string, kind?: TokenKind): void {
  if (text === '') return
  const last = tokens.at(-1)
  if (last !== undefined && last.kind === kind) last.text += text
  else tokens.push(kind === undefined ? { text } : { text, kind })
}

/** The tokens of each line, without line ends; a token over several lines is split. */
export function tokenLines(tokens: readonly Token[]): Token[][] {
  let line: Token[] = []
  const lines = [line]
  for (const { text, kind } of tokens) {
    if (!text.includes('\n')) {
      appendToken(line, text, kind)
      continue
    }
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) {
        line = []
        lines.push(line)
      }
      appendToken(line, part, kind)
    }
  }
  return lines
}

// The language of a file or a fence, by its name in highlight.js.

/** Languages that are coloured, each with the fence tags and file extensions that mean it. */
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

/** The language of a fence's tag, in upper or lower case; `undefined` if it is not coloured. */
export function languageOfTag(tag: string): string | undefined {
  return byName.get(tag.toLowerCase())
}

/** The language of a file by its extension or its whole name, as for `Makefile` and `Dockerfile.test`. */
export function languageOfPath(path: string): string | undefined {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).toLowerCase()
  if (name.startsWith('dockerfile')) return 'dockerfile'
  return byName.get(name.slice(name.lastIndexOf('.') + 1))
}
