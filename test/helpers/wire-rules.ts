/**
 * Where a request that Codex sent differs from the memory in its rollout, and why. Each rule names one difference and
 * removes only that difference.
 */
import type { RecordedRequest, WireItem } from './recorded-requests.ts'

/** What surrounds one request. */
interface RequestContext {
  request: RecordedRequest
  /** The request before it in the same thread. */
  previous: RecordedRequest | undefined
  /** Base instructions in the head of the rollout. */
  instructions: string | undefined
}

export interface WireRule {
  name: string
  reason: string
  /** The input without the difference; `undefined` if the rule does not apply. */
  without: (sent: WireItem[], ours: readonly WireItem[], context: RequestContext) => WireItem[] | undefined
}

const textOf = (item: WireItem | undefined): string => {
  const content = item?.['content']
  if (!Array.isArray(content)) return ''
  return content.map((part) => (part as { text?: string }).text ?? '').join('\n')
}

const isOutput = ({ type }: WireItem): boolean => type === 'function_call_output' || type === 'custom_tool_call_output'

/** A number of seconds as builds of 2025 print it. */
const seconds = (value: number): string => String(Number.isInteger(value) ? Math.trunc(value) : value)

/** The text form of an output that is JSON in the file. */
function asText(output: unknown): string | undefined {
  if (typeof output !== 'string' || !output.startsWith('{"output":')) return undefined
  const { output: body, metadata } = JSON.parse(output)
  const [head, total] = /^Total output lines: (\d+)\n\n/.exec(body) ?? ['', undefined]
  const lines = total === undefined ? '' : `Total output lines: ${total}\n`
  const time = seconds(metadata.duration_seconds)
  return `Exit code: ${metadata.exit_code}\nWall time: ${time} seconds\n${lines}Output:\n${body.slice(head.length)}`
}

/** The rules, in the order in which they are tried. */
export const wireRules: readonly WireRule[] = [
  {
    name: 'instructions',
    reason: 'Late builds send the base instructions, and light models their tools, as first items of the input.',
    without(sent, ours, { instructions }) {
      const isHead = (item: WireItem): boolean =>
        item['type'] === 'additional_tools' || (item['role'] === 'developer' && textOf(item) === instructions)
      const count = sent.findIndex((item) => !isHead(item))
      // Some files contain them too.
      const held = ours.findIndex((item) => !isHead(item))
      return count > held ? [...ours.slice(0, held), ...sent.slice(count)] : undefined
    },
  },
  {
    name: 'compactionPrompt',
    reason: 'The words that ask for a summary are sent once and never written.',
    without(sent) {
      const asked = textOf(sent.at(-1)).startsWith('You are performing a CONTEXT CHECKPOINT COMPACTION.')
      return asked ? sent.slice(0, -1) : undefined
    },
  },
  {
    name: 'outputAsText',
    reason: 'Builds of late 2025 write an output as JSON and send it as text.',
    without(sent, ours) {
      const written = new Map(ours.filter(isOutput).map((item) => [item['call_id'], item['output']]))
      let found = false
      const changed = sent.map((item) => {
        const output = isOutput(item) ? written.get(item['call_id']) : undefined
        if (output === undefined || asText(output) !== item['output']) return item
        found = true
        return { ...item, output }
      })
      return found ? changed : undefined
    },
  },
  {
    name: 'emptyParts',
    reason: 'Codex leaves empty texts out of an output when it sends it, and writes them.',
    without(sent, ours) {
      const written = new Map(ours.filter(isOutput).map((item) => [item['call_id'], item['output']]))
      let found = false
      const changed = sent.map((item) => {
        const output = isOutput(item) ? written.get(item['call_id']) : undefined
        if (!Array.isArray(output) || !Array.isArray(item['output']) || output.length === item['output'].length)
          return item
        const full = output.filter((part: { text?: string }) => part.text !== '')
        if (full.length !== item['output'].length) return item
        found = true
        return { ...item, output: [...item['output'], ...output.filter((part: { text?: string }) => part.text === '')] }
      })
      return found ? changed : undefined
    },
  },
  {
    name: 'retry',
    reason: 'A request is sent again as it was when its stream was cut, although what had come was written.',
    without(sent, ours, { request, previous }) {
      if (JSON.stringify(request.input) !== JSON.stringify(previous?.input)) return undefined
      const came = new Set((previous?.output ?? []).map(textOf))
      const rest = ours.slice(sent.length)
      return rest.length > 0 && rest.every((item) => came.has(textOf(item))) ? [...sent, ...rest] : undefined
    },
  },
]
