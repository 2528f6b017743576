/**
 * Personal data that its form reveals: home folders and e-mail addresses. It shares no code with redaction, but covers every
 * notation that redaction replaces.
 */

/** A part of a text that is personal, `end` exclusive. */
interface PersonalHit {
  start: number
  end: number
  rule: 'home-folder' | 'email'
}

const name = String.raw`([\p{L}\p{N}_][\p{L}\p{N}_.-]{0,63})`
/** A slash, perhaps escaped as in JSON. */
const slash = String.raw`(?:\\{0,8}/|\\{1,8}u002[fF])`
const back = String.raw`\\{1,64}`
const either = `(?:${back}|${slash})`
/**
 * Where a path begins. A route such as `https://host/Users/guide` has something before it; an escaped line end, a flag or a diff
 * mark does not count.
 */
const begin = String.raw`(?:(?<![\p{L}\p{N}_.$~})%/\\\]@#*-])|(?<=\\[nrt])|(?<=file:\/\/)|(?<=(?:^|\s)-[A-Za-z])|(?<=[\r\n]-))`
const quoteOrBlank = '(?<=^|[\\s"\'`(=[<>,|])'

/** Notations of home folders, from the folder above on. What precedes it is `head`, and the name is the last group. */
const homes: readonly RegExp[] = [
  [`${begin}(?:${slash}(?:var|export))?${slash}`, `home${slash}`],
  [`${begin}(?:${slash}(?:mnt|cygdrive))?(?:${slash}[A-Za-z])?${slash}`, `Users${slash}`],
  [`${begin}${slash}mnt${slash}[A-Za-z]${slash}`, `(?:users|USERS)${slash}`],
  [String.raw`(?<![\p{L}\p{N}])[A-Za-z](?::|%3[Aa])${either}`, `(?:[Uu]sers|USERS|Documents and Settings)${either}`],
  [String.raw`(?<![\w\\.~:-])${back}`, `Users${back}`],
  // Shares: of Windows, of Linux as seen from Windows, and of homes only.
  [String.raw`${quoteOrBlank}\\{2,128}[\w.$-]{1,80}${back}(?:[\w.$-]{1,80}${back})?`, `Users${back}`],
  [String.raw`${quoteOrBlank}\\{2,128}wsl[\w.$-]{1,20}${back}[\w.$-]{1,80}${back}`, `home${back}`],
  [
    String.raw`${quoteOrBlank}\k<sep>\k<sep>[\w.-]{1,80}(?<sep>\\{1,32})`,
    String.raw`(?:[Uu]sers|[Hh]omes?|[Pp]rofiles)\$?\k<sep>`,
  ],
  ['%(?:2[Ff]|5[Cc])', '(?:home|Users)%(?:2[Ff]|5[Cc])'],
].map(([head = '', folder = '']) => new RegExp(`(?<=(?<head>${head}))${folder}${name}`, 'uy'))
/** Names of folders that belong to nobody. */
const nobody =
  /^(?:Shared|[Pp]ublic|PUBLIC|Default|All|linuxbrew|user|username|name|you|your[-_]?name|me|USER|USERNAME|NAME)$/
/** Pages of a site: `/home/index.html`. */
const webPage = /^[\w-]+\.(?:html?|php|aspx?|jsp|[jt]sx?|vue|s?css|json|md|png|jpe?g|svg|webp)$/

/** The folder above those of people, and the separator after it. No notation is tried anywhere else. */
const anchor = /(?:[Hh]omes?|[Uu]sers|USERS|[Pp]rofiles|Documents and Settings)\$?[\\/%]/g
/** The home folders of people in a text, in order. */
export function findHomes(text: string): PersonalHit[] {
  const found: PersonalHit[] = []
  for (const { index } of text.matchAll(anchor)) {
    const hit = homeAt(text, index)
    if (hit !== undefined && hit.start >= (found.at(-1)?.end ?? 0)) found.push(hit)
  }
  return found
}

/** The home folder whose anchor is at an offset. */
function homeAt(text: string, at: number): PersonalHit | undefined {
  for (const pattern of homes) {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match === null) continue
    const end = pattern.lastIndex
    const folder = match.at(-1) ?? ''
    const isPage = webPage.test(folder) && text[end] !== '/'
    if (nobody.test(folder) || isPage) continue
    return { start: at - (match.groups?.['head']?.length ?? 0), end, rule: 'home-folder' }
  }
  return undefined
}

const local = /[A-Za-z0-9][\w.+-]{0,63}$/
const domain = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}\.){1,8}[A-Za-z]{2,24}(?![\w-])/
/** Addresses that are invented, belong to programs, or are not mailboxes. */
const noPerson =
  /^(?:git|hg|svn|npm|no-?reply|noreply\S*|notifications?|you|user|name|me)@|@(?:\S+\.)?(?:example(?:\.(?:com|org|net))?|test|invalid|localhost|local|internal|users\.noreply\.\S+)$|\.(?:png|jpe?g|gif|svg|webp|ico|css|[cm]?[jt]sx?|json|md|html?|py|rs|go|sh|toml|ya?ml|lock|txt|service|timer|socket|target)$/i

/** The e-mail addresses in a text that may belong to somebody. */
export function findEmails(text: string): PersonalHit[] {
  const found: PersonalHit[] = []
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const before = local.exec(text.slice(Math.max(0, at - 64), at))?.[0]
    const host = domain.exec(text.slice(at + 1, at + 256))?.[0]
    if (before === undefined || host === undefined || noPerson.test(`${before}@${host}`)) continue
    // `user:password@host` is an address of another kind, and a secret.
    if (/[:/]$/.test(text.slice(0, at - before.length).slice(-1))) continue
    found.push({ start: at - before.length, end: at + 1 + host.length, rule: 'email' })
  }
  return found
}
