/**
 * Passwords that programs take on their command line, as a table: what each program calls them, or where they stand. And
 * which commands print secrets, or keep them in a file.
 */

import type { Rule, Secret } from '../rule.ts'
import { type Binding, isAppPassword, isNamedSecret } from '../values/named-value.ts'
import { kindOfName } from '../values/names.ts'
import { shellWords, type Word } from '../values/shell-words.ts'
import { isPlaceholder, isWordy } from '../values/values.ts'

/** Where the password of some programs stands. */
interface CommandRow {
  programs: string
  /** A word that must stand in the command; `needs` of options counts where one of them stands. */
  needs?: RegExp
  /** Options whose next word is a password, or whose own rest is one. */
  options?: string
  /** Options that are glued to it: `-pPASSWORD`. */
  glued?: string
  /** Position of it among the words that are no options, from the one that `needs` matches on, else from the program. */
  position?: number
  /** The word is `user:password`, cut at the first of this. */
  cut?: ':' | '%' | ',' | '/'
}

const rows: readonly CommandRow[] = [
  { programs: 'mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlshow mariadb mariadb-dump mysqlsh', glued: '-p' },
  { programs: 'sshpass', options: '-p', glued: '-p' },
  {
    programs: 'docker podman nerdctl buildah skopeo crane helm oras regctl',
    needs: /^login$/,
    options: '-p --password',
  },
  { programs: 'redis-cli keydb-cli valkey-cli', options: '-a --pass' },
  { programs: 'htpasswd', needs: /^-[a-zA-Z0-9]*b/, position: -1 },
  { programs: 'unzip zip zipcloak zipsplit', options: '-P --password', glued: '-P' },
  { programs: '7z 7za 7zr 7zz rar unrar', glued: '-p -hp' },
  { programs: 'smbclient rpcclient smbmap smbget winexe smbcacls', options: '-U --user', cut: '%' },
  { programs: 'smbmap crackmapexec nxc netexec evil-winrm hydra medusa psexec psexec.exe PsExec winrs', options: '-p' },
  {
    programs: 'ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldappasswd ldapcompare ldapmodrdn',
    options: '-w -s',
  },
  {
    programs: 'mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat mongotop',
    options: '-p --password',
    glued: '-p',
  },
  { programs: 'gh', needs: /^secret$/, options: '--body -b', glued: '-b' },
  { programs: 'sqlcmd bcp osql isql tsql ipmitool', options: '-P', glued: '-P' },
  { programs: 'mosquitto_pub mosquitto_sub mosquitto_rr', options: '-P --pw' },
  { programs: 'xfreerdp xfreerdp3 wlfreerdp rdesktop mstsc cmdkey', options: '-p', glued: '/p: /pass: /pass=' },
  { programs: 'net', needs: /^(?:use|user)$/, position: 2 },
  {
    programs: 'curl',
    options: '-u -su -sSu -ku -ksu -vu -iu --user -U --proxy-user',
    glued: '-u --user= --proxy-user=',
    cut: ':',
  },
  { programs: 'http https xh xhs httpie', options: '-a --auth', glued: '-a --auth=', cut: ':' },
  { programs: 'lftp', options: '-u --user', cut: ',' },
  { programs: 'openssl', options: '-k -K -passin -passout -pass', glued: 'pass:' },
  { programs: 'openssl', needs: /^passwd$/, position: 1 },
  { programs: 'cargo', needs: /^login$/, position: 1 },
  { programs: 'vault', needs: /^(?:login|unseal|unwrap)$/, position: 1 },
  { programs: 'wandb', needs: /^(?:re)?login$/, position: 1 },
  { programs: 'codecov codecovcli', options: '-t' },
  { programs: 'civo', needs: /^(?:save|add)$/, position: 2 },
  { programs: 'snyk', needs: /^auth$/, position: 1 },
  { programs: 'ngrok', needs: /^(?:authtoken|add-authtoken|add-api-key)$/, position: 1 },
  { programs: 'bw', needs: /^login$/, position: 2 },
  { programs: 'bw', needs: /^unlock$/, position: 1 },
  { programs: 'rclone', needs: /^obscure$/, position: 1 },
  { programs: 'tailscale', options: '--authkey --auth-key' },
  { programs: 'rabbitmqctl', needs: /^(?:add_user|change_password|authenticate_user)$/, position: 2 },
  { programs: 'ssh-keygen', options: '-N -P' },
  { programs: 'useradd usermod mkpasswd', options: '-p' },
  { programs: 'twine poetry flit', options: '-p --password' },
  { programs: 'poetry', needs: /^(?:http-basic|pypi-token)\./, position: 2 },
  { programs: 'poetry', needs: /^pypi-token\./, position: 1 },
  { programs: 'nuget choco', needs: /^(?:setapikey|push|apikey)$/i, options: '-k -ApiKey --api-key --key' },
  { programs: 'nuget', needs: /^setapikey$/i, position: 1 },
  { programs: 'dotnet', needs: /^nuget$/, options: '-k --api-key -p --password' },
  { programs: 'az', needs: /^login$/, options: '-p --password' },
  { programs: 'aws', needs: /^(?:put-parameter|create-secret|put-secret-value)$/, options: '--value --secret-string' },
  { programs: 'aws', needs: /^aws_(?:secret_access_key|session_token)$/, position: 1 },
  { programs: 'wpa_passphrase', position: 2 },
  { programs: 'nmcli', needs: /^(?:password|wifi-sec\.psk)$/, position: 1 },
  { programs: 'snmpwalk snmpget snmpset snmpbulkwalk snmpbulkget snmptrap', options: '-A -X' },
  { programs: 'plink pscp psftp putty pageant', options: '-pw' },
  { programs: 'x11vnc', options: '-passwd' },
  { programs: 'cqlsh clickhouse-client influx ncftp ncftpput twurl svn', options: '-p --password -password' },
  { programs: 'radtest', position: 2 },
  { programs: 'db2', needs: /^using$/i, position: 1 },
  { programs: 'sqlplus sqlldr rman expdp impdp sqlcl tnsping', position: 1, cut: '/' },
  { programs: 'jenkins-cli jenkins-cli.jar', options: '-auth', cut: ':' },
  { programs: 'createUser', position: 3 },
  { programs: 'createUser', position: 5 },
  { programs: 'security', needs: /^(?:add|find)-(?:generic|internet)-password$|^unlock-keychain$/, options: '-w -p' },
  { programs: 'caddy', needs: /^hash-password$/, options: '--plaintext -p' },
  { programs: 'pass', needs: /^insert$/, position: 2 },
  { programs: 'ansible ansible-playbook', options: '--vault-password' },
  { programs: 'ConvertTo-SecureString', position: 1 },
  { programs: 'setx', position: 2 },
  { programs: 'dokku heroku fly flyctl railway', needs: /^(?:config:set|secrets)$/, options: '--value' },
  { programs: 'conan', needs: /^(?:login|remote)$/, options: '-p --password' },
  { programs: 'etcdctl', options: '--user', glued: '--user=', cut: ':' },
  { programs: 'snmpwalk snmpget snmpset snmpbulkwalk snmpbulkget snmptrap', options: '-c' },
  { programs: 'signtool', options: '/p' },
  { programs: 'notarytool altool', options: '-p --password' },
  { programs: 'youtube-dl yt-dlp', options: '-p --password' },
  { programs: 'gem', needs: /^push$/, options: '-k --key' },
  { programs: 'newrelic', options: '-k --apiKey --licenseKey' },
  { programs: 'mc', needs: /^(?:set|add)$/, position: 4 },
  { programs: 'net', needs: /^use$/, position: 3 },
  { programs: 'twilio', needs: /^login$/, position: 2 },
]

const byProgram = new Map<string, CommandRow[]>()
for (const row of rows) {
  for (const program of row.programs.split(' ')) {
    // One list a program, filled once when this file is loaded.
    byProgram.set(program, [...(byProgram.get(program) ?? []), row])
  }
}

const minLength = 4
/** What makes a program's name the end of a longer one; other scripts and signs of any kind may stand before it. */
const inName = /[A-Za-z0-9.\u00C0-\u024F]/
const none: readonly Secret[] = []
const maxLine = 640
const prompts = ['$', '%', '#', '❯']
const printers =
  'cat head tail echo printenv op pass bw vault aws gcloud az kubectl security secret-tool gh keyring doppler terraform heroku openssl pwgen docker ssh'.split(
    ' ',
  )
/** A command behind a prompt with one word below. */
const printedLine = /^[$%❯#] [^\n]{3,300}\r?\n[^\s]{6,256}(?=\s*(?:\n|$))/

/** Commands with a password among their words, and those that write one into a file whose name tells so. */
export const commandRules: readonly Rule[] = [
  {
    id: 'command-secret',
    anchors: [...byProgram.keys()].map((program) => `${program} `),
    follows: '\\S',
    read(text, place) {
      if (place > 0 && inName.test(text.charAt(place - 1))) return none
      const [program, ...words] = shellWords(text, place)
      if (program === undefined) return none
      return (byProgram.get(program.text) ?? []).flatMap((row) => secretsOf(row, words))
    },
  },
  {
    // A shell's prompt, a command that prints a secret, and the secret in the line below.
    id: 'named-secret',
    anchors: prompts.flatMap((prompt) => printers.map((program) => `${prompt} ${program} `)),
    read(text, place) {
      const [line = ''] = printedLine.exec(text.slice(place, place + maxLine)) ?? []
      const name = line === '' ? undefined : nameOfPrinted(line)
      const value = /\n(\S+)/.exec(line)?.[1] ?? ''
      const start = place + line.length - value.length
      return name !== undefined && isNamedSecret(value, name) ? [{ start, end: start + value.length, value }] : none
    },
  },
  {
    // `echo … > token.txt`
    id: 'named-secret',
    anchors: ['echo ', 'printf ', 'Write-Output '],
    follows: '[^\\n]{6,400}',
    pattern:
      /(?:echo|printf|Write-Output)(?: -[neE]{1,3}| ["']%s(?:\\n)?["'])* {1,3}["']?(?<secret>[^\s"'<>|]{6,256})["']? {0,3}(?:>{1,2}|\| {0,3}(?:sudo )?tee(?: -a)?) {0,3}["']?(?<name>[^\s"'<>|;&()]{2,200})/y,
    isSecret: isKept,
  },
  {
    // `cat > .vault_pass <<EOF` with the value below
    id: 'named-secret',
    anchors: ['cat >', 'tee '],
    pattern:
      /(?:cat >{1,2}|tee(?: -a)?) {0,3}["']?(?<name>[^\s"'<>|;&()]{2,200})["']? {0,3}(?:> ?\/dev\/null {0,3})?<<[ -]?["']?(?<tag>\w{1,40})["']?\r?\n[ \t]*(?<secret>\S{6,256})(?=\r?\n[ \t]*\k<tag>)/y,
    isSecret: isKept,
  },
  {
    // `cat <<EOF > .vault_pass`
    id: 'named-secret',
    anchors: ['cat <<'],
    pattern:
      /cat <<[ -]?["']?(?<tag>\w{1,40})["']? {0,3}(?:>{1,2}|\| {0,3}(?:sudo )?tee(?: -a)?) {0,3}["']?(?<name>[^\s"'<>|;&()]{2,200})["']?\r?\n[ \t]*(?<secret>\S{6,256})(?=\r?\n[ \t]*\k<tag>)/y,
    isSecret: isKept,
  },
]

function secretsOf(row: CommandRow, words: readonly Word[]): Secret[] {
  const { needs, position, cut } = row
  const from = needs === undefined ? 0 : words.findIndex(({ text }) => needs.test(text)) + 1
  if (needs !== undefined && from === 0) return []
  const found = words.flatMap((word, index) => behindOptions(row, word, words[index + 1]))
  if (position !== undefined) {
    const plain = words.slice(from).filter(({ text }) => !/^[-/]/.test(text))
    const word = plain.at(position < 0 ? position : position - 1)
    if (word !== undefined) found.push(word)
  }
  return found.flatMap((word) => secretIn(word, cut))
}

/** The passwords that an option gives: in the next word, behind `=`, or right behind the option. */
function behindOptions({ options = '', glued = '' }: CommandRow, word: Word, next: Word | undefined): Word[] {
  const names = options.split(' ')
  const heads = [...glued.split(' '), ...names.filter((name) => name.startsWith('--')).map((name) => `${name}=`)]
  const head = heads.find((sign) => sign !== '' && word.text.startsWith(sign) && word.text.length > sign.length)
  return [
    ...(names.includes(word.text) && next !== undefined ? [next] : []),
    ...(head === undefined ? [] : [withoutHead(word, head.length)]),
  ]
}

function withoutHead({ start, end, text }: Word, length: number): Word {
  const [quote = ''] = /^["']/.exec(text.slice(length)) ?? []
  const after = quote !== '' && text.endsWith(quote) ? 1 : 0
  return {
    start: start + length + quote.length,
    end: end - after,
    text: text.slice(length + quote.length, text.length - after),
  }
}

function secretIn(given: Word, cut: CommandRow['cut']): Secret[] {
  const { start, text } = withoutKind(given)
  const at = cut === undefined ? 0 : text.indexOf(cut) + 1
  if (cut !== undefined && (at === 0 || /^\w+:\/\//.test(text))) return []
  const value = cut === '/' ? text.slice(at).replace(/@[\w./:"]*$/, '') : text.slice(at)
  return isPassword(value) ? [{ start: start + at, end: start + at + value.length, value }] : []
}

/** No option, path, number or word: commands take these, too. */
function isPassword(value: string): boolean {
  if (value.length < minLength || isPlaceholder(value) || /^(?:\d+|-.*|\/.*|\*)$/.test(value)) return false
  return /\d/.test(value) || !isWordy(value) || isAppPassword(value)
}

/** A word without the head that openssl puts before passwords. */
function withoutKind(word: Word): Word {
  return /^(?:pass|str):/.test(word.text) ? withoutHead(word, word.text.indexOf(':') + 1) : word
}

// What a command prints, and what a file holds.

/** Programs that print what they keep secret, or what they made up to be a secret. */
const printing =
  /(?<![\w./-])(?:op (?:read|item get)|(?:go)?pass show|bw get|vault (?:kv get|read)|aws (?:secretsmanager get-secret-value|ssm get-parameters?)|gcloud (?:secrets versions access|auth (?:application-default )?print-\w{2,10}-token)|az (?:keyvault secret show|account get-access-token)|(?:kubectl|oc|k) [^\n|;]{0,80}(?:get secrets?|extract secret)|security find-(?:generic|internet)-password|secret-tool lookup|(?:gh|glab) auth token|keyring get|chamber read|doppler secrets get|infisical secrets get|sops (?:-d|--decrypt|decrypt)|ansible-vault (?:view|decrypt)|gpg2? [^\n|;]{0,80}(?:-d|--decrypt)|age (?:-d|--decrypt)|openssl rand|pwgen|mkpasswd|apg|xkcdpass)(?![\w-])/
/** What leaves nothing of an object but its values and their names. */
const unfolding = /template|jsonpath|custom-columns|base64 (?:-d|-D|--decode)|@base64d|\.(?:stringD|d)ata\b/
/** Words whose next one says what is printed: a variable, a setting, an output of a state. */
const named =
  /(?:(?<![\w./-])(?:printenv|config:get|output -raw|config get|config --get)[ \t]{1,4}|(?<![\w./-])(?:echo|printf|Write-(?:Output|Host))[ \t][^\n;|&]{0,80}?\$\{?(?:env:)?|(?:^|[;\n])[ \t]{0,4}\$env:|-(?:p|e|pe|c|r)[ \t]{1,2}["']?(?:[^\n"']{0,60}print(?:ln)?\()?(?:process\.env\.|[^\n]{0,40}(?:environ|getenv|ENV)[.getv]{0,5}[[(]["']))["']?(?<name>[A-Za-z_/][\w./:-]{1,80})/g
/** Programs that print files; one file with another ending than that of a text is source code or the like. */
const reading =
  /(?:(?<![\w./-])(?:cat|head|tail|less|more|bat|type|gc|Get-Content)(?: -{1,2}[\w-]{1,12}(?:[ =]\d{1,6})?)*[ \t]{1,4}|(?<=[ \t])<[ \t]?)["']?(?<file>[^\s"'<>|;&()]{2,200})(?!>)/g

/** As what the lines that a command prints are judged. */
export interface Printed {
  name: string
  /** What a program picks out of something else may be anything: only what is random counts. */
  binding: Binding
  /** The same for values behind a key, where a program prints all that it keeps under a name. */
  pairs?: Binding
}

/** Programs that pick something out of files, answers and tables, and the words of what they pick. */
const picking =
  /(?<![\w./-])(?:jq|yq|dasel|e?grep|rg|ag|g?awk|sed|cut|psql|mysql|sqlite3|node|deno|bun|python3?|ruby|php|perl|redis-cli|plutil|defaults|xmllint|crudini|\$env:\w{2,80}|Get-ChildItem|gci)(?![\w-])/
/** Programs that print what somebody copied, be it what it may. */
const clipboard = /(?<![\w./-])(?:pbpaste|xclip -o|xsel|wl-paste|Get-Clipboard)(?![\w-])/
const pickedName = /[A-Za-z_][\w-]{2,60}/g
const maxPicking = 2000

/** As what the lines that a command prints are judged; nothing where it prints no secret, as far as its words tell. */
export function namesOfPrinted(script: string): Printed | undefined {
  const name = nameOfPrinted(script)
  if (name !== undefined && !printing.test(script)) return { name, binding: 'firm' }
  if (name !== undefined) return { name, binding: 'firm', pairs: unfolding.test(script) ? 'firm' : 'loose' }
  if (script.length > maxPicking) return undefined
  if (clipboard.test(script)) return { name: 'password', binding: 'loose' }
  if (!picking.test(script)) return undefined
  const picked = script.match(pickedName)?.find(isTelling)
  return picked === undefined ? undefined : { name: picked, binding: 'loose' }
}

/** The name of a secret that a command prints and nothing else. */
function nameOfPrinted(script: string): string | undefined {
  if (printing.test(script)) return 'password'
  for (const { groups } of script.matchAll(named)) {
    const name = groups?.['name'] ?? ''
    if (isTelling(name)) return name
  }
  for (const { groups } of script.matchAll(reading)) {
    const name = nameOfFile(groups?.['file'] ?? '')
    if (name !== undefined) return name
  }
  return undefined
}

function isTelling(name: string): boolean {
  const kind = kindOfName(name)
  return kind === 'password' || kind === 'secret'
}

const inSecrets = /(?:^|[\\/])\.?secrets?[\\/][\w-]{1,80}$/

/** By what name the lines of a file are judged that holds nothing but a secret: `.vault_pass`, `/run/secrets/db`, `token.txt`. */
export function nameOfFile(path: string): string | undefined {
  if (/(?:^|[\\/])etc[\\/]passwd/.test(path)) return undefined
  const base = path
    .replace(/^.*[\\/]/, '')
    .replace(/\.key$/i, '_key')
    .replace(/\.(?:txt|pass|pw|secret|token)$/i, '')
  if (inSecrets.test(path)) return 'password'
  return /^\.?[\w-]{2,80}$/.test(base) && isTelling(base.replace(/^\./, '')) ? base : undefined
}

function isKept(value: string, path: string): boolean {
  const name = nameOfFile(path)
  return name !== undefined && isNamedSecret(value, name)
}
