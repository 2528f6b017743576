/** Invented records of every envelope generation, as plain values. */

/** A JSON object of a rollout. */
export type Json = Record<string, unknown>

/** The time of record number `index`: one second apart. */
export function instant(index: number): string {
  return new Date(Date.UTC(2026, 2, 14, 9, 0, 0) + index * 1000).toISOString()
}

/** Puts envelopes around `[type, payload]` pairs: G2, or G3 with `ordinals`. */
export function envelopes(records: readonly Json[], ordinals = false): Json[] {
  return records.map((record, index) => ({
    timestamp: instant(index),
    ...(ordinals ? { ordinal: index } : {}),
    ...record,
  }))
}

export const meta = (payload: Json): Json => ({ type: 'session_meta', payload })
export const item = (payload: Json, metadata?: Json): Json => ({
  type: 'response_item',
  payload,
  ...(metadata === undefined ? {} : { metadata }),
})
export const event = (type: string, fields: Json = {}): Json => ({ type: 'event_msg', payload: { type, ...fields } })
export const turnContext = (payload: Json): Json => ({ type: 'turn_context', payload })

/** A completed item of a paginated file. */
export const completed = (type: string, fields: Json, turnId = 'turn-1'): Json =>
  event('item_completed', { thread_id: 'thread', turn_id: turnId, item: { type, ...fields } })

export const userItem = (text: string, fields: Json = {}): Json =>
  item({ type: 'message', role: 'user', content: [{ type: 'input_text', text }], ...fields })
export const userEvent = (message: string, fields: Json = {}): Json => event('user_message', { message, ...fields })
export const answerItem = (text: string, fields: Json = {}): Json =>
  item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }], ...fields })
export const answerEvent = (message: string, fields: Json = {}): Json => event('agent_message', { message, ...fields })
export const developerItem = (text: string): Json =>
  item({ type: 'message', role: 'developer', content: [{ type: 'input_text', text }] })

export const reasoningItem = (texts: readonly string[], fields: Json = {}): Json =>
  item({ type: 'reasoning', summary: texts.map((text) => ({ type: 'summary_text', text })), content: null, ...fields })
export const reasoningEvent = (text: string): Json => event('agent_reasoning', { text })

export const call = (callId: string, name: string, args: unknown, fields: Json = {}): Json =>
  item({ type: 'function_call', name, arguments: JSON.stringify(args), call_id: callId, ...fields })
export const customCall = (callId: string, name: string, input: string): Json =>
  item({ type: 'custom_tool_call', name, input, call_id: callId, status: 'completed' })
export const output = (callId: string, text: unknown): Json =>
  item({ type: 'function_call_output', call_id: callId, output: text })
export const customOutput = (callId: string, text: unknown): Json =>
  item({ type: 'custom_tool_call_output', call_id: callId, output: text })

/** A command through `shell_command` and its output, shape 2 of rollout-format 3.8. */
export function command(callId: string, script: string, exitCode = 0, text = 'ok\n'): [Json, Json] {
  return [
    call(callId, 'shell_command', { command: script, workdir: '/home/ada/engine' }),
    output(callId, `Exit code: ${exitCode}\nWall time: 0.2 seconds\nOutput:\n${text}`),
  ]
}

export const started = (turnId: string, fields: Json = {}): Json =>
  event('task_started', { turn_id: turnId, model_context_window: 1000, ...fields })
export const complete = (turnId: string, fields: Json = {}): Json =>
  event('task_complete', { turn_id: turnId, ...fields })
export const aborted = (turnId?: string): Json =>
  event('turn_aborted', { reason: 'interrupted', ...(turnId === undefined ? {} : { turn_id: turnId }) })

/** A PNG of one pixel, as base64. */
export const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
export const pixelUrl = `data:image/png;base64,${pixel}`

/** The bytes of a rollout of one prompt, as text. */
export function promptRollout(id: string, prompt: string): string {
  const records = [meta({ id, timestamp: instant(0), cwd: '/srv/a' }), userItem(prompt)]
  return envelopes(records)
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('')
}
