import { describe, expect, it } from 'vitest'
import { classifyPart, classifyShown, requestText } from '../../../src/rollout/parse/prompt.ts'

const tagged = (name: string): string => `<${name}>\nbody\n</${name}>`

/** Every row of rollout-format 5.4. */
const injected: [text: string, label: string][] = [
  [tagged('environment_context'), 'Environment'],
  [tagged('user_instructions'), 'Instructions'],
  ['# AGENTS.md instructions for /home/ada\n\n<INSTRUCTIONS>\nBe brief.\n</INSTRUCTIONS>', 'Instructions'],
  ['# AGENTS.md instructions\n\n<INSTRUCTIONS>\nBe brief.\n</INSTRUCTIONS>', 'Instructions'],
  ['<skill>\n<name>a</name>\n</skill>', 'Skill'],
  [tagged('user_shell_command'), 'User shell command'],
  [tagged('turn_aborted'), 'Interruption note'],
  ['<subagent_notification>\n{"agent_path":"x"}\n</subagent_notification>', 'Sub-agent notification'],
  ['<hook_prompt hook_run_id="h">\nx &amp; y\n</hook_prompt>', 'Hook'],
  ['<codex_internal_context source="goal">\nx\n</codex_internal_context>', 'Hidden steering'],
  [tagged('goal_context'), 'Goal'],
  [tagged('external_my-key'), 'Context from a client'],
  [tagged('extension_context'), 'Extension context'],
  [tagged('recommended_plugins'), 'Recommended plugins'],
  [tagged('apps_instructions'), 'App instructions'],
  [tagged('plugins_instructions'), 'Plugin instructions'],
  [tagged('skills_instructions'), 'Skill instructions'],
  [tagged('tool_context'), 'Tool context'],
  [tagged('pinned_notes'), 'Pinned notes'],
  [tagged('rollout_budget'), 'Budget'],
  [tagged('token_budget'), 'Budget'],
  [tagged('user_action'), 'User action'],
  ['Warning: apply_patch was requested via exec_command. Use the apply_patch tool instead of exec_command.', 'Warning'],
  ['Warning: The maximum number of unified exec processes you can keep open is 60', 'Warning'],
  ['Warning: Your account was flagged for potentially unusual activity', 'Warning'],
  ['Another language model started to solve this problem and produced a summary', 'Compaction summary'],
]

describe('a text that Codex inserted', () => {
  it.each(injected)('is recognised: %j', (text, label) => {
    expect(classifyPart(`\n  ${text}\n\n`, undefined)).toStrictEqual({ class: 'injected', label })
    expect(classifyPart(text, undefined)).toStrictEqual({ class: 'injected', label })
    expect(classifyPart(text, 'unknown')).toStrictEqual({ class: 'injected', label })
  })

  it('is recognised by its start in any letter case', () => {
    const { label } = classifyPart('<ENVIRONMENT_CONTEXT>x</environment_context>', undefined)
    expect(label).toBe('Environment')
    const lower = classifyPart('# agents.md instructions for x\n<INSTRUCTIONS></INSTRUCTIONS>', undefined)
    expect(lower.label).toBe('Instructions')
  })
})

describe('a text that somebody typed', () => {
  it.each([
    '',
    'hello',
    '<project_context>\nx\n</project_context>',
    '<environment_context> is what I mean',
    'what is </environment_context>?',
    'see <skill>x</skill>',
    '<skill>x</skill> is broken',
    '# AGENTS.md instructions are wrong',
    '<external_a>x</external_b>',
    'Warning: apply_patch was requested via a script, why?',
    '<div>html</div>',
  ])('stays typed: %j', (text) => {
    expect(classifyPart(text, undefined)).toStrictEqual({ class: 'typed' })
  })
})

describe('the kind in the record', () => {
  it.each<[string, string, ReturnType<typeof classifyPart>]>([
    ['<environment_context>x</environment_context>', 'user.text', { class: 'typed' }],
    ['<image name=[Image #1]>', 'user.image', { class: 'wrapper' }],
    ['any', 'environments.environment_context', { class: 'injected', label: 'Environment' }],
    ['any', 'agents_md.instructions', { class: 'injected', label: 'Instructions' }],
    ['any', 'generic.turn_aborted', { class: 'injected', label: 'Interruption note' }],
    ['any', 'shell.user_command', { class: 'injected', label: 'User shell command' }],
    ['any', 'something.new', { class: 'injected', label: 'something.new' }],
    ['any', 'constructor', { class: 'injected', label: 'constructor' }],
    ['any', 'unknown', { class: 'typed' }],
  ])('classifies %s as %s', (text, kind, expected) => {
    expect(classifyPart(text, kind)).toStrictEqual(expected)
  })
})

describe('a wrapper of a picture', () => {
  it.each(['<image>', '</image>', '<image name=[Image #1]>', ' <image name="a" path="/p/a.png">\n'])(
    'is %j',
    (text) => {
      expect(classifyPart(text, undefined)).toStrictEqual({ class: 'wrapper' })
    },
  )
  it.each(['<images>', '<image> here', 'an <image>', ''])('is not %j', (text) => {
    expect(classifyPart(text, undefined)).toStrictEqual({ class: 'typed' })
  })
})

describe('the text that a voice conversation hands over', () => {
  const delegated = (inner: string): string => `<realtime_delegation>\n  ${inner}\n</realtime_delegation>`

  it('is reduced to its input', () => {
    const text = delegated('<input>List\nthem.</input>\n  <transcript_delta>user: <input>no</input></transcript_delta>')
    expect(requestText(text)).toBe('List\nthem.')
  })

  it('counts as injected, not typed, if it comes from the end of the conversation', () => {
    const flush = delegated('<source>transcript_tail_flush</source>\n  <input>The user just ended it.</input>')
    const injected = { class: 'injected', label: 'Voice transcript' }
    expect(classifyPart(flush, undefined)).toEqual(injected)
    expect(classifyPart(flush, 'user.text')).toEqual(injected)
    expect(classifyShown(flush)).toEqual(injected)
    expect(classifyShown(flush.slice(0, -1))).toEqual({ class: 'typed' })
    expect(classifyShown(delegated('<source>x</source>\n  <input>List them.</input>'))).toEqual({ class: 'typed' })
  })

  it.each([
    ['without an input', delegated('<transcript_delta>user: hi</transcript_delta>')],
    ['with an empty input', delegated('<input> </input>')],
    ['with an input that is cut off', delegated('<input>List')],
    ['cut off', '<realtime_delegation>\n  <input>List them.</input>'],
  ])('stays whole %s', (_, text) => {
    expect(requestText(text)).toBe(text)
  })
})
