/** Who works in a session, and on which machines: learned from its folders and shell prompts, then found again. */

import type { PersonalPolicy } from '../../config/personal.ts'
import { detached } from '../../util/json.ts'
import { isInTable, type Table, tablesIn } from './columns.ts'
import {
  hostPunctuation,
  isDistinctHost,
  isFullName,
  isPersonalHost,
  isPersonalName,
  isStandalone,
  privateDomain,
  wordPunctuation,
} from './names.ts'
import { matchAt, type Prompt, promptAt, promptPunctuation } from './prompts.ts'
import { isUserPlace } from './user-places.ts'

/** Personal data in a text. Without `replacement` it gets a mark. */
interface PersonalFinding {
  start: number
  end: number
  rule: 'user-name' | 'host-name' | 'email'
  replacement?: string
}

/** A part of a text, `end` exclusive. */
interface Part {
  start: number
  end: number
}

/** What is known about one session so far. */
export interface People {
  /** Learns the user's name from a folder inside a home folder. */
  learn: (folder: string) => void
  /** Learns the name of a machine. */
  learnHost: (host: string) => void
  /**
   * Finds personal data that depends on what is known, and learns from prompts in the text. What is wholly inside a part of
   * `covered` need not be reported: those parts, ordered by their beginnings, are replaced anyway.
   */
  find: (text: string, covered?: readonly Part[]) => PersonalFinding[]
  /** Number of names that are known. */
  readonly size: number
}

/** At most this many names are kept for one session, because each costs a search of every text. */
const maxNames = 50
const home =
  /(?:^|[^\w.~-])(?<parent>\/home|\/Users|[\\/]Users|Documents and Settings)[\\/]+(?<name>[^\\/"`<>:;,|*?\r\n]{1,64})/giu

/** Creates a state in which nobody is known yet. `policy` says what is looked for. */
export function people(policy: Pick<PersonalPolicy, 'names' | 'emails'>): People {
  const [names, hosts] = [new Map<string, readonly string[]>(), new Set<string>()]
  const full = new Map<string, FullName>()
  const known: Known = { names, full, hosts, policy }
  return {
    learn(folder) {
      for (const { groups } of folder.matchAll(home))
        addNames(groups?.['name'] ?? '', !/home$/i.test(groups?.['parent'] ?? ''), known)
    },
    learnHost: (host) => addHost(host, known),
    find(text, covered = none) {
      const found: PersonalFinding[] = []
      if (policy.names || policy.emails) findAroundAt(text, known, found)
      if (!policy.names) return found
      const tables = userTables(text)
      for (const name of [...names.values()].flat()) findUser({ text, covered, tables }, name, known, found)
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
  /** None of its words is ordinary, so it is that name even if other characters than spaces join them, wherever it occurs. */
  isSure: boolean
}

interface Known {
  /** Names of users, each with its spellings. */
  names: Map<string, readonly string[]>
  /** Names of several words. */
  full: Map<string, FullName>
  hosts: Set<string>
  policy: Pick<PersonalPolicy, 'names' | 'emails'>
}

/** Adds the name of a home folder; if it has several words, also as a whole. Windows and macOS ignore case. */
function addNames(name: string, ignoresCase: boolean, known: Known): void {
  const words = name.trim().split(/\s+/)
  const [first = ''] = words
  addName(first, known, ignoresCase ? [...new Set([first, first.toLowerCase(), capitalized(first)])] : [first])
  const { full } = known
  if (words.length < 2 || full.size >= maxNames || !isFullName(words)) return
  full.set(name, { spellings: spellingsOf(words), isSure: words.every(isPersonalName) })
}

/** What may be between the words of a name: in paths, addresses, shells, and in names of files that are made from paths. */
const gap = '(?:[ ._+-]|\\\\{1,8} |%(?:25){0,3}20|&#32;)'

/** Matches a name in every spelling, in any case, because systems that allow spaces in names ignore case. */
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

function addName(name: string, { names }: Known, spellings: readonly string[] = [name]): void {
  if (!isPersonalName(name) || (names.get(name)?.length ?? 0) >= spellings.length) return
  if (names.size < maxNames || names.has(name)) names.set(detached(name), spellings.map(detached))
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

function findAroundAt(text: string, known: Known, found: PersonalFinding[]): void {
  const { names, emails } = known.policy
  findPrompts(text, promptPunctuation[1], known, found)
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const prompt = names ? promptAt(text, at) : undefined
    const address = prompt === undefined && emails ? addressAt(text, at) : undefined
    if (prompt !== undefined) addPrompt(prompt, known, found)
    else if (address !== undefined) found.push({ ...address, rule: 'email' })
    else if (names) findPrivateHost(text, at, known, found)
    if (names && rootBefore.test(text.slice(Math.max(0, at - 6), at))) findOwnHost(text, at, at, known, found)
  }
}

const rootBefore = /(?:(?:^|[\r\n])-?|[^\w.-])root$/

/** A machine of a private network, as it appears in addresses. */
const privateHost = new RegExp(String.raw`@[A-Za-z0-9][\w-]{1,62}${privateDomain}(?![\w-]|\.\w)`, 'y')

function findPrivateHost(text: string, at: number, known: Known, found: PersonalFinding[]): void {
  const host = matchAt(privateHost, text, at)?.slice(1)
  if (host === undefined) return
  addHost(host, known)
  found.push(hostFinding(at + 1, host))
}

/** Finds prompts with a sign other than `@`, such as Kali's. */
function findPrompts(text: string, sign: string, known: Known, found: PersonalFinding[]): void {
  if (!known.policy.names) return
  for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1)) {
    const prompt = promptAt(text, at)
    if (prompt !== undefined) addPrompt(prompt, known, found)
  }
}

function addPrompt({ user, userAt, host, hostAt }: Prompt, known: Known, found: PersonalFinding[]): void {
  if (isPersonalName(user)) {
    addName(user, known)
    found.push(userFinding(userAt, user))
  }
  if (!isPersonalHost(host)) return
  addHost(host, known)
  found.push(hostFinding(hostAt, host))
}

/** Adds the name of a machine, and the same without the domain of a private network. */
function addHost(host: string, { hosts }: Known): void {
  // A copy that does not keep the text it was cut from in memory.
  for (const name of [host, host.replace(endOfPrivate, '')])
    if (hosts.size < maxNames && !hosts.has(name)) hosts.add(detached(name))
}

const endOfPrivate = new RegExp(`${privateDomain}$`)

/** Most names are in home folders, which are replaced as a whole. */
function findUser(searched: SearchedText, name: string, known: Known, found: PersonalFinding[]): void {
  const { text, covered } = searched
  let part = 0
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + name.length)) {
    const end = at + name.length
    if (text[end] === ':') findAccount(text, at, end, found)
    // The machine beside a name that is replaced anyway is not.
    if (ownHostFollows.test(text.slice(end, end + 2)) && isStandalone(text, at, end, wordPunctuation))
      findOwnHost(text, at, end, known, found)
    while (part < covered.length && (covered[part]?.end ?? 0) < end) part++
    if ((covered[part]?.start ?? end) > at) findUserAt(searched, at, end, found)
  }
}

function findUserAt({ text, tables }: SearchedText, start: number, end: number, found: PersonalFinding[]): void {
  if (isUserPlace(text, start, end) || isInTable(text, start, end, tables()))
    found.push(userFinding(start, text.slice(start, end)))
}

/** A text with what else is known about it. */
interface SearchedText {
  text: string
  covered: readonly Part[]
  /** The tables with columns of users. */
  tables: () => readonly Table[]
}

/** The tables of a text, which are looked for only if somebody asks for them. */
function userTables(text: string): () => readonly Table[] {
  let tables: readonly Table[] | undefined
  return () => {
    tables ??= tablesIn(text)
    return tables
  }
}

const ownHostFollows = /^(?:'\\|["'`]?@|\$| [@i])/
/** A machine without a domain, as programs name those of a private network after a user, and two prompts. */
const afterUser =
  /(?:["'`]?@["'`]?|'\\''@'\\''| @ (?=[\w-]+ in )| in 🌐 ?)(?<host>[A-Za-z][\w-]{1,62})(?![\w-]|\.[A-Za-z])/y
/** How prompts of macOS begin: the machine, the folder, the user. */
const beforeUser = /(?:^|[\r\n])[+-]?(?<host>[A-Za-z0-9][\w.-]{1,62}):(?<folder>[^\s:$]{1,80} )$/

/** Finds the machine of a user where both are together, if it looks like no word: `ada@quill-1`, `quill-1:shop ada$`. */
function findOwnHost(text: string, start: number, end: number, known: Known, found: PersonalFinding[]): void {
  const after = groupsAt(afterUser, text, end)?.groups?.['host']
  const at = after === undefined ? 0 : text.indexOf(after, end)
  if (after !== undefined) addOwnHost(after, at, known, found)
  if (text[end] !== '$') return
  const { host = '', folder = '' } = beforeUser.exec(text.slice(Math.max(0, start - 160), start))?.groups ?? {}
  addOwnHost(host, start - folder.length - 1 - host.length, known, found)
}

function addOwnHost(host: string, at: number, known: Known, found: PersonalFinding[]): void {
  if (!isDistinctHost(host) || !isPersonalHost(host)) return
  addHost(host, known)
  found.push(hostFinding(at, host))
}

/** Finds a user's full name in a file of accounts. */
function findAccount(text: string, start: number, end: number, found: PersonalFinding[]): void {
  const [account = '', full = ''] = groupsAt(accountLine, text, end) ?? []
  if (full !== '' && isStandalone(text, start, end, wordPunctuation))
    found.push(userFinding(end + account.length - full.length, full))
}

/** What follows the name in a file of accounts, including the user's full name. */
const accountLine = /:[^:\s]{0,128}:\d{1,10}:\d{1,10}:([\p{L}][^:,\r\n]{1,63})(?=[:,])/uy

function findHost(text: string, name: string, found: PersonalFinding[]): void {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + name.length)) {
    if (!isStandalone(text, at, at + name.length, hostPunctuation)) continue
    if (isDistinctHost(name) || /[\w.-]@$/.test(text.slice(Math.max(0, at - 2), at))) found.push(hostFinding(at, name))
  }
}

function userFinding(start: number, name: string): PersonalFinding {
  return { start, end: start + name.length, rule: 'user-name', replacement: 'user' }
}

function hostFinding(start: number, name: string): PersonalFinding {
  return { start, end: start + name.length, rule: 'host-name', replacement: 'host' }
}

/** The range of an e-mail address in a text, including the parts before and after the `@`. */
interface Address {
  start: number
  end: number
}

const local =
  /(?:(?<![\p{L}\p{M}\p{N}_.%+-])|(?<=(?:^|[\r\n])-))[\p{L}\p{N}_%+](?:[\p{L}\p{M}\p{N}_.%+-]{0,62}[\p{L}\p{M}\p{N}_%+-])?$/u
const domain =
  /(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.){1,6}[\p{L}\p{M}]{2,24}(?!_*[\p{L}\p{M}\p{N}-]|\.[\p{L}\p{N}_])/uy
/** How a path continues after a machine. */
const remotePath = /^:(?:[/~]|[\w.-]{1,80}(?:\/|\.git\b))/
/** `icon@2x.png` is a file, `left-pad@1.3.0.tgz` a package, `getty@tty1.service` a unit of systemd, and `sk-ssh-ed25519@openssh.com` a type of key. */
const fileEnds =
  /^(?:png|jpe?g|gif|webp|svg|ico|css|s[ac]ss|[cm]?[jt]sx?|json|html?|md|map|tgz|zip|gz|lock|patch|whl|service|socket|timer|mount|target|slice|scope)$/i

/** The e-mail address whose `@` is at an offset, if there is one. Addresses of repositories do not count. */
function addressAt(text: string, at: number): Address | undefined {
  const own = localPartBefore(text, at)
  const found = own === undefined ? undefined : matchAt(domain, text, at + 1)
  if (own === undefined || found === undefined) return undefined
  const [start, end] = [at - own.length, at + 1 + found.length]
  const isFile =
    fileEnds.test(found.slice(found.lastIndexOf('.') + 1)) || /^\d+\.\d|^(?:openssh\.com|libssh\.org)$/.test(found)
  const before = text.slice(Math.max(0, start - 65), start)
  const isRemote = own === 'git' || remotePath.test(text.slice(end, end + 96)) || /\/$|:\/\/[^\s/]*:$/.test(before)
  return isFile || (isRemote && !/mailto:$/i.test(before)) ? undefined : { start, end }
}

/** What a diff and `grep` put before a line could be part of an address. */
const lineMark = /^(?:\+|\d{1,6}-)/

function localPartBefore(text: string, at: number): string | undefined {
  const own = local.exec(text.slice(Math.max(0, at - 65), at))?.[0]
  const before = text.charAt(at - (own?.length ?? 0) - 1)
  return before === '' || before === '\n' ? own?.replace(lineMark, '') : own
}

function groupsAt(pattern: RegExp, text: string, offset: number): RegExpExecArray | undefined {
  pattern.lastIndex = offset
  return pattern.exec(text) ?? undefined
}
