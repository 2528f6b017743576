/** The text that each node adds to the search index, and the names that operators look for. */

import type { ElementContent } from 'hast'
import { h } from '../render/hast.ts'
import { describedOptions, pageTitle } from '../render/phrases.ts'
import type { RenderContext } from '../render/transcript/context.ts'
import { isTyped } from '../render/transcript/prose/typed.ts'
import { requestText } from '../rollout/parse/prompt.ts'
import type {
  Agent,
  Approval,
  Command,
  FileChange,
  Finding,
  Message,
  Notice,
  Output,
  Patch,
  Session,
  ToolCall,
  TrastNode,
} from '../transcript/trast.ts'
import { argumentsOf, changesOf, isOnlyCopy, isRequest, walk } from '../transcript/view.ts'
import { pathBelow } from '../util/paths.ts'
import { stripAnsi } from '../util/printable.ts'
import { beginningOf, joinTexts } from '../util/text.ts'
import { type EntryKind, entry, maxOutputLength, more, searchText, squeeze, typedSearchText } from './entry-text.ts'

/** What blocks are made from besides the node. */
interface BlockContext extends Pick<RenderContext, 'engine'> {
  /** Whether outputs of commands and tools are indexed too. */
  outputs?: boolean
  /** Folder of the session: paths are relative to it, as on the page. */
  cwd?: string
}

/** What one node adds to the pruned page; nothing if the node is left out. */
export function searchBlocks(node: TrastNode, context: BlockContext): ElementContent[] {
  if (isLeftOut(node)) return []
  switch (node.type) {
    case 'turn':
      // Turns of copied history are numbered separately, so their numbers are negated.
      return [
        h('x-turn', { id: String(node.data?.inherited ? -node.number : node.number) }),
        ...all(node.children, context),
      ]
    case 'preamble':
    case 'group':
      return all(node.children, context)
    case 'message':
      return messageBlocks(node, context)
    case 'reasoning':
      return entry('thought', node.id, texts(node.children.map(({ value }) => searchText(value, context.engine))))
    case 'command':
      return commandBlocks(node, context)
    case 'patch':
      return patchBlocks(node, context)
    case 'toolCall':
      return toolBlocks(node, context)
    case 'agent':
      return agentBlocks(node, context)
    case 'approval':
      return approvalBlocks(node, context)
    case 'notice':
      return noticeBlocks(node, context)
    case 'plan':
      return entry('plan', node.id, texts(node.children.map(({ value }) => value)))
    case 'search':
      return [
        ...entry(
          'search',
          node.id,
          texts([...node.queries, node.url ?? '', node.pattern ?? '', pageTitle(node) ?? '']),
        ),
        ...outputBlocks(node.id, node.children, context),
      ]
    case 'error':
      return entry('error', node.id, node.message)
    default:
      return []
  }
}

/** Joins texts into one. */
function texts(parts: readonly string[]): string {
  return joinTexts(parts, ' ')
}

function all(nodes: readonly TrastNode[], context: BlockContext): ElementContent[] {
  return nodes.flatMap((node) => searchBlocks(node, context))
}

/**
 * Typed prompts, requests of Codex itself (with their label, which alone says what they are), and messages of the assistant.
 * Injected and machine-made messages are left out.
 */
function messageBlocks(node: Message, context: BlockContext): ElementContent[] {
  const asked = isRequest(node) ? askedKind(node) : undefined
  if (asked === undefined && node.role !== 'assistant') return []
  const said = isTyped(node) ? typedTexts(node.children) : prose(node.children, context)
  const reviews = node.children.flatMap((child) => (child.type === 'notice' ? noticeBlocks(child, context) : []))
  const words = asked === undefined ? said : [node.label ?? '', ...said]
  return [...entries(asked ?? saidKind(node), node.id, words), ...reviews]
}

/** The kind of a request: typed by somebody, or a question of Codex to its reviewer. */
export function askedKind({ origin }: Message): 'prompt' | 'question' {
  return origin === 'typed' ? 'prompt' : 'question'
}

/** The kind of an assistant's message; commentary during its work is not an answer. */
export function saidKind({ origin, phase }: Message): 'agent' | 'answer' | 'commentary' {
  if (origin === 'agent') return 'agent'
  return phase === 'commentary' ? 'commentary' : 'answer'
}

/** Several texts of one item, kept apart from each other. */
function entries(kind: EntryKind, id: string, values: readonly string[]): ElementContent[] {
  const [first = '', ...others] = values.filter((value) => value !== '')
  return [...entry(kind, id, first), ...others.flatMap((value) => more(kind, value))]
}

/** The texts of an item, of which `file:` and `tool:` search only `head`: an empty element introduces the rest. */
function headed(kind: EntryKind, id: string, head: string, values: readonly string[]): ElementContent[] {
  const rest = values.flatMap((value) => more(kind, value))
  return [...entry(kind, id, head), ...(rest.length > 0 ? [h('x-rest', { id: `${id}.rest` }), ...rest] : [])]
}

/** Markdown and text bodies among some nodes as plain words, and the targets of references. */
function prose(nodes: readonly TrastNode[], { engine }: BlockContext): string[] {
  return bodies(nodes, (value) => searchText(value, engine))
}

/** The same for a prompt: its words as typed, without what the editor put before them. */
function typedTexts(nodes: readonly TrastNode[]): string[] {
  return bodies(nodes, (value) => typedSearchText(requestText(value)))
}

function bodies(nodes: readonly TrastNode[], words: (value: string) => string): string[] {
  return nodes.flatMap((child) => {
    if (child.type === 'reference') return [texts([child.label ?? '', child.target])]
    if (child.type !== 'markdown' && child.type !== 'text') return []
    const text = child.type === 'text' ? squeeze(child.value) : words(child.value)
    return text === '' ? [] : [text]
  })
}

/**
 * What ran, why it asked for approval, and what was typed into it. Of its output, only the lines that describe its failure, or
 * all of it if outputs are indexed.
 */
function commandBlocks(node: Command, context: BlockContext): ElementContent[] {
  const { id } = node
  const outputs = node.children.filter((child): child is Output => child.type === 'output')
  const inputs = node.children.flatMap((child) => (child.type === 'input' ? [child.value] : []))
  const isNoFailure = node.outcome === 'noMatch' || node.outcome === 'cutOff' || node.outcome === 'stopped'
  const failed = node.status === 'failed' || ((node.exitCode ?? 0) !== 0 && !isNoFailure)
  return [
    ...entries('command', id, [node.script, node.justification ?? '', ...inputs]),
    ...(failed ? entry('error', id, errorLines(outputs.map(({ value }) => value))) : []),
    ...outputBlocks(id, outputs, context),
  ]
}

function outputBlocks(id: string, nodes: readonly TrastNode[], { outputs }: BlockContext): ElementContent[] {
  if (outputs !== true) return []
  return entries(
    'output',
    id,
    nodes.flatMap((node) => {
      if (node.type === 'reference') return [texts([node.label ?? '', node.target, node.excerpt ?? ''])]
      const isResult = node.type === 'output' || node.type === 'text' || node.type === 'markdown'
      return isResult ? [stripAnsi(beginningOf(node.value, maxOutputLength))] : []
    }),
  )
}

/** Paths of an edit, why it asked for approval, and the lines that it adds and removes. */
function patchBlocks(node: Patch, context: BlockContext): ElementContent[] {
  const { id } = node
  const { cwd } = context
  const changes = changesOf(node)
  const troubles =
    node.status === 'failed' ? node.children.filter((child): child is Output => child.type === 'output') : []
  return [
    ...headed('edit', id, pathsOf(node, cwd).join(' '), [node.justification ?? '', ...changes.map(changedLines)]),
    ...entry('error', id, errorLines(troubles.map(({ value }) => value))),
    ...outputBlocks(id, node.children, context),
  ]
}

/** Added and removed lines of a file, without the lines around them. */
function changedLines({ children }: FileChange): string {
  const lines = children.flatMap(({ value }) => value.split('\n'))
  return lines.flatMap((line) => (/^[-+]/.test(line) ? [line.slice(1)] : [])).join('\n')
}

/** The tool's name, its arguments, and what a script did. */
function toolBlocks(node: ToolCall, context: BlockContext): ElementContent[] {
  const isResult = ({ type }: TrastNode): boolean => type === 'output' || type === 'text' || type === 'markdown'
  return [
    ...headed(node.server === undefined ? 'tool' : 'mcp', node.id, toolName(node), [argumentsOf(node)]),
    ...all(
      node.children.filter((child) => !isResult(child)),
      context,
    ),
    ...outputBlocks(node.id, node.children, context),
  ]
}

/** Who was given which work, and what came back. */
function agentBlocks(node: Agent, context: BlockContext): ElementContent[] {
  const messages = node.children.filter((child): child is Message => child.type === 'message')
  const name = joinTexts([node.role, node.name], ' ')
  return [
    ...entries('agent', node.id, [name, ...messages.flatMap((message) => prose(message.children, context))]),
    ...outputBlocks(node.id, node.children, context),
  ]
}

/** Questions to the user with their options and the answer, unless that is secret. */
function approvalBlocks(node: Approval, context: BlockContext): ElementContent[] {
  const parts = node.children.flatMap((child) => {
    if (child.type !== 'question') return []
    const { header, options, answer, secret } = child
    const own = secret || answer === undefined || options.includes(answer) ? [] : [answer]
    return [header ?? '', ...prose(child.children, context), ...describedOptions(child), ...own]
  })
  return entry('question', node.id, texts(parts))
}

/** Findings of a review, and the text of an interruption, a goal or a compaction. */
function noticeBlocks(node: Notice, context: BlockContext): ElementContent[] {
  const findings = node.children.filter((child): child is Finding => child.type === 'finding')
  const said = findings.map(({ title, path, children }) => texts([title, path ?? '', ...prose(children, context)]))
  return entries('notice', node.id, [...prose(node.children, context), ...said])
}

// What the output of a failed command or tool says about the failure.

/** The most lines per command, and characters per line, that are kept. */
const maxLines = 6
const maxLineLength = 300
/** How many characters at the end of an output are examined, because failures are reported last. */
const tail = 16_384

const trouble =
  /\b(?:error|err!|fatal|panic(?:ked)?|exception|traceback|failed|failure|cannot|can't|could not|unable to|not found|no such|denied|undefined|refused|timed? ?out|segmentation fault)\b|(?:Error|Exception)\b/i

/** Lines of outputs that describe a failure, without repeats, in order and joined by newlines; empty if there are none. */
export function errorLines(outputs: readonly string[]): string {
  const found = new Set<string>()
  for (const output of outputs) {
    for (const line of stripAnsi(output.slice(-tail)).split('\n')) {
      if (found.size >= maxLines) break
      if (trouble.test(line)) found.add(beginningOf(line.trim(), maxLineLength))
    }
  }
  return [...found].join('\n')
}

// Names that the operators of the search look for.

/** Paths of edits, relative to a folder, and names of tools with those of their servers. */
export function namesIn(
  slice: Session,
  folder: string | undefined = slice.cwd,
): { files?: string[]; tools?: string[] } {
  const [files, tools] = [new Set<string>(), new Set<string>()]
  walk(slice, (node) => {
    if (isLeftOut(node)) return false
    if (node.type === 'patch') for (const path of pathsOf(node, folder)) files.add(path)
    if (node.type === 'toolCall') tools.add(toolName(node))
    return undefined
  })
  return { ...(files.size > 0 && { files: [...files] }), ...(tools.size > 0 && { tools: [...tools] }) }
}

/** Whether a node is not searched at all: if it was rolled back, or copied, unless the copy is all that there is. */
function isLeftOut(node: TrastNode): boolean {
  if (node.type === 'group' && node.kind === 'inherited') return !isOnlyCopy(node)
  return (node.type === 'group' && node.kind === 'rolledBack') || node.data?.visibility === 'hidden'
}

/** Paths of an edit, relative to a folder. */
function pathsOf(node: Patch, folder: string | undefined): string[] {
  const paths = changesOf(node).flatMap(({ path, movedTo }) => (movedTo === undefined ? [path] : [path, movedTo]))
  return paths.map((path) => pathBelow(path, folder))
}

/** `server/tool`, or just the tool's name. */
function toolName({ server, tool }: ToolCall): string {
  return joinTexts([server, tool], '/')
}
