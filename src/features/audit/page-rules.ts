/** What a page as a whole must have: a policy that is as strict as ours, before anything runs, and no referrer. */

import type { FindingRuleId } from '../../diagnostics/finding.ts'
import { sha256Base64 } from '../../util/hash.ts'
import { ownValue } from '../../util/own.ts'
import type { Tag } from './page-tags.ts'
import type { Mark } from './text-scan.ts'

/** An inline script or style. */
export interface InlineCode {
  kind: 'script' | 'style'
  /** The element's `type`. */
  type: string
  text: string
  mark: Mark
}

/** A fault of a page. */
interface PageFault {
  ruleId: FindingRuleId
  mark: Mark
  detail?: string
}

/** Checks the tags of a page. */
export interface PageRules {
  addTag(tag: Tag, mark: Mark): void
  /** Receives a complete script or style. */
  addCode(code: InlineCode): void
  /** What is wrong with the page. */
  finish(): PageFault[]
}

/** Types of script elements that browsers run or act on; others contain data. */
const running =
  /^(?:|module|importmap|speculationrules|(?:text|application)\/(?:x-)?(?:java|ecma|live)script.*|text\/jscript)$/i

/**
 * What may precede the policy. Anything else loads or runs something, hides the policy, or begins the body, where browsers ignore
 * policies.
 */
const inHead = /^(?:html|head|meta|title)$/

/** Creates the rules for one page. */
export function pageRules(): PageRules {
  const policies: PolicyDirectives[] = []
  const codes: { kind: InlineCode['kind']; hash: string; mark: Mark }[] = []
  let referrer = ''
  let early: Mark | undefined

  function addTag({ name, attributes }: Tag, mark: Mark): void {
    const content = attributes.get('content') ?? ''
    if (name === 'meta' && attributes.get('http-equiv')?.toLowerCase() === 'content-security-policy') {
      policies.push(parsePolicy(content))
    } else if (name === 'meta' && attributes.get('name')?.toLowerCase() === 'referrer') {
      referrer = content.toLowerCase()
    } else if (policies.length === 0 && !inHead.test(name)) early ??= mark
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

  return { addTag, addCode, finish }
}

/** All policies of a page apply together, so it suffices that one of them is strict. */
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

/** Directives of a policy by name, in lowercase. */
type PolicyDirectives = ReadonlyMap<string, readonly string[]>

/** Parses a policy. If a directive is repeated, the first one counts, as in browsers. */
function parsePolicy(text: string): PolicyDirectives {
  const directives = new Map<string, readonly string[]>()
  for (const part of text.split(';')) {
    const [name = '', ...values] = part.trim().split(/\s+/)
    if (name !== '' && !directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), values)
  }
  return directives
}

/** What each kind of fetch may list besides hashes; anything else makes a policy weaker than ours. */
const allowed: Readonly<Record<string, RegExp>> = {
  // Only script that is already running can create a `blob:` address; the login page of a locked site opens its scripts like
  // this.
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

/** How a policy allows more than this program's own does, as clauses for people; empty if it does not. */
function policyFaults(directives: PolicyDirectives): string[] {
  const faults: string[] = []
  if (directives.get('default-src')?.join(' ') !== "'none'") faults.push("`default-src` is not `'none'`")
  for (const name of ['base-uri', 'form-action']) if (!directives.has(name)) faults.push(`\`${name}\` is missing`)
  for (const [name, values] of directives) {
    if (name === 'default-src') continue
    const directive = name.replace(/-(?:elem|attr)$/, '')
    const form = ownValue(allowed, directive) ?? (directive.endsWith('-src') ? /^'none'$/ : undefined)
    for (const value of values) if (form?.test(value) === false) faults.push(`\`${name}\` allows \`${value}\``)
  }
  return faults
}

/** Whether a policy lets the inline script or style with this hash (SHA-256, base64) run. */
function allowsHash(directives: PolicyDirectives, kind: 'script-src' | 'style-src', hash: string): boolean {
  const values = directives.get(`${kind}-elem`) ?? directives.get(kind) ?? directives.get('default-src') ?? []
  return values.includes(`'sha256-${hash}'`)
}
