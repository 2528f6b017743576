/** What single tags of a page do: load, run, embed, link elsewhere. */

import type { FindingRuleId } from '../../diagnostics/finding.ts'

/** A tag as the parser returns it, with names in lowercase. */
export interface Tag {
  name: string
  attributes: ReadonlyMap<string, string>
}

/** What a tag reveals. */
interface TagFindings {
  faults: { ruleId: FindingRuleId; detail: string }[]
  /** Relative addresses. */
  links: string[]
  /** Links for readers to other sites. */
  webLinks: number
  /** Pictures embedded in the page, as `data:` addresses. */
  pictures: string[]
}

const embedding = new Set(['iframe', 'frame', 'frameset', 'object', 'embed', 'applet', 'portal', 'base', 'fencedframe'])
const loadingRels =
  /(?:^|\s)(?:stylesheet|icon|apple-touch-icon|mask-icon|manifest|preload|prefetch|modulepreload|preconnect|dns-prefetch|prerender|import)(?:\s|$)/i
/** Attributes whose address is loaded without a click. */
const loading = new Set('src srcset poster background data ping lowsrc dynsrc imagesrcset attributionsrc'.split(' '))
/** Those that contain several addresses between spaces. */
const spaced = new Set(['ping', 'attributionsrc'])
/** Elements of SVG that change an address of another element, and the attributes with the new address. */
const changing = new Set(['animate', 'set'])
const changes = new Set(['to', 'from', 'by', 'values'])
/** Elements of SVG that load what they refer to. */
const svgLoading = new Set(['use', 'image', 'feimage', 'script', 'mpath', 'textpath'])
const going = new Set(['href', 'xlink:href', 'action', 'formaction', 'cite', 'longdesc'])

/** Reads a tag: what it loads, where it leads, and what in it would run. */
export function readTag({ name, attributes }: Tag): TagFindings {
  const found: TagFindings = { faults: [], links: [], webLinks: 0, pictures: [] }
  if (embedding.has(name)) found.faults.push({ ruleId: 'embedded-content', detail: `Element: \`${name}\`.` })
  for (const [attribute, value] of attributes) readAttribute(attribute, value, { name, attributes }, found)
  if (name === 'meta') addRefresh(attributes, found)
  return found
}

function readAttribute(attribute: string, value: string, { name, attributes }: Tag, found: TagFindings): void {
  const fault = attributeFault(attribute, value)
  if (fault !== undefined) found.faults.push(fault)
  else if (loading.has(attribute)) {
    for (const address of addressesOf(attribute, value)) addLoaded(address, name, found)
  } else if (going.has(attribute)) {
    addLink(trimAddress(value), { name, attribute, rel: attributes.get('rel') ?? '' }, found)
  } else if (changing.has(name) && changes.has(attribute)) {
    for (const address of value.split(';')) addUnsafe(trimAddress(address), name, found)
  }
}

/** What is wrong with an attribute, whatever its element. */
function attributeFault(attribute: string, value: string): TagFindings['faults'][number] | undefined {
  if (/^on[a-z]/.test(attribute)) return { ruleId: 'inline-script', detail: 'An attribute handles an event.' }
  if (attribute === 'style') return { ruleId: 'inline-style', detail: 'An attribute contains styles.' }
  if (attribute === 'srcdoc') return { ruleId: 'embedded-content', detail: 'An attribute contains a page.' }
  if (attribute === 'referrerpolicy' && !/^(?:no-referrer)?$/i.test(value.trim())) {
    return { ruleId: 'weak-referrer', detail: 'An attribute says more than the page.' }
  }
  return undefined
}

function addressesOf(attribute: string, value: string): string[] {
  if (attribute === 'srcset' || attribute === 'imagesrcset') return srcsetAddresses(value).map(trimAddress)
  return spaced.has(attribute) ? value.split(/\s+/).map(trimAddress) : [trimAddress(value)]
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
      // A form without an address submits to its own page.
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

/** `<meta http-equiv="refresh" content="0; url=…">` navigates without a click; browsers need neither `url=` nor `;`. */
function addRefresh(attributes: ReadonlyMap<string, string>, found: TagFindings): void {
  if (attributes.get('http-equiv')?.toLowerCase() !== 'refresh') return
  const address = trimAddress(
    /^\s*[\d.]*[\s;,]+(?:url\s*=\s*)?["']?([^"']*)/i.exec(attributes.get('content') ?? '')?.[1] ?? '',
  )
  if (address !== '') addLoaded(address, 'meta', found)
}

/** Only the host is shown, because what follows it may be secret. */
function requestDetail(name: string, address: string): string {
  const host = hostOf(address)
  return host === '' ? `Element: \`${name}\`.` : `\`${name}\` asks \`${host}\`.`
}

// Where an address in a page leads, as browsers read it.

/**
 * `inside`: relative, to a file of the site. `web`: to a host. `script`: it runs. `data`: it contains its own content. `machine`:
 * to a file on the reader's machine. `other`: a program such as e-mail opens it.
 */
type AddressKind = 'inside' | 'web' | 'script' | 'data' | 'machine' | 'other'

/** The address without what browsers ignore: control characters around it, tabs and line breaks in it. */
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

/** The next candidate of a `srcset`: what separates it from the one before, and its address. */
const candidate = /[\t\n\f\r ,]*([^\t\n\f\r ]+)/y

/** The addresses of a `srcset`, as the HTML standard parses one: a comma ends a candidate, but is also part of addresses. */
function srcsetAddresses(srcset: string): string[] {
  const found: string[] = []
  candidate.lastIndex = 0
  for (let match = candidate.exec(srcset); match !== null; match = candidate.exec(srcset)) {
    const [, written = ''] = match
    const address = written.replace(/(?<!,),+$/, '')
    if (address !== '') found.push(address)
    if (address === written) candidate.lastIndex = afterDescriptors(srcset, candidate.lastIndex)
  }
  return found
}

/** Offset after the comma that ends the descriptors of a candidate; one within parentheses does not. */
function afterDescriptors(srcset: string, from: number): number {
  let isWithin = false
  for (let at = from; at < srcset.length; at++) {
    const character = srcset[at]
    if (character === ',' && !isWithin) return at + 1
    if (character === '(') isWithin = true
    else if (character === ')') isWithin = false
  }
  return srcset.length
}

/** Whether an address is an embedded picture in a format that runs nothing. */
function isInlinePicture(address: string): boolean {
  return /^data:image\/(?:png|jpeg|gif|webp|avif)[;,]/i.test(address)
}

/** Host of an address for people, without anything that could be secret; empty if it has none. */
export function hostOf(address: string): string {
  return /^(?:[a-z][a-z0-9+.-]*:)?[/\\]{2}(?:[^/\\?#@]*@)?([a-z0-9.-]{1,255})/i.exec(address)?.[1] ?? ''
}
