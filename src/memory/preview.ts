/** One line that tells what an item is. */
import { asObject, asString, asStrings } from '../parse/decode.ts'
import { printable } from '../util/printable.ts'
import type { Content } from './content.ts'
import type { ResponseItem } from './history.ts'

/** Longest preview, in UTF-16 units. */
const longest = 160

/** What is kept of a text for its preview, in UTF-16 units: an output may be megabytes. */
const head = 400

/** What an item says, up to a length; what cannot be shown is told in parentheses. */
export function headOf(item: ResponseItem, content: Content): string {
  // A copy: a piece of a long string would keep all of it in memory.
  return Buffer.from(textOf(item, content).slice(0, head)).toString()
}

/**
 * A line of plain text without control characters, from the beginning of what an item says. `show` takes secrets out
 * before the line is cut: half of one might not be known as such.
 */
export function previewOf(text: string, show = (whole: string): string => whole): string {
  const line = cut(printable(show(text)).trim())
  return line === '' ? '(empty)' : line
}

function textOf(item: ResponseItem, { texts, pictures, encrypted }: Content): string {
  switch (item['type']) {
    case 'function_call':
    case 'custom_tool_call':
      return `${toolName(item)} ${asString(item['arguments']) ?? asString(item['input']) ?? ''}`
    case 'local_shell_call':
      return `shell ${asStrings(asObject(item['action'])?.['command']).join(' ')}`
    case 'additional_tools':
      return '(tools)'
    case 'compaction':
    case 'compaction_summary':
    case 'context_compaction':
      return '(encrypted summary)'
    default:
      return [...texts, ...hints(texts, pictures, encrypted)].join(' ')
  }
}

function toolName(item: ResponseItem): string {
  const space = asString(item['namespace'])
  const name = asString(item['name']) ?? 'tool'
  return space === undefined || space === '' ? name : `${space}.${name}`
}

function hints(texts: readonly string[], pictures: number, encrypted: number): string[] {
  return [
    ...(pictures === 0 ? [] : [pictures === 1 ? '(picture)' : `(${pictures} pictures)`]),
    ...(texts.length === 0 && encrypted > 0 ? ['(encrypted)'] : []),
  ]
}

function cut(line: string): string {
  if (line.length <= longest) return line
  // No half of a character at the end.
  return `${line.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
