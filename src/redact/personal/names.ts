/** Which names may be those of people and machines, and where a name refers to a user. */

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

/** Whether a name is not inside a word of letters, digits and `punctuation`. */
export function isStandalone(text: string, start: number, end: number, punctuation: string): boolean {
  return !isInside(text, start - 1, punctuation) && !isInside(text, end, punctuation)
}

/** Whether a letter, a digit or one of `punctuation` is at an offset; false beyond the ends of a text. */
function isInside(text: string, at: number, punctuation: string): boolean {
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

// Where a name refers to a user. Elsewhere the same letters are an ordinary word.

/** A context, by what is right before and right after the name. */
interface NameContext {
  before: RegExp
  after: RegExp
}

/** Lines of a diff begin with a sign. */
const lineStart = /(?:^|[\r\n])[+-]?$/
const anything = /^/

/** The name ends here. */
const wordEnd = /^(?![\w-]|\.\w)/
/** The same for an argument of a program. */
const argumentEnd = /^(?=[\s;|&)"'`:,]|$)/

const nameContexts: readonly NameContext[] = [
  // Before a host, but not in an e-mail address, which has a rule of its own.
  {
    before: /(?:^|[\s"'`([{<>=,;|─*:]|-\d{1,6}-)[+-]{0,2}$/,
    after: new RegExp(
      `^[@㉿](?:[\\w-]+(?:${privateDomain})?(?![\\w-]|\\.\\w)|\\d{1,3}(?:\\.\\d{1,3}){3}(?![\\w.-]*\\w)|[\\w.-]{1,250}:[^\\s])`,
    ),
  },
  { before: /\b(?:USER|LOGNAME|USERNAME|SUDO_USER)["']?[=:]\s{0,2}["']?$/, after: /^(?![\w-])/ },
  // `uid=1000(ada) gid=1000(ada)`
  { before: /[=,]\d{1,10}\($/, after: /^\)/ },
  // Owner and group in a long listing, after the number of links, a size or neither.
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
  { before: lineStart, after: /^\s{1,16}\d{1,8}\s{1,8}\d{1,8}\s{1,6}\d{1,3}\s/ },
  // After the number of a process: `top`, `lsof` and `fuser`.
  { before: /\d\s{1,4}$/, after: /^\s{1,8}(?:\d{1,3}|rt)\s{1,4}-?\d{1,3}\s{1,6}[\d.]{1,8}[kmgtKMGT]?\s/ },
  { before: /\d\s{1,4}$/, after: /^\s{1,4}\w{1,6}\s{1,4}(?:IPv[46]|REG|DIR|CHR|FIFO|PIPE|unix|sock|KQUEUE|a_inode)\s/ },
  { before: /\d[a-zA-Z]{0,5}\($/, after: /^\)/ },
  { before: /\b(?:su(?: -l?)?|sudo -u|chown(?: -[A-Za-z]{1,4})?|--user|--owner)[ =]$/, after: /^(?![\w.-])/ },
  { before: /\bchown(?: -[A-Za-z]{1,4})? [\w.-]{1,32}:$/, after: /^(?![\w.-])/ },
  { before: /(?:^|[\s"'`=:(])~$/, after: /^(?![\w.-])/ },
  // Whom a program logs in, even at an address with dots.
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
  // Lists of who is logged in.
  { before: lineStart, after: /^\s{1,16}(?:console|tty[sS]?\d{1,4}|pts\/\d{1,4}|:\d{1,2})\s/ },
  // What sudo allows, and what it and other programs report about a user.
  { before: lineStart, after: /^\s{1,8}(?:ALL|[\w.-]{1,40})\s?=\s?\(/ },
  { before: /\bsudo(?:\[\d{1,8}\])?:\s{1,4}$/, after: /^\s(?:is not in|: )/ },
  { before: /\b(?:(?:Accepted|Failed|Postponed) [\w/-]{1,40} for|(?:[Ii]nvalid|of|for|by|as) user) $/, after: wordEnd },
  // Programs that are given a user, as an argument alone or by an option.
  {
    before:
      /\b(?:id|finger|passwd|ch(?:age|sh|fn)|newgrp|lastlog|user(?:add|del|mod)|(?:add|del)user|gpasswd|getent [a-z]{4,8}|loginctl [a-z-]{4,20}|su|runuser)(?: -{1,2}[\w-]{1,24}(?:[ =][\w./:,-]{1,32})?){0,4} $/,
    after: argumentEnd,
  },
  {
    before:
      /\b(?:sudo|doas|docker|podman|kubectl|crontab|pkill|pgrep|ps|psql|mysql|killall)\b[^\n|;&]{0,60} -[A-Za-z]{0,2}[uU] ?$/,
    after: argumentEnd,
  },
  // Fields of records and of settings, and what programs report about an account.
  {
    before:
      /\b(?:user(?:[ _-]?(?:name|login))?|login(?:[ _-]?name)?|owner|account|author|committer|(?:created|modified|owned|updated)[ _]?by|run[ _-]?as)["'`]?\s{0,16}(?:[:=]|=>|->)\s{0,16}(?:'\\''|\\{0,8}["'`(])?$/i,
    after: wordEnd,
  },
  {
    before:
      /\b(?:(?:logged|log|sign|signed) ?in (?:to [\w.-]{1,60} )?(?:as|account)|login as:|process owner:?|(?:pass(?:word|phrase)?|login|mailbox|quota) for) ["'`]?$/i,
    after: wordEnd,
  },
  // Who owns something, and who is to do something.
  {
    before: /(?<![\w-])$/,
    after:
      /^(?:['’]|'\\{1,8}'')s (?:(?:Mac(?:Book)?|iMac|iPhone|iPad|PC)\b|(?:laptop|computer|desktop|machine|home)(?: |$))/,
  },
  { before: /\b(?:TODO|FIXME|XXX|HACK|NOTE)\($/, after: /^\)/ },
  // After a domain or a machine of Windows, and what `whoami` prints there.
  { before: /(?<![\w\\/.-])[A-Z][A-Z0-9-]{1,15}\\{1,64}$/, after: /^(?![\w\\/-]|\.\w)/ },
  { before: /(?:^|[\r\n])[+-]?[\w-]{2,15}\\$/, after: /^\s*?(?:\r?\n|$)/ },
  // A home folder inside an address of an editor, a volume or a store; addresses of the web have paths of their own.
  { before: /(?<!\bhttps?:\/\/[^\s"'<>()]{0,80})(?<![\w-])Users[/\\]{1,8}$/, after: wordEnd },
  { before: /\b(?!https?:)[a-z][\w+.-]{1,24}:\/\/[^\s"'<>()]{0,60}\/home\/$/, after: wordEnd },
  // What programs keep for each user among temporary files.
  {
    before:
      /(?:^|[\s"'`(=:])(?:\/private)?\/(?:var\/)?(?:tmp|run)\/(?:[\w.-]{1,40}\/){0,3}[\w.-]{1,24}[-._]$|\bpytest-of-$/,
    after: /^(?=[/\s"'`:;,)]|$)/,
  },
  // A folder whose name is a path with its slashes replaced.
  { before: /-(?:home|Users)-$/, after: anything },
]

/** Characters that end a path, looking backwards. */
const outside = /[\s"'`<>()[\]{}=:,;|*?]/

/** How a path on Windows begins; a user's name may contain spaces. */
const windowsPath = /(?<!\w)[A-Za-z]:(?:[\\/]Users[\\/][^\\/:*?"<>|\r\n]{1,64} )?$/i

/** How many characters before and after a name are looked at. */
const reach = 96

/** Whether the name from `start` to `end` of a text refers to a user. */
export function isUserPlace(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - reach), start)
  const after = text.slice(end, end + reach)
  return (
    isPathPart(before, after) ||
    nameContexts.some((context) => context.before.test(before) && context.after.test(after))
  )
}

/** Whether a name is a whole part of an absolute path. Parts of addresses do not count. */
function isPathPart(before: string, after: string): boolean {
  if (!/[/\\]$/.test(before) || isInside(after, 0, '_~-') || (after[0] === '.' && isInside(after, 1, wordPunctuation)))
    return false
  let begin = before.length
  while (begin > 0 && !outside.test(before.charAt(begin - 1))) begin--
  if (begin === 0 && before.length === reach) return false
  const outer = before.slice(0, begin)
  const path = before.slice(begin).replace(lineStart.test(outer) ? /^[+-]/ : '', '')
  if (windowsPath.test(outer)) return true
  return !/[\])}]$/.test(outer) && /^(?:\/(?!\/)|~[\w.-]*[/\\]|\\{2,64}[\w.-]+\\)/.test(path)
}
