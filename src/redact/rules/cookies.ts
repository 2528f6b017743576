/** Cookies: in headers, in what browsers store, and in calls that set them. */

import type { Rule, Secret } from '../rule.ts'
import { tryReachItem } from '../search.ts'
import { isIdentifier } from '../values/code-shapes.ts'
import { isMixed } from '../values/letters.ts'
import { isPlaceholder } from '../values/placeholders.ts'
import { isRandom, isWordy } from '../values/randomness.ts'

/** Whether the value of a cookie looks random. */
export function isCookieValue(value: string): boolean {
  if (value.length < minCookie || isIdentifier(value) || isPlaceholder(value)) return false
  return !isWordy(value) && isRandom(value) && isMixed(value)
}

const minCookie = 12

/** Whether a cookie header has a value that looks random. A header is checked once, however many anchors it contains. */
function holdsCookie(header: string): boolean {
  return header.split(';', 64).some((part) => isCookieValue(part.slice(part.indexOf('=') + 1).trim()))
}

/** How names of cookies that identify a login end, with what precedes that. */
const endsSession =
  '(?:[Ss]ess(?:ion)?(?:[_-]?id)?|SESS(?:ION)?(?:_?ID)?|[Ss]id|SID|auth|AUTH|jwt|JWT|remember(?:_?me)?|login)'
const comma = '\\s{0,8},\\s{0,40}'
const quote = '["\']'
const colon = `${quote}\\s{0,4}:\\s{0,4}`
const otherFields = `(?:${quote}[\\w-]{1,24}${colon}(?:${quote}[^"'\\n]{0,200}${quote}|[\\w.+-]{1,24})${comma}){0,6}`
const cookieNames = [
  ...['ession', 'ESSION', 'ession_id', 'essionid', 'SSID', 'SESSID', 'sid', 'SID', 'sess', 'auth', 'AUTH', 'jwt'],
  ...['remember_me', 'login'],
]

/** A collection of cookies: what opens it, and one of its entries with what separates it from the next. */
interface Cookies {
  open: RegExp
  entry: RegExp
}

const text = '[bfru]?(?:"(?<double>[^"\\n]{0,4096})"|\'(?<single>[^\'\\n]{0,4096})\'|`(?<template>[^`\\n]{0,4096})`)'
/** A number, a name, or what a program looks up: `token`, `env['SID']`, `read('sid')`. */
const lookup = '[\\w.+-]{1,80}(?:[[(](?:["\'][\\w.-]{1,80}["\'])?[\\])])?'
const cookieMap: Cookies = {
  open: /ookies["']?\s{0,4}[=:]\s{0,4}(?:dict\(|\{)/y,
  entry: new RegExp(
    `\\s{0,40}["']?[\\w.-]{1,80}["']?\\s{0,4}[:=]\\s{0,4}(?:${text}|${lookup})(?<comma>\\s{0,4},)?`,
    'dy',
  ),
}
const cookieList: Cookies = {
  open: /ookies?\(\[?/y,
  entry: new RegExp(
    `\\s{0,40}\\{?\\s{0,40}(?:(?:url|domain|path):\\s{0,4}["'\`][^"'\`\\n]{0,120}["'\`],\\s{0,40}){0,3}["']?name["']?:\\s{0,4}["'\`][\\w.-]{1,80}["'\`],\\s{0,40}["']?value["']?:\\s{0,4}(?:${text}|${lookup})(?<comma>[^{}]{0,400}\\}\\s{0,4},)?`,
    'dy',
  ),
}
const maxCookies = 64
/** In a lock file, a package may be named like a collection of cookies. */
const checksum = /^sha\d{1,3}-/

/** The values of a collection that look random. */
function cookiesIn(given: string, offset: number, { open, entry }: Cookies): readonly Secret[] {
  open.lastIndex = offset
  const found: Secret[] = []
  if (!open.test(given)) return found
  entry.lastIndex = open.lastIndex
  for (let row = 0; ; row++) {
    const match = entry.exec(given)
    if (match === null || !tryReachItem(row, maxCookies, match[0].length)) return found
    const { double, single, template } = match.indices?.groups ?? {}
    const [start, end] = double ?? single ?? template ?? [0, 0]
    const value = given.slice(start, end)
    if (isCookieValue(value) && !checksum.test(value)) found.push({ start, end, value })
    if (match.groups?.['comma'] === undefined) return found
  }
}

/** Rules for cookies. */
export const cookieRules: readonly Rule[] = [
  {
    id: 'cookie',
    anchors: ['ookie:', 'ookie"', "ookie'", 'OOKIE=', '--cookie'],
    pattern:
      /(?:ookie["']?:(?!:)|ookie["']\s{0,4},\s{0,40}["']value["']\s{0,4}:|ookie["'],|OOKIE=|--cookie)[ \t=]{0,3}["']?(?<secret>[^\n"'\\]{8,4096})/y,
    isSecret: holdsCookie,
    spans: true,
    continues: true,
  },
  {
    // A Netscape cookie file: domain, flag, path, secure, expiry, name, value, separated by tabs.
    id: 'cookie',
    anchors: ['\tTRUE\t', '\tFALSE\t', ' TRUE ', ' FALSE '],
    follows: '\\/',
    pattern:
      /[ \t]+(?:TRUE|FALSE)[ \t]+\/\S{0,120}[ \t]+(?:TRUE|FALSE)[ \t]+\d{1,16}[ \t]+[^\s=;]{1,120}[ \t]+(?<secret>[^\s]{8,4096})/y,
    isSecret: isCookieValue,
  },
  {
    // `document.cookie = "session=…"`
    id: 'cookie',
    anchors: ['.cookie=', '.cookie =', '.cookie +='],
    pattern: /\.cookie ?\+?= ?(["'`])[\w.%-]{1,80}=(?<secret>[^"'`;\s]{8,4096})/y,
    isSecret: isCookieValue,
  },
  {
    // `cookies={'session': '…', 'theme': 'dark'}`, `"cookies": {"session": "…"}`
    id: 'cookie',
    anchors: ['ookies=', 'ookies =', 'ookies"', "ookies'", 'ookies:'],
    read: (text, offset) => cookiesIn(text, offset, cookieMap),
  },
  {
    // `res.cookie('session', '…')`, `cookies.set("session", "…")`, `set_cookie('session', value='…')`
    id: 'cookie',
    anchors: ['ookie(', 'ookies.set(', 'OOKIE('],
    pattern:
      /(?:ookie|OOKIE|ookies\.set)\(\s{0,8}["'`][\w.-]{1,80}["'`],\s{0,8}(?:value ?[=:] ?)?["'`](?<secret>[^"'`\n]{12,4096})["'`]/y,
    isSecret: isCookieValue,
  },
  {
    // What browsers and their tools store: `{"name": "sid", "value": "…", "domain": …}`
    id: 'cookie',
    anchors: cookieNames.flatMap((name) => [`${name}"`, `${name}'`]),
    follows: '\\s{0,8},\\s{0,40}["\']',
    pattern: new RegExp(
      `(?<=${quote}name${colon}${quote}[\\w.-]{0,80})(?:${cookieNames.join('|')})${quote}${comma}${otherFields}${quote}value${colon}${quote}(?<secret>[^"'\\n\\\\]{12,4096})${quote}`,
      'y',
    ),
    isSecret: isCookieValue,
  },
  {
    // The same in code: `addCookies([{ name: 'session', value: '…' }, …])`
    id: 'cookie',
    anchors: ['ookies([', 'ookie({'],
    read: (text, offset) => cookiesIn(text, offset, cookieList),
  },
  {
    // The same with the name after the value, and with any name next to fields that only cookies have.
    id: 'cookie',
    anchors: ['"value"', "'value'"],
    follows: '\\s{0,4}:\\s{0,4}["\'][^"\'\\n\\\\]{12}',
    pattern: new RegExp(
      `${quote}value${colon}${quote}(?<secret>[^"'\\n\\\\]{12,4096})${quote}(?=${comma}${otherFields}${quote}(?:name${colon}${quote}[\\w.-]{0,80}${endsSession}|httpOnly|sameSite|hostOnly)${quote})`,
      'y',
    ),
    isSecret: isCookieValue,
  },
]
