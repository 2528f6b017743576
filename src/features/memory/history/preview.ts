/** Describes an item in one line. */

import { asArray, asObject, asString, asStrings, type JsonObject } from '../../../rollout/parse/decode.ts'
import { readOutcome, scriptParts } from '../../../rollout/parse/exec-text.ts'
import { requestText } from '../../../rollout/parse/prompt.ts'
import { readScript } from '../../../rollout/script/read-script-fs.ts'
import { plainOf } from '../../../rollout/script/value.ts'
import { shellOf } from '../../../rollout/shell/dialect.ts'
import { jsonOf, parseJson } from '../../../util/json.ts'
import { ownValue } from '../../../util/own.ts'
import { printable, stripAnsi } from '../../../util/printable.ts'
import { beginningOf, shortened } from '../../../util/text.ts'
import { formatAmount } from '../../../util/time.ts'
import type { Content } from './content.ts'
import type { HistoryItem, ResponseItem } from './history.ts'

/** Longest preview, in UTF-16 units. */
const maxLength = 160

/** How much of a text is kept for its preview, in UTF-16 units, because an output may be megabytes long. */
const head = 400

/** The beginning of what an item says; what cannot be shown is named in parentheses. */
export function headOf(item: ResponseItem, content: Content): string {
  // A copy, because a slice would keep the whole long string in memory.
  return Buffer.from(beginningOf(brief(item, content), head)).toString()
}

/** What an item says, without the form in which it was sent: the command of a call, the text of an output. */
function brief(item: ResponseItem, content: Content): string {
  const type = asString(item['type']) ?? ''
  if (type === 'function_call' || type === 'local_shell_call') {
    const command = commandOf(item)
    return command === undefined ? callText(item) : `Ran ${command}`
  }
  if (type === 'message' && item['role'] === 'user') return askedIn(content) || displayText(item, content)
  if (type.endsWith('_call_output')) return withoutEscapes(printedIn(item, content) ?? displayText(item, content))
  return displayText(item, content)
}

/** The beginning of what a tool printed without the escape sequences of terminals, which would take the place of its words. */
function withoutEscapes(printed: string): string {
  return stripAnsi(beginningOf(printed, maxOutputLength))
}

/**
 * What a tool printed, without the frame in which it was sent; `undefined` if the frame is unknown or the output is too
 * long.
 */
function printedIn(item: ResponseItem, content: Content): string | undefined {
  const [first = ''] = content.texts
  if (content.texts.length !== 1) return printedByScript(item, content)
  if (first.length > maxOutputLength) return undefined
  const { body, status, exitCode } = readOutcome(first)
  const words = body.trim()
  if (words !== '') return words
  return exitCode === undefined || exitCode === 0
    ? `(no output${status === 'failed' ? ', failed' : ''})`
    : `(exit ${exitCode})`
}

/** What a code-mode script printed, without the frames around it and around what its calls returned. */
function printedByScript(item: ResponseItem, { pictures, encrypted }: Content): string | undefined {
  const parts = scriptParts(item['output'])
  if (parts === undefined) return undefined
  const texts = parts.map((text) => (text.length > maxOutputLength ? text : readOutcome(text).body).trim())
  const words = [...texts.filter((text) => text !== ''), ...hints(texts, pictures, encrypted)]
  return words.length === 0 ? '(no output)' : words.join('\n')
}

/**
 * What was asked, without what an editor or a reviewing program wrote around it, with which all prompts of a session
 * would begin alike.
 */
function askedIn({ texts, pictures, encrypted }: Content): string {
  const asked = texts.map(requestText).filter((text) => text !== '')
  return asked.length === 0 ? '' : [...asked, ...hints(texts, pictures, encrypted)].join('\n')
}

/** Longest output whose frame is read, in UTF-16 units; of a longer one, so much of its beginning describes it. */
const maxOutputLength = 200_000

/** The command that a call runs, without the shell around it. */
function commandOf(item: ResponseItem): string | undefined {
  const fields = item['type'] === 'local_shell_call' ? asObject(item['action']) : argumentsOf(item)
  const command = fields?.['command'] ?? fields?.['cmd']
  if (typeof command === 'string') return command
  const words = asStrings(command)
  const [shell, flag, script] = words
  if (words.length === 3 && script !== undefined && shellOf(shell ?? '') !== undefined && /^[-/]/.test(flag ?? ''))
    return script
  return words.length === 0 ? undefined : words.join(' ')
}

/** Describes a call by its tool and arguments: `wait_agent: id a1, timeout 30`. */
function callText(item: ResponseItem): string {
  const name = toolName(item) ?? 'tool'
  const given = argumentsOf(item)
  // Free text, and what a model did not finish, is shown as it is.
  if (given === undefined) return `${name} ${argumentText(item)}`.trimEnd()
  const steps = name === 'update_plan' ? asArray(given['plan']).map((step) => asObject(step) ?? {}) : []
  if (steps.length > 0) return `${name}: ${progressOf(steps)}`
  const fields = Object.entries(given).filter(([, value]) => value !== '')
  if (fields.length === 0) return name
  const words = fields.map(([key, value]) => `${key} ${typeof value === 'string' ? value : (jsonOf(value) ?? '…')}`)
  return `${name}: ${words.join(', ')}`
}

/** How far a plan is, and the current step: all plans of a session begin with the same steps. */
function progressOf(steps: readonly JsonObject[]): string {
  const done = steps.filter(({ status }) => status === 'completed').length
  const current = asString(steps.find(({ status }) => status === 'in_progress')?.['step'])
  const progress = `${done} of ${formatAmount(steps.length, 'step')} completed`
  return current === undefined ? progress : `${progress}, now: ${current}`
}

function argumentText(item: ResponseItem): string {
  return asString(item['arguments']) ?? asString(item['input']) ?? ''
}

function argumentsOf(item: ResponseItem): JsonObject | undefined {
  return asObject(parseJson(argumentText(item)))
}

/**
 * One line of plain text without control characters, from the beginning of what an item says. `show` redacts it before it
 * is cut, because half a secret might not be recognised.
 */
export function previewOf(text: string, show = (whole: string): string => whole): string {
  const line = shortened(printable(show(text)).trim(), maxLength, maxLength - 1)
  return line === '' ? '(empty)' : line
}

/** The full text of an item, as people read it. */
export function displayText(item: ResponseItem, { texts, pictures, encrypted }: Content): string {
  switch (item['type']) {
    case 'custom_tool_call':
      return scriptText(item) ?? `${toolName(item) ?? 'tool'} ${asString(item['input']) ?? ''}`
    case 'function_call':
      return `${toolName(item) ?? 'tool'} ${argumentText(item)}`
    case 'local_shell_call':
      return `shell ${asStrings(asObject(item['action'])?.['command']).join(' ')}`
    case 'tool_search_call':
      return `tool_search ${actionText(item['arguments'])}`
    case 'tool_search_output':
      return foundTools(asArray(item['tools']))
    case 'web_search_call':
      return actionText(item['action']) || '(web search)'
    case 'additional_tools':
      return '(tools)'
    case 'compaction':
    case 'compaction_summary':
    case 'context_compaction':
      return '(encrypted summary)'
    default:
      return [...texts, ...hints(texts, pictures, encrypted)].join('\n')
  }
}

/** The calls of a code-mode script, each with its command or arguments; `undefined` if it calls nothing. */
function scriptText(item: ResponseItem): string | undefined {
  const code = item['name'] === 'exec' ? asString(item['input']) : undefined
  const calls = code === undefined ? [] : readScript(code).calls
  const texts = calls.map(({ tool, args }) => {
    const input = plainOf(args[0]).value
    const fields = asObject(input)
    const command = asString(fields?.['cmd']) ?? asString(fields?.['command'])
    return command === undefined ? `${tool} ${asString(input) ?? JSON.stringify(input) ?? ''}` : `Ran ${command}`
  })
  return texts.length === 0 ? undefined : texts.join(' · ')
}

/** The words that are searched for, or the page that is opened: each text in the arguments except their `type`. */
function actionText(value: unknown): string {
  const fields = Object.entries(asObject(value) ?? {}).filter(([key]) => key !== 'type')
  const texts = fields.flatMap(([, field]) => [asString(field) ?? '', ...asStrings(field)])
  return [...new Set(texts.filter((text) => text !== ''))].join(', ')
}

/** How many tools were found, and a line for each. */
function foundTools(tools: readonly unknown[]): string {
  const lines = tools.flatMap((tool) => toolLines(asObject(tool) ?? {}, ''))
  const count = lines.length === 1 ? '1 tool found' : `${lines.length} tools found`
  return lines.length === 0 ? '(no tool found)' : `${count}: ${lines.join('\n')}`
}

/** The name of a tool with its description; for a namespace, those of its tools. */
function toolLines(tool: JsonObject, space: string): string[] {
  const name = `${space}${asString(tool['name']) ?? asString(tool['type']) ?? 'tool'}`
  const inner = asArray(tool['tools'])
  if (space === '' && inner.length > 0) return inner.flatMap((one) => toolLines(asObject(one) ?? {}, `${name}.`))
  const about = printable(asString(tool['description']) ?? '').trim()
  return [about === '' ? name : `${name}: ${about}`]
}

function hints(texts: readonly string[], pictures: number, encrypted: number): string[] {
  return [
    ...(pictures === 0 ? [] : [pictures === 1 ? '(picture)' : `(${pictures} pictures)`]),
    ...(texts.length === 0 && encrypted > 0 ? ['(encrypted)'] : []),
  ]
}

// Names of the tools that items belong to.

/** Tools of items that have no name of their own. */
const named: Readonly<Record<string, string>> = {
  local_shell_call: 'local_shell',
  tool_search_call: 'tool_search',
  tool_search_output: 'tool_search',
  web_search_call: 'web_search',
  image_generation_call: 'image_generation',
}

/** The name of a call's tool, after its namespace if it has one; for an output, only if the item names it. */
function toolName(item: ResponseItem): string | undefined {
  const type = asString(item['type']) ?? ''
  const own = ownValue(named, type)
  if (own !== undefined) return own
  const name = asString(item['name'])
  if (name === undefined || !/_call(?:_output)?$/.test(type)) return undefined
  const space = asString(item['namespace'])
  return space === undefined || space === '' ? name : `${space}.${name}`
}

/** Tools by index of item; an output has the tool of its call. */
export function toolNames(items: readonly HistoryItem[]): Map<number, string> {
  const names = new Map<number, string>()
  for (const { index, item } of items) {
    const name = toolName(item)
    if (name !== undefined) names.set(index, name)
  }
  for (const { index, pair } of items) {
    const name = pair === undefined ? undefined : names.get(Math.min(index, pair))
    if (name !== undefined) names.set(index, name)
  }
  return names
}
