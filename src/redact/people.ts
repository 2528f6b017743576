/** Who works in a session, and on which machines: learned from its folders and shell prompts, and found again. */

import type { PersonalPolicy } from '../config/personal.ts'

/** Personal data at a place of a text. Without `instead` it gets a mark. */
export interface PersonalFinding {
  start: number
  end: number
  rule: 'user-name' | 'host-name' | 'email'
  instead?: string
}

/** A part of a text, `end` exclusive. */
interface Part {
  start: number
  end: number
}

/** What is known of one session so far. */
export interface People {
  /** Learns the user's name from a folder inside a home folder. */
  learn: (folder: string) => void
  /**
   * Personal data of a text that depend on what is known. Prompts in it add to that. What stands wholly inside a part of
   * `covered`, parts that go anyway in order of their beginnings, need not be told.
   */
  find: (text: string, covered?: readonly Part[]) => PersonalFinding[]
  /** Number of names that are known. */
  readonly size: number
}

/** So many names are enough for one session; each costs a search over every text. */
const maxNames = 12
const home = /(?:^|[^\w.~-])(?:\/home|\/Users|[\\/]Users|Documents and Settings)[\\/]+([^\\/"`<>:;,|*?\r\n]{1,64})/giu

/** Nobody known yet. `policy` says what is looked for. */
export function people(policy: Pick<PersonalPolicy, 'names' | 'emails'>): People {
  const [names, hosts] = [new Set<string>(), new Set<string>()]
  const full = new Map<string, FullName>()
  const known: Known = { names, full, hosts, policy }
  return {
    learn(folder) {
      for (const [, name = ''] of folder.matchAll(home)) addNames(name, known)
    },
    find(text, covered = none) {
      const found: PersonalFinding[] = []
      if (policy.names || policy.emails) findAroundAt(text, known, found)
      if (!policy.names) return found
      for (const name of names) findUser(text, name, covered, found)
      for (const name of full.values()) findFullName(text, name, found)
      for (const name of hosts) findHost(text, name, found)
      return found
    },
    get size() {
      return names.size + full.size + hosts.size
    },
  }
}

const none: readonly Part[] = []

/** A name of several words. */
interface FullName {
  spellings: RegExp
  /** No word of it is an ordinary one: put together by other signs than blanks, it is that name too, wherever it stands. */
  isSure: boolean
}

interface Known {
  names: Set<string>
  /** Names of several words. */
  full: Map<string, FullName>
  hosts: Set<string>
  policy: Pick<PersonalPolicy, 'names' | 'emails'>
}

/** Adds the name of a home folder: one of several words as a whole too. */
function addNames(name: string, known: Known): void {
  const words = name.trim().split(/\s+/)
  addName(words[0] ?? '', known)
  const { full } = known
  if (words.length < 2 || full.size >= maxNames || !isFullName(words)) return
  full.set(name, { spellings: spellingsOf(words), isSure: words.every(isPersonalName) })
}

/** What stands between the words of a name: in paths, addresses, shells, and in names of files that are made of paths. */
const gap = '(?:[ ._+-]|\\\\{1,8} |%(?:25){0,3}20|&#32;)'

/** A name in every spelling, of any case: systems whose names have blanks do not tell cases apart. */
function spellingsOf(words: readonly string[]): RegExp {
  const source = words.map((word) => word.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')).join(gap)
  return new RegExp(`(?<![\\p{L}\\p{N}])${source}(?![\\p{L}\\p{N}])`, 'giu')
}

function findFullName(text: string, { spellings, isSure }: FullName, found: PersonalFinding[]): void {
  for (const { 0: name, index } of text.matchAll(spellings)) {
    if (isSure || /[ %&]/.test(name) || isUserPlace(text, index, index + name.length))
      found.push(userFinding(index, name))
  }
}

function addName(name: string, { names }: Known): void {
  if (names.size < maxNames && isPersonalName(name)) names.add(name)
}

function findAroundAt(text: string, known: Known, found: PersonalFinding[]): void {
  findPrompts(text, '㉿', known, found)
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const prompt = known.policy.names ? promptAt(text, at) : undefined
    if (prompt !== undefined) takePrompt(prompt, known, found)
    else if (known.policy.emails) {
      const address = addressAt(text, at)
      if (address !== undefined) found.push({ ...address, rule: 'email' })
    }
  }
}

/** Prompts with another sign than `@`, as that of Kali. */
function findPrompts(text: string, sign: string, known: Known, found: PersonalFinding[]): void {
  if (!known.policy.names) return
  for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1)) {
    const prompt = promptAt(text, at)
    if (prompt !== undefined) takePrompt(prompt, known, found)
  }
}

function takePrompt({ user, userAt, host, hostAt }: Prompt, known: Known, found: PersonalFinding[]): void {
  if (isPersonalName(user)) {
    addName(user, known)
    found.push(userFinding(userAt, user))
  }
  if (!isTellingHost(host)) return
  if (known.hosts.size < maxNames) known.hosts.add(host)
  found.push(hostFinding(hostAt, host))
}

/** Most names stand in home folders, which go as a whole. */
function findUser(text: string, name: string, covered: readonly Part[], found: PersonalFinding[]): void {
  let part = 0
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + name.length)) {
    const end = at + name.length
    if (text[end] === ':') findAccount(text, at, end, found)
    while (part < covered.length && (covered[part]?.end ?? 0) < end) part++
    if ((covered[part]?.start ?? end) <= at) continue
    if (!standsAlone(text, at, end, inWord) || !isUserPlace(text, at, end)) continue
    found.push(userFinding(at, name))
  }
}

/** What a user is called in full, in a file of accounts. */
function findAccount(text: string, start: number, end: number, found: PersonalFinding[]): void {
  const [account = '', full = ''] = groupsAt(accountLine, text, end) ?? []
  if (full !== '' && standsAlone(text, start, end, inWord))
    found.push(userFinding(end + account.length - full.length, full))
}

/** What stands behind the name in a file of accounts, up to what the user is called in full. */
const accountLine = /:[^:\s]{0,128}:\d{1,10}:\d{1,10}:([\p{L}][^:,\r\n]{1,63})(?=[:,])/uy

function findHost(text: string, name: string, found: PersonalFinding[]): void {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + name.length)) {
    if (!standsAlone(text, at, at + name.length, inHost)) continue
    if (isDistinctHost(name) || /[\w.-]@$/.test(text.slice(Math.max(0, at - 2), at))) found.push(hostFinding(at, name))
  }
}

const letterOrDigit = /[\p{L}\p{N}]/u
const inWord = '_'
const inHost = '_-'

/** Whether a name is not inside a word, of letters, digits and some `signs`. */
function standsAlone(text: string, start: number, end: number, signs: string): boolean {
  return !isInside(text, start - 1, signs) && !isInside(text, end, signs)
}

/** Whether a letter, a digit or one of some `signs` stands at a place; nothing stands beyond the ends of a text. */
function isInside(text: string, at: number, signs: string): boolean {
  if (at < 0 || at >= text.length) return false
  const code = text.charCodeAt(at)
  // Engines need big tables for letters of all scripts, and a call for each test.
  if (code >= 128) return letterOrDigit.test(text.charAt(at))
  return (
    (code >= 97 && code <= 122) ||
    (code >= 48 && code <= 90 && (code <= 57 || code >= 65)) ||
    signs.includes(text.charAt(at))
  )
}

function userFinding(start: number, name: string): PersonalFinding {
  return { start, end: start + name.length, rule: 'user-name', instead: 'user' }
}

function hostFinding(start: number, name: string): PersonalFinding {
  return { start, end: start + name.length, rule: 'host-name', instead: 'host' }
}

// Where a name stands for a user: the same letters elsewhere are a word like any other.

/** A place by what stands right before and right behind the name. */
interface NameContext {
  before: RegExp
  after: RegExp
}

/** Lines of a diff have a sign before them. */
const lineStart = /(?:^|[\r\n])[+-]?$/
const anything = /^/

const nameContexts: readonly NameContext[] = [
  // Before a host, but not in an e-mail address: that is for a rule of its own.
  { before: /(?:^|[\s"'`([{<=,;|─]|(?:^|[\r\n])[+-])$/, after: /^[@㉿](?:[\w-]+(?![\w.-])|[\w.-]{1,250}:[^\s])/ },
  { before: /\b(?:USER|LOGNAME|USERNAME|SUDO_USER)["']?[=:]\s{0,2}["']?$/, after: /^(?![\w-])/ },
  // `uid=1000(ada) gid=1000(ada)`
  { before: /[=,]\d{1,10}\($/, after: /^\)/ },
  // Owner and group of a long listing, behind the number of links, a size or neither.
  {
    before: /[rwxsStT-]{9}[.+@]?\s{1,4}(?:(?:[\d.]{1,9}[A-Za-z]{0,2}|-)\s{1,8})?(?:[\w.-]{1,32}\s{1,8})?$/,
    after: /^\s/,
  },
  // A line of its own: what `whoami` prints.
  { before: lineStart, after: /^\s*?(?:\r?\n|$)/ },
  // Files of accounts: `ada:x:1000:`, `ada:100000:65536`, and members of a group.
  { before: /(?<![\w.-])$/, after: /^:(?:[x!*]{1,2}|\$[^:\s]{1,128}):\d{1,10}:/ },
  { before: lineStart, after: /^:\d{1,10}:\d{1,10}\s*?(?:\r?\n|$)/ },
  { before: /(?<![\w.-])[\w-]{1,32}:[x!*]{0,2}:\d{1,10}:(?:[\w.-]{1,32},){0,8}$/, after: /^(?![\w.-])/ },
  // The first column of a list of processes.
  { before: lineStart, after: /^\s{1,16}\d{1,8}\s{1,6}\d{1,3}\.\d\s/ },
  // Behind the number of a process: those of `top`, of `lsof` and of `fuser`.
  { before: /\d\s{1,4}$/, after: /^\s{1,8}(?:\d{1,3}|rt)\s{1,4}-?\d{1,3}\s{1,6}[\d.]{1,8}[kmgtKMGT]?\s/ },
  { before: /\d\s{1,4}$/, after: /^\s{1,4}\w{1,6}\s{1,4}(?:IPv[46]|REG|DIR|CHR|FIFO|PIPE|unix|sock|KQUEUE|a_inode)\s/ },
  { before: /\d[a-zA-Z]{0,5}\($/, after: /^\)/ },
  { before: /\b(?:su(?: -l?)?|sudo -u|chown(?: -[A-Za-z]{1,4})?|--user|--owner)[ =]$/, after: /^(?![\w.-])/ },
  { before: /\bchown(?: -[A-Za-z]{1,4})? [\w.-]{1,32}:$/, after: /^(?![\w.-])/ },
  { before: /(?:^|[\s"'`=:(])~$/, after: /^(?![\w.-])/ },
  // Whom a program logs in, be it at an address with dots.
  {
    before:
      /\b(?:ssh|sftp|mosh|ssh-copy-id|sshfs|autossh)(?: -\w{1,3}(?: [^\s-]\S{0,40})?){0,4} $|\b(?:ssh|sftp|git\+ssh|svn\+ssh|rsync|smb|ftps?|vnc|rdp):\/\/$/,
    after: /^[@:]/,
  },
  { before: /(?:\[sudo\] password|\bcrontab|\bsession (?:opened|closed)) for (?:user )?$/, after: /^(?![\w-])/ },
  { before: /\buser\.name[= ]["']?$/, after: /^(?![\w-])/ },
  { before: /\b(?:Author|Commit(?:ter)?):\s{1,5}$/, after: /^ </ },
  // A home folder without its first slash: in archives, and in names that bundlers give to files.
  { before: /(?:^|[\s"'`(=:]|\/\/\/)(?:\.\/)?(?:home|Users)\/$/, after: /^(?![\w.-])/ },
  // A folder whose name is a path with its slashes replaced.
  { before: /-(?:home|Users)-$/, after: anything },
]

/** Characters that end a path, seen from its end. */
const outside = /[\s"'`<>()[\]{}=:,;|*?]/

/** How a path on Windows begins; a user's name may hold blanks. */
const windowsPath = /(?<!\w)[A-Za-z]:(?:[\\/]Users[\\/][^\\/:*?"<>|\r\n]{1,64} )?$/i

/** Characters before and behind a name that decide. */
const reach = 96

/** Whether the name from `start` to `end` of a text stands for a user. */
function isUserPlace(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - reach), start)
  const after = text.slice(end, end + reach)
  return isPathPart(before, after) || nameContexts.some((place) => place.before.test(before) && place.after.test(after))
}

/** Whether a name is a whole part of an absolute path. Parts of addresses are none. */
function isPathPart(before: string, after: string): boolean {
  if (!/[/\\]$/.test(before) || isInside(after, 0, '_~-') || (after[0] === '.' && isInside(after, 1, inWord)))
    return false
  let begin = before.length
  while (begin > 0 && !outside.test(before.charAt(begin - 1))) begin--
  if (begin === 0 && before.length === reach) return false
  const outer = before.slice(0, begin)
  const path = before.slice(begin).replace(lineStart.test(outer) ? /^[+-]/ : '', '')
  if (windowsPath.test(outer)) return true
  return !/[\])}]$/.test(outer) && /^(?:\/(?!\/)|~[\w.-]*[/\\]|\\{2,64}[\w.-]+\\)/.test(path)
}

// Names that tell nothing of a person or a machine: of accounts that systems and images bring along, and plain words.

const accounts =
  'admin administrator apache app azureuser backup bin build builder centos ci circleci code coder codespace codex container daemon data debian default deploy deployer dev developer docker docs ec2-user everyone fedora ftp games gitpod git github gitlab guest home host http jenkins kali local localhost login mail main master me mysql name nginx nobody node none notebook ops oracle owner pi postgres project projects public python redis root rootless runner sandbox server service shared site source src staff student support sync sys system team temp test tester tmp ubuntu user username users vagrant vscode web webapp wheel work worker workspace www www-data you'

const ordinary: ReadonlySet<string> = new Set(accounts.split(' '))

/** Whether a user name may be a person's: three characters or more, and no ordinary word. */
function isPersonalName(name: string): boolean {
  return /^[\p{L}_][\p{L}\p{N}_.-]{2,31}$/u.test(name) && !ordinary.has(name.toLowerCase())
}

/** Whether the words of a folder's name may be those of a person: `Ada Marsh`, not `All Users`. */
function isFullName(words: readonly string[]): boolean {
  const isNamed = (word: string): boolean => isPersonalName(word) && word.toLowerCase() !== 'all'
  return words.length <= 5 && words.every((word) => /^[\p{L}\p{N}(]/u.test(word)) && words.some(isNamed)
}

/** Whether a host name tells of a machine. */
function isTellingHost(host: string): boolean {
  return host.length >= 2 && !ordinary.has(host.toLowerCase())
}

/** Whether a host name is like no word of a language, so that it is known wherever it stands: `web-1`, `mac.lan`. */
function isDistinctHost(host: string): boolean {
  return host.length >= 4 && /[\d.-]/.test(host) && /[A-Za-z]/.test(host)
}

// Shell prompts and e-mail addresses: what stands around an `@`.

/** A shell prompt: who works on which machine. Places are those of the names in the text. */
interface Prompt {
  user: string
  userAt: number
  host: string
  hostAt: number
}

/** Part of an address before or behind the `@`: places are those of the whole. */
export interface Address {
  start: number
  end: number
}

const host = /[A-Za-z0-9](?:[\w.-]{0,200}[A-Za-z0-9])?/y

/** How prompts begin before the user and go on behind the host: those of bash, of Fedora, of zsh and of fish. */
const shapes: readonly { before: RegExp; after: RegExp }[] = [
  { before: /(?:^|[\s[(>]|(?:^|[\r\n])[+-])$/, after: /:(?:~|\/)[^\s$#%]{0,200}[$#%](?=\s|$)/y },
  { before: /(?:^|[\s>+-])\[$/, after: / [^\s\]]{1,80}\][$#%](?=\s|$)/y },
  { before: /(?:^|[\r\n])[+-]?(?:\([\w.-]{1,32}\) )?$/, after: / (?:~|[\w./-]{1,80}) [%#$](?=\s|$)/y },
  // Of two lines, drawn as a box.
  { before: /[╭┌][─-]{1,3}[[(]{0,2}$/, after: /[\])]?[\s\]─-][^\n]{0,160}\r?\n[+-]?[╰└]/y },
  // That of fish, with a branch.
  { before: /(?:^|[\s[(>]|(?:^|[\r\n])[+-])$/, after: / [~/][^\s>]{0,200}(?: \([^()\n]{1,80}\))?[>#](?=\s|$)/y },
]

/** The prompt with its `@` at a place of a text, where one stands there. */
function promptAt(text: string, at: number): Prompt | undefined {
  const user = /(?<![\w.-])[A-Za-z_][\w.-]{0,31}$/.exec(text.slice(Math.max(0, at - 33), at))?.[0]
  const found = user === undefined ? undefined : matchAt(host, text, at + 1)
  if (user === undefined || found === undefined) return undefined
  const [userAt, hostAt] = [at - user.length, at + 1]
  const before = text.slice(Math.max(0, userAt - 40), userAt)
  const isPrompt = shapes.some(
    (shape) => matchAt(shape.after, text, hostAt + found.length) !== undefined && shape.before.test(before),
  )
  return isPrompt ? { user, userAt, host: found, hostAt } : undefined
}

const local = /(?<![\w.%+-])[\w%+](?:[\w.%+-]{0,62}[\w%+-])?$/
const domain = /(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,6}([A-Za-z]{2,24})(?![\w-]|\.\w)/y
/** `icon@2x.png` is a file, and `left-pad@1.3.0.tgz` a package. */
const fileEnds =
  /^(?:png|jpe?g|gif|webp|svg|ico|css|s[ac]ss|[cm]?[jt]sx?|json|html?|md|map|tgz|zip|gz|lock|patch|whl)$/i

/** The e-mail address with its `@` at a place of a text, where one stands there. Addresses of repositories are none. */
function addressAt(text: string, at: number): Address | undefined {
  const own = local.exec(text.slice(Math.max(0, at - 65), at))?.[0]
  const found = own === undefined ? undefined : matchAt(domain, text, at + 1)
  if (own === undefined || found === undefined) return undefined
  const [start, end] = [at - own.length, at + 1 + found.length]
  const isFile = fileEnds.test(found.slice(found.lastIndexOf('.') + 1)) || /^\d+\.\d/.test(found)
  const isRemote = own === 'git' || /^:\S/.test(text.slice(end, end + 2)) || /[/:]/.test(text.charAt(start - 1))
  return isFile || (isRemote && !/mailto:$/i.test(text.slice(Math.max(0, start - 7), start)))
    ? undefined
    : { start, end }
}

function matchAt(pattern: RegExp, text: string, place: number): string | undefined {
  return groupsAt(pattern, text, place)?.[0]
}

function groupsAt(pattern: RegExp, text: string, place: number): RegExpExecArray | undefined {
  pattern.lastIndex = place
  return pattern.exec(text) ?? undefined
}
