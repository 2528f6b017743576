/** Settings of turns and threads (rollout-format 3.3, 3.5). */

import { asArray, asCount, asObject, asPath, asString, asText, type JsonObject } from './decode.ts'
import type { FindingFact, ReviewFact, SettingsFact } from './facts.ts'
import { optional } from './shared.ts'

/** A `turn_context` line. */
export function turnContext(payload: JsonObject): SettingsFact {
  return {
    kind: 'settings',
    from: 'turn_context',
    ...optional('turnId', asText(payload['turn_id'])),
    ...common(payload, asText(payload['effort'])),
    ...optional('sandbox', sandboxName(payload['sandbox_policy'])),
  }
}

/** A `thread_settings_applied` event. */
export function threadSettings(event: JsonObject): SettingsFact {
  const settings = asObject(event['thread_settings']) ?? {}
  return {
    kind: 'settings',
    from: 'thread_settings',
    ...common(settings, asText(settings['reasoning_effort'])),
    ...optional('sandbox', sandboxName(settings['sandbox_policy'])),
  }
}

function common(value: JsonObject, effort: string | undefined): Partial<SettingsFact> {
  return {
    ...optional('cwd', asPath(value['cwd'])),
    ...optional('model', asText(value['model'])),
    ...optional('effort', effort),
    ...optional('approval', approvalName(value['approval_policy'])),
  }
}

function approvalName(value: unknown): string | undefined {
  return asText(value) ?? Object.keys(asObject(value) ?? {})[0]
}

/** `{mode}` in 0.36, `{type}` later, a bare word in between. */
function sandboxName(value: unknown): string | undefined {
  const object = asObject(value)
  return (
    asText(value) ??
    asText(object?.['type']) ??
    asText(object?.['mode']) ??
    (object === undefined ? undefined : asString(Object.keys(object)[0]))
  )
}

// Entering and leaving review mode, as events and as items (rollout-format 3.3, 6.5).

/** What is to be reviewed. */
export function reviewEntered(event: JsonObject): ReviewFact {
  const target = asObject(event['target'])
  const hint =
    asText(event['user_facing_hint']) ??
    asText(target?.['instructions']) ??
    asText(target?.['branch']) ??
    asText(target?.['title']) ??
    asText(target?.['sha']) ??
    asText(event['prompt'])
  return { kind: 'review', step: 'entered', log: 'event', ...optional('hint', hint), findings: [] }
}

/** The reviewer's verdict; without `review_output` the review was interrupted. */
export function reviewExited(event: JsonObject): ReviewFact {
  const output = asObject(event['review_output'])
  return {
    kind: 'review',
    step: 'exited',
    log: 'event',
    ...optional('verdict', asText(output?.['overall_correctness'])),
    ...optional('explanation', asText(output?.['overall_explanation'])),
    findings: asArray(output?.['findings']).map(finding),
  }
}

function finding(value: unknown): FindingFact {
  const item = asObject(value) ?? {}
  const location = asObject(item['code_location'])
  const range = asObject(location?.['line_range'])
  return {
    title: asString(item['title']) ?? '',
    body: asString(item['body']) ?? '',
    ...optional('priority', asCount(item['priority'])),
    ...optional('path', asPath(location?.['absolute_file_path'])),
    ...optional('startLine', asCount(range?.['start'])),
    ...optional('endLine', asCount(range?.['end'])),
  }
}
