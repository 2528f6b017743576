/** Texts of message facts as they are compared and shown (rollout-format 5.2, 5.4). */
import type { MessageFact, Part } from '../model/facts.ts'

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
