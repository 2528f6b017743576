/** Calls of tools that are neither commands nor patches. */
import type { ToolCall } from '../../../model/trast.ts'
import { prettyJson } from '../../../util/json-pretty.ts'
import { callFacts } from '../../labels.ts'
import { factLine, fence, paragraph, strong } from '../build.ts'
import type { Handle } from '../state.ts'

/** Strong name, what went in, what came out, how it ended. */
export const toolCall: Handle<ToolCall> = (node, state) => {
  const pretty = prettyJson(node.input)
  const name = node.server === undefined ? node.tool : `${node.server}/${node.tool}`
  return [
    paragraph(strong(name)),
    ...(pretty === undefined ? fence(node.input) : fence(pretty, 'json')),
    ...state.all(node.children),
    ...factLine(callFacts(node)),
  ]
}
