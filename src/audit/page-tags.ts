/** What single tags of a page do: load, run, embed, lead elsewhere. */
import type { FindingRuleId } from '../diagnostics/finding.ts'
import { addressKind, hostOf, isInlinePicture, srcsetAddresses, trimAddress } from './addresses.ts'

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
  if (attribute === 'style') return { ruleId: 'inline-style', detail: 'An attribute holds styles.' }
  if (attribute === 'srcdoc') return { ruleId: 'embedded-content', detail: 'A page stands in an attribute.' }
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
      else found.faults.push({ ruleId: 'unsafe-link', detail: `\`${name}\` loads data that is no picture.` })
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
  machine: 'leads to a file of the machine',
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
