/** What `check` finds before sessions or a site are published, as plain data. `docs/diagnostics.md` explains each rule. */

import type { Level } from './codes.ts'

interface FindingRule {
  level: Level
  /** What was found, in one sentence without details. */
  summary: string
  /** What to do about it, in one sentence. */
  help: string
}

const table = {
  'broken-link': {
    level: 'warning',
    summary: 'A link leads to a file or anchor that the site does not have.',
    help: 'Build the site again; a page or an anchor is missing, or somebody edited the page.',
  },
  'changed-file': {
    level: 'warning',
    summary: 'A file was changed after the build wrote it.',
    help: 'Build the site again, or find out who changed the file.',
  },
  'embedded-content': {
    level: 'warning',
    summary: 'A page embeds another document or redirects its links.',
    help: 'Remove frames, objects, plug-ins and `base` from the templates; sessions cannot add any.',
  },
  'external-request': {
    level: 'warning',
    summary: 'A page loads something from outside the site.',
    help: 'Copy the file into the site: the other host learns who reads the page.',
  },
  'inline-script': {
    level: 'warning',
    summary: 'A page contains a script that its policy does not allow.',
    help: 'Move the script to a file; if no template of yours added it, report it as a bug.',
  },
  'inline-style': {
    level: 'warning',
    summary: 'A page contains styles that its policy does not allow.',
    help: 'Move the styles to a style sheet; browsers ignore these.',
  },
  'loosened-preset': {
    level: 'info',
    summary: 'The options publish content that their preset omits.',
    help: 'Check that you meant this by `visibility`, `--show` or `--fold`.',
  },
  'missing-file': {
    level: 'warning',
    summary: 'A file that the manifest lists is missing.',
    help: 'Build the site again.',
  },
  'oversized-page': {
    level: 'warning',
    summary: 'A page is larger than 1 MiB without its pictures.',
    help: 'Find out what makes it large: a template, a plugin, or a bug that you can report.',
  },
  personal: {
    level: 'info',
    summary: 'A text contains personal data.',
    help: 'See `personal` in docs/config.md for what a build replaces.',
  },
  'picture-metadata': {
    level: 'warning',
    summary: 'A picture contains metadata, such as a text, a place, a device or a name.',
    help: 'Remove the metadata from the picture, or omit the picture.',
  },
  secret: {
    level: 'warning',
    summary: 'A text contains a secret.',
    help: 'Revoke the key at its issuer: everyone who saw the session has it. Build with redaction, and do not publish this.',
  },
  'symbolic-link': {
    level: 'warning',
    summary: 'The folder contains a symbolic link, or another entry that is neither file nor folder.',
    help: 'Remove it: some hosts follow links, some refuse them, and it may lead out of the site.',
  },
  'unlisted-file': {
    level: 'warning',
    summary: 'A file is not in the manifest: no build wrote it.',
    help: 'Remove the file, or keep it outside the folder that is published.',
  },
  'unportable-name': {
    level: 'warning',
    summary: 'A file has a name that some systems or hosts do not allow.',
    help: 'Rename the file.',
  },
  'unread-content': {
    level: 'warning',
    summary: 'A part of a file could not be read and was not checked.',
    help: 'Build the site again; if that does not help, look at the file yourself.',
  },
  'unsafe-link': {
    level: 'warning',
    summary: 'A link or form runs a script, contains data, or leads to a file on the reader’s machine.',
    help: 'Remove it from the template; if no template of yours added it, report it as a bug.',
  },
  'unused-waiver': {
    level: 'info',
    summary: 'A waiver in the configuration matches no finding.',
    help: 'Remove it from `waivers`: what it accepted is gone.',
  },
  'weak-policy': {
    level: 'warning',
    summary: 'A page has no Content Security Policy, or one that allows more than the policy of this program.',
    help: 'Use `it.policy` in your own templates, or build without them.',
  },
  'weak-referrer': {
    level: 'warning',
    summary: 'A page lets the sites that it links to see where a reader comes from.',
    help: 'Give the page `<meta name="referrer" content="no-referrer">`.',
  },
} as const

/** Id of a rule of `check`, also the heading in the docs. */
export type FindingRuleId = keyof typeof table

/** The rules by id. */
export const findingRules: Readonly<Record<FindingRuleId, FindingRule>> = table

/** One thing that `check` found. It quotes no secret and no personal data. */
export interface Finding {
  /** The rule, followed by a slash and the kind if the rule has kinds: `broken-link`, `secret/github-token`. */
  ruleId: FindingRuleId | `${FindingRuleId}/${string}`
  level: Level
  /** Path in the site with `/` between its parts, or the publishable name of a rollout; empty if the finding is in no file. */
  file: string
  /** 1-based line of the file, if known. */
  line?: number
  /** Thread id; for a site, the folder of the session's pages. */
  session?: string
  /** Anchor of the nearest element before the finding, as in the address of a page: `l120`. */
  place?: string
  /** 1-based number of the turn; only for sessions. */
  turn?: number
  /** Kind of text that contains it: `prompt`, `answer`, `output`, …; only for sessions. */
  field?: string
  /** Whether a build with the present options replaces it; only for sessions. */
  replaced?: boolean
  /** Number of similar findings that this one represents; absent for 1. */
  count?: number
  /** For a secret in a site: 16 hex digits by which `waivers` can accept it; absent if there are too many. */
  fingerprint?: string
  message: string
}

/** Where a finding is. */
type FindingLocation = Pick<Finding, 'file'> &
  Partial<Pick<Finding, 'line' | 'session' | 'place' | 'turn' | 'field' | 'replaced' | 'count' | 'fingerprint'>>

/** Makes a finding at the level of its rule; `detail` is appended to the rule's summary. */
export function finding(ruleId: Finding['ruleId'], place: FindingLocation, detail?: string): Finding {
  const { level, summary } = findingRules[baseRule(ruleId)]
  return { ruleId, level, ...place, message: detail === undefined ? summary : `${summary} ${detail}` }
}

/** The rule of an id that may include a kind: `secret` for `secret/github-token`. */
export function baseRule(ruleId: Finding['ruleId']): FindingRuleId {
  const [base = ruleId] = ruleId.split('/')
  // By the type of ids, the part before the slash is a rule.
  return base as FindingRuleId
}
