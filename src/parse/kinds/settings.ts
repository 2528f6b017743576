/** Settings of turns and threads (rollout-format 3.3, 3.5). */
import type { SettingsFact } from '../../model/facts.ts'
import { asObject, asPath, asString, asText, type JsonObject } from '../decode.ts'
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
