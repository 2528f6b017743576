/** Personal data that its own form reveals, as rules: home folders and renamed roots. */

import type { PersonalPolicy } from '../../config/personal.ts'
import { type Anchors, compileAnchors } from '../anchors.ts'
import { none, type Rule, type Secret, secretsAt } from '../rule.ts'
import { searchWithin } from '../search.ts'
import {
  base64,
  decodedText,
  type Encoding,
  endAfterFill,
  freshRuns,
  hex,
  inBase64,
  inHex,
  wrapped,
} from '../values/encoded-run.ts'

const always = (): boolean => true

/**
 * Where a path may begin: not inside a word, an address or a longer path, but after `file://`, after flags such as `-I`, and in a
 * diff.
 */
const begins =
  '(?:(?<![\\p{L}\\p{N}_.~%@#*/\\\\)}\\]-])|(?<=file:\\/\\/\\/?)|(?<=(?:^|\\s)-[A-Za-z])|(?<=(?:^|[\\r\\n])-)|(?<=(?:^|[\\s"])[ab]))'
/** Folders next to those of people, and pages of a site: `/home/index.html`. */
const nobody =
  '(?!(?:Shared|Public|PUBLIC|public|Default(?: User)?|All Users|linuxbrew)(?![\\p{L}\\p{N}_.-])|[\\w-]+\\.(?:html?|php|aspx?|jsp|[jt]sx?|vue|s?css|json|md|png|jpe?g|svg|webp)(?![\\p{L}\\p{N}_./-]))'
const word = '[\\p{L}\\p{N}_](?:[\\p{L}\\p{N}_.-]{0,62}[\\p{L}\\p{N}_-])?(?![\\p{L}\\p{N}_])'
/** On Windows a name may contain spaces; a folder below it then shows where it ends. */
const windowsWord = `(?:${word}(?: \\p{Lu}[\\p{L}\\p{N}_.-]{0,30}){1,3}(?=\\\\)|${word})`
/** A backslash, as often as nested JSON doubles it. */
const back = '(?<!\\\\)\\\\{1,64}'
const drive = '(?<![\\p{L}\\p{N}])[A-Za-z]:'
/** A drive in an address. */
const letter = '[A-Za-z](?::|%3[Aa])'
const share = `(?<!\\\\)\\\\{2,128}[\\w.$-]{1,80}${back}(?:[\\w.$-]{1,80}${back})?`

/** Home folders of Linux, macOS, Windows, and of Windows as seen from Linux. */
export const homeRules: readonly Rule[] = [
  homeRule(
    ['/home/'],
    `(?<=(?<head>${begins}(?:\\/(?:usr|var|export))?|(?:(?<![:\\w/])|(?<=:\\d{1,6}:))\\/\\/wsl(?:\\$|\\.localhost)\\/[\\w.-]{1,80}))\\/home\\/${nobody}${word}`,
    '[^/\\s]',
  ),
  homeRule(
    ['/Users/'],
    `(?<=(?<head>(?<!file:\\/\\/)${begins}\\/${letter}|(?<=\\/)${letter}|${begins}(?:(?:\\/mnt|\\/cygdrive)?\\/[A-Za-z]|${letter})?))\\/Users\\/${nobody}${word}`,
    '[^/\\s]',
  ),
  homeRule(
    ['Users\\', 'Documents and Settings\\'],
    `(?<=(?<head>${drive}${back}|${share}|(?<![\\w\\\\.~-])${back}))(?:Users|Documents and Settings)\\\\{1,64}${nobody}${windowsWord}`,
  ),
  // Windows programs that compare paths write them in lowercase. Without a drive, that is part of an address.
  homeRule(['users\\', 'USERS\\'], `(?<=(?<head>${drive}${back}))(?:users|USERS)\\\\{1,64}${nobody}${windowsWord}`),
  homeRule(
    ['/users/', '/USERS/'],
    `(?<=(?<head>(?<=\\/)${letter}|${begins}(?:\\/mnt\\/[A-Za-z]|\\/?${letter})))\\/(?:users|USERS)\\/${nobody}${word}`,
    '[^/\\s]',
  ),
  homeRule(
    ['home\\'],
    `(?<=(?<head>(?<!\\\\)\\\\{2,128}wsl[\\w.$-]{1,20}${back}[\\w.$-]{1,80}${back}))home\\\\{1,64}${word}`,
  ),
  homeRule(
    'users\\ Home\\ home\\ homes\\ users$\\ Users$\\ home$\\ Home$\\ homes$\\ profiles$\\ Profiles$\\'.split(' '),
    `(?<=(?<head>(?<!\\\\)\\k<sep>\\k<sep>[\\w.-]{1,80}(?<sep>\\\\{1,32})))[A-Za-z]{4,8}\\$?\\k<sep>${nobody}${windowsWord}`,
  ),
  homeRule(
    ['%2Fhome%2F', '%2fhome%2f', '%2FUsers%2F', '%2fUsers%2f', '%5CUsers%5C', '%5cUsers%5c'],
    `(?<=(?<head>(?:(?<![\\w])[A-Za-z](?::|%3[Aa]))?))%(?:2[Ff]|5[Cc])(?:home|Users)%(?:2[Ff]|5[Cc])${nobody}${word}`,
  ),
]

function homeRule(anchors: readonly string[], source: string, follows?: string): Rule {
  const rule: Rule = {
    id: 'home-folder',
    anchors,
    pattern: personalPattern(source),
    isSecret: always,
    replacement: '~',
  }
  return follows === undefined ? rule : { ...rule, follows }
}

function personalPattern(source: string): RegExp {
  return new RegExp(source, 'uy')
}

/** Whether a folder is one that `homeRules` recognise as a whole. */
export function isUsualHome(folder: string): boolean {
  return /^(?:\/home|\/Users|[A-Za-z]:[\\/]Users)[\\/][^\\/]+[\\/]?$/.test(folder)
}

/** Home folders that name nobody. Codex also uses such paths as names of agents: `/root/reader` (rollout-format 2.3). */
const isRootHome = (folder: string): boolean => /^(?:\/var|\/private\/var)?\/root\/?$/.test(folder)

/** The rule of the user's own home folder if it is in an unusual location; none for a root folder, or that of root. */
export function ownHomeRules(homeDir: string): Rule[] {
  return isUsualHome(homeDir) || isRootHome(homeDir) ? [] : folderRules('home-folder', homeDir, '~')
}

/** Rules of renamed roots, longest first, because the first of overlapping rules counts. A root may begin with `~`. */
export function rootRules(roots: PersonalPolicy['roots'], homeDir: string): Rule[] {
  return Object.entries(roots)
    .flatMap(([folder, name]) => {
      const isBelowHome = homeDir !== '' && /^~(?=[/\\])/.test(folder)
      const expanded = isBelowHome ? [folder, homeDir + folder.slice(1)] : [folder]
      return expanded.map((path) => ({ path, name }))
    })
    .toSorted((a, b) => b.path.length - a.path.length)
    .flatMap(({ path, name }) => folderRules('project-root', path, name))
}

function folderRules(id: string, folder: string, replacement: string): Rule[] {
  const path = folder.replace(/(?<![/\\])[/\\]+$/, '')
  if (!/^(?:[/\\]|~[/\\]|[A-Za-z]:[/\\])/.test(path) || path.length < 3) return []
  const source = path
    .split(/[/\\]+/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
    .join('(?:/|\\\\{1,64})')
  const pattern = personalPattern(`${begins}${source}(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}_])`)
  // A search needs literal characters to begin with, and backslashes may be doubled.
  const anchors = path.includes('\\') ? [path.slice(0, 3), `${path.slice(0, 2)}/`] : [path]
  return [{ id, anchors, pattern, isSecret: always, replacement }]
}

// Home folders inside base64 and hexadecimal digits: paths in source maps, in tokens of tools, in what a script encodes.

const heads = ['/home/', '/Users/', '\\Users\\', '\\\\Users\\\\']
const minAnchor = 5

let anchors: Anchors | undefined
const runAt = freshRuns()

interface Probe {
  readonly text: string
  isFound: boolean
}

function probeRules(offset: number, ranks: readonly number[], probe: Probe): void {
  for (const rank of probe.isFound ? [] : ranks) {
    const rule = homeRules[rank]
    if (rule !== undefined && secretsAt(probe.text, offset, rule).length > 0) probe.isFound = true
  }
}

/** Whether a decoded text names somebody's home folder. */
function holdsHome(text: string): boolean {
  anchors ??= compileAnchors(homeRules)
  const own = anchors
  const probe: Probe = { text, isFound: false }
  searchWithin(() => own.search(text, probeRules, probe))
  return probe.isFound
}

/**
 * Returns the run around an offset, if it encodes such a text. The whole run is one secret, because its other parts belong to
 * that text.
 */
function readRun(text: string, offset: number, encoding: Encoding): readonly Secret[] {
  const run = runAt(text, offset, encoding)
  if (run === undefined) return none
  const { start, end } = run
  const decoded = decodedText(text.slice(start, end), encoding)
  if (decoded === undefined || !holdsHome(decoded)) return none
  const filled = endAfterFill(text, end)
  return [{ start, end: filled, value: text.slice(start, filled) }]
}

/** Rules for encoded home folders. Their findings get a mark, because the encoded text reveals more than the folder. */
export const encodedHomeRules: readonly Rule[] = [
  {
    id: 'home-folder',
    anchors: heads
      .flatMap((head) => inBase64(head).map(({ anchor }) => anchor))
      .filter(({ length }) => length >= minAnchor),
    follows: wrapped('A-Za-z0-9+/_-'),
    read: (text, offset) => readRun(text, offset, base64),
  },
  {
    id: 'home-folder',
    anchors: heads.map(inHex).flatMap((digits) => [digits, digits.toUpperCase()]),
    follows: wrapped('0-9a-fA-F'),
    read: (text, offset) => readRun(text, offset, hex),
  },
]
