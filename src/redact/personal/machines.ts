/** Names of machines that reveal themselves: by the program that prints them, or by how systems name a machine. */

import type { Rule, Secret } from '../rule.ts'
import { isPersonalHost, isPersonalName, privateDomain } from './names.ts'

const id = 'host-name'
const replacement = 'host'
const none: readonly Secret[] = []

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
    // `systeminfo`, `system_profiler`, `hostnamectl`, `scutil`, PowerShell.
    anchors: ['Host Name', 'Computer Name', 'ComputerName', 'LocalHostName', 'tatic hostname', 'MachineName'],
    pattern:
      /(?:Host Name|Computer ?Name|LocalHostName|tatic hostname|MachineName)["']?(?:\s{0,12}[:=])\s{0,40}["']?(?<secret>[^\r\n"'<>;,:=()]{1,40}(?:MacBook(?: Pro| Air)?|iMac|Mac (?:mini|Studio|Pro))(?: \(\d{1,3}\))?|[A-Za-z0-9][\w.-]{1,62})(?![\w(.-])/y,
  },
  {
    // `uname -a`
    anchors: ['Linux ', 'Darwin ', 'FreeBSD '],
    pattern:
      /(?:Linux|Darwin|FreeBSD) (?<secret>[A-Za-z0-9][\w.-]{0,62}) \d{1,2}\.\d{1,3}[\w.+-]{0,48} (?:#|Darwin|FreeBSD)/y,
  },
].map((rule) => ({ ...rule, id, replacement, isSecret: isName }))

const always = (): boolean => true

/** Names that a system assigns. Those of Apple contain the owner's name. */
const given: readonly Rule[] = [
  {
    anchors: ['-MacBook', '-iMac', '-Mac-mini', '-Macmini', '-Mac-Studio', '-Mac-Pro'],
    pattern: new RegExp(
      String.raw`(?<=(?<head>(?<![\w-])[A-Za-z0-9][\w-]{0,40}))-(?:MacBook(?:-?(?:Pro|Air))?|iMac(?:-Pro)?|Mac-?(?:mini|Studio|Pro))(?:-\d{1,3})?(?:${privateDomain})?(?![\w-])`,
      'y',
    ),
  },
  {
    anchors: ['DESKTOP-', 'LAPTOP-', 'WIN-'],
    pattern: /(?<![\w-])(?:DESKTOP|LAPTOP|WIN)-(?=[A-Z0-9]{0,10}\d)(?=[A-Z0-9]{0,10}[A-Z])[A-Z0-9]{7,11}(?![\w-])/y,
  },
].map((rule) => ({ ...rule, id, replacement, isSecret: always }))

const key = '(?:ssh-(?:ed25519|rsa|dss)|ecdsa-sha2-nistp\\d{3}) AAAA[\\w+/=]{20,2000} '
const keyAnchors = ['ssh-ed25519 AAAA', 'ssh-rsa AAAA', 'ssh-dss AAAA', 'ecdsa-sha2-nistp']

/** What a public SSH key reveals about who made it, and where. */
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

/** What precedes the program in a line of a system's log: the time, and the machine. */
const logged =
  /(?:^|[\r\n])[+-]?(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT[\d:.]{8,16}(?:Z|[+-]\d\d:?\d\d)) ([A-Za-z0-9][\w.-]{0,62})$/

const logs: Rule = {
  id,
  replacement,
  anchors: [
    ' systemd',
    ' sshd',
    ' kernel:',
    ' sudo',
    ' su:',
    ' CRON[',
    ' cron[',
    ' dockerd',
    ' NetworkManager',
    ' login',
    ' launchd',
  ],
  read(text, offset) {
    const host = logged.exec(text.slice(Math.max(0, offset - 120), offset))?.[1]
    if (host === undefined || !isName(host)) return none
    return [{ start: offset - host.length, end: offset, value: host }]
  },
}

/** Names of machines as rules. Each is then recognised wherever else it occurs, if it does not look like a word. */
export const machineRules: readonly Rule[] = [...printed, ...given, ...signed, logs]
