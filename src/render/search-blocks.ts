/** Headings and text that the search index gets from each node. */
import type { ElementContent } from 'hast'
import { h } from 'hastscript'
import type { Group, Message, TrastNode } from '../model/trast.ts'
import { requestText } from '../util/ide.ts'
import type { RenderContext } from './context.ts'
import { longest, searchText, squeeze } from './search-text.ts'

/** UTF-16 units of a heading; the rest follows in a paragraph, so that no word is indexed twice. */
const headingLength = 120

/** What one node adds to the pruned page; hidden and inherited nodes add nothing. */
export function searchBlocks(node: TrastNode, context: RenderContext): ElementContent[] {
  if (node.data?.visibility === 'hidden' || node.data?.inherited === true) return []
  switch (node.type) {
    case 'turn':
    case 'preamble':
      return node.children.flatMap((child: TrastNode) => searchBlocks(child, context))
    case 'group':
      return groupBlocks(node, context)
    case 'message':
      return messageBlocks(node, context)
    case 'reasoning':
      return node.children.map((child) => h('p', {}, searchText(child.value, context.engine)))
    case 'command':
      return entry('h4', node.id, node.script === '' ? node.argv.join(' ') : node.script)
    case 'patch':
      return entry(
        'h5',
        node.id,
        node.children.flatMap((child) => (child.type === 'fileChange' ? child.path : [])).join(' '),
      )
    case 'toolCall':
      return [
        ...entry('h4', node.id, [node.server, node.tool].filter((part) => part !== undefined).join('/')),
        ...node.children.flatMap((child: TrastNode) => (isResult(child) ? [] : searchBlocks(child, context))),
      ]
    case 'search':
      return node.queries.map((query) => h('p', {}, squeeze(query)))
    case 'error':
      return entry('h6', node.id, node.message)
    default:
      return []
  }
}

function groupBlocks(node: Group, context: RenderContext): ElementContent[] {
  if (node.kind === 'inherited' || node.kind === 'rolledBack') return []
  return node.children.flatMap((child: TrastNode) => searchBlocks(child, context))
}

/** Typed prompts and what the assistant said; injected and machine-made messages stay out. */
function messageBlocks(node: Message, { engine }: RenderContext): ElementContent[] {
  const isPrompt = node.role === 'user' && node.origin === 'typed'
  if (!isPrompt && node.role !== 'assistant') return []
  const bodies = node.children.flatMap((child) => {
    if (child.type !== 'markdown' && child.type !== 'text') return []
    const text = searchText(isPrompt ? requestText(child.value) : child.value, engine)
    return text === '' ? [] : [text]
  })
  const [first = '', ...others] = bodies
  return [...entry(isPrompt ? 'h2' : 'h3', node.id, first), ...others.map((text) => h('p', {}, text))]
}

/** A heading with the beginning of a text, up to the end of a sentence or else a word, and a paragraph with the rest. */
function entry(level: 'h2' | 'h3' | 'h4' | 'h5' | 'h6', id: string, text: string): ElementContent[] {
  const line = squeeze(text.slice(0, longest))
  if (line === '') return []
  const end = headingEnd(line)
  const rest = line.slice(end).trim()
  return [h(level, { id }, line.slice(0, end)), ...(rest === '' ? [] : [h('p', {}, rest)])]
}

function headingEnd(line: string): number {
  if (line.length <= headingLength) return line.length
  const head = line.slice(0, headingLength + 1)
  const sentence = Math.max(head.lastIndexOf('. '), head.lastIndexOf('? '), head.lastIndexOf('! '))
  if (sentence > 20) return sentence + 1
  const word = head.lastIndexOf(' ')
  return word > 0 ? word : line.length
}

/** Results of a tool are not indexed: they are most of the bytes and little of the meaning. */
function isResult(node: TrastNode): boolean {
  return node.type === 'output' || node.type === 'text' || node.type === 'markdown'
}
