/** The prompts of a thread, with their positions on its pages. */

import { asksForSecret } from '../redact/strings.ts'
import type { MessageFact } from '../rollout/parse/facts.ts'
import { requestText } from '../rollout/parse/prompt.ts'
import type { AnswerCollector } from '../transcript/subtitle.ts'
import type { OutlineEntry } from '../transcript/summary.ts'
import { isPictureOnly, outlineEntry, reviewName, typedText } from '../transcript/texts.ts'
import { itemAnchor } from '../transcript/urls.ts'
import { defined } from '../util/own.ts'
import type { HeldLine, ScanHead, ScanLine } from './scan-line.ts'

/** What is known of a thread while its prompts are read. */
export interface OutlineState {
  head: ScanHead
  answers: AnswerCollector
  outline: OutlineEntry[]
  /** Number of the turn. */
  turn: number
}

/** Takes a prompt at the line of its first record. That line may have been given to a page before it was known to be a prompt. */
export function takePrompt(prompt: MessageFact, { line, page, prompts }: HeldLine, state: OutlineState): void {
  if (page === undefined) prompts.push(prompt)
  else addPrompt(prompt, line, page, state)
}

/** Adds a prompt whose line is on a page. */
export function addPrompt(prompt: MessageFact, line: ScanLine, page: number, state: OutlineState): void {
  const { head, turn } = state
  const isReply = asksForSecret(state.answers.takeUnanswered()) || undefined
  const at = { page, anchor: anchorOf(line, head), turn, ...defined({ at: line.at, isReply }) }
  const request = requestText(typedText(prompt))
  state.outline.push(outlineEntry(head.isReview ? reviewName(request) : request, isPictureOnly(prompt), at))
}

/** The anchor of the item that begins at a line. */
export function anchorOf({ line, segment }: ScanLine, { rollouts }: ScanHead): string {
  return itemAnchor(line, segment === 0 ? undefined : rollouts[segment])
}
