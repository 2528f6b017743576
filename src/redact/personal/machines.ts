/** Names of machines that reveal themselves, by the program that prints them or by how systems name a machine, as rules. */

import { none, type Rule, type Secret } from '../rule.ts'
import { isDistinctHost, isPersonalHost, isPersonalName, privateDomain } from './names.ts'

const id = 'host-name'
const replacement = 'host'

/** Words in the position of a name, in code and settings. */
const noName =
  /^(?:string|str|text|null|undefined|none|true|false|workgroup|value|name|hostname|computername|machine)$/i
const isName = (value: string): boolean => isPersonalHost(value) && !noName.test(value)

/** What a program prints as the name of the machine that it runs on. */
const printed: readonly Rule[] = [
  {
    // Environment variables of Windows.
    anchors: ['COMPUTERNAME', 'USERDOMAIN', 'LOGONSERVER'],
    pattern:
      /(?:COMPUTERNAME|USERDOMAIN(?:_ROAMINGPROFILE)?|LOGONSERVER)["']?(?:\s{0,3}[:=]\s{0,3}|\s{1,24})["']?(?:\\{2,8})?(?<secret>[A-Za-z0-9][\w-]{1,62})(?![\w.(-])/y,
  },
  {
    // Those of other systems.
    anchors: ['HOSTNAME', 'SESSION_MANAGER'],
    pattern:
      /(?:(?<![\w.$-])|(?<=(?:^|[\r\n])-))(?:HOSTNAME["']?(?:=|: )["']?|SESSION_MANAGER=["']?local\/)(?<secret>[A-Za-z][\w-]{1,62})(?![\w.(-])/y,
  },
  {
    // `systeminfo`, `system_profiler`, `hostnamectl`, `scutil`, PowerShell.
    anchors: [
      ...['Host Name', 'Computer Name', 'ComputerName', 'LocalHostName', 'MachineName'],
      ...['tatic hostname', 'ransient hostname'],
    ],
    pattern:
      /(?:Host Name|Computer ?Name|LocalHostName|(?:tatic|ransient) hostname|MachineName)["']?(?:\s{0,12}[:=])\s{0,40}["']?(?<secret>[^\r\n"'<>;,:=()]{1,40}(?:MacBook(?: Pro| Air)?|iMac|Mac (?:mini|Studio|Pro))(?: \(\d{1,3}\))?|[A-Za-z0-9][\w.-]{1,62})(?![\w(.-])/y,
  },
  {
    // `vim`, `coredumpctl`, `borg`; reports of test runners.
    anchors: ['host name: ', 'Hostname: ', 'nodename: ', 'hostname="'],
    pattern:
      /(?:host name: |(?<=(?:^|[\r\n])[+-]?[ \t]{0,16})(?:Hostname|nodename): |(?<=<testsuite [^<>]{1,400})hostname=")(?<secret>[A-Za-z0-9][\w-]{1,62})(?![\w.-])/y,
  },
  {
    anchors: ['retty hostname: '],
    pattern:
      /(?<=(?:^|[\r\n])[+-]?[ \t]{0,16}P)retty hostname: (?<secret>[^\s][^\r\n]{0,62}[^\s])(?=\s*?(?:[\r\n]|$))/y,
  },
  {
    // `uname -a`
    anchors: [
      ...['Linux ', 'Darwin ', 'FreeBSD ', 'OpenBSD ', 'NetBSD ', 'SunOS '],
      ...['MINGW64_NT-', 'MINGW32_NT-', 'MSYS_NT-', 'CYGWIN_NT-'],
    ],
    pattern:
      /(?:Linux|Darwin|(?:Free|Open|Net)BSD|SunOS|(?:MINGW\d\d|MSYS|CYGWIN)_NT-[\d.-]{1,20}) (?<secret>[A-Za-z0-9][\w.-]{0,62}) (?:\d{1,2}\.\d{1,3}[\w.+-]{0,48} (?:#|Darwin|(?:Free|Net)BSD|GENERIC|\d{1,2}\.\d)|\d{1,2}\.\d{1,3}\.\d[\w.+-]{0,48}(?: (?:x86_64|aarch64|arm\w{2,6}|i\d86|\d{4})(?!\w)|\s*?(?:[\r\n]|$)))/y,
  },
  {
    // The same as libraries of languages return it.
    anchors: ["nodename='", "node='", 'gethostname()', 'os.hostname()'],
    pattern:
      /(?:\bnodename='|\bnode='(?=[\w.-]{1,63}', release=)|(?:\bgethostname|\bos\.hostname)\(\)[\s+-]{1,4}["'])(?<secret>[A-Za-z0-9][\w.-]{1,62})(?=["'])/y,
  },
  {
    // Commands that print or set nothing else, with what they print in the next line.
    anchors: ['hostname', 'uname -n'],
    pattern:
      /(?:(?<=[$%#>] )(?:hostname(?: -[sf])?|uname -n)\r?\n[+-]?(?=[\w.-]{1,63}\s*?(?:[\r\n]|$))|(?<=cat \/etc\/)hostname\r?\n[+-]?|(?<=hostnamectl set-)hostname |(?<=sudo )hostname (?!-))(?<secret>[A-Za-z0-9][\w.-]{1,62})(?![\w.(-])/y,
  },
  { anchors: ['--set '], pattern: /--set (?:Computer|Host|LocalHost)Name ["']?(?<secret>[A-Za-z0-9][\w.-]{1,62})/y },
  {
    anchors: ['127.0.1.1'],
    pattern: /127\.0\.1\.1[ \t]{1,24}(?<secret>[A-Za-z0-9][\w.-]{1,62})(?=[\w \t.-]{0,120}(?:[\r\n#]|$))(?![\w.-])/y,
  },
  {
    // systemd, inxi, sudo
    anchors: ['Hostname set to <', 'Host: ', 'sudo: unable to resolve host ', 'Matching Defaults entries for '],
    pattern:
      /(?:Hostname set to <|Host: (?=[\w.-]{1,63} Kernel: )|sudo: unable to resolve host |Matching Defaults entries for [^\s:]{1,40} on )(?<secret>[A-Za-z0-9][\w.-]{1,62})(?![\w.-])/y,
  },
  {
    // Sessions of screen.
    anchors: ['.pts-', '.tty'],
    pattern: /(?<=(?<!\d)\d{3,8})\.(?:pts|tty\w{0,4})-\d{1,4}\.(?<secret>[A-Za-z0-9][\w.-]{1,62})(?=\s)/y,
  },
  {
    // Logs of Node beside the number of the process.
    anchors: ['"hostname":'],
    pattern:
      /"hostname": ?"(?<secret>[A-Za-z0-9][\w.-]{1,62})"(?:(?=, ?"pid":)|(?<="pid": ?\d{1,8}, ?"hostname": ?"[\w.-]{2,63}"))/y,
  },
  { anchors: ['>1 20'], pattern: />1 20\d\d-\d\d-\d\dT[\d:.+Z-]{8,24} (?<secret>[A-Za-z0-9][\w.-]{1,62}) /y },
].map((rule) => ({ ...rule, id, replacement, isSecret: isName }))

/** Names that a system assigns. Those of Apple contain the owner's name. */
const given: readonly Rule[] = [
  {
    anchors: ['-MacBook', '-iMac', '-Mac-mini', '-Macmini', '-Mac-Studio', '-Mac-Pro', '-MBP', '-mbp'],
    pattern: new RegExp(
      String.raw`(?<=(?<head>(?<![\w-])[A-Za-z0-9][\w-]{0,40}))-(?:MacBook(?:-?(?:Pro|Air))?|iMac(?:-Pro)?|Mac-?(?:mini|Studio|Pro)|MBP|mbp)(?:-\d{1,3})?(?:${privateDomain})?(?![\w-])`,
      'y',
    ),
  },
  {
    // A router names machines in its own domain.
    anchors: ['.fritz.box', '.home.arpa', '.lan'],
    pattern:
      /(?<=(?<head>(?<![\w@.-])(?=[\w-]*[\d-])[A-Za-z0-9][\w-]{1,62}))\.(?:fritz\.box|home\.arpa|lan)(?![\w-]|\.\w)/y,
  },
  {
    anchors: ['s-Mac.', 's-Air.', 's-iPhone.', 's-iPad.'],
    pattern: new RegExp(
      String.raw`(?<=(?<head>(?<![\w-])[A-Za-z][\w-]{0,40}))s-(?:Mac|Air|iPhone|iPad)${privateDomain}(?![\w-])`,
      'y',
    ),
  },
  {
    anchors: ['DESKTOP-', 'LAPTOP-', 'WIN-'],
    pattern: /(?<![\w-])(?:DESKTOP|LAPTOP|WIN)-(?=[A-Z0-9]{0,10}\d)(?=[A-Z0-9]{0,10}[A-Z])[A-Z0-9]{7,11}(?![\w-])/y,
  },
].map((rule) => ({ ...rule, id, replacement, isSecret: () => true }))

const key =
  '(?:(?:ssh-(?:ed25519|rsa|dss)|ecdsa-sha2-nistp\\d{3})(?:@openssh\\.com)? AAAA[\\w+/=]{20,2000}|SHA256:[\\w+/]{43}) '
const keyAnchors = [
  ...['ssh-ed25519 AAAA', 'ssh-rsa AAAA', 'ssh-dss AAAA', 'ecdsa-sha2-nistp'],
  ...['ssh-ed25519@openssh.com AAAA', 'SHA256:'],
]

/** What a public SSH key or its fingerprint reveals about who made it, and where. */
const signed: readonly Rule[] = [
  {
    id,
    replacement,
    anchors: keyAnchors,
    pattern: new RegExp(`${key}[\\w.-]{1,64}@(?<secret>[A-Za-z0-9][\\w.-]{0,62})(?![\\w-])`, 'y'),
    isSecret: isName,
  },
  {
    id: 'user-name',
    replacement: 'user',
    anchors: keyAnchors,
    pattern: new RegExp(`${key}(?<secret>[\\w.-]{1,64})(?=@[\\w.-])`, 'y'),
    isSecret: isPersonalName,
  },
]

const lineStart = '(?:^|[\\r\\n])[+-]?'
const time =
  '(?:[A-Z][a-z]{2} [ \\d]\\d \\d\\d:\\d\\d:\\d\\d|\\d{4}-\\d\\d-\\d\\dT[\\d:.]{8,16}(?:Z|[+-]\\d\\d:?\\d\\d)) '
const machine = '(?<host>[A-Za-z0-9][\\w.-]{0,62})'
const tags = 'systemd sshd kernel: sudo su: CRON[ cron[ dockerd NetworkManager login launchd'.split(' ')
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** Names of machines before something else: each with what is between them, as the end of a pattern. */
const before: readonly Rule[] = [
  // In a system's log, after the time and before the program.
  nameBefore(
    tags.map((tag) => ` ${tag}`),
    `${lineStart}${time}${machine}`,
  ),
  nameBefore(
    [...'0123456789'].map((digit) => `${digit}]: `),
    `${lineStart}${time}${machine} [\\w.@/()-]{1,64}\\[\\d{0,8}`,
  ),
  // Prompts without a user, those of PowerShell on another machine, and the status of tmux.
  nameBefore([':~# ', ':~$ ', ':/# '], `${lineStart}${machine}`),
  nameBefore([']: PS '], `${lineStart}\\[${machine}`),
  nameBefore(
    months.map((month) => `-${month}-`),
    `"${machine}" \\d\\d:\\d\\d \\d\\d`,
  ),
  // In a list of hosts that are known to SSH. Those of the web have a domain.
  nameBefore(
    [' ssh-ed25519 AAAA', ' ssh-rsa AAAA', ' ecdsa-sha2-nistp'],
    `${lineStart}\\[?(?<host>[A-Za-z][\\w-]{1,62})(?:\\]:\\d{1,5})?(?:,[^\\s]{1,80})?`,
    isDistinctHost,
  ),
]

/** How many characters before an anchor are looked at. */
const maxBefore = 200

/** A rule for the name in what a pattern with a group `host` matches right before an anchor. */
function nameBefore(anchors: readonly string[], source: string, isMachine = isName): Rule {
  const pattern = new RegExp(`${source}$`, 'd')
  const read = (text: string, offset: number): readonly Secret[] => {
    const from = Math.max(0, offset - maxBefore)
    const [start, end] = pattern.exec(text.slice(from, offset))?.indices?.groups?.['host'] ?? [0, 0]
    const value = text.slice(from + start, from + end)
    return start < end && isMachine(value) ? [{ start: from + start, end: from + end, value }] : none
  }
  return { id, replacement, anchors, read }
}

/** Names of machines as rules. Each is then recognised wherever else it occurs, if it does not look like a word. */
export const machineRules: readonly Rule[] = [...printed, ...given, ...signed, ...before]
