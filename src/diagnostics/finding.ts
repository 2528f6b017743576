/** What `check` finds before sessions or a site are published, as plain data. `docs/diagnostics.md` explains each rule. */

import type { Level } from './codes.ts'

interface FindingRule {
  level: Level
  /** What was found, one sentence without the particulars. */
  summary: string
  /** What to do about it, one sentence. */
  help: string
}

const table = {
  'broken-link': {
    level: 'warning',
    summary: 'A link leads to nothing in the site.',
    help: 'Build the site anew; a page or an anchor is missing, or the page was changed by hand.',
  },
  'changed-file': {
    level: 'warning',
    summary: 'A file is not as the build wrote it.',
    help: 'Build the site anew, or find out who changed the file.',
  },
  'embedded-content': {
    level: 'warning',
    summary: 'A page embeds another document or moves its links elsewhere.',
    help: 'Remove frames, objects, plug-ins and `base` from the templates; sessions can bring none.',
  },
  'external-request': {
    level: 'warning',
    summary: 'A page loads something from outside the site.',
    help: 'Copy the file into the site: whoever serves it learns who reads the page.',
  },
  'inline-script': {
    level: 'warning',
    summary: 'A page holds script that no hash of its policy allows.',
    help: 'Move the script to a file; if no template put it there, report it as a fault of this program.',
  },
  'inline-style': {
    level: 'warning',
    summary: 'A page holds styles that no hash of its policy allows.',
    help: 'Move the styles to a style sheet; browsers ignore these.',
  },
  'loosened-preset': {
    level: 'info',
    summary: 'The options publish what their preset leaves out.',
    help: 'See whether `visibility`, `--show` or `--fold` was meant to.',
  },
  'missing-file': {
    level: 'warning',
    summary: 'A file of the manifest is not there.',
    help: 'Build the site anew.',
  },
  'oversized-page': {
    level: 'warning',
    summary: 'A page is larger than 1 MiB without its pictures.',
    help: 'Look for what makes it large: a template, a plugin, or a fault of this program that you can report.',
  },
  personal: {
    level: 'info',
    summary: 'Personal data stands in a text.',
    help: 'See `personal` in docs/config.md for what a build replaces.',
  },
  'picture-metadata': {
    level: 'warning',
    summary: 'A picture holds metadata: text, a place, a device, a name.',
    help: 'Remove the metadata from the picture, or leave the picture out.',
  },
  secret: {
    level: 'warning',
    summary: 'A secret stands in a text.',
    help: 'Replace the key at its issuer: whoever saw the session has it. Build with redaction, and do not publish this.',
  },
  'symbolic-link': {
    level: 'warning',
    summary: 'The folder holds a symbolic link, or another entry that is neither file nor folder.',
    help: 'Remove it: hosts follow links or refuse them, and it may lead out of the site.',
  },
  'unlisted-file': {
    level: 'warning',
    summary: 'A file is not in the manifest: no build wrote it.',
    help: 'Remove the file, or keep it outside the folder that is published.',
  },
  'unportable-name': {
    level: 'warning',
    summary: 'A file has a name that not every system or host can hold.',
    help: 'Rename the file.',
  },
  'unread-content': {
    level: 'warning',
    summary: 'A part of a file could not be read, and nothing can be said of it.',
    help: 'Build the site anew; if that does not help, look into the file by hand.',
  },
  'unsafe-link': {
    level: 'warning',
    summary: 'A link or form runs script, holds data, or leads to a file of the machine.',
    help: 'Remove it from the template; if no template put it there, report it as a fault of this program.',
  },
  'unused-waiver': {
    level: 'info',
    summary: 'A waiver in the configuration fits nothing that was found.',
    help: 'Remove it from `waivers`: what it let pass is gone.',
  },
  'weak-policy': {
    level: 'warning',
    summary: 'A page has no Content Security Policy, or one that allows more than the program does.',
    help: 'Build without own templates, or give their pages the policy that `it.policy` holds.',
  },
  'weak-referrer': {
    level: 'warning',
    summary: 'A page tells the sites that it links to from where a reader comes.',
    help: 'Give the page `<meta name="referrer" content="no-referrer">`.',
  },
} as const

/** Id of a rule of `check`, also the heading in the docs. */
export type FindingRuleId = keyof typeof table

/** The rules by id. */
export const findingRules: Readonly<Record<FindingRuleId, FindingRule>> = table

/** One thing that was found. Quotes no secret and no personal data. */
export interface Finding {
  /** A rule, with its kind behind a slash where it has kinds: `broken-link`, `secret/github-token`. */
  ruleId: FindingRuleId | `${FindingRuleId}/${string}`
  level: Level
  /** Path in the site with `/` between its parts, or site-safe name of a rollout; empty where it stands in no file. */
  file: string
  /** 1-based line of the file, where known. */
  line?: number
  /** Thread id, or in a site the folder of its pages. */
  session?: string
  /** Anchor of the nearest element before it, as in the address of a page: `l120`. */
  place?: string
  /** Number of the turn, 1-based; only of sessions. */
  turn?: number
  /** Kind of text in which it stands: `prompt`, `answer`, `output`, …; only of sessions. */
  field?: string
  /** Whether a build with the present options replaces it; only of sessions. */
  replaced?: boolean
  /** Number of like findings that this one stands for; absent for 1. */
  count?: number
  /** Of a secret in a site: 16 hex digits by which `waivers` can let it pass; absent where there are too many. */
  fingerprint?: string
  message: string
}

/** Where a finding is. */
export type FindingLocation = Pick<Finding, 'file'> &
  Partial<Pick<Finding, 'line' | 'session' | 'place' | 'turn' | 'field' | 'replaced' | 'count' | 'fingerprint'>>

/** Makes a finding at the level of its rule; `detail` follows the rule's summary. */
export function finding(ruleId: Finding['ruleId'], place: FindingLocation, detail?: string): Finding {
  const { level, summary } = findingRules[baseRule(ruleId)]
  return { ruleId, level, ...place, message: detail === undefined ? summary : `${summary} ${detail}` }
}

/** The rule of an id that may name a kind: `secret` of `secret/github-token`. */
export function baseRule(ruleId: Finding['ruleId']): FindingRuleId {
  const [base = ruleId] = ruleId.split('/')
  // What stands before the slash is a rule by the type of ids.
  return base as FindingRuleId
}
