/** Parses and writes the texts of git. */

/** Removes user names and passwords from the addresses in a text, even if they contain an unescaped `/` or `@`. */
export function withoutPassword(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]*:\/\/)(?:[^\s'"`]*[^\s'"`/]@|[^\s/@'"`]+@)/gi, '$1')
}

/**
 * Whether an address contains a user name or password with an unescaped `/`, `?`, `#` or `@`. Git reads part of it as
 * the host or path, and prints that in its messages.
 */
export function isPasswordOpen(address: string): boolean {
  const [, authority = '', rest = ''] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)(.*)$/i.exec(address) ?? []
  if (authority.split('@').length > 2) return true
  // A segment of a path may start with `@`, as the scope of a package does.
  return /[^/]@/.test(rest) && (authority.includes('@') || /:(?!\d*$)/.test(authority))
}

/** Lines of git that say nothing about what went wrong: hints, advice for everything at once, and what is known already. */
const empty =
  /^(?:hint:|remote:$|To \S+$|Please make sure you have the correct access rights$|and the repository exists\.$|error: failed to push some refs )/

/** Most lines of git in a message: a hook or a forge may say its reason in some lines before those of git. */
const maxLines = 8

/** What to do about some refusals. */
const advice: readonly [RegExp, string][] = [
  [/\(stale info\)|\(fetch first\)/, 'Somebody else changed the branch meanwhile; publish again.'],
  [
    /\(non-fast-forward\)|protected branch/i,
    'If the branch there may only grow, `--history` adds a commit instead of replacing it.',
  ],
  [/branch is currently checked out/, 'Publish to a bare repository, or to another branch with `--to-branch`.'],
]

/** A message with what git wrote to stderr, and what to do about it. */
export function gitMessage(stderr: string): string {
  const lines = stderr
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !empty.test(line))
  const said = withoutPassword(lines.slice(-maxLines).join(' '))
  const hints = advice.flatMap(([pattern, hint]) => (pattern.test(said) ? [hint] : []))
  return [`git says: ${said}${hints.length > 0 && !/[.!?]$/.test(said) ? '.' : ''}`, ...hints].join(' ')
}

/** Blob ids by path, from `git ls-tree -r -z`. Anything but a plain, non-executable file has its mode instead of an id. */
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

/** Lines for `git update-index -z --index-info` that remove paths. */
export function removalLines(paths: Iterable<string>): string {
  return [...paths].map((path) => `0 ${'0'.repeat(40)}\t${path}\0`).join('')
}

/** The settings that the repository itself makes, from `git config --null --show-scope --get-regexp`. */
export function readSettings(listing: string): [key: string, value: string][] {
  const words = listing.split('\0')
  const settings: [string, string][] = []
  for (let index = 0; index + 1 < words.length; index += 2) {
    const [key, value] = splitOnce(words[index + 1] ?? '', '\n')
    if (words[index] === 'local' || words[index] === 'worktree') settings.push([key, value])
  }
  return settings
}

/** Settings as environment variables, added to those already in `env`. Other programs could see them in arguments. */
export function settingVariables(
  settings: Iterable<readonly [key: string, value: string]>,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  let count = Number(env['GIT_CONFIG_COUNT'] ?? 0) || 0
  const variables: Record<string, string> = {}
  for (const [key, value] of settings) {
    variables[`GIT_CONFIG_KEY_${count}`] = key
    variables[`GIT_CONFIG_VALUE_${count}`] = value
    count++
  }
  return count === 0 ? {} : { ...variables, GIT_CONFIG_COUNT: String(count) }
}

/** Parses an author written as `Name <mail>`. */
export function readAuthor(author: string): { name: string; mail: string } {
  const [name = '', mail = ''] = splitOnce(author, '<')
  return { name: name.trim(), mail: mail.replace(/>.*$/, '') }
}

function splitOnce(text: string, mark: string): [string, string] {
  const index = text.indexOf(mark)
  return index === -1 ? [text, ''] : [text.slice(0, index), text.slice(index + mark.length)]
}
