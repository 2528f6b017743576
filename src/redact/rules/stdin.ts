/** Passwords that commands read: from a pipe, from a string or lines after the command, from another command. */

import { none, type Rule, type Secret } from '../rule.ts'
import { tryReachItem } from '../search.ts'
import { isNamedSecret } from '../values/named-value.ts'
import { isPlaceholder } from '../values/placeholders.ts'
import { isSentence } from '../values/randomness.ts'

/** `sudo` that reads the password, with its other options: `sudo -k -p '' -S`. */
const sudo =
  'sudo(?: (?:-[pugRDThC] ?(?:"[^"\\n]{0,80}"|\'[^\'\\n]{0,80}\'|[\\w.:/%-]{1,40})|--?[A-Za-z][\\w=-]{0,40})){0,6} (?:-[A-Za-z]{0,6}S[A-Za-z]{0,6}|--stdin)'
/** Commands that read nothing but passwords, so that even a short or simple one is known to be one. */
const login = ['chpasswd', 'passwd', 'smbpasswd', 'kinit', sudo, 'su'].join('|')
/** Other commands that log in with what they read, or store it as a secret. */
const reader = [
  ...['cryptsetup', 'systemd-creds', 'systemd-cryptenroll', 'saslpasswd2', 'p4 login'],
  ...['gpg2? [^\\n]{0,80}passphrase(?:-fd|-file)?', 'ansible-vault', 'vncpasswd', 'pdbedit'],
  ...['openssl (?:passwd|enc)', 'secret-tool', 'keepassxc-cli'],
  'read (?:-\\w{1,4} ){0,2}-\\w{0,4}s\\w{0,4}',
  ...['(?:go)?pass insert', 'keyctl padd', 'rclone obscure', 'kubeseal', 'htpasswd -\\w{0,4}i', 'sshpass'],
  '(?:gcloud|gsutil)[ \\w-]{0,24} secrets (?:create|versions add)',
  '(?:vault|bao) (?:login|unwrap|operator unseal|kv (?:put|patch)|write)',
  '(?:vercel|netlify|convex) env (?:add|set)',
  '(?:bw|op|cargo|gem|hf|huggingface-cli|wandb|npm|pnpm|yarn) (?:auth )?(?:login|unlock|signin|account add)',
  'firebase functions:secrets:set',
  'circleci context store-secret',
  '(?:docker|podman|skopeo|buildah|regctl|helm|gh|glab|az|aws|npm|oras|crane|nerdctl|argocd|cosign|kubectl|oc|wrangler|vercel|fly|flyctl|heroku|supabase|doppler|infisical|railway|eas|pulumi|dotnet)\\b[^\\n|]{0,120}(?:login|stdin|with-token|secret|password)',
].join('|')
/** What may precede a command to run it as somebody else, from a package or in a container. */
const launcher =
  '(?:/(?:usr/(?:local/)?)?s?bin/)?(?:sudo (?:-[A-Za-z]+ )*|(?:npx|bunx|uvx|pipx run)(?: --?\\w[\\w-]{0,19})* |(?:pnpm|yarn|npm|bun)(?: (?:dlx|exec|x|run))?(?: --)? |(?:docker|podman)(?: compose)? exec (?:--?\\w[\\w-]{0,19} ){0,4}[\\w.-]{1,60} ){0,2}'
const before = `(?:^|[\\s;&|('"\`/])${launcher}`
const command = new RegExp(`${before}(?:(?<name>${login})|${reader})(?![\\w-])[^\\n]*$`)

/** How much of a line before its input is searched for the command. */
const maxCommand = 240

/** The command that reads a secret at an offset: the `login`, or an empty text for another; `undefined` if there is none. */
function readerOf(text: string, offset: number): string | undefined {
  const line = text.slice(Math.max(0, offset - maxCommand), offset)
  const match = command.exec(line.slice(line.lastIndexOf('\n') + 1).replace(/^.*(?:;|&&|\|)/, ''))
  return match === null ? undefined : (match.groups?.['name'] ?? '')
}

/** Whether a value that is passed to a command is a secret; `loginName` is the command if it reads nothing but passwords. */
function isGiven(value: string, loginName = ''): boolean {
  const bare = value.replaceAll(/\\n|\n/g, '')
  // What `su` starts may read what follows the password: `echo "select 1" | su - postgres -c psql`.
  if (loginName === 'su') return isGiven(value) && !/\s/.test(bare)
  if (loginName !== '') return bare !== '' && !notTyped.test(bare)
  return bare.length >= minGiven && !isPlaceholder(value) && !isSentence(value)
}
const minGiven = 6
/** What is no password even where one is read: an answer, a variable or another lookup, a placeholder, a mark. */
const notTyped = /^(?:y|yes|n|no)$|^[$%<{]|^\[redacted:/i

const word = /\s{0,3}(?:"(?<text>[^"\n]{1,512})"|'(?<single>[^'\n]{1,512})'|(?<bare>[^\s"'`|;&)<]{1,512}))/dy

/** The word at an offset, without its quotes; `loginName` as in `isGiven`. */
function wordAt(text: string, offset: number, loginName = ''): readonly Secret[] {
  word.lastIndex = offset
  const { text: own, single, bare } = word.exec(text)?.indices?.groups ?? {}
  const [start, end] = own ?? single ?? bare ?? [0, 0]
  const value = text.slice(start, end)
  return isGiven(value, loginName) ? [{ start, end, value }] : none
}

/** An option that takes a file with a password; what is written in its place is a password. */
const passwordFile = /(?<![\w-])--?[\w-]{0,24}(?:pw|pass|password|passwd|passphrase|secret|token)-?file[= ]["']?$/

const printed = new RegExp(
  `printf ["'](?:%s(?:\\\\n|\\n)?){1,8}["'](?<words>(?: {1,3}(?:"[^"\\n]{1,256}"|'[^'\\n]{1,256}'|[^\\s"'|;&<>]{1,256})){2,8}) {0,3}\\| {0,3}${launcher}(?:(?<name>${login})|${reader})(?![\\w-])`,
  'dy',
)

/** The words that `printf` writes into a command, each a password. */
function wordsPrinted(text: string, offset: number): readonly Secret[] {
  printed.lastIndex = offset
  const match = printed.exec(text)
  const [from, to] = match?.indices?.groups?.['words'] ?? [0, 0]
  const found: Secret[] = []
  for (const { index } of text.slice(from, to).matchAll(/ +(?:"[^"]*"|'[^']*'|\S+)/g))
    found.push(...wordAt(text, from + index, match?.groups?.['name']))
  return found
}

const heredoc = /<<-? ?(["']?)(?<tag>\w{1,40})\1(?<rest>[^\n]{0,160})\r?\n/y
const intoReader = new RegExp(`\\| {0,3}${launcher}(?:(?<name>${login})|${reader})(?![\\w-])`)
const maxLines = 16
const maxLine = 640
/** The usual length of a user with a password; few lines are longer. */
const usualLine = 32

const isTyped = (value: string): boolean =>
  isNamedSecret(value, 'password') || (value.length >= minGiven && !isPlaceholder(value))
/** The commands of `login` that read nothing but passwords to the end of their input. */
const changer = /passwd$/

/** The lines after a command, up to their end mark, each a password, or a user with one. */
function linesBelow(text: string, offset: number): readonly Secret[] {
  heredoc.lastIndex = offset
  const { tag, rest = '' } = heredoc.exec(text)?.groups ?? {}
  if (tag === undefined) return none
  const into = intoReader.exec(rest)
  const name = into === null ? readerOf(text, offset) : into.groups?.['name']
  if (into === null && name === undefined) return none
  const isOf = changer.test(name ?? '') ? (value: string): boolean => isGiven(value, name) : isTyped
  const found: Secret[] = []
  let at = heredoc.lastIndex
  for (let line = 0; tryReachItem(line, maxLines, usualLine); line++) {
    const [whole = '', indent = '', user = '', value = ''] =
      /^([ \t]*(?:[+>|-] ?)?)((?:[\w.-]{1,40}:(?=\S))?)(\S{0,512})/.exec(text.slice(at, at + maxLine)) ?? []
    const start = at + indent.length + user.length
    const end = at + whole.length
    if (user + value === tag || !/^\r?\n/.test(text.slice(end, end + 2))) break
    if (isOf(value)) found.push({ start, end, value })
    at = text.indexOf('\n', end) + 1
  }
  return found
}

const userList =
  /chpasswd:\s{1,8}(?:\w{2,12}: [^\n]{1,20}\n\s{1,8}){0,2}list:[ \t]{0,4}(?:[|>]-?[ \t]*\r?\n)?[ \t]*((?:- )?["']?[\w.-]{1,40}:[^\s"']{1,256}["']?(?:\s{1,40}(?:- )?["']?[\w.-]{1,40}:[^\s"']{1,256}["']?(?=\s|$)){0,24})/dy

/** The passwords of `chpasswd:` in a cloud-init file, one after each user. */
function usersBelow(text: string, offset: number): readonly Secret[] {
  userList.lastIndex = offset
  const [from, to] = userList.exec(text)?.indices?.[1] ?? [0, 0]
  return Array.from(text.slice(from, to).matchAll(/:([^\s"']+)/g), ({ 1: value = '', index }) => {
    const start = from + index + 1
    return { start, end: start + value.length, value }
  }).filter(({ value }) => isGiven(value))
}

/** The same password once more, as who changes it types it: `(echo …; echo …) | passwd`. */
const again = `(?:; {0,3}(?:echo|printf)(?: -[neE]{1,3})* {0,3}(?:"[^"\\n]{1,256}"|'[^'\\n]{1,256}'|[^\\s"'|;&)]{1,256})){0,3}`

const openings = ['E', 'P', 'S', '_', '-', "'", '"', ' E', " '", ' "', ' P'].map((sign) => `<<${sign}`)

/** Rules for passwords that are passed to a command's input. */
export const stdinRules: readonly Rule[] = [
  {
    id: 'piped-password',
    anchors: ['echo ', 'printf ', 'Write-Output ', 'cat <<< ', 'cat <<<'],
    // Scripts decode the line end of a format: it may be written as one.
    follows: '(?:["\']%s\\n)?[^\\n]{4,300}',
    pattern: new RegExp(
      `(?:echo|printf|Write-Output|cat <<<)(?: -[neE]{1,3}| ["']%s(?:\\\\n|\\n)?["'])* {0,3}(?:"(?<secret>[^"\\n]{1,256})"|'(?<single>[^'\\n]{1,256})'|(?<bare>[^\\s"'|<-][^\\s"'|;&)]{0,256}))(?=${again};? {0,3}[)}]? {0,3}\\| {0,3}${launcher}(?:(?<name>${login})|${reader})(?![\\w-]))`,
      'y',
    ),
    isSecret: isGiven,
  },
  {
    // `sudo -S … <<< '…'`
    id: 'piped-password',
    anchors: ['<<<'],
    read(text, offset) {
      const name = readerOf(text, offset)
      return name === undefined ? none : wordAt(text, offset + 3, name)
    },
  },
  {
    // `--data-file=<(printf '…')`
    id: 'piped-password',
    anchors: ['<(echo ', '<(printf '],
    read(text, offset) {
      const head =
        /^<\((?:echo|printf)(?: -[neE]{1,3}| ["']%s(?:\\n|\n)?["'])*/.exec(text.slice(offset, offset + 32))?.[0] ?? ''
      const name = readerOf(text, offset)
      const isPassword = name !== undefined || passwordFile.test(text.slice(Math.max(0, offset - 64), offset))
      return head !== '' && isPassword ? wordAt(text, offset + head.length, name) : none
    },
  },
  {
    // `printf '%s\n%s\n' … … | passwd`
    id: 'piped-password',
    anchors: ['printf '],
    follows: '["\']%s',
    read: wordsPrinted,
  },
  {
    // `echo -n 'user:…' | base64`, as headers require
    id: 'piped-password',
    anchors: ['echo ', 'printf '],
    follows: '[^\\n]{8,300}',
    pattern:
      /(?:echo|printf)(?: -[neE]{1,3}| ["']%s["'])* {0,3}["']?[\w.@+-]{1,64}:(?<secret>[^\s"'|:/]{6,256})["']? {0,3}\| {0,3}(?:openssl )?base64(?! *(?:-d|-D|--decode))(?![\w-])/y,
    isSecret: (value) => isNamedSecret(value, 'password', 'loose'),
  },
  {
    // `passwd ada <<EOF` with the password below, twice
    id: 'piped-password',
    anchors: openings,
    read: linesBelow,
  },
  { id: 'piped-password', anchors: ['chpasswd:'], read: usersBelow, lines: true },
]
