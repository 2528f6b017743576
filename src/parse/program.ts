/** Which program a script runs, so that commands can be counted by program. */

/** Words of a script that are read; its first program stands near its head. */
const longest = 4000

/** Programs that run another one, with the letters of their options that take a value and their own operands. */
const wrappers: Readonly<Record<string, { valued: string; operands?: number }>> = {
  sudo: { valued: 'ughpCT' },
  doas: { valued: 'uC' },
  env: { valued: 'uCS' },
  time: { valued: 'fo' },
  nice: { valued: 'n' },
  ionice: { valued: 'cnp' },
  nohup: { valued: '' },
  setsid: { valued: '' },
  exec: { valued: 'a' },
  command: { valued: '' },
  builtin: { valued: '' },
  stdbuf: { valued: 'ioe' },
  timeout: { valued: 'sk', operands: 1 },
  'xvfb-run': { valued: 'nsef' },
}

const shells = new Set(['bash', 'sh', 'zsh', 'dash', 'ksh', 'fish'])

/** Words before a command that belong to the shell's grammar. */
const keywords = new Set(['if', 'then', 'elif', 'else', 'while', 'until', 'do', '!', '{', '}', 'fi', 'done'])

/** Commands that prepare, wait, test or label: a script is named after what they lead to. */
const setups = new Set([
  ...['cd', 'pushd', 'popd', 'set', 'shopt', 'export', 'unset', 'source', '.', 'umask', 'ulimit', 'alias', 'trap'],
  ...[':', 'true', 'eval', 'echo', 'printf', 'sleep', 'wait', 'test', '[', '[[', 'for', 'case', 'select', 'local'],
  ...['exit', 'return', 'break', 'continue', 'shift', 'read'],
])

/**
 * Name of the first program of a script that does work, without folder: `cd x && FOO=1 sudo ./bin/make all` is `make`.
 * A script of nothing but preparation is named after its first command; one without a command is `undefined`.
 */
export function programOf(script: string): string | undefined {
  let first: string | undefined
  for (const words of commands(script.slice(0, longest))) {
    const name = programOfWords(words)
    if (name === undefined) continue
    if (!setups.has(name)) return name
    first ??= name
  }
  return first
}

function programOfWords(words: readonly string[]): string | undefined {
  let rest = words
  for (;;) {
    const [word] = rest
    if (word === undefined) return undefined
    const name = baseName(word)
    const wrapper = Object.hasOwn(wrappers, name) ? wrappers[name] : undefined
    if (keywords.has(word) || /^[A-Za-z_]\w*\+?=/.test(word)) rest = rest.slice(1)
    else if (wrapper !== undefined && rest.length > 1) rest = withoutOptions(rest.slice(1), wrapper)
    else if (shells.has(name)) return programOfShell(rest) ?? name
    else return name
  }
}

/** What `bash -lc <script>` runs. */
function programOfShell(words: readonly string[]): string | undefined {
  const flag = words.findIndex((word) => /^-\w*c$/.test(word))
  return flag < 0 ? undefined : programOf(words[flag + 1] ?? '')
}

function withoutOptions(words: readonly string[], { valued, operands = 0 }: { valued: string; operands?: number }) {
  let start = 0
  for (;;) {
    const word = words[start] ?? ''
    if (!word.startsWith('-')) break
    const takesNext = /^-\w$/.test(word) && valued.includes(word.charAt(1))
    start += takesNext ? 2 : 1
  }
  return words.slice(start + operands)
}

/** Last part of a path, without the ending of Windows, at most 60 characters. */
function baseName(word: string): string {
  const name = word.split(/[/\\]/).findLast((part) => part !== '') ?? word
  return name.replace(/\.exe$/i, '').slice(0, 60)
}

/**
 * A piece of a script: a quoted, substituted or bare part of a word, a comment, a redirection, a border between
 * commands, or blank.
 */
const piece = new RegExp(
  [
    /'(?<single>[^']*)'?/,
    /"(?<double>(?:[^"\\]|\\[\s\S])*)"?/,
    /(?<inner>\$\((?:[^()]|\([^()]*\)){0,400}\)|`[^`]*`)/,
    /\\\r?\n/,
    /\\(?<escaped>[\s\S])/,
    /(?<comment>#[^\n]*)/,
    /(?<redirection>\d*(?:&>>?|<<<|<<-?|>>|>\||[<>]&?))/,
    /(?<border>&&|\|\||[;&|()\n])/,
    /(?<blank>[ \t\r]+)/,
    /(?<bare>[^\s'"`\\;&|()<>#$]+|[$`])/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)

/** The words of each simple command of a script, without redirections and what they lead to. */
function* commands(script: string): Generator<string[]> {
  let words: string[] = []
  let isTarget = false
  for (const token of tokens(script)) {
    if ('redirection' in token) isTarget = true
    else if ('word' in token) {
      if (!isTarget) words.push(token.word)
      isTarget = false
    } else {
      if (words.length > 0) yield words
      words = []
      isTarget = false
    }
  }
  if (words.length > 0) yield words
}

/** Words, redirections and borders between commands, in order. */
function* tokens(script: string): Generator<{ word: string } | { redirection: true } | { border: true }> {
  let word = ''
  for (const { groups = {} } of script.matchAll(piece)) {
    const { comment = '', redirection, border, blank } = groups
    word += partOf(groups) ?? (word === '' ? '' : comment)
    const isEnd = (redirection ?? border ?? blank) !== undefined
    if (isEnd && word !== '') {
      yield { word }
      word = ''
    }
    if (redirection !== undefined) yield { redirection: true }
    if (border !== undefined) yield { border: true }
  }
  if (word !== '') yield { word }
}

function partOf({ single, double, inner, escaped, bare }: Record<string, string | undefined>): string | undefined {
  return single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? inner ?? escaped ?? bare
}
