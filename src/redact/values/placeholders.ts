/** What stands for a secret value instead of being one: placeholders, variables, templates, expressions in code. */

import { isIdentifier, isMember, isMinified, isPattern } from './code-shapes.ts'
import { isGibberish } from './letters.ts'
import { isNamePart, isNoise, isStrong, isWordy, written } from './randomness.ts'

/** What `redactor` writes, in an address. */
const writtenInAddress = /%5[Bb]redacted:/
const blank =
  /^(?:x{3,}|\*{3,}|\.{3,}|[-_]+|0+|none|null|nil|undefined|true|false|string|str|text|redacted|hidden|masked|removed|todo|tbd|changeme|change[-_ ]?(?:me|it|this)|replace[-_ ]?(?:me|this)|base(?:16|32|58|64)(?:url)?(?:[- ]encoded)?|utf-?(?:8|16)(?:[bl]e)?|latin-?1|--[a-z][a-z\d]*(?:-[a-z\d]+)*|insert[-_ ].*|fill[-_ ]?(?:me|in).*)$/i
/** Words that begin a placeholder, if what follows consists of words, too: `my_x9F2kQ7m` is not a placeholder. */
const placeholders =
  /^(?:your?|my|some|the|an?|example|sample|dummy|fake|placeholder|test|demo|foo|default|new|old)(?=[-_ .])/i
/** Complete expressions for values that are looked up at run time: `$NAME`, `${NAME}`, `%NAME%`, `{{ name }}`, `$(command)`. */
const lookup =
  /^(?:\$\{\{[^{}]*\}\}|\$\{[^{}]*\}|\$\([^()]*\)|\{\{[^{}]*\}\}|\{%[^{}]*%\}|<%[^<>]*%>|#\{[^{}]*\}|%\([\w.]+\)[sdr]|%[sdvq]|\{[\w.]*\}|\[\[[^[\]]*\]\]|\?)(?:[/.:_-][\w/.$-]*)?$/
/** A lookup whose end is missing or that is among others; `${` and `{{` are not part of passwords. */
const opened =
  /^\$\{\{|^\. ?\$[A-Za-z_]|^(?:json|ya?ml|xml|bson|toml|form|db|gorm|mapstructure|validate|env|msgpack):\\?"[a-z]|^\$\{[A-Za-z_][\w.:-]*\}?|^\$\([a-z]|^\{\{|^<%|^\$[A-Z][A-Z\d_]{2,}@|^<(?:[Yy]our|YOUR|[Ee]nter|[Ii]nsert)[A-Z _-]/
/** Marks that a deployment tool replaces: `__NAME__`, `##NAME##`, `%env(NAME)%`. */
const mark = /^(##?|__|@@?|%%?|\$\$?)[A-Z][A-Z\d]*(?:[_.-][A-Z\d]+)*\1$|^%env\([\w:]+\)%$/
/** A call that checks against a pattern: `expect.stringMatching(/^a/)`. */
const matcher = /^[A-Za-z_$][\w$.]*\(\/.*\/[dgimsuvy]*\)?$/
/** Where a secret store holds the value: `ssm:/prod/db`. */
const reference =
  /^(?:ssm|aws-?sm|asm|gcp(?:-?sm)?|gsm|akv|vault|op|bws?|doppler|infisical|keyring|keychain|gopass|pass|env|file|sops|secret|secrets|ref\+\w{2,16}):\/?[A-Za-z][\w./#@-]*$/
const variable = /^(\${1,2}|[@%&:])(?:(?:env|script|global|private|local):)?([A-Za-z_]\w*)%?((?:[/.:[\])-].*)?)$/
const bracketed = /^<([^<>]{1,80})>?$/
/** How pages encode the brackets of a type or a placeholder. */
const entity = /^&(?:lt|#x3[Cc]|#60);/
const closingEntity = /&(?:gt|#x3[Ee]|#62);$/
/** Character classes of a pattern. Random text next to them is a value that happens to contain one. */
const classes = /\[[^\]]*\]|\\{1,2}.|[$^]/g
/** `ghp_xxxxxxxx`, `sk-0000000000`, `shp_4f2a•••` */
const repeated = /([xX*0.#_-])\1{7,}|[•●∙▪█]{3}/

/**
 * Whether a value represents a secret instead of being one: `xxxxx`, `<token>`, `$TOKEN`, `process.env.TOKEN`. `isLiteral` means
 * that it is quoted, and so not code.
 */
export function isPlaceholder(value: string, isLiteral = false): boolean {
  return new Set(value).size < 5 || isStandIn(value, isLiteral)
}

/** The same where even a few characters, such as `toor`, may be a secret. */
export function isStandIn(value: string, isLiteral = false): boolean {
  return (
    value.includes(written) ||
    writtenInAddress.test(value) ||
    blank.test(value) ||
    repeated.test(value) ||
    isSequence(value) ||
    (placeholders.test(value) && isWordy(value)) ||
    isLookup(value) ||
    isTemplate(value) ||
    (isPattern(value) && isWordy(value.replaceAll(classes, ''))) ||
    (!isLiteral && !quotesNoise(value) && (isExpression(value.replace(entity, '<')) || isMinified(value)))
  )
}

/** Whether most of a value counts up, as in placeholders for a key or lists of its characters: `abcdef0123456789`. */
function isSequence(value: string): boolean {
  let counted = 0
  for (let at = 1, run = 1; at <= value.length; at++) {
    if (at < value.length && value.charCodeAt(at) === value.charCodeAt(at - 1) + 1) run++
    else {
      if (run > 3) counted += run
      run = 1
    }
  }
  return counted * 3 > value.length * 2
}

function isLookup(value: string): boolean {
  // What Maven encrypts is between braces, too.
  if (/^\{\w+\}$/.test(value) && isStrong(value)) return false
  if (lookup.test(value) || opened.test(value) || mark.test(value)) return true
  if (matcher.test(value) || (reference.test(value) && isWordy(value))) return true
  const [, head = '', name, rest = ''] = variable.exec(value) ?? []
  if (name !== undefined && !isVariable(head, name, rest)) return false
  const inner = name ?? bracketed.exec(value.replace(entity, '<').replace(closingEntity, '>'))?.[1]
  return (
    inner !== undefined && (isWordy(inner) || /^[A-Z]{3}[A-Z0-9]*(?:_(?:[A-Za-z0-9]{1,3}|[A-Z]{4,}))*$/.test(inner))
  )
}

/** How much more gibberish is allowed in names of variables, which programs shorten more than other words. */
const variableMargin = 0.6

/**
 * Whether a sign, a name and what follows are a variable, and not a password that begins like one: `@t-6xOnA8xKRYtsZ`,
 * `%czqNcfUK`.
 */
function isVariable(sign: string, name: string, rest: string): boolean {
  if (isGibberish(name, sign.startsWith('$') ? variableMargin : 0)) return false
  return isWordy(rest.replaceAll('`', '')) || (sign.startsWith('$') && !rest.startsWith('-'))
}

/** Whether a value is only a frame around lookups: `^${start}$`, `Bearer ${token}`. */
function isTemplate(value: string): boolean {
  if (!/\$\{[^{}]{1,80}\}/.test(value)) return false
  const rest = value.replaceAll(/\$\{[^{}]{1,80}\}/g, ' ').split(/\s+/)
  return rest.every((part) => isWordy(part) || !/[A-Za-z\d]{5}/.test(part))
}

const structure =
  /^(?:array|list|iterable|callable|class-string|map|set|vector)<[A-Za-z]|^[!*&([{]?[A-Za-z_$][\w$]*\??!?(?:[.[(]|::|->|\?\.|:`|\s*\?\?|!?$)|^<[A-Za-z]\w{3,}>?$|^[A-Z][a-z]\w{2,}<|^!?[$@%][A-Za-z_]\w{2,}(?:[{[]|->|$)/
const codeOnly = /^[\w$@%#.,()[\]{}<>:;?!'"`|&+*/=^ -]+$/
/** Matches a number that letters follow; no name begins with a number. */
const gluedNumber = /(?<![\w$])(?!0x)\d+[A-Za-z_$]\w{4}/
const numbers = /\b0x[\da-fA-F]+\b/g
const identifiers = /[A-Za-z_$][\w$]*/g

/** Whether a value is code that evaluates to one: a member, a call, an index, a type. Every name in it reads like a name. */
function isExpression(given: string): boolean {
  const value = given.replace(/^(?:`+|&quot;)/, '').replaceAll(/\.#(?=[A-Za-z_])/g, '.')
  if (isMember(value)) return true
  if (!structure.test(value) || !codeOnly.test(value) || !/[.([{<>]|::|->|:`/.test(value)) return false
  if (gluedNumber.test(value)) return false
  // A member has a name, and no argument begins with a binary operator.
  if (/\.[!%&+,/:;=@|~-]|\([%=,;|>^]/.test(value)) return false
  // An expression that continues in the next line, after a quote or a comma, need not close what it opened.
  if (!/["'`]|[([{,]$/.test(value) && !isBalanced(value)) return false
  return (value.replaceAll(numbers, '0').match(identifiers) ?? []).every(
    (name) => isIdentifier(name) || name.split(/[_$]/).every(isNamePart),
  )
}

/** The content of quoted strings, up to the end of the text if a quote is not closed. */
const strings = /(["'`])((?:(?!\1)[^\\]|\\.)*)(?:\1|$)/g

/** Whether a string in a piece of code is random. Then it is not code but a value, or code that reveals one. */
function quotesNoise(value: string): boolean {
  for (const [, , text = ''] of value.matchAll(strings)) if (holdsNoise(text)) return true
  return false
}

/** Whether a text that is quoted in code is random, apart from what a template inserts. */
function holdsNoise(text: string): boolean {
  return (text.replaceAll(/\$\{[^{}]*\}?/g, ' ').match(/[A-Za-z0-9]+/g) ?? []).some(isNoise)
}

/** A call that is cut at the comma after its first argument leaves one bracket open. */
const cutCall = /^[\w$.]*(?:[a-z][A-Z]|_|\.|->|::)[\w$.]*(?:(?:->|::)\w*)*\(/

function isBalanced(value: string): boolean {
  const count = (sign: string): number => value.split(sign).length
  const open = count('(') - count(')')
  return (
    (open === 0 || (cutCall.test(value) && open > -3 && open < 3)) &&
    count('[') === count(']') &&
    count('{') === count('}')
  )
}
