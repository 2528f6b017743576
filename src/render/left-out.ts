/** What was left out, in words. */
import type { ContentKind } from '../model/publication.ts'
import { ownValue } from '../util/own.ts'
import { formatAmount, formatCount } from '../util/time.ts'

type Counted = Exclude<ContentKind, 'stats' | 'internals'> | 'turns' | 'items' | 'picture'

/** Names of one and of many. */
const names: Readonly<Record<Counted, readonly [one: string, many: string]>> = {
  turns: ['turn', 'turns'],
  items: ['item', 'items'],
  prompts: ['prompt', 'prompts'],
  answers: ['answer', 'answers'],
  reasoning: ['thought', 'thoughts'],
  injected: ['context message', 'context messages'],
  commands: ['command', 'commands'],
  tools: ['tool call', 'tool calls'],
  toolOutput: ['output', 'outputs'],
  toolArguments: ['call without its long arguments', 'calls without their long arguments'],
  edits: ['edit', 'edits'],
  diffs: ['diff', 'diffs'],
  searches: ['web search', 'web searches'],
  plans: ['plan', 'plans'],
  images: ['picture', 'pictures'],
  picture: ['picture', 'pictures'],
  agents: ['call of an agent', 'calls of agents'],
  approvals: ['approval', 'approvals'],
  notices: ['notice', 'notices'],
  errors: ['error', 'errors'],
  unknown: ['unrecognised record', 'unrecognised records'],
}

/** `12 outputs, 3 thoughts`, most first, then by name; empty for nothing. */
export function leftOutText(omitted: Readonly<Record<string, number>>): string {
  return Object.entries(omitted)
    .filter(([, count]) => count > 0)
    .sort(([nameA, a], [nameB, b]) => b - a || (nameA < nameB ? -1 : 1))
    .map(([name, count]) => {
      const words = ownValue<readonly [string, string]>(names, name)
      return words === undefined ? `${name} ${formatCount(count)}` : formatAmount(count, ...words)
    })
    .join(', ')
}
