/** Makes the nodes of messages of every origin (rollout-format 5.4). */

import type { Asker } from '../../rollout/discover/rollout.ts'
import type { AgentMessageFact, HookFact, MessageFact, Part } from '../../rollout/parse/facts.ts'
import { approvalRequest, mentionedFiles, splitIdePreamble, voiceRequest } from '../../rollout/parse/prompt.ts'
import { reviewAnswer, verdictAnswer } from '../../rollout/parse/settings.ts'
import { defined } from '../../util/own.ts'
import type { FragmentOf } from '../fragment.ts'
import { reviewNotice } from '../review.ts'
import { contextLabel, injectedLabel, planText, visibleText, wholeText } from '../texts.ts'
import type { FlowContent, Message, Notice, PhraseContent } from '../trast.ts'
import { answerText, base, encryptedNote, idMaker, image, isCiphertext, type NodeContext, prose } from './context.ts'
import { userCommand } from './tool.ts'

type MessageFragment = FragmentOf<MessageFact>

/** The nodes of a message record: what was typed, and separately what was injected with it. */
export function messageNodes(fragment: MessageFragment, context: NodeContext): FlowContent[] {
  const { fact } = fragment
  if (fact.role === 'developer' || fact.role === 'system' || fact.added)
    return [contextMessage(fragment, fact.parts, context)]
  if (fact.role === 'assistant') return assistantNodes(fragment, context)
  const injected = fact.parts.filter((part) => part.kind === 'text' && part.class === 'injected')
  const typed = fact.parts.filter((part) => part.kind !== 'text' || part.class === 'typed')
  if (typed.length === 0) return [userCommandOf(fragment) ?? contextMessage(fragment, injected, context)]
  return typedNodes(fragment, typed, injected, context)
}

function userCommandOf(fragment: MessageFragment): FlowContent | undefined {
  if (injectedLabel(fragment.fact) !== 'User shell command') return undefined
  return userCommand(fragment, wholeText(fragment.fact))
}

function typedNodes(fragment: MessageFragment, typed: Part[], injected: Part[], context: NodeContext): FlowContent[] {
  const next = idMaker(fragment)
  const lifted = liftedRequest(typed, next)
  const { preamble, parts } = lifted === undefined ? splitPreamble(typed) : { preamble: '', parts: typed }
  const asker = askerOf(fragment, context)
  const prompt: Message = {
    ...base(fragment),
    type: 'message',
    role: 'user',
    origin: asker === 'codex' ? 'codex' : 'typed',
    ...(fragment.fact.steering ? { steering: true } : {}),
    ...(asker === 'agent' ? { delegated: true } : {}),
    ...(asker === 'codex' && lifted?.from === 'Reviewed transcript' ? { label: approvalLabel } : {}),
    children: lifted?.request ?? phrase(parts, next, context),
  }
  const nodes: FlowContent[] = []
  if (preamble !== '') nodes.push(injectedMessage(next(), 'IDE context', [prose(preamble, next())]))
  // Only the request is extracted; what the model was sent also stays whole.
  if (lifted !== undefined) nodes.push(injectedMessage(next(), lifted.from, phrase(typed, next, context)))
  nodes.push(prompt)
  if (injected.length > 0)
    nodes.push(injectedMessage(next(), contextLabel(fragment.fact), phrase(injected, next, context)))
  for (const target of mentionedFiles(preamble))
    prompt.children.push({ type: 'reference', id: next(), kind: 'file', target })
  return nodes
}

const approvalLabel = 'Approval request'

/** Who wrote a prompt, if not a person: whoever started the thread gives it all its tasks (rollout-format 1.4). */
function askerOf({ fact, data }: MessageFragment, { slice }: NodeContext): Asker | undefined {
  return data.inherited || fact.fromClient !== undefined ? undefined : slice.asker
}

/** A request extracted from the text in which a program wrapped it, and the label of that text. */
interface LiftedRequest {
  from: 'Reviewed transcript' | 'Voice transcript'
  request: PhraseContent[]
}

function liftedRequest(parts: readonly Part[], next: () => string): LiftedRequest | undefined {
  if (!parts.every((part) => part.kind === 'text')) return undefined
  const text = parts.map((part) => part.text).join('\n')
  const spoken = voiceRequest(text)
  if (spoken !== undefined) return { from: 'Voice transcript', request: [prose(spoken, next())] }
  const request = approvalPrompt(text, next)
  return request === undefined ? undefined : { from: 'Reviewed transcript', request }
}

/** What a reviewer is asked to approve: a command, its patch, and the circumstances to judge. */
function approvalPrompt(text: string, next: () => string): PhraseContent[] | undefined {
  const request = approvalRequest(text)
  if (request === undefined) return undefined
  const { action, patch, circumstances } = request
  return [
    { type: 'text', id: next(), value: action, lang: 'sh' },
    ...(patch === undefined ? [] : [{ type: 'text' as const, id: next(), value: patch, lang: 'diff' }]),
    ...(circumstances === undefined ? [] : [{ type: 'text' as const, id: next(), value: circumstances }]),
  ]
}

/** An injected message that shares its record with a typed one. */
function injectedMessage(id: string, label: string | undefined, children: PhraseContent[]): Message {
  return {
    type: 'message',
    id,
    role: 'user',
    origin: 'injected',
    ...defined({ label }),
    data: { visibility: 'collapsed' },
    children,
  }
}

function contextMessage(fragment: MessageFragment, parts: Part[], context: NodeContext): Message {
  const node = base(fragment)
  const label = contextLabel(fragment.fact) ?? (fragment.fact.role === 'user' ? undefined : 'Developer context')
  return {
    ...node,
    type: 'message',
    role: fragment.fact.role,
    origin: label === 'Hook' ? 'hook' : 'injected',
    ...defined({ label }),
    data: { ...node.data, visibility: 'collapsed' },
    children: phrase(label === 'Hook' ? parts.map(unwrapped) : parts, idMaker(fragment), context),
  }
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

/** A hook's text without the XML in which Codex wraps it (5.4). */
function unwrapped(part: Part): Part {
  if (part.kind !== 'text') return part
  const inner = /^\s*<hook_prompt[^>]*>([\s\S]*)<\/hook_prompt>\s*$/.exec(part.text)?.[1]
  if (inner === undefined) return part
  return { ...part, text: inner.replace(/&(lt|gt|quot|apos|amp);/g, (whole, name: string) => entities[name] ?? whole) }
}

/** The node of an answer. Empty answers are dropped (5.1), and their line is counted under its kind. */
function assistantNodes(fragment: MessageFragment, context: NodeContext): FlowContent[] {
  const { fact } = fragment
  const parts = fact.parts.map((part) =>
    part.kind === 'text' && !fact.shown ? { ...part, text: shownText(part.text) } : part,
  )
  if (parts.every((part) => part.kind === 'text' && part.text.trim() === '')) return []
  return [
    {
      ...base(fragment),
      type: 'message',
      role: 'assistant',
      origin: 'generated',
      ...defined({ phase: fact.phase }),
      children: said(parts, idMaker(fragment), context),
    },
  ]
}

/** The content of an answer: a review as a notice, a verdict in words, other JSON as JSON, the rest as prose. */
function said(parts: readonly Part[], next: () => string, context: NodeContext): Message['children'] {
  return parts.flatMap((part): Message['children'] => {
    if (part.kind !== 'text' || part.class === 'wrapper' || part.text === '') return phrase([part], next, context)
    const verdict = verdictAnswer(part.text)
    if (verdict !== undefined) return [prose(verdict, next())]
    const review = reviewAnswer(part.text)
    if (review === undefined) return [answerText(part.text, next())]
    const notice: Notice = { type: 'notice', id: next(), ...reviewNotice(review.fact, next) }
    // What does not fit into a review is shown in the unchanged answer.
    return review.hasMore ? [notice, answerText(part.text, next())] : [notice]
  })
}

/** The visible text, or only the plan block if nothing else was said. */
function shownText(text: string): string {
  const visible = visibleText(text)
  return visible === '' ? planText(text) : visible
}

function phrase(parts: readonly Part[], next: () => string, context: NodeContext): PhraseContent[] {
  const nodes: PhraseContent[] = []
  for (const part of parts) {
    if (part.kind === 'image') nodes.push(image(part, next(), context, 'attached'))
    else if (part.kind === 'placeholder') nodes.push({ type: 'text', id: next(), value: `[${part.text}]` })
    else if (part.kind === 'reference') {
      nodes.push({
        type: 'reference',
        id: next(),
        kind: part.what,
        target: part.target,
        ...defined({ label: part.label }),
      })
    } else if (part.class !== 'wrapper' && part.text !== '') nodes.push(prose(part.text, next()))
  }
  return nodes
}

/** A hook's feedback. */
export function hookNode(fragment: FragmentOf<HookFact>): Message {
  const next = idMaker(fragment)
  return {
    ...base(fragment),
    type: 'message',
    role: 'user',
    origin: 'hook',
    label: 'Hook',
    children: fragment.fact.texts.map((text) => prose(text, next())),
  }
}

const envelope = /^Message Type: ([A-Z_]+)\n(?:[A-Z][\w ]*: .*\n)*Payload:\n?/

/** A message between agents, without the head lines of its envelope (3.2). */
export function agentMessageNode(fragment: FragmentOf<AgentMessageFact>): Message {
  const { author, recipient, text, encrypted } = fragment.fact
  const next = idMaker(fragment)
  const words = text?.replace(envelope, '').trim() ?? ''
  const hidden = isCiphertext(words) || (encrypted && words === '')
  const children: Message['children'] = words === '' || hidden ? [] : [answerText(words, next())]
  if (hidden) children.push({ type: 'text', id: next(), value: encryptedNote })
  return {
    ...base(fragment),
    type: 'message',
    role: 'assistant',
    origin: 'agent',
    ...defined({ author, recipient }),
    children,
  }
}

// IDE context before a request, in a message of several parts (rollout-format 5.4, rule 4).

/** Splits the preamble from the first text part; preamble and parts together keep everything. */
function splitPreamble(parts: readonly Part[]): { preamble: string; parts: Part[] } {
  const index = parts.findIndex((part) => part.kind === 'text')
  const first = parts[index]
  if (first?.kind !== 'text') return { preamble: '', parts: [...parts] }
  const { preamble, request } = splitIdePreamble(first.text)
  return { preamble, parts: parts.with(index, { ...first, text: request }) }
}
