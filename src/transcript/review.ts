/** Makes one entry per review: its start, the prompt, the verdict and its echoes (rollout-format 6.5). */

import type { FindingFact, MessageFact, ReviewFact } from '../rollout/parse/facts.ts'
import { defined } from '../util/own.ts'
import type { Container } from './container.ts'
import { type FragmentOf, hasFact, isFragment, mergeSources } from './fragment.ts'
import { prose } from './nodes/context.ts'
import { injectedLabel, typedText } from './texts.ts'
import type { Finding, Notice } from './trast.ts'

/**
 * Takes a record of a review. The verdict, and earlier messages that repeat it, are folded into the marker of the
 * review's start.
 */
export function takeReviewRecord(node: FragmentOf<ReviewFact>, container: Container): void {
  const entered = container.children.findLast(
    (child): child is FragmentOf<ReviewFact> =>
      isFragment(child) && hasFact(child, 'review') && child.fact.step === 'entered',
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
export function foldEchoes(review: FragmentOf<ReviewFact>, container: Container): void {
  if (review.fact.step !== 'exited') return
  container.children = container.children.filter((child) => {
    if (!isFragment(child) || !hasFact(child, 'message') || !repeats(child.fact, review.fact)) return true
    mergeSources(review, child)
    return false
  })
}

/** The content of a review: verdict, explanation and findings. A review that ended without a verdict was interrupted. */
export function reviewNotice(
  { hint, prompt, verdict, explanation, confidence, findings, step }: ReviewFact,
  next: () => string,
): Pick<Notice, 'kind' | 'facts' | 'children'> {
  const isEmpty = explanation === undefined && findings.length === 0
  const after = verdict ?? (step === 'exited' && isEmpty ? 'review interrupted' : undefined)
  const facts = defined({ before: hint, after, confidence })
  return {
    kind: 'review',
    ...(Object.keys(facts).length === 0 ? {} : { facts }),
    children: [
      // The hint is already in the title.
      ...[prompt?.trim() === hint?.trim() ? undefined : prompt, explanation].flatMap((text) =>
        text === undefined ? [] : [prose(text, next())],
      ),
      ...findings.map((item) => findingNode(item, next)),
    ],
  }
}

function findingNode(item: FindingFact, next: () => string): Finding {
  const { title, body, priority, confidence, path, startLine, endLine } = item
  return {
    type: 'finding',
    id: next(),
    title,
    ...defined({ priority, confidence, path, startLine, endLine }),
    children: body === '' ? [] : [prose(body, next())],
  }
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
