/** Who works in a session, and on which machines: learned from its folders and shell prompts, and found again. */
import type { PersonalPolicy } from '../../model/personal.ts'
import { isUserPlace } from './places.ts'
import { addressAt, type Prompt, promptAt } from './prompts.ts'
import { isDistinctHost, isPersonalName, isTellingHost } from './words.ts'

/** Personal data at a place of a text. Without `instead` it gets a mark. */
export interface PersonalFinding {
  start: number
  end: number
  rule: 'user-name' | 'host-name' | 'email'
  instead?: string
}

/** What is known of one session so far. */
export interface People {
  /** Learns the user's name from a folder inside a home folder. */
  learn: (folder: string) => void
  /** Personal data of a text that depend on what is known. Prompts in it add to that. */
  find: (text: string) => PersonalFinding[]
}

/** So many names are enough for one session; each costs a search over every text. */
const most = 12
const home = /(?:^|[^\w.~-])(?:\/home|\/Users|[\\/]Users|Documents and Settings)[\\/]+([^\\/\s"'`<>:;,|*?]+)/gu

/** Nobody known yet. `policy` says what is looked for. */
export function people(policy: Pick<PersonalPolicy, 'names' | 'emails'>): People {
  const [names, hosts] = [new Set<string>(), new Set<string>()]
  const known: Known = { names, hosts, policy }
  return {
    learn(folder) {
      for (const [, name = ''] of folder.matchAll(home)) addName(name, known)
    },
    find(text) {
      const found: PersonalFinding[] = []
      if (policy.names || policy.emails) findAroundAt(text, known, found)
      if (!policy.names) return found
      for (const name of names) findUser(text, name, found)
      for (const name of hosts) findHost(text, name, found)
      return found
    },
  }
}

interface Known {
  names: Set<string>
  hosts: Set<string>
  policy: Pick<PersonalPolicy, 'names' | 'emails'>
}

function addName(name: string, { names }: Known): void {
  if (names.size < most && isPersonalName(name)) names.add(name)
}

function findAroundAt(text: string, known: Known, found: PersonalFinding[]): void {
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const prompt = known.policy.names ? promptAt(text, at) : undefined
    if (prompt !== undefined) takePrompt(prompt, known, found)
    else if (known.policy.emails) {
      const address = addressAt(text, at)
      if (address !== undefined) found.push({ ...address, rule: 'email' })
    }
  }
}

function takePrompt({ user, userAt, host, hostAt }: Prompt, known: Known, found: PersonalFinding[]): void {
  if (isPersonalName(user)) {
    addName(user, known)
    found.push(userFinding(userAt, user))
  }
  if (!isTellingHost(host)) return
  if (known.hosts.size < most) known.hosts.add(host)
  found.push(hostFinding(hostAt, host))
}

function findUser(text: string, name: string, found: PersonalFinding[]): void {
  for (const at of standingAlone(text, name, inWord)) {
    if (isUserPlace(text, at, at + name.length)) found.push(userFinding(at, name))
  }
}

function findHost(text: string, name: string, found: PersonalFinding[]): void {
  for (const at of standingAlone(text, name, inHost)) {
    if (isDistinctHost(name) || /[\w.-]@$/.test(text.slice(Math.max(0, at - 2), at))) found.push(hostFinding(at, name))
  }
}

const inWord = /[\p{L}\p{N}_]/u
const inHost = /[\p{L}\p{N}_-]/u

/** Places of a name that are not inside a word. */
function* standingAlone(text: string, name: string, inside: RegExp): Generator<number> {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + name.length)) {
    if (!inside.test(text.charAt(at - 1)) && !inside.test(text.charAt(at + name.length))) yield at
  }
}

function userFinding(start: number, name: string): PersonalFinding {
  return { start, end: start + name.length, rule: 'user-name', instead: 'user' }
}

function hostFinding(start: number, name: string): PersonalFinding {
  return { start, end: start + name.length, rule: 'host-name', instead: 'host' }
}
