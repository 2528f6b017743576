/**
 * Classifies texts of role `user` (rollout-format 5.4): recognises by their markers those that no user typed, and
 * extracts the request from those in which a program wrapped one.
 */

import { isDeeper, parseJson } from '../../util/json.ts'
import { defined, ownValue } from '../../util/own.ts'
import { asArray, asObject, asString, asStrings, asWords, type JsonObject } from './decode.ts'
import type { PartClass } from './facts.ts'
import { scriptOf } from './shell.ts'

interface Marker {
  start: string
  /** Absent: the start alone decides. */
  end?: string
  label: string
}

const tag = (name: string, label: string): Marker => ({ start: `<${name}>`, end: `</${name}>`, label })

/** Label of the note about an interruption, which Codex writes as a user message or, in 0.146, as a developer message. */
export const abortLabel = 'Interruption note'

/** Known injected fragments; their starts are compared without regard to ASCII case. */
const markers: readonly Marker[] = [
  tag('environment_context', 'Environment'),
  tag('user_instructions', 'Instructions'),
  { start: '# agents.md instructions', end: '</INSTRUCTIONS>', label: 'Instructions' },
  tag('skill', 'Skill'),
  tag('user_shell_command', 'User shell command'),
  tag('turn_aborted', abortLabel),
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
  'generic.turn_aborted': abortLabel,
  'shell.user_command': 'User shell command',
  'multi_agent.subagent_notification': 'Sub-agent notification',
  'skills.selected_skill_instructions': 'Skill',
  'hooks.additional_context': 'Hook',
}

/** The label of an injected fragment, or `undefined` for text that somebody typed. */
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

/**
 * The kind that Codex records for each part of a message, by index; empty unless it records one for each of `parts`
 * parts.
 */
export function partKinds(message: JsonObject, parts: number): readonly string[] {
  const kinds = asStrings(asObject(message['internal_chat_message_metadata_passthrough'])?.['content_item_kinds'])
  return kinds.length === parts ? kinds : []
}

/** Class and label of one text part, from `content_item_kinds` if possible, else from the markers. */
export function classifyPart(text: string, kind: string | undefined): { class: PartClass; label?: string } {
  const ended = classifyShown(text)
  if (ended.class !== 'typed') return ended
  if (kind?.startsWith('user.')) return { class: isImageWrapper(text) ? 'wrapper' : 'typed' }
  if (kind !== undefined && kind !== 'unknown') return { class: 'injected', label: ownValue(kindLabels, kind) ?? kind }
  if (isImageWrapper(text)) return { class: 'wrapper' }
  const label = injectedLabel(text)
  return label === undefined ? { class: 'typed' } : { class: 'injected', label }
}

/**
 * Label of the text with which Codex reports the end of a voice conversation; later code recognises it only by this
 * label.
 */
export const voiceEndLabel = 'Voice transcript'

/**
 * Class and label of a text in an event: typed, unless it is the text with which Codex reports the end of a voice
 * conversation.
 */
export function classifyShown(text: string): { class: PartClass; label?: string } {
  const trimmed = voiceEnd.test(text) ? text.trim() : ''
  return trimmed.endsWith('</realtime_delegation>') ? { class: 'injected', label: voiceEndLabel } : { class: 'typed' }
}

/** The beginning of the text in which a voice conversation, when it ends, hands over what it had not handed over before. */
const voiceEnd = /^\s*<realtime_delegation>\s*<source>transcript_tail_flush<\/source>/

/** Whether a text is nothing but a tag around an image part. */
export function isImageWrapper(text: string): boolean {
  return /^\s*(?:<image(?:\s[^>]*)?>|<\/image>)\s*$/.test(text)
}

// Requests in prompts that a program wrapped (rules 4 and 7): IDE clients, approval reviews.

const ideMarker = /^## My request for Codex:[ \t]*$/m
const ideHeadings =
  /^\s*(?:# Context from my IDE setup:|# Files mentioned by the user:|## Prior conversation with Codex:|# Review findings:|## Code review guidelines:|## Referenced ChatGPT conversation:|## My request for Codex:)/

/** Splits a typed text so that `preamble + request` is the whole. Without a marker the preamble is empty. */
export function splitIdePreamble(text: string): { preamble: string; request: string } {
  const match = ideHeadings.test(text) ? ideMarker.exec(text) : null
  if (match === null) return { preamble: '', request: text }
  const end = match.index + match[0].length
  const gap = /^\r?\n+/.exec(text.slice(end))?.[0].length ?? 0
  return { preamble: text.slice(0, end + gap), request: text.slice(end + gap) }
}

/** Most files that are read from a prompt's list; a longer list is not genuine. */
const maxMentioned = 100

/** Paths of the files that somebody attached to a prompt. Clients list them before the prompt: `## a.ts: /home/ada/a.ts`. */
export function mentionedFiles(preamble: string): string[] {
  const [, list = ''] = /^# Files mentioned by the user:[ \t]*\r?$([\s\S]*?)(?=^# |(?![\s\S]))/m.exec(preamble) ?? []
  const paths = [...list.matchAll(/^## .*?: ((?:[a-z]:)?[\\/].*\S)/gim)].map(([, path = '']) => path)
  return [...new Set(paths)].slice(0, maxMentioned)
}

/**
 * The request that a voice conversation hands over to the model, from `<input>` in `<realtime_delegation>`; what was said
 * before is in `<transcript_delta>`.
 */
export function voiceRequest(text: string): string | undefined {
  const trimmed = text.trim()
  if (!trimmed.startsWith('<realtime_delegation>') || !trimmed.endsWith('</realtime_delegation>')) return undefined
  const start = trimmed.indexOf('<input>')
  const end = trimmed.indexOf('</input>', start)
  const request = start < 0 || end < 0 ? '' : trimmed.slice(start + '<input>'.length, end).trim()
  return request === '' ? undefined : request
}

/** What a reviewer is asked to approve. */
interface ApprovalRequest {
  /** The command to run, else the tool and what it is for: files, a network target, a server's tool. */
  action: string
  /** The patch to apply. */
  patch?: string
  /** The other fields of the request, one per line: `sandbox permissions: require escalated`. */
  circumstances?: string
}

/** Fields of requests do not nest deeper; arguments of tools may. */
const maxNames = 6
/** A value that nests deeper was written to exhaust the stack; the transcript beside it contains it whole. */
const maxDepth = 64
const approvalStart = '\n>>> APPROVAL REQUEST START\n'
const approvalEnd = /\n>>> APPROVAL REQUEST END\s*$/

/** The request at the end of an approval review's prompt, after the transcript under review. */
export function approvalRequest(text: string): ApprovalRequest | undefined {
  const start = text.lastIndexOf(approvalStart)
  const end = start === -1 ? -1 : text.search(approvalEnd)
  const json = text.slice(start + approvalStart.length - 1, Math.max(end, 0))
  const fields = end > start ? asObject(parseJson(json.slice(json.indexOf('\n{')))) : undefined
  const tool = asString(fields?.['tool'])
  if (fields === undefined || tool === undefined) return undefined
  const { command, patch, files, tool: _, ...rest } = fields
  const argv = asArray(command).flatMap((word) => asString(word) ?? [])
  const script = asString(command) ?? (argv.length === 0 ? undefined : scriptOf(argv))
  const { target, server, tool_name: name, ...others } = rest
  const targets = [...asArray(files), target, server, name].flatMap((item) => asString(item) ?? [])
  const circumstances = linesOf(script === undefined ? others : rest).join('\n')
  const diff = asString(patch)
  return {
    action: script ?? [tool, ...targets].join(' '),
    ...defined({ patch: diff }),
    ...(circumstances === '' ? {} : { circumstances }),
  }
}

/** The lines for all fields that are neither absent nor switched off; a nested field is named by its whole path. */
function linesOf(fields: JsonObject, above: readonly string[] = []): string[] {
  return Object.entries(fields).flatMap(([key, value]) => {
    const names = [...above, asWords(key)]
    const object = asObject(value)
    if (object !== undefined && names.length < maxNames) return linesOf(object, names)
    const name = names.join(' ')
    if (value === true) return [name]
    const text = wordsOf(value)
    // A mode is a word of the format; everything else was written by somebody.
    const words = key === 'sandbox_permissions' ? asWords(text) : text
    return words === '' ? [] : [`${name}: ${words}`]
  })
}

/** A value as it appears in a line. Lists of objects, and objects deeper than `maxNames`, are JSON. */
function wordsOf(value: unknown): string {
  const words = Array.isArray(value) ? value : [value]
  if (words.some((word) => typeof word === 'object' && word !== null))
    return isDeeper(value, maxDepth) ? '' : JSON.stringify(value)
  return words.filter((word) => typeof word === 'string' || typeof word === 'number').join(', ')
}

/** The text that titles, outlines and search snippets use. */
export function requestText(text: string): string {
  return (approvalRequest(text)?.action ?? voiceRequest(text) ?? splitIdePreamble(text).request).trim()
}
