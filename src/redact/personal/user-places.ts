/** Where a name refers to a user. Elsewhere the same letters are an ordinary word. */

import { endOfLinePrefix } from '../values/line-prefixes.ts'
import { isInside, isStandalone, privateDomain, wordPunctuation } from './names.ts'

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

/** The name is the last word of its line. */
const lineEnd = /^["']?;?\s*?(?:\r?\n|$)/

/** What is before a name in that of a temporary file. */
const temporary =
  /(?:(?:^|[\r\n])-?|[\s"'`(=:+])(?:\/private)?\/(?:var\/)?(?:tmp|run)\/(?:[\w.-]{1,40}\/){0,3}[\w.-]{1,24}[-._]$|\bpytest-of-$/

/** Names of fields that contain the name of a user. */
const fields =
  '(?:(?:remote[ _-]?)?user(?:[ _-]?(?:name|login|id))?|log(?:in|name)(?:[ _-]?name)?|(?:author|committer|creator|maintainer|owner)(?:[ _-]?name)?|account|artist|(?:(?:last[ _-]?)?(?:created|modified|changed|owned|updated|built|published|deployed|started|triggered)|co-authored|signed-off|reviewed|approved|tested|acked|reported)[ _-]?by|run[ _-]?as(?:[ _-]?user)?)'

const nameContexts: readonly NameContext[] = [
  // Before a host, but not in an e-mail address, which has a rule of its own.
  {
    before: /(?:^|[\s"'`([{<>=,;|─*:]|-\d{1,6}-)[+-]{0,2}$/,
    after: new RegExp(
      `^[@㉿](?:[\\w-]+(?:${privateDomain})?(?![\\w-]|\\.\\w)|\\d{1,3}(?:\\.\\d{1,3}){3}(?![\\w.-]*\\w)|[\\w.-]{1,250}:[^\\s])`,
    ),
  },
  // Before a machine in quotes, and what SSH says about a login at an address with dots.
  { before: /\buser (?:'\\''|["'`])$/, after: /^(?:'\\''|["'`])@/ },
  { before: /(?:^|[\s"'`(])$/, after: /^@[\w.-]{1,250}(?:'s password|: Permission denied)/ },
  { before: /\b(?:USER|LOGNAME|USERNAME|SUDO_USER)["']?[=:]\s{0,2}["']?$/, after: /^(?![\w-])/ },
  { before: /\bset(?:env)? (?:-\w{1,4} ){0,2}(?:USER|LOGNAME) ["']?$/, after: wordEnd },
  // `uid=1000(ada) gid=1000(ada)`, `UID: 1000 (ada)`, `Uid: ( 1000/ ada)`, `ada(uid=1000)`, `ada (UID 1000`
  { before: /[=,]\d{1,10}\($/, after: /^\)/ },
  { before: /\b[UG][iI][dD]:\s{0,3}(?:\d{1,10} \(|\(\s{0,8}\d{1,10}\/\s{0,16})$/, after: /^\)/ },
  { before: /\bby $/, after: /^ ?\((?:uid=|UID )\d/ },
  // Owner and group in a long listing, after the number of links, a size or neither.
  {
    before: /[rwxsStT-]{9}[.+@]?\s{1,4}(?:(?:[\d.]{1,9}[A-Za-z]{0,2}|-)\s{1,8})?(?:[\w.-]{1,32}(?:\s{1,8}|\/))?$/,
    after: /^(?:[\s/\]]|$)/,
  },
  // The same as `stat` prints it, with the mode in digits.
  { before: /(?:^|[\r\n])[+-]?[0-7]{3,4} (?:[\w.-]{1,32}[ :])?$/, after: /^[ :]/ },
  // A line of its own: what `whoami` prints.
  { before: lineStart, after: /^\s*?(?:\r?\n|$)/ },
  // Files of accounts: `ada:x:1000:`, `ada:100000:65536`, and members of a group.
  { before: /(?<![\w.-])$/, after: /^:(?:[x!*]{1,2}|\$[^:\s]{1,128}):\d{1,10}:/ },
  { before: lineStart, after: /^:\d{1,10}:\d{1,10}\s*?(?:\r?\n|$)/ },
  { before: lineStart, after: /^:(?:\$(?:apr1|2[aby]|5|6|y|argon2\w{1,2})\$|\{SHA\}|\[redacted:password-hash)/ },
  { before: /(?<![\w.-])[\w-]{1,32}:[x!*]{0,2}:\d{1,10}:(?:[\w.-]{1,32},){0,8}$/, after: /^(?![\w.-])/ },
  // The first column of a list of processes.
  { before: lineStart, after: /^\s{1,16}\d{1,8}\s{1,6}\d{1,3}\.\d\s/ },
  { before: lineStart, after: /^\s{1,16}\d{1,8}\s{1,8}\d{1,8}\s{1,6}\d{1,3}\s/ },
  // After the number of a process: `top`, `lsof` and `fuser`.
  { before: /\d\s{1,4}$/, after: /^\s{1,8}(?:\d{1,3}|rt)\s{1,4}-?\d{1,3}\s{1,6}[\d.]{1,8}[kmgtKMGT]?\s/ },
  { before: /\d\s{1,4}$/, after: /^\s{1,4}\w{1,6}\s{1,4}(?:IPv[46]|REG|DIR|CHR|FIFO|PIPE|unix|sock|KQUEUE|a_inode)\s/ },
  { before: /\d[a-zA-Z]{0,5}\($/, after: /^\)/ },
  // In a tree of processes, and beside the memory that somebody's process takes of a graphics card.
  { before: /─[\w.:{}*-]{1,40}\($/, after: /^\)/ },
  { before: /[\s|]$/, after: /^\(\d{1,7}(?:M|MiB)\)/ },
  // What `groups` prints: at least two groups that every system has.
  {
    before: lineStart,
    after:
      /^(?: : [\w.-]{1,32})?(?: (?:adm|admin|audio|cdrom|dialout|dip|docker|everyone|floppy|input|kvm|libvirt|localaccounts|lpadmin|lxd|netdev|plugdev|render|sambashare|staff|sudo|users|video|wheel|_\w{2,32})(?![\w-])){2}/,
  },
  {
    before: /\b(?:su(?: -l?)?|sudo -u|chown(?: -[A-Za-z]{1,4})?|chgrp(?: -[A-Za-z]{1,4})?)[ =]$/,
    after: /^(?![\w.-])/,
  },
  { before: /(?<=\s)--(?:user(?:name)?|login|owner|group)[ =]["']?$/, after: /^(?![\w.-])/ },
  { before: /\bchown(?: -[A-Za-z]{1,4})? [\w.-]{1,32}:$/, after: /^(?![\w.-])/ },
  { before: /(?:^|[\s"'`=:(])~$/, after: /^(?![\w.-])/ },
  // Whom a program logs in, even at an address with dots.
  {
    before: /\b(?:ssh|sftp|mosh|ssh-copy-id|sshfs|autossh)(?: -\w{1,3}(?: [^\s-]\S{0,40})?){0,4} $/,
    after: /^[@:]/,
  },
  { before: /(?:\b[a-z][a-z\d+.-]{1,24}:|(?:^|[\r\n])[+-]?|[\s"'`])\/\/$/i, after: /^(?::[^\s@/]{0,200})?@/ },
  { before: /\b(?:ssh|slogin|rlogin)\b[^\n|;&]{0,60} -l ?$/, after: argumentEnd },
  {
    before: /(?:\[sudo\] password|\bcrontab|\b[Nn]o mail|\bsession (?:opened|closed)) for (?:user )?$/,
    after: /^(?![\w-])/,
  },
  { before: /\b(?:CRON|cron|crond)\[\d{1,8}\]: \($/, after: /^\) / },
  // A line of a system's table of jobs: five times, then who runs it.
  { before: /(?:^|[\r\n])[+-]?(?:[\d*,/-]{1,20}[ \t]{1,4}){5}$/, after: /^[ \t]/ },
  { before: /\buser\.name(?:[= ]| = )["']?$/, after: /^(?![\w-])/ },
  // The comment of a public key, and who a certificate is for.
  { before: /[\w+/=]{60} $/, after: lineEnd },
  { before: /(?<![A-Za-z])(?:CN|UID)\s?=\s?$/, after: /^(?=[,\s/"'`@]|$)/ },
  // What the libraries of languages answer.
  { before: /\bget(?:user|login)\(\)[\s+]{1,4}(?:'\\''|["'])$/, after: /^["']/ },
  { before: /\b(?:Author|Commit(?:ter)?):\s{1,5}$/, after: /^ </ },
  // Before somebody's address in angle brackets: commits, trailers, authors of a package.
  {
    before: /(?:^|[\r\n"'`\t:([{,;=]|(?<![\w-])[0-9a-f]{7,40}|(?:^|[\r\n])[+-]?\s{0,8}-)\s{0,4}$/,
    after: /^["']? <[^<>\s@]{1,64}@[^<>\s]{1,250}>/,
  },
  // What `git blame` prints: the time follows.
  { before: /\($/, after: /^\s{1,30}\d{4}-\d\d-\d\d \d\d:\d\d/ },
  // Who wrote a file, in its head.
  { before: /@author\s{1,8}$|\* User: $/, after: wordEnd },
  { before: /\bCreated by $/, after: /^ on \d/ },
  // A home folder without its first slash: in archives, and in names that bundlers give to files.
  { before: /(?:^|[\s"'`(=:]|\/\/\/)(?:\.\/)?(?:home|Users)\/$/, after: /^(?![\w.-])/ },
  // Lists of who is logged in.
  { before: lineStart, after: /^\s{1,16}(?:console|tty[sS]?\d{1,4}|pts\/\d{1,4}|:\d{1,2})\s/ },
  {
    before: /(?:^|[\r\n])[ >]$/,
    after: /^\s{1,30}(?:[\w#-]{1,20}\s{1,20})?\d{1,5}\s{1,10}(?:Active|Disc)\b/,
  },
  // What sudo allows, and what it and other programs report about a user.
  { before: lineStart, after: /^\s{1,8}(?:ALL|[\w.-]{1,40})\s?=\s?\(/ },
  { before: /\bsudo(?:\[\d{1,8}\])?:\s{1,16}$/, after: /^\s(?:is not in|: )/ },
  { before: lineStart, after: /^ is not in the sudoers file/ },
  { before: /\b[Uu]ser $/, after: /^ (?:may run the following|is not allowed to) / },
  {
    before:
      /\b(?:(?:Accepted|Failed|Postponed) [\w/-]{1,40} for|(?:[Ii]nvalid|of|for|by|as|from|authenticating) user|Defaults entries for) $/,
    after: wordEnd,
  },
  // A name in quotes after what it is the name of, as databases, clusters and programs that add users print it.
  {
    before:
      /\b(?:user|role|database|account|login|owner|group|(?:to \S{1,80}|(?:logged|log) in|running|connected) as)(?: name)? (?:'\\''|\\{0,8}["'`‘“])$/i,
    after: /^(?:'\\''|\\{0,8}["'`’”])/,
  },
  // A line of a configuration: SSH, Apache, nginx, Docker, Redis.
  { before: /(?:^|[\r\n])[+-]?[ \t]{0,8}(?:[Uu]ser|Group|USER|MAINTAINER)[ \t]{1,4}["']?$/, after: lineEnd },
  { before: lineStart, after: /^[=-][#>](?:\s|$)/ },
  { before: /(?:^|[\r\n])[+-]?user $/, after: /^ (?:on|off) / },
  // SQL
  { before: /\b(?:OWNER TO|OWNED BY|AUTHORIZATION|GRANTED BY) "?$/, after: wordEnd },
  { before: /\b(?:GRANT|REVOKE)\b[^;\n]{0,80} (?:TO|FROM) "?$/, after: wordEnd },
  { before: /\b(?:CREATE|ALTER|DROP|SET) (?:ROLE|USER)(?: IF (?:NOT )?EXISTS)? "?$/i, after: wordEnd },
  // Who may do something: lists of access, and accounts of a cloud.
  { before: /\b(?:u|g|user|group):$/, after: /^:[rwxX-]{1,3}(?!\w)/ },
  { before: /\/(?:grant|deny)(?::r)? ["']?$/i, after: /^["']?:/ },
  { before: /\barn:aws[^\s"']{0,80}\/$/, after: wordEnd },
  // How programs greet somebody who logged in.
  { before: /\bHi $/, after: /^! You\S{1,6}ve successfully authenticated/ },
  // Programs that are given a user, as an argument alone or by an option.
  {
    before:
      /\b(?:id|finger|passwd|ch(?:age|sh|fn)|newgrp|chgrp|lastlog|user(?:add|del|mod)|(?:add|del)user|gpasswd|getent [a-z]{4,8}|loginctl [a-z-]{4,20}|su|runuser)(?: -{1,2}[\w-]{1,24}(?:[ =][\w./:,-]{1,32})?){0,4} $/,
    after: argumentEnd,
  },
  {
    before:
      /\b(?:sudo|doas|docker|podman|kubectl|crontab|pkill|pgrep|ps|psql|mysql\w{0,8}|pg_\w{4,12}|killall|curl|wget|runuser|setpriv)\b[^\n|;&]{0,60} -[A-Za-z]{0,2}[uU] ?["']?$/,
    after: argumentEnd,
  },
  { before: /\binstall\b[^\n|;&]{0,60} -[og] ?$/, after: argumentEnd },
  { before: /\bcreatedb\b[^\n|;&]{0,60} -O ?$/, after: argumentEnd },
  { before: /\bfind\b[^\n|;&]{0,80} -(?:user|group) $/, after: argumentEnd },
  { before: /\/(?:ru|user:?)[ :]["']?(?:[\w.-]{1,15}\\)?$/i, after: argumentEnd },
  { before: /\bnet1? (?:user|localgroup|group) (?:["']?[\w-]{1,40}["']? )?$/i, after: argumentEnd },
  // Fields of records and of settings, and what programs report about an account.
  {
    before: new RegExp(
      `(?<![A-Za-z0-9])${fields}["'\`]?\\s{0,32}(?:[:=]|=>|->)\\s{0,32}(?:\\[\\s{0,16})?(?:'\\\\''|\\\\{0,8}["'\`([])?$`,
      'i',
    ),
    after: wordEnd,
  },
  {
    before: new RegExp(`(?<![A-Za-z0-9])${fields}s["'\`]?\\s{0,8}[:=]\\s{0,8}\\[\\s{0,16}["'\`]$`, 'i'),
    after: wordEnd,
  },
  { before: /(?:^|[\r\n])[+-]?(?:# )?[Gg]roup(?:=|: )$/, after: lineEnd },
  // The name in a record of somebody: `"author": { "name": "ada" }`, `[user]` and `name = ada`.
  {
    before: new RegExp(
      `(?<![A-Za-z0-9])${fields}s?["'\`\\]]{0,2}\\s{0,4}(?:[:=]\\s{0,4})?[[{\\s+-]{0,24}["']?(?:name|login|id)["']?\\s{0,4}[:=]\\s{0,4}["']?$`,
      'i',
    ),
    after: wordEnd,
  },
  { before: new RegExp(`<(?:[\\w-]{1,16}:)?${fields}>\\s{0,16}$`, 'i'), after: /^\s{0,16}(?:<\/|$)/ },
  { before: new RegExp(`${fields}</key>[\\s+-]{0,16}<string>$`, 'i'), after: /^<\/string>/ },
  { before: /<developer>\s{0,16}<(?:id|name)>$/, after: /^<\// },
  // A line of two columns, as Windows prints them.
  {
    before: /(?:^|[\r\n])[+-]?[ \t]{0,4}(?:user ?name|logname|owner|full name|recordname:)[ \t]{1,40}$/i,
    after: lineEnd,
  },
  {
    before:
      /\b(?:(?:logged|log|sign|signed) ?in (?:to [\w.-]{1,60} )?(?:as|account):?|login as:|process owner:?|(?:pass(?:word|phrase)?|login|mailbox|quota) for) ["'`]?$/i,
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
  { before: /(?:^|[\r\n])[+-]?[\w-]{2,15}\\$/, after: /^(?:\s*?(?:\r?\n|$)|\s{1,40}S-1-\d)/ },
  { before: /(?<![\w\\/.-])[A-Z][A-Z0-9-]{1,15}\/$/, after: /^ \(S-1-\d/ },
  // A home folder inside an address of an editor, a volume or a store; addresses of the web have paths of their own.
  { before: /(?<!\bhttps?:\/\/[^\s"'<>()]{0,80})(?<![\w-])Users[/\\]{1,8}$/, after: wordEnd },
  { before: /\b(?!https?:)[a-z][\w+.-]{1,24}:\/\/[^\s"'<>()]{0,60}\/home\/$/, after: wordEnd },
  // What programs keep for each user among temporary files.
  {
    before: temporary,
    after: /^(?=[/\s"'`:;,)]|$)/,
  },
  // A path with its slashes replaced: folders and files that are named after one, units of systemd.
  { before: /-(?:home|Users)-$/, after: anything },
  { before: /(?:%|!|--|\+)(?:home|Users)(?:%|!|--|\+)$/, after: anything },
  { before: /(?:^|[\s"'`/+])home-$/, after: /^(?:-[\w.\\-]{1,80})?\.(?:auto)?mount\b/ },
  { before: /\bxcuserdata\/$/, after: /^\.xcuserdatad\b/ },
  // Prompts that name the user elsewhere than before an `@`.
  { before: /(?:^|[\r\n])[+-]?# $/, after: /^ @ [\w.-]{1,64} in / },
  { before: lineStart, after: /^ in (?:🌐 ?)?(?:[\w.-]{1,64} in )?~/ },
  { before: /(?:^|[\r\n])[+-]?[A-Za-z0-9][\w.-]{1,62}:[^\s:$]{1,80} $/, after: /^\$(?:\s|$)/ },
]

/** Contexts of a name that an underscore or the letter of an option joins to what is before it. */
const joinedContexts: readonly NameContext[] = [
  { before: /\bmysql\w{0,8}\b[^\n|;&]{0,60} -u$/, after: argumentEnd },
  { before: temporary, after: /^(?=[/\s"'`:;,)]|$)/ },
  { before: /_(?:home|Users)_$/, after: /^(?![\p{L}\p{N}])/u },
]

/** Characters that end a path, looking backwards. */
const outside = /[\s"'`<>()[\]{}=:,;|*?]/

/** How a path on Windows begins; a user's name may contain spaces. */
const windowsPath = /(?<!\w)[A-Za-z]:(?:[\\/]Users[\\/][^\\/:*?"<>|\r\n]{1,64} )?$/i

/** How many characters before and after a name are looked at. */
const reach = 96

/** Whether the name from `start` to `end` of a text is a word of its own that refers to a user. */
export function isUserPlace(text: string, start: number, end: number): boolean {
  const isWord = isStandalone(text, start, end, wordPunctuation)
  if (!isWord && (!/[_u]/.test(text.charAt(start - 1)) || isInside(text, end, ''))) return false
  const before = text.slice(Math.max(0, start - reach), start)
  const after = text.slice(end, end + reach)
  const fits = (context: NameContext): boolean => context.before.test(before) && context.after.test(after)
  if (!isWord) return joinedContexts.some(fits)
  if (isPathPart(before, after) || nameContexts.some(fits)) return true
  const bare = bareBefore(text, start)
  return bare !== undefined && nameContexts.some((context) => context.before.test(bare) && context.after.test(after))
}

/** What is before a name in its line and the one above, without what a tool put before these; `undefined` if that is nothing. */
function bareBefore(text: string, start: number): string | undefined {
  const head = text.slice(Math.max(0, start - 2 * reach), start)
  const line = head.lastIndexOf('\n') + 1
  if (line === 0 && start > head.length) return undefined
  const from = endOfLinePrefix(head, line)
  if (from === undefined) return undefined
  const above = line < 2 ? 0 : head.lastIndexOf('\n', line - 2) + 1
  return `\n${head.slice(endOfLinePrefix(head, above) ?? above, line)}${head.slice(from)}`
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
  return !/[\])}]$/.test(outer) && /^(?:\/(?!\/)|\/\/[\w$-]{1,63}\/|~[\w.-]*[/\\]|\\{2,64}[\w.-]+\\)/.test(path)
}
