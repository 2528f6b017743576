/** Decodes settings of turns and threads (rollout-format 3.3, 3.5), and reviews. */

import { measureJson, parseJson } from '../../util/json.ts'
import { defined, ownValue, withDefined } from '../../util/own.ts'
import { joinTexts } from '../../util/text.ts'
import {
  asArray,
  asCount,
  asNumber,
  asObject,
  asPath,
  asString,
  asText,
  type JsonObject,
  takeOutOfBoundsCount,
} from './decode.ts'
import type { FindingFact, ReviewFact, SettingsFact } from './facts.ts'

/** The effort if none was chosen: the model uses its own default, and no record says which that is. */
export const unsetEffort = 'default'

/** A `turn_context` line. */
export function turnContext(payload: JsonObject): SettingsFact {
  return settingsFact('turn_context', payload, {
    turnId: asText(payload['turn_id']),
    effort: effortOf(payload['effort'], payload),
  })
}

/** A `thread_settings_applied` event. */
export function threadSettings(event: JsonObject): SettingsFact {
  const settings = asObject(event['thread_settings']) ?? {}
  const effort = effortOf(settings['reasoning_effort'], settings)
  return settingsFact('thread_settings', settings, { turnId: undefined, effort })
}

/** The effort, or `unsetEffort` if the collaboration mode says that none was chosen; without either it is unknown. */
function effortOf(value: unknown, settings: JsonObject): string | undefined {
  const mode = asObject(asObject(settings['collaboration_mode'])?.['settings'])
  return asText(value) ?? (mode?.['reasoning_effort'] === null ? unsetEffort : undefined)
}

function settingsFact(
  from: SettingsFact['from'],
  value: JsonObject,
  { turnId, effort }: { turnId: string | undefined; effort: string | undefined },
): SettingsFact {
  return withDefined(
    { kind: 'settings', from },
    {
      turnId,
      cwd: asPath(value['cwd']),
      model: asText(value['model']),
      effort,
      approval: approvalName(value['approval_policy']),
      sandbox: sandboxName(value['sandbox_policy']) ?? profileName(value['permission_profile']),
    },
  )
}

function approvalName(value: unknown): string | undefined {
  return asText(value) ?? Object.keys(asObject(value) ?? {})[0]
}

/** The policy is `{mode}` in 0.36, `{type}` later, and a bare word in between. */
function sandboxName(value: unknown): string | undefined {
  const object = asObject(value)
  return (
    asText(value) ??
    asText(object?.['type']) ??
    asText(object?.['mode']) ??
    (object === undefined ? undefined : asString(Object.keys(object)[0]))
  )
}

const profiles: ReadonlyMap<string, string> = new Map([
  ['disabled', 'danger-full-access'],
  ['read_only', 'read-only'],
  ['external', 'external-sandbox'],
])

/** The sandbox that corresponds to a permission profile; thread settings may contain only a profile. */
function profileName(value: unknown): string | undefined {
  const profile = asObject(value)
  const type = asText(profile?.['type'])
  const whole = profiles.get(type ?? '')
  const entries = asObject(profile?.['file_system'])?.['entries']
  if (type !== 'managed' || !Array.isArray(entries)) return whole
  return entries.some((entry) => asObject(entry)?.['access'] === 'write') ? 'workspace-write' : 'read-only'
}

// Entering and leaving review mode, as events and as items (rollout-format 3.3, 6.5).

/** What should be reviewed. */
export function reviewEntered(event: JsonObject): ReviewFact {
  const target = asObject(event['target'])
  const hint =
    asText(event['user_facing_hint']) ??
    asText(target?.['instructions']) ??
    asText(target?.['branch']) ??
    asText(target?.['title']) ??
    asText(target?.['sha']) ??
    asText(event['prompt'])
  return { kind: 'review', step: 'entered', log: 'event', ...defined({ hint }), findings: [] }
}

/** The reviewer's verdict. If `review_output` is missing, the review was interrupted. */
export function reviewExited(event: JsonObject): ReviewFact {
  return reviewResult(asObject(event['review_output']) ?? {})
}

function reviewResult(output: JsonObject): ReviewFact {
  const verdict = asText(output['overall_correctness'])
  return {
    kind: 'review',
    step: 'exited',
    log: 'event',
    ...defined({
      verdict,
      explanation: asText(output['overall_explanation']),
      // If the reviewer answered in prose, Codex writes an empty verdict and a confidence of zero, which nobody gave.
      confidence: verdict === undefined ? undefined : asShare(output['overall_confidence_score']),
    }),
    findings: asArray(output['findings']).map(finding),
  }
}

/** No real review nests deeper, or has this many objects and lists. */
const maxDepth = 8
const maxContainers = 100_000

/** A reviewer's answer, and whether it contains more than a review can. */
interface ReviewAnswer {
  fact: ReviewFact
  hasMore: boolean
}

/** Reads an answer that is a review: JSON with findings and a verdict, bare or in one fence (rollout-format 6.5). */
export function reviewAnswer(text: string): ReviewAnswer | undefined {
  const json = /^\s*```(?:json)?[ \t]*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1] ?? text
  if (!/^\s*\{/.test(json) || !json.includes('"findings"')) return undefined
  if (measureJson(json, maxContainers).depth > maxDepth) return undefined
  const output = asObject(parseJson(json))
  if (output === undefined || !isReview(output)) return undefined
  const fact = reviewResult(output)
  // Values out of bounds in an answer's text are not faults of the record.
  takeOutOfBoundsCount()
  return { fact, hasMore: !isSubset(output, reviewShape) }
}

// Verdicts of an approval review (rollout-format 5.4, rule 7).

const outcomes: Readonly<Record<string, string>> = { allow: 'Approved', deny: 'Denied' }
/** How the check of a command ended; the first of its two records says that it began. */
const checked: Readonly<Record<string, string>> = {
  approved: 'Approved',
  denied: 'Denied',
  aborted: 'Check interrupted',
}
const verdictKeys = new Set(['outcome', 'risk_level', 'user_authorization', 'rationale'])

/** A reviewer's JSON in words: `Approved: It only reads. (risk low, user authorization high)`; `undefined` for other JSON. */
export function verdictAnswer(text: string): string | undefined {
  if (!/^\s*\{/.test(text) || !text.includes('"outcome"')) return undefined
  const fields = asObject(parseJson(text))
  const outcome = ownValue(outcomes, asString(fields?.['outcome']) ?? '')
  if (fields === undefined || outcome === undefined) return undefined
  const isVerdict = Object.entries(fields).every(([key, value]) => verdictKeys.has(key) && typeof value === 'string')
  return isVerdict ? verdictWords(outcome, fields) : undefined
}

/** The verdict of a `guardian_assessment` in the same words; `undefined` if the assessment only began. */
export function assessmentWords(event: JsonObject): string | undefined {
  if (asText(event['rationale']) === undefined && asText(event['risk_level']) === undefined) return undefined
  return verdictWords(ownValue(checked, asString(event['status']) ?? '') ?? 'Checked', event)
}

function verdictWords(outcome: string, fields: JsonObject): string {
  const risk = asText(fields['risk_level'])
  const authorization = asText(fields['user_authorization'])
  const rationale = asText(fields['rationale'])
  const grades = joinTexts([risk && `risk ${risk}`, authorization && `user authorization ${authorization}`], ', ')
  const head = joinTexts([outcome, rationale], ': ')
  return grades === '' ? head : `${head} (${grades})`
}

function isReview({ findings, overall_correctness: verdict, overall_explanation: explanation }: JsonObject): boolean {
  if (!Array.isArray(findings)) return false
  if (typeof verdict !== 'string' && typeof explanation !== 'string') return false
  return findings.every((item) => asObject(item) !== undefined)
}

/** The keys that a review may contain, each with the keys below it. */
interface Shape {
  [key: string]: Shape
}

const reviewShape: Shape = {
  findings: {
    title: {},
    body: {},
    confidence_score: {},
    priority: {},
    code_location: { absolute_file_path: {}, line_range: { start: {}, end: {} } },
  },
  overall_correctness: {},
  overall_explanation: {},
  overall_confidence_score: {},
}

function isSubset(value: unknown, shape: Shape): boolean {
  if (Array.isArray(value)) return value.every((item) => isSubset(item, shape))
  const object = asObject(value)
  if (object === undefined) return true
  return Object.entries(object).every(([key, item]) => {
    const below = ownValue(shape, key)
    return below !== undefined && isSubset(item, below)
  })
}

/** A number from 0 to 1, else `undefined`. */
function asShare(value: unknown): number | undefined {
  const number = asNumber(value)
  return number !== undefined && number >= 0 && number <= 1 ? number : undefined
}

function finding(value: unknown): FindingFact {
  const item = asObject(value) ?? {}
  const location = asObject(item['code_location'])
  const range = asObject(location?.['line_range'])
  const title = asString(item['title']) ?? ''
  return {
    title,
    body: asString(item['body']) ?? '',
    // Codex writes the priority into the title; only later builds also have a field for it.
    ...defined({
      priority: asCount(item['priority']) ?? asCount(/^\s*\[P(\d)\]/.exec(title)?.[1]),
      confidence: asShare(item['confidence_score']),
      path: asPath(location?.['absolute_file_path']),
      startLine: asCount(range?.['start']),
      endLine: asCount(range?.['end']),
    }),
  }
}
