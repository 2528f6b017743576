/** What single tags of a page do: load, run, embed, lead elsewhere. */

import type { FindingRuleId } from '../../diagnostics/finding.ts'
import { sha256Base64 } from '../../util/hash.ts'
import { ownValue } from '../../util/own.ts'
import type { Mark } from './text-scan.ts'

/** A tag as the parser gives it, names in lower case. */
export interface Tag {
  name: string
  attributes: ReadonlyMap<string, string>
}

/** What a tag shows. */
export interface TagFindings {
  faults: { ruleId: FindingRuleId; detail: string }[]
  /** Relative addresses. */
  links: string[]
  /** Links for readers to other sites. */
  webLinks: number
  /** Pictures that stand in the page, as `data:` addresses. */
  pictures: string[]
}

const embedding = new Set(['iframe', 'frame', 'frameset', 'object', 'embed', 'applet', 'portal', 'base', 'fencedframe'])
const loadingRels =
  /(?:^|\s)(?:stylesheet|icon|apple-touch-icon|mask-icon|manifest|preload|prefetch|modulepreload|preconnect|dns-prefetch|prerender|import)(?:\s|$)/i
/** Attributes whose address is loaded without a click. */
const loading = new Set(['src', 'srcset', 'poster', 'background', 'data', 'ping', 'lowsrc', 'dynsrc', 'imagesrcset'])
/** Elements of SVG that load what they refer to. */
const svgLoading = new Set(['use', 'image', 'feimage', 'script', 'mpath', 'textpath'])
const going = new Set(['href', 'xlink:href', 'action', 'formaction', 'cite', 'longdesc'])

/** Reads a tag: what it loads, where it leads, and what in it would run. */
export function readTag({ name, attributes }: Tag): TagFindings {
  const found: TagFindings = { faults: [], links: [], webLinks: 0, pictures: [] }
  if (embedding.has(name)) found.faults.push({ ruleId: 'embedded-content', detail: `Element: \`${name}\`.` })
  for (const [attribute, value] of attributes) {
    const fault = attributeFault(attribute)
    if (fault !== undefined) found.faults.push(fault)
    else if (loading.has(attribute)) {
      for (const address of addressesOf(attribute, value)) addLoaded(address, name, found)
    } else if (going.has(attribute)) {
      addLink(trimAddress(value), { name, attribute, rel: attributes.get('rel') ?? '' }, found)
    }
  }
  if (name === 'meta') addRefresh(attributes, found)
  return found
}

/** What is wrong with an attribute whatever its value. */
function attributeFault(attribute: string): TagFindings['faults'][number] | undefined {
  if (/^on[a-z]/.test(attribute)) return { ruleId: 'inline-script', detail: 'An attribute handles an event.' }
  if (attribute === 'style') return { ruleId: 'inline-style', detail: 'An attribute contains styles.' }
  if (attribute === 'srcdoc') return { ruleId: 'embedded-content', detail: 'An attribute contains a page.' }
  return undefined
}

function addressesOf(attribute: string, value: string): string[] {
  if (attribute === 'srcset' || attribute === 'imagesrcset') return srcsetAddresses(value).map(trimAddress)
  return attribute === 'ping' ? value.split(/\s+/).map(trimAddress) : [trimAddress(value)]
}

function addLoaded(address: string, name: string, found: TagFindings): void {
  switch (addressKind(address)) {
    case 'inside':
      if (address !== '') found.links.push(address)
      break
    case 'web':
      found.faults.push({ ruleId: 'external-request', detail: requestDetail(name, address) })
      break
    case 'data':
      if (isInlinePicture(address)) found.pictures.push(address)
      else found.faults.push({ ruleId: 'unsafe-link', detail: `\`${name}\` loads data that is not a picture.` })
      break
    default:
      addUnsafe(address, name, found)
  }
}

interface Going {
  name: string
  attribute: string
  rel: string
}

function addLink(address: string, { name, attribute, rel }: Going, found: TagFindings): void {
  const loads = svgLoading.has(name) || (name === 'link' && loadingRels.test(rel))
  if (loads) {
    addLoaded(address, name, found)
    return
  }
  const isForm = attribute === 'action' || attribute === 'formaction'
  switch (addressKind(address)) {
    case 'inside':
      // A form without an address sends to its own page.
      if (address !== '') found.links.push(address)
      break
    case 'web':
      if (isForm) found.faults.push({ ruleId: 'external-request', detail: requestDetail(name, address) })
      else if (name === 'a' || name === 'area') found.webLinks++
      break
    default:
      addUnsafe(address, name, found)
  }
}

const unsafe: Readonly<Record<string, string>> = {
  script: 'runs script',
  data: 'holds data',
  machine: 'leads to a file on the machine',
}

function addUnsafe(address: string, name: string, found: TagFindings): void {
  const what = unsafe[addressKind(address)]
  if (what !== undefined) found.faults.push({ ruleId: 'unsafe-link', detail: `The address of \`${name}\` ${what}.` })
}

/** `<meta http-equiv="refresh" content="0; url=…">` goes there without a click. */
function addRefresh(attributes: ReadonlyMap<string, string>, found: TagFindings): void {
  if (attributes.get('http-equiv')?.toLowerCase() !== 'refresh') return
  const address = trimAddress(/url\s*=\s*["']?([^"']*)/i.exec(attributes.get('content') ?? '')?.[1] ?? '')
  if (address !== '') addLoaded(address, 'meta', found)
}

/** The host alone is named: what follows it may be secret. */
function requestDetail(name: string, address: string): string {
  const host = hostOf(address)
  return host === '' ? `Element: \`${name}\`.` : `\`${name}\` asks \`${host}\`.`
}

// What a page as a whole must have: a policy that is as strict as ours before anything runs, and no referrer.

/** A script or style that stands in a page. */
export interface InlineCode {
  kind: 'script' | 'style'
  /** The element's `type`. */
  type: string
  text: string
  mark: Mark
}

/** A fault of a page. */
export interface PageFault {
  ruleId: FindingRuleId
  mark: Mark
  detail?: string
}

/** Watches the tags of a page. */
export interface PageRules {
  take(tag: Tag, mark: Mark): void
  /** Takes a script or style once it is whole. */
  addCode(code: InlineCode): void
  /** What is wrong with the page. */
  finish(): PageFault[]
}

/** Types of script elements that browsers run or heed; others hold data. */
const running =
  /^(?:|module|importmap|speculationrules|(?:text|application)\/(?:x-)?(?:java|ecma|live)script.*|text\/jscript)$/i

/** The rules for one page. */
export function pageRules(): PageRules {
  const policies: PolicyDirectives[] = []
  const codes: { kind: InlineCode['kind']; hash: string; mark: Mark }[] = []
  let referrer = ''
  let early: Mark | undefined

  function take({ name, attributes }: Tag, mark: Mark): void {
    const content = attributes.get('content') ?? ''
    if (name === 'meta' && attributes.get('http-equiv')?.toLowerCase() === 'content-security-policy') {
      policies.push(parsePolicy(content))
    } else if (name === 'meta' && attributes.get('name')?.toLowerCase() === 'referrer') {
      referrer = content.toLowerCase()
    } else if (policies.length === 0 && /^(?:script|link|style|img|body)$/.test(name)) early ??= mark
  }

  function addCode({ kind, type, text, mark }: InlineCode): void {
    if (text.trim() === '' || (kind === 'script' && !running.test(type.trim()))) return
    codes.push({ kind, hash: sha256Base64(text), mark })
  }

  function finish(): PageFault[] {
    const faults: PageFault[] = policyOf(policies, early)
    for (const { kind, hash, mark } of codes) {
      const isAllowed = policies.length > 0 && policies.every((policy) => allowsHash(policy, `${kind}-src`, hash))
      if (!isAllowed) faults.push({ ruleId: `inline-${kind}`, mark })
    }
    if (referrer !== 'no-referrer') faults.push({ ruleId: 'weak-referrer', mark: {} })
    return faults
  }

  return { take, addCode, finish }
}

/** All policies of a page hold together: it is enough that one of them is strict. */
function policyOf(policies: readonly PolicyDirectives[], early: Mark | undefined): PageFault[] {
  if (policies.length === 0) return [{ ruleId: 'weak-policy', mark: {}, detail: 'There is none.' }]
  const [first = [], ...others] = policies.map(policyFaults)
  const isStrict = first.length === 0 || others.some((faults) => faults.length === 0)
  if (!isStrict) return [{ ruleId: 'weak-policy', mark: {}, detail: `${first.slice(0, 3).join('; ')}.` }]
  return early === undefined
    ? []
    : [{ ruleId: 'weak-policy', mark: early, detail: 'It follows content that it should apply to.' }]
}

// What a Content Security Policy lets a page do.

/** Directives of a policy by name, in lower case. */
type PolicyDirectives = ReadonlyMap<string, readonly string[]>

/** Reads a policy; of a directive that stands twice the first one counts, as in browsers. */
function parsePolicy(text: string): PolicyDirectives {
  const directives = new Map<string, readonly string[]>()
  for (const part of text.split(';')) {
    const [name = '', ...values] = part.trim().split(/\s+/)
    if (name !== '' && !directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), values)
  }
  return directives
}

/** What each kind of fetch may name beside hashes; all else makes a policy weaker than ours. */
const allowed: Readonly<Record<string, RegExp>> = {
  // Only script that runs already can make a `blob:` address: the login page of a locked site opens its scripts so.
  'script-src': /^(?:blob:|'(?:self|none|wasm-unsafe-eval|sha(?:256|384|512)-.*)')$/,
  'style-src': /^'(?:self|none|sha(?:256|384|512)-.*)'$/,
  'img-src': /^(?:'self'|'none'|data:|blob:)$/,
  'connect-src': /^'(?:self|none)'$/,
  'worker-src': /^'(?:self|none)'$/,
  'manifest-src': /^'(?:self|none)'$/,
  'font-src': /^(?:'self'|'none'|data:)$/,
  'media-src': /^(?:'self'|'none'|data:|blob:)$/,
  'base-uri': /^'none'$/,
  'form-action': /^'none'$/,
}

/** In which ways a policy allows more than the program's own does, as clauses for people; none where it does not. */
function policyFaults(directives: PolicyDirectives): string[] {
  const faults: string[] = []
  if (directives.get('default-src')?.join(' ') !== "'none'") faults.push("`default-src` is not `'none'`")
  for (const name of ['base-uri', 'form-action']) if (!directives.has(name)) faults.push(`\`${name}\` is missing`)
  for (const [name, values] of directives) {
    if (name === 'default-src') continue
    const own = name.replace(/-(?:elem|attr)$/, '')
    const form = ownValue(allowed, own) ?? (own.endsWith('-src') ? /^'none'$/ : undefined)
    for (const value of values) if (form?.test(value) === false) faults.push(`\`${name}\` allows \`${value}\``)
  }
  return faults
}

/** Whether a policy lets the inline script or style with this hash (SHA-256, base64) run. */
function allowsHash(directives: PolicyDirectives, kind: 'script-src' | 'style-src', hash: string): boolean {
  const values = directives.get(`${kind}-elem`) ?? directives.get(kind) ?? directives.get('default-src') ?? []
  return values.includes(`'sha256-${hash}'`)
}

// Where an address in a page leads, read as browsers read it.

/**
 * `inside`: relative, to a file of the site. `web`: to a host. `script`: it runs. `data`: it brings its own content.
 * `machine`: to a file of the reader's machine. `other`: a program such as e-mail takes it.
 */
export type AddressKind = 'inside' | 'web' | 'script' | 'data' | 'machine' | 'other'

/** The address without what browsers leave out of it: control characters around it, tabs and line breaks in it. */
export function trimAddress(address: string): string {
  return address.replace(/^[\x00-\x20]+|(?<![\x00-\x20])[\x00-\x20]+$|[\t\n\r]/g, '')
}

/** Where a trimmed address leads. */
export function addressKind(address: string): AddressKind {
  if (/^[/\\]{2}/.test(address)) return 'web'
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase()
  switch (scheme) {
    case undefined:
      return 'inside'
    case 'http':
    case 'https':
    case 'ws':
    case 'wss':
    case 'ftp':
      return 'web'
    case 'javascript':
    case 'vbscript':
      return 'script'
    case 'data':
    case 'blob':
    case 'filesystem':
      return 'data'
    case 'file':
      return 'machine'
    default:
      return 'other'
  }
}

/** The addresses of a `srcset`. */
function srcsetAddresses(srcset: string): string[] {
  return srcset
    .split(/,\s+|,$/)
    .map((part) => part.trim().split(/\s+/)[0] ?? '')
    .filter((part) => part !== '')
}

/** A picture that a page holds itself, of a format that runs nothing. */
function isInlinePicture(address: string): boolean {
  return /^data:image\/(?:png|jpeg|gif|webp|avif)[;,]/i.test(address)
}

/** Host of an address for people, without anything that could be secret; empty where it has none. */
export function hostOf(address: string): string {
  return /^(?:[a-z][a-z0-9+.-]*:)?[/\\]{2}(?:[^/\\?#@]*@)?([a-z0-9.-]{1,255})/i.exec(address)?.[1] ?? ''
}
