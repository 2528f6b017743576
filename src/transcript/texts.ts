/** Texts of message facts as they are compared and shown (rollout-format 5.2, 5.4). */

import type { MessageFact, Part } from '../rollout/parse/facts.ts'
import type { OutlineEntry, ScanFacts } from './summary.ts'

const citation = /<oai-mem-citation>[\s\S]*?<\/oai-mem-citation>/g
const proposedPlan = /^<proposed_plan>[ \t]*\n[\s\S]*?^<\/proposed_plan>[ \t]*\n?/gm

/** The visible text of an assistant message: memory citations and plan blocks taken out, trimmed. */
export function visibleText(text: string): string {
  if (!text.includes('<')) return text.trim()
  return text.replace(citation, '').replace(proposedPlan, '').trim()
}

/** The inside of a text that is a plan block: the lines between the tags, trimmed. */
export function planText(text: string): string {
  return text.replace(/^<\/?proposed_plan>[ \t]*$/gm, '').trim()
}

/** The parts that a person typed or an assistant said. */
function typedTexts(parts: readonly Part[]): string[] {
  return parts
    .filter((part) => part.kind === 'text')
    .filter((part) => part.class === 'typed')
    .map((part) => part.text)
}

/** The typed text of a message, parts joined by a line end. */
export function typedText(fact: MessageFact): string {
  return typedTexts(fact.parts).join('\n')
}

/** Whether all that a user message holds was put there by Codex. */
export function isInjected(fact: MessageFact): boolean {
  return (
    fact.role === 'user' &&
    fact.parts.length > 0 &&
    fact.parts.every((part) => part.kind === 'text' && part.class !== 'typed') &&
    fact.parts.some((part) => part.kind === 'text' && part.class === 'injected')
  )
}

/** Whether a user message holds pictures and no typed word: a picture that a tool brought, or a bare attachment. */
export function isPictureOnly(fact: MessageFact): boolean {
  return fact.role === 'user' && fact.parts.some((part) => part.kind === 'image') && typedText(fact).trim() === ''
}

/** Label of an injected message: that of its first injected part. */
export function injectedLabel(fact: MessageFact): string | undefined {
  for (const part of fact.parts) if (part.kind === 'text' && part.label !== undefined) return part.label
  return undefined
}

// The outline of a thread: its prompts in short.

const image = 'Image'
const empty = 'Empty prompt'

/** The entry of a prompt; one of pictures only, or without words, has a name instead. */
export function outlineEntry(request: string, pictureOnly: boolean, place: Omit<OutlineEntry, 'text'>): OutlineEntry {
  return { ...place, text: firstLine(request) || (pictureOnly ? image : empty) }
}

/** The first prompt with words, else the name of the first one. */
export function firstRequest(outline: readonly OutlineEntry[]): string | undefined {
  return outline.find(({ text }) => text !== image && text !== empty)?.text ?? outline[0]?.text
}

// The title of a thread (rollout-format 1.5).

/** What was cut within `user:password@host`: without the sign behind it nobody could tell a password there. */
const cutAuthority = /(?<=:\/\/)[^\s/@]*$/

/** First line of a text that is not blank, without marks of Markdown, at most 120 characters; empty where there is none. */
export function firstLine(text: string): string {
  const line = text.split('\n').find((part) => part.trim() !== '') ?? ''
  const chars = [...withoutMarks(line.slice(0, 520)).slice(0, 260)]
  return chars.length > 120 ? `${chars.slice(0, 119).join('').replace(cutAuthority, '')}…` : chars.join('')
}

/** The best of what a thread may be called by: name of the index, name of an event, prompt, file. */
export function titleOf(names: {
  index?: string
  event?: string
  prompt?: string
  fallback: string
}): Pick<ScanFacts, 'title' | 'titleFrom'> {
  const { index, event, prompt, fallback } = names
  if (index !== undefined) return { title: index, titleFrom: 'index' }
  if (event !== undefined) return { title: event, titleFrom: 'event' }
  return prompt === undefined
    ? { title: fallback, titleFrom: 'file' }
    : { title: firstLine(prompt), titleFrom: 'prompt' }
}

// Short texts without the marks of Markdown: titles, outlines, rows of lists.

/** Drops marks around words and at the start of a line; what only looks like a mark stays. */
export function withoutMarks(line: string): string {
  return line
    .replace(/^\s*(?:#{1,6}|>|[-*+])\s+/, '')
    .replace(/!?\[([^\]]+)\]\([^()\s]+\)/g, '$1')
    .replace(/(`+)(?!`)(.+?)(?<!`)\1(?!`)/g, '$2')
    .replace(/(?<![\w*])(\*{1,2})(?=\S)(.+?)(?<=\S)\1(?![\w*])/g, '$2')
    .trim()
}
