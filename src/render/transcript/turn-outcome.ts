/** What came of a turn, for the list of prompts. */

import type { TurnOverview } from '../../transcript/overview.ts'
import { firstSentence } from '../../transcript/subtitle.ts'
import type { TrastNode, Turn } from '../../transcript/trast.ts'
import { noticeWords } from '../labels.ts'
import { firstLine } from '../phrases.ts'
import { answerOf } from './story.ts'

/** Length of a review's name, as of the prompts beside it. */
const maxTitle = 80

/** Copied history has a time of its own in its own thread; what is hidden has no place to lead to. */
export function isAbsent({ data }: TrastNode): boolean {
  return data?.inherited === true || data?.visibility === 'hidden'
}

/** What a turn, or a part of one that a page border cut, came to. */
export function takeOutcome(node: Turn, left: number, turn: TurnOverview): void {
  turn.left += left
  const result = resultOf(node)
  if (result !== undefined) turn.result = result
  takeReview(node, turn)
  if (node.children.some((child) => child.type === 'notice' && child.kind === 'unanswered')) turn.unanswered = true
}

/** A turn whose review has a name is called by it: nobody wrote a prompt that could tell what was asked for. */
function takeReview({ children }: Turn, turn: TurnOverview): void {
  const notice = children.findLast((child) => child.type === 'notice' && child.kind === 'review' && !isAbsent(child))
  if (notice?.type !== 'notice') return
  const { title, detail } = noticeWords(notice)
  turn.review = firstLine(title, maxTitle)
  if (detail !== '') turn.result ??= detail
}

/** First sentence of the last answer; the last words of a turn that was broken off are none, unless the record says so. */
function resultOf(turn: Turn): string | undefined {
  const inferred = answerOf(turn)
  const answer = turn.children.findLast(
    (child) => child.type === 'message' && (child.id === inferred || child.phase === 'final_answer'),
  )
  if (answer?.type !== 'message' || isAbsent(answer)) return undefined
  const text = answer.children.map((child) => ('value' in child ? child.value : '')).join('\n')
  return firstSentence(text)?.replace(/\s+/g, ' ')
}
