/** Texts of role `user` that no user typed, by their markers (rollout-format 5.4). */

import { ownValue } from '../../util/own.ts'
import type { PartClass } from './facts.ts'

interface Marker {
  start: string
  /** Absent: the start alone decides. */
  end?: string
  label: string
}

const tag = (name: string, label: string): Marker => ({ start: `<${name}>`, end: `</${name}>`, label })

/** Known fragments; starts are compared without regard to ASCII case. */
const markers: readonly Marker[] = [
  tag('environment_context', 'Environment'),
  tag('user_instructions', 'Instructions'),
  { start: '# agents.md instructions', end: '</INSTRUCTIONS>', label: 'Instructions' },
  tag('skill', 'Skill'),
  tag('user_shell_command', 'User shell command'),
  tag('turn_aborted', 'Interruption note'),
  tag('subagent_notification', 'Sub-agent notification'),
  { start: '<hook_prompt', end: '</hook_prompt>', label: 'Hook' },
  { start: '<codex_internal_context', end: '</codex_internal_context>', label: 'Hidden steering' },
  tag('goal_context', 'Goal'),
  tag('extension_context', 'Extension context'),
  tag('recommended_plugins', 'Recommended plugins'),
  tag('apps_instructions', 'App instructions'),
  tag('plugins_instructions', 'Plugin instructions'),
  tag('skills_instructions', 'Skill instructions'),
  tag('tool_context', 'Tool context'),
  tag('pinned_notes', 'Pinned notes'),
  tag('rollout_budget', 'Budget'),
  { start: '<token_budget', end: '>', label: 'Budget' },
  tag('user_action', 'User action'),
  {
    start: 'warning: apply_patch was requested via ',
    end: 'Use the apply_patch tool instead of exec_command.',
    label: 'Warning',
  },
  { start: 'warning: the maximum number of unified exec processes', label: 'Warning' },
  { start: 'warning: your account was flagged', label: 'Warning' },
  { start: 'another language model started to solve this problem', label: 'Compaction summary' },
]

const kindLabels: Readonly<Record<string, string>> = {
  'environments.environment_context': 'Environment',
  'agents_md.instructions': 'Instructions',
  'generic.turn_aborted': 'Interruption note',
  'shell.user_command': 'User shell command',
  'multi_agent.subagent_notification': 'Sub-agent notification',
  'skills.selected_skill_instructions': 'Skill',
  'hooks.additional_context': 'Hook',
}

/** What a fragment is, or `undefined` for text that somebody typed. */
function injectedLabel(text: string): string | undefined {
  const trimmed = text.trim()
  const head = trimmed.slice(0, 64).toLowerCase()
  if (!/^[<#wa]/.test(head)) return undefined
  const marker = markers.find(
    ({ start, end }) => head.startsWith(start) && (end === undefined || trimmed.endsWith(end)),
  )
  if (marker !== undefined) return marker.label
  const external = /^<(external_[\w-]+)>/.exec(trimmed)?.[1]
  return external !== undefined && trimmed.endsWith(`</${external}>`) ? 'Context from a client' : undefined
}

/** Class and label of one text part: `content_item_kinds` first, the markers second. */
export function classifyPart(text: string, kind: string | undefined): { class: PartClass; label?: string } {
  if (kind?.startsWith('user.')) return { class: isImageWrapper(text) ? 'wrapper' : 'typed' }
  if (kind !== undefined && kind !== 'unknown') return { class: 'injected', label: ownValue(kindLabels, kind) ?? kind }
  if (isImageWrapper(text)) return { class: 'wrapper' }
  const label = injectedLabel(text)
  return label === undefined ? { class: 'typed' } : { class: 'injected', label }
}

/** A text that only stands around an image part. */
export function isImageWrapper(text: string): boolean {
  return /^\s*(?:<image(?:\s[^>]*)?>|<\/image>)\s*$/.test(text)
}
