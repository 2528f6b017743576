/** What a page as a whole must have: a policy that is as strict as ours before anything runs, and no referrer. */
import type { FindingRuleId } from '../diagnostics/finding.ts'
import { sha256Base64 } from '../util/hash.ts'
import { allowsHash, type PolicyDirectives, parsePolicy, policyFaults } from './content-policy.ts'
import type { Tag } from './page-tags.ts'
import type { Mark } from './text-scan.ts'

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
    : [{ ruleId: 'weak-policy', mark: early, detail: 'It stands behind what it should hold for.' }]
}
