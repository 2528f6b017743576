/** Entering and leaving review mode, as events and as items (rollout-format 3.3, 6.5). */
import type { FindingFact, ReviewFact } from '../../model/facts.ts'
import { asArray, asCount, asObject, asPath, asString, asText, type JsonObject } from '../decode.ts'
import { optional } from './shared.ts'

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
