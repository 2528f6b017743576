/** Which names may be those of people and machines, and where a name is a word of its own. */

/** Accounts that systems and images come with. */
const accounts =
  'admin administrator all apache app azureuser backup bin build builder centos ci circleci code coder codespace codex container daemon data debian default deploy deployer dev developer docker docs ec2-user everyone fedora ftp games gitpod git github gitlab guest home host http jenkins kali local localhost login mail main master me mysql name nginx nobody node none notebook ops oracle owner pi postgres project projects public python redis root rootless runner sandbox server service shared site source src staff student support sync sys system team temp test tester tmp ubuntu user username users vagrant vscode web webapp wheel work worker workspace www www-data you'
/** Plain short words, and abbreviations of what folders contain. */
const short =
  'ai am an api app as at be bin bot by cd cv db dev do dns doc ec2 en eu ex fs go he hq id if in io ip is it js k8s lab la lib ls md ml my no of ok on op or os pc pg pr py qa rc rd rs sh so sql src st tf tk to ts tv ui uk up us uv ux vm we ws'

const ordinary: ReadonlySet<string> = new Set(`${accounts} ${short}`.split(' '))

/** Whether a user name may be a person's: at least two characters, as `Wu` and `Ng` have, and not an ordinary word. */
export function isPersonalName(name: string): boolean {
  return /^[\p{L}_][\p{L}\p{N}_.-]{1,31}$/u.test(name) && !ordinary.has(name.toLowerCase())
}

/** Whether the words of a folder's name may be a person's name: `Ada Marsh`, not `All Users`. */
export function isFullName(words: readonly string[]): boolean {
  const isNamed = (word: string): boolean => isPersonalName(word) && word.toLowerCase() !== 'all'
  return words.length <= 5 && words.every((word) => /^[\p{L}\p{N}(]/u.test(word)) && words.some(isNamed)
}

/** Whether a host name may be that of somebody's machine: at least two characters, and not an ordinary word. */
export function isPersonalHost(host: string): boolean {
  return host.length >= 2 && !ordinary.has(host.toLowerCase())
}

/** How names of machines in private networks end, as the source of a pattern. */
export const privateDomain: string = String.raw`\.(?:local(?:domain)?|lan|fritz\.box|home(?:\.arpa)?)`

/** Whether a host name resembles no word of a language, so that it is recognised wherever it occurs: `web-1`, `mac.lan`. */
export function isDistinctHost(host: string): boolean {
  return host.length >= 4 && /[\d.-]/.test(host) && /[A-Za-z]/.test(host)
}

// Where a name occurs: alone, or inside a word.

const letterOrDigit = /[\p{L}\p{N}]/u
/** Characters, besides letters and digits, that are part of a word, and of the name of a machine. */
export const wordPunctuation = '_'
export const hostPunctuation = '_-'

/** Whether a name is not inside a word of letters, digits and `punctuation`. The sign of a removed line is not part of a word. */
export function isStandalone(text: string, start: number, end: number, punctuation: string): boolean {
  return !isInside(text, end, punctuation) && (!isInside(text, start - 1, punctuation) || isRemoval(text, start - 1))
}

function isRemoval(text: string, at: number): boolean {
  return text[at] === '-' && (at === 0 || text[at - 1] === '\n')
}

/** Whether a letter, a digit or one of `punctuation` is at an offset; false beyond the ends of a text. */
export function isInside(text: string, at: number, punctuation: string): boolean {
  if (at < 0 || at >= text.length) return false
  const code = text.charCodeAt(at)
  // A pattern for letters of all scripts needs big tables, and each test needs a call.
  if (code >= 128) return letterOrDigit.test(text.charAt(at))
  return (
    (code >= 97 && code <= 122) ||
    (code >= 48 && code <= 90 && (code <= 57 || code >= 65)) ||
    punctuation.includes(text.charAt(at))
  )
}
