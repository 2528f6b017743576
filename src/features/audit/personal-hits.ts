/**
 * Personal data that shows by its form: home folders and addresses of e-mail. It shares no code with redaction, but each
 * notation that redaction replaces is known here too.
 */

/** A part of a text that is personal, `end` exclusive. */
interface PersonalHit {
  start: number
  end: number
  rule: 'home-folder' | 'email'
}

const name = String.raw`([\p{L}\p{N}_][\p{L}\p{N}_.-]{0,63})`
/** A slash, also as JSON escapes it. */
const slash = String.raw`(?:\\{0,8}/|\\{1,8}u002[fF])`
const back = String.raw`\\{1,64}`
const either = `(?:${back}|${slash})`
/** Where a path begins: a route such as `https://host/Users/guide` has something before it; an escaped line end, a flag and a mark of a diff are none. */
const begin = String.raw`(?:(?<![\p{L}\p{N}_.$~})%/\\\]@#*-])|(?<=\\[nrt])|(?<=file:\/\/)|(?<=(?:^|\s)-[A-Za-z])|(?<=[\r\n]-))`
const quoteOrBlank = '(?<=^|[\\s"\'`(=[<>,|])'

/** Notations of home folders, from the folder above on: what stands before it is `head`, and the name is the last group. */
const homes: readonly RegExp[] = [
  [`${begin}(?:${slash}(?:var|export))?${slash}`, `home${slash}`],
  [`${begin}(?:${slash}(?:mnt|cygdrive))?(?:${slash}[A-Za-z])?${slash}`, `Users${slash}`],
  [`${begin}${slash}mnt${slash}[A-Za-z]${slash}`, `(?:users|USERS)${slash}`],
  [String.raw`(?<![\p{L}\p{N}])[A-Za-z](?::|%3[Aa])${either}`, `(?:[Uu]sers|USERS|Documents and Settings)${either}`],
  [String.raw`(?<![\w\\.~:-])${back}`, `Users${back}`],
  // Shares: of Windows, of Linux as Windows sees it, and of homes alone.
  [String.raw`${quoteOrBlank}\\{2,128}[\w.$-]{1,80}${back}(?:[\w.$-]{1,80}${back})?`, `Users${back}`],
  [String.raw`${quoteOrBlank}\\{2,128}wsl[\w.$-]{1,20}${back}[\w.$-]{1,80}${back}`, `home${back}`],
  [
    String.raw`${quoteOrBlank}\k<sep>\k<sep>[\w.-]{1,80}(?<sep>\\{1,32})`,
    String.raw`(?:[Uu]sers|[Hh]omes?|[Pp]rofiles)\$?\k<sep>`,
  ],
  ['%(?:2[Ff]|5[Cc])', '(?:home|Users)%(?:2[Ff]|5[Cc])'],
].map(([head = '', folder = '']) => new RegExp(`(?<=(?<head>${head}))${folder}${name}`, 'uy'))
/** Names of folders that are nobody's. */
const nobody =
  /^(?:Shared|[Pp]ublic|PUBLIC|Default|All|linuxbrew|user|username|name|you|your[-_]?name|me|USER|USERNAME|NAME)$/
/** Pages of a site: `/home/index.html`. */
const webPage = /^[\w-]+\.(?:html?|php|aspx?|jsp|[jt]sx?|vue|s?css|json|md|png|jpe?g|svg|webp)$/

/** The folder above those of people, and what follows it: where none stands, no notation is tried. */
const anchor = /(?:[Hh]omes?|[Uu]sers|USERS|[Pp]rofiles|Documents and Settings)\$?[\\/%]/g
/** The home folders in a text that are somebody's, in order. */
export function findHomes(text: string): PersonalHit[] {
  const found: PersonalHit[] = []
  for (const { index } of text.matchAll(anchor)) {
    const hit = homeAt(text, index)
    if (hit !== undefined && hit.start >= (found.at(-1)?.end ?? 0)) found.push(hit)
  }
  return found
}

/** The home folder whose anchor stands at a place. */
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
/** Addresses that are invented, of programs, or of no mailbox. */
const noPerson =
  /^(?:git|hg|svn|npm|no-?reply|noreply\S*|notifications?|you|user|name|me)@|@(?:\S+\.)?(?:example(?:\.(?:com|org|net))?|test|invalid|localhost|local|internal|users\.noreply\.\S+)$|\.(?:png|jpe?g|gif|svg|webp|ico|css|[cm]?[jt]sx?|json|md|html?|py|rs|go|sh|toml|ya?ml|lock|txt|service|timer|socket|target)$/i

/** The addresses of e-mail in a text that may be somebody's. */
export function findEmails(text: string): PersonalHit[] {
  const found: PersonalHit[] = []
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const before = local.exec(text.slice(Math.max(0, at - 64), at))?.[0]
    const behind = domain.exec(text.slice(at + 1, at + 256))?.[0]
    if (before === undefined || behind === undefined || noPerson.test(`${before}@${behind}`)) continue
    // `user:password@host` is an address of another kind, and a secret.
    if (/[:/]$/.test(text.slice(0, at - before.length).slice(-1))) continue
    found.push({ start: at - before.length, end: at + 1 + behind.length, rule: 'email' })
  }
  return found
}
