/** The texts of a turn, each with its kind and the item that contains it. */

import type { TextKind } from '../../../templates/assets/search/grammar.js'
import { nameOfFile, namesOfPrinted } from '../../redact/rules/printed.ts'
import { describedOptions } from '../../render/phrases.ts'
import { askedKind, saidKind } from '../../search/blocks.ts'
import type { Approval, Command, Message, Notice, Patch, Session, ToolCall, TrastNode } from '../../transcript/trast.ts'
import { argumentsOf, changesOf, isOnlyCopy, isRequest } from '../../transcript/view.ts'
import { stripAnsi } from '../../util/printable.ts'
import { joinTexts } from '../../util/text.ts'

/** Kinds of texts that are not Markdown. */
export const verbatimKinds: ReadonlySet<TextKind> = new Set(['command', 'output', 'edit', 'tool', 'search', 'error'])

/** A text of an item. */
export interface TurnText {
  kind: TextKind
  /** Id of the item, which is its anchor on a page. */
  id: string
  value: string
  /** Paths that an edit changed. */
  files?: readonly string[]
  /** Name of a tool, after that of its server. */
  tool?: string
}

/** Takes one text; is called in the order of the page. */
type Take = (text: TurnText) => void

type Readers = { [Type in TrastNode['type']]?: (node: Extract<TrastNode, { type: Type }>, take: Take) => void }

/** Readers of nodes that are an item. A node without a reader is a container. */
const readers: Readers = {
  message: messageTexts,
  command: commandTexts,
  patch: patchTexts,
  toolCall: toolTexts,
  reasoning: ({ id, children }, take) => take({ kind: 'thought', id, value: valuesOf(children) }),
  approval: (node, take) => take({ kind: 'question', id: node.id, value: questionText(node) }),
  plan: ({ id, children }, take) => take({ kind: 'plan', id, value: valuesOf(children) }),
  notice: (node, take) => take({ kind: 'notice', id: node.id, value: noticeText(node) }),
  error: ({ id, message }, take) => take({ kind: 'error', id, value: message }),
  image: ({ id, alt, url }, take) => take({ kind: 'context', id, value: lines([alt, url]) }),
  search({ id, queries, url, pattern, children }, take) {
    take({ kind: 'search', id, value: lines([...queries, url, pattern]) })
    outputTexts(id, children, take)
  },
  agent({ id, role, name, children }, take) {
    const messages = children.map((child) => (child.type === 'message' ? valuesOf(child.children) : ''))
    take({ kind: 'agent', id, value: lines([role, name, ...messages]) })
    outputTexts(id, children, take)
  },
}

/** Passes all texts of a node and its descendants to `take`, except copied history that another session has. */
export function textsOf(node: TrastNode, take: Take): void {
  if (node.type === 'group' && node.kind === 'inherited' && !isOnlyCopy(node)) return
  // The reader in the table is that of the node's own type.
  const read = readers[node.type] as ((node: TrastNode, take: Take) => void) | undefined
  if (read !== undefined) read(node, take)
  else if ('children' in node) for (const child of node.children) textsOf(child, take)
}

/**
 * Removes the items without a wanted text, before anything is redacted. Items on which the redaction of others depends
 * stay (`givesContext`). Secrets that their own text reveals are looked up in the lines of the rollout (`familyLookup`).
 */
export function removeOthers(tree: Session, isWanted: (value: string) => boolean): void {
  const holds = (node: TrastNode): boolean => {
    let isFound = false
    textsOf(node, ({ value }) => {
      isFound ||= isWanted(value)
    })
    return isFound
  }
  const stays = (node: TrastNode): boolean => {
    if (readers[node.type] === undefined && 'children' in node) {
      keepOnly(node, stays)
      return true
    }
    if (holds(node)) return true
    // For redaction, each quoted text of a script is read as a command line. That needs the calls of the script, not its
    // output.
    if (node.type === 'toolCall') keepOnly(node, givesContext)
    return givesContext(node)
  }
  keepOnly(tree, stays)
}

/** Filtering a list of children does not change the types in it. */
function keepOnly(node: { children: TrastNode[] }, stays: (child: TrastNode) => boolean): void {
  node.children = node.children.filter(stays)
}

/**
 * Whether an item may affect the text of others: because its position makes a text next to it secret, which no single
 * line shows (`redactByContext` in `redact/strings.ts`), or because an encrypted task gets its words from it.
 */
function givesContext(node: TrastNode): boolean {
  switch (node.type) {
    case 'message':
    case 'approval':
    case 'agent':
    case 'toolCall':
      return true
    case 'command':
      return node.children.length > 1 || node.script === '' || namesOfPrinted(node.script) !== undefined
    case 'patch':
      return changesOf(node).some(({ path }) => nameOfFile(path) !== undefined)
    default:
      return false
  }
}

function messageTexts(node: Message, take: Take): void {
  const kind = messageKind(node)
  // The rollout contains the words of the label too, in capitals before the request, so `bytes.ts` finds them.
  const label = node.label === undefined || !isRequest(node) ? '' : `${node.label}: `
  take({ kind, id: node.id, value: label + valuesOf(node.children) })
  for (const child of node.children) if (child.type === 'notice') textsOf(child, take)
}

function messageKind(node: Message): TextKind {
  const { role, origin } = node
  if (isRequest(node)) return askedKind(node)
  return role === 'assistant' || origin === 'agent' ? saidKind(node) : 'context'
}

function commandTexts(node: Command, take: Take): void {
  const { id } = node
  take({ kind: 'command', id, value: node.script })
  if (node.justification !== undefined) take({ kind: 'command', id, value: node.justification })
  for (const child of node.children) if (child.type === 'input') take({ kind: 'command', id, value: child.value })
  outputTexts(id, node.children, take)
}

function patchTexts(node: Patch, take: Take): void {
  const { id, justification } = node
  if (justification !== undefined) take({ kind: 'edit', id, value: justification })
  for (const { path, movedTo, children } of changesOf(node)) {
    const files = movedTo === undefined ? [path] : [path, movedTo]
    take({ kind: 'edit', id, value: lines([...files, ...children.map(({ value }) => value)]), files })
  }
  outputTexts(id, node.children, take)
}

function toolTexts(node: ToolCall, take: Take): void {
  const { id } = node
  const tool = joinTexts([node.server, node.tool], '/')
  take({ kind: 'tool', id, value: lines([tool, argumentsOf(node)]), tool })
  outputTexts(id, node.children, take)
  for (const child of node.children) if (!isOutput(child)) textsOf(child, take)
}

function isOutput({ type }: TrastNode): boolean {
  return type === 'output' || type === 'text' || type === 'markdown'
}

/** Passes the outputs of an item to `take`, without terminal colours. */
function outputTexts(id: string, nodes: readonly TrastNode[], take: Take): void {
  for (const node of nodes) {
    if (isOutput(node) && 'value' in node) take({ kind: 'output', id, value: stripAnsi(node.value) })
    if (node.type === 'reference') take({ kind: 'output', id, value: lines([node.label, node.target, node.excerpt]) })
  }
}

function questionText({ decision, children }: Approval): string {
  const questions = children.flatMap((child) =>
    child.type === 'question'
      ? [child.header, valuesOf(child.children), ...describedOptions(child), child.secret ? undefined : child.answer]
      : [valuesOf([child])],
  )
  return lines([...questions, decision])
}

function noticeText({ kind, facts, children }: Notice): string {
  const findings = children.flatMap((child) =>
    child.type === 'finding' ? [child.title, child.path, valuesOf(child.children)] : [],
  )
  // In other notices, these are our own words.
  const said = kind === 'review' ? [facts?.before, facts?.after] : []
  return lines([...said, valuesOf(children), ...findings])
}

function valuesOf(nodes: readonly TrastNode[]): string {
  return lines(
    nodes.flatMap((node) => {
      if (node.type === 'reference') return [node.label, node.target]
      return 'value' in node ? [node.value] : []
    }),
  )
}

function lines(parts: readonly (string | undefined)[]): string {
  return joinTexts(parts, '\n')
}
