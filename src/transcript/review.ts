/** One entry per review: entering, the prompt, the verdict and its echoes (rollout-format 6.5). */

import type { MessageFact, ReviewFact } from '../rollout/parse/facts.ts'
import { defined } from '../util/defined.ts'
import type { Container } from './container.ts'
import { type Fragment, holds, isFragment, mergeSources } from './fragment.ts'
import { injectedLabel, typedText } from './texts.ts'

/** Folds the verdict into the marker that entering the review made, and what was said about it before. */
export function takeReviewRecord(node: Fragment & { fact: ReviewFact }, container: Container): void {
  const entered = container.children.findLast(
    (child): child is Fragment & { fact: ReviewFact } =>
      isFragment(child) && holds(child, 'review') && child.fact.step === 'entered',
  )
  if (node.fact.step === 'entered' || entered === undefined) {
    container.children.push(node)
    return
  }
  mergeSources(entered, node)
  const { hint, prompt } = entered.fact
  entered.fact = { ...node.fact, ...defined({ hint, prompt }) }
  foldEchoes(entered, container)
}

/** Folds messages that repeat a verdict: the `<user_action>` note and the closing answer. */
export function foldEchoes(review: Fragment & { fact: ReviewFact }, container: Container): void {
  if (review.fact.step !== 'exited') return
  container.children = container.children.filter((child) => {
    if (!isFragment(child) || !holds(child, 'message') || !repeats(child.fact, review.fact)) return true
    mergeSources(review, child)
    return false
  })
}

function repeats(message: MessageFact, review: ReviewFact): boolean {
  if (message.role === 'user') return injectedLabel(message) === 'User action'
  const { explanation } = review
  return (
    message.role === 'assistant' &&
    explanation !== undefined &&
    typedText(message).trim().startsWith(explanation.trim())
  )
}
